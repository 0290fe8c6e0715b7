using System;
using System.Collections.Generic;

namespace Samewait.Retry
{
    /// <summary>When to try again, and when to stop. Immutable, and valid once it is built.</summary>
    public sealed class RetryPolicy
    {
        /// <summary>The most jittered delays that are drawn at once (J-11).</summary>
        public const int MaxSamples = 1000000;

        [ThreadStatic] static Random draws;

        // The arithmetic is done in binary64 seconds, and only its results become ticks: ticks would round every step (B-5).
        readonly double first;
        readonly double ceiling;
        readonly double ageLimit;

        /// <summary>A policy of the fields given; every other field has the contract's default (P-1).</summary>
        /// <param name="maxAttempts">Deliveries, the first one included: 1 means no retry. A long, so that a count read from
        /// elsewhere is judged and not cut.</param>
        /// <param name="initialDelay">The wait after the first failure; zero retries at once.</param>
        /// <param name="multiplier">What every wait is multiplied by to give the next; at least 1.</param>
        /// <param name="maxDelay">The longest wait, before jitter; zero sets no cap.</param>
        /// <param name="jitterFactor">How far jitter moves a wait to either side, as a part of it: 0 to 1.</param>
        /// <param name="maxMessageAge">The age at which a failed message is given up; zero sets no limit.</param>
        /// <exception cref="InvalidPolicyException">A field is outside its range; the first one is named (P-10).</exception>
        public RetryPolicy(
            long maxAttempts = 1,
            TimeSpan initialDelay = default(TimeSpan),
            double multiplier = 2.0,
            TimeSpan maxDelay = default(TimeSpan),
            double jitterFactor = 0.0,
            TimeSpan maxMessageAge = default(TimeSpan))
        {
            // Each number is asked whether it is inside its range, so that NaN is not (P-9).
            if (!IsAttempt(maxAttempts)) throw new InvalidPolicyException("max_attempts", maxAttempts, AttemptRange);
            if (!Seconds.IsLegal(initialDelay)) throw new InvalidPolicyException("initial_delay", initialDelay, Seconds.LegalRange);
            if (!(multiplier >= 1.0 && multiplier <= double.MaxValue))
                throw new InvalidPolicyException("multiplier", multiplier, "a finite number, 1 or more");
            if (!Seconds.IsLegal(maxDelay)) throw new InvalidPolicyException("max_delay", maxDelay, Seconds.LegalRange);
            if (!(jitterFactor >= 0.0 && jitterFactor <= 1.0))
                throw new InvalidPolicyException("jitter_factor", jitterFactor, "0 to 1");
            if (!Seconds.IsLegal(maxMessageAge))
                throw new InvalidPolicyException("max_message_age", maxMessageAge, Seconds.LegalRange);

            MaxAttempts = (int)maxAttempts;
            InitialDelay = initialDelay;
            Multiplier = multiplier;
            MaxDelay = maxDelay;
            JitterFactor = jitterFactor == 0.0 ? 0.0 : jitterFactor; // -0.0 is 0.0 (P-7)
            MaxMessageAge = maxMessageAge;

            ceiling = Seconds.FromTimeSpan(maxDelay > TimeSpan.Zero ? maxDelay : Seconds.Horizon); // (B-3)
            first = Math.Min(Seconds.FromTimeSpan(initialDelay), ceiling);
            ageLimit = Seconds.FromTimeSpan(maxMessageAge);
        }

        /// <summary>One attempt and no retry (P-12).</summary>
        public static RetryPolicy None { get; } = new RetryPolicy();

        /// <summary>The same wait after every failure (P-13).</summary>
        public static RetryPolicy Fixed(long maxAttempts, TimeSpan delay) =>
            new RetryPolicy(maxAttempts, delay, multiplier: 1.0);

        /// <summary>Waits that double, with a jitter of 20 percent (P-14).</summary>
        public static RetryPolicy Exponential(long maxAttempts, TimeSpan initialDelay, TimeSpan maxDelay = default(TimeSpan)) =>
            new RetryPolicy(maxAttempts, initialDelay, maxDelay: maxDelay, jitterFactor: 0.2);

        /// <summary>Deliveries, the first one included.</summary>
        public int MaxAttempts { get; }

        /// <summary>The wait after the first failure.</summary>
        public TimeSpan InitialDelay { get; }

        /// <summary>What every wait is multiplied by to give the next.</summary>
        public double Multiplier { get; }

        /// <summary>The longest wait, before jitter; zero is no cap.</summary>
        public TimeSpan MaxDelay { get; }

        /// <summary>How far jitter moves a wait to either side, as a part of it.</summary>
        public double JitterFactor { get; }

        /// <summary>The age at which a failed message is given up; zero is no limit.</summary>
        public TimeSpan MaxMessageAge { get; }

        /// <summary>A copy with this age limit (P-15).</summary>
        public RetryPolicy GiveUpAfter(TimeSpan age) =>
            new RetryPolicy(MaxAttempts, InitialDelay, Multiplier, MaxDelay, JitterFactor, age);

        /// <summary>A copy with this jitter factor (P-15).</summary>
        public RetryPolicy WithJitter(double factor) =>
            new RetryPolicy(MaxAttempts, InitialDelay, Multiplier, MaxDelay, factor, MaxMessageAge);

        /// <summary>The wait after this attempt has failed, without jitter and whatever MaxAttempts says.</summary>
        public TimeSpan Backoff(long attempt) => Seconds.ToTimeSpan(BackoffSeconds(attempt));

        /// <summary>The waits between the attempts of a message that always fails, computed as they are taken.</summary>
        public IEnumerable<TimeSpan> Schedule()
        {
            int left = MaxAttempts - 1;
            TimeSpan delay = TimeSpan.Zero;
            foreach (double seconds in ScheduleUntilSteady())
            {
                delay = Seconds.ToTimeSpan(seconds);
                left--;
                yield return delay;
            }
            for (; left > 0; left--) yield return delay;
        }

        /// <summary>What to do after this attempt has failed: wait, or give up.</summary>
        /// <param name="attempt">The attempt that failed, counted from 1.</param>
        /// <param name="messageAge">The time since the message was first put, or null when nobody knows; below zero counts as
        /// zero.</param>
        public Decision NextDelay(long attempt, TimeSpan? messageAge = null)
        {
            Judge(attempt);
            if (attempt >= MaxAttempts) return Decision.GiveUp(GiveUpReason.MaxAttempts);
            // In seconds, not in ticks: above 2^29 seconds several ticks are one binary64 number, and equal is old enough (N-3).
            // An unknown age is young enough (N-6), and so is a negative one, the limit being above 0 (N-7).
            if (ageLimit > 0.0 && messageAge.HasValue && Seconds.FromTimeSpan(messageAge.Value) >= ageLimit)
                return Decision.GiveUp(GiveUpReason.MaxMessageAge);
            return Decision.Wait(BackoffSeconds(attempt));
        }

        /// <summary>The delay, moved to either side by at most JitterFactor of it. It may exceed MaxDelay (J-5).</summary>
        public TimeSpan Jittered(TimeSpan delay) => Jittered(delay, Draws.NextDouble());

        /// <summary>The same with a draw of the caller's own, at least 0 and below 1.</summary>
        public TimeSpan Jittered(TimeSpan delay, double draw)
        {
            if (!Seconds.IsLegal(delay)) throw new InvalidArgumentException("delay", delay, Seconds.LegalRange);
            if (!(draw >= 0.0 && draw < 1.0)) throw new InvalidArgumentException("draw", draw, "0 or more, and below 1");
            if (JitterFactor == 0.0 || delay == TimeSpan.Zero) return delay; // not even rounded (J-3)
            // Each cast rounds one operation on its own (J-2).
            double twice = (double)(draw * 2.0);
            double offset = (double)((double)(twice - 1.0) * JitterFactor);
            double factor = (double)(1.0 + offset);
            return Seconds.ToTimeSpan((double)(Seconds.FromTimeSpan(delay) * factor));
        }

        /// <summary>The delay, jittered so many times, in the order of the draws (J-10).</summary>
        /// <param name="delay">The wait to be jittered.</param>
        /// <param name="count">How many samples to draw, 1 to <see cref="MaxSamples"/>. A long, so that a count read from
        /// elsewhere is judged and not cut.</param>
        /// <param name="random">Where the draws come from; null for what <see cref="Jittered(TimeSpan)"/> draws from.</param>
        public TimeSpan[] JitterSamples(TimeSpan delay, long count, Random random = null)
        {
            if (!Seconds.IsLegal(delay)) throw new InvalidArgumentException("delay", delay, Seconds.LegalRange);
            if (!(count >= 1 && count <= MaxSamples)) // after the delay (J-11)
                throw new InvalidArgumentException("count", count, FormattableString.Invariant($"1 to {MaxSamples}"));
            Random source = random ?? Draws;
            var samples = new TimeSpan[count];
            for (int i = 0; i < samples.Length; i++) samples[i] = Jittered(delay, source.NextDouble());
            return samples;
        }

        /// <summary>One source a thread, as they are not safe to share, and a seed that no two processes share (J-9). On .NET
        /// Framework a <c>new Random()</c> is seeded by the milliseconds of a clock: all that are made at the same one draw the
        /// same, be it in a loop or in machines that start together.</summary>
        static Random Draws => draws ?? (draws = new Random(Guid.NewGuid().GetHashCode()));

        internal double BackoffSeconds(long attempt)
        {
            Judge(attempt);
            double delay = first;
            while (--attempt > 0 && Grow(ref delay)) { }
            return delay;
        }

        /// <summary>The schedule without the repetitions of its last delay.</summary>
        internal IEnumerable<double> ScheduleUntilSteady()
        {
            double delay = first;
            for (int left = MaxAttempts - 1; left > 0; left--)
            {
                yield return delay;
                if (!Grow(ref delay)) yield break;
            }
        }

        /// <summary>The one step from a delay to the next, for whoever asks (B-4, B-10). False when they are the same, and so are
        /// all that follow: a large attempt need not be counted to (B-8). It is so at the ceiling, at 0, for a multiplier of 1, and
        /// when the product rounds to what it was.</summary>
        bool Grow(ref double delay)
        {
            double next = Math.Min((double)(delay * Multiplier), ceiling); // the cast: C# may keep more digits than a double has
            if (next == delay) return false;
            delay = next;
            return true;
        }

        const string AttemptRange = "1 to 2147483647";

        static bool IsAttempt(long number) => number >= 1 && number <= int.MaxValue;

        static void Judge(long attempt)
        {
            if (!IsAttempt(attempt)) throw new InvalidArgumentException("attempt", attempt, AttemptRange);
        }
    }
}
