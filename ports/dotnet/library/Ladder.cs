using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;

namespace Samewait.Retry
{
    /// <summary>A broker queue whose messages expire after one delay and return to the source queue.</summary>
    public sealed class Rung
    {
        internal Rung(string queue, string exchange, long ttlMs)
        {
            TtlMs = ttlMs;
            Name = queue + ".retry." + Label(ttlMs);
            Arguments = new ReadOnlyDictionary<string, object>(new Dictionary<string, object>
            {
                ["x-message-ttl"] = ttlMs,
                ["x-dead-letter-exchange"] = exchange,
                ["x-dead-letter-routing-key"] = queue,
            });
        }

        /// <summary>The name of the broker queue.</summary>
        public string Name { get; }

        /// <summary>How long it holds a message, in milliseconds: exact, whatever a TimeSpan can express (L-9).</summary>
        public long TtlMs { get; }

        /// <summary>What the queue has to be declared with (L-8).</summary>
        public ReadOnlyDictionary<string, object> Arguments { get; }

        static string Label(long ttlMs)
        {
            if (ttlMs % 3600000 == 0) return Text(ttlMs / 3600000) + "h";
            if (ttlMs % 60000 == 0) return Text(ttlMs / 60000) + "m";
            if (ttlMs % 1000 == 0) return Text(ttlMs / 1000) + "s";
            return Text(ttlMs) + "ms";
        }

        static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The broker queues in which one policy's long waits are held for one source queue.</summary>
    public sealed class Ladder
    {
        /// <summary>The threshold where none is given (L-1).</summary>
        public static readonly TimeSpan DefaultThreshold = TimeSpan.FromTicks(30 * TimeSpan.TicksPerSecond);

        const long LongestTtlMs = 315360000000; // 3650 days, the most a broker accepts

        readonly RetryPolicy policy;
        readonly double threshold;
        readonly List<Rung> rungs = new List<Rung>();

        /// <summary>Builds the ladder; declaring its rungs is the caller's.</summary>
        /// <param name="policy">The policy whose schedule is held.</param>
        /// <param name="queue">The source queue, to which the messages return.</param>
        /// <param name="exchange">The exchange by which they return; the empty one is the broker's default exchange.</param>
        /// <param name="threshold">The shortest wait that the broker holds; zero has it hold none. 30 seconds by default.</param>
        /// <exception cref="RungTooLongException">The schedule has a wait that no broker holds.</exception>
        public Ladder(RetryPolicy policy, string queue, string exchange = "", TimeSpan? threshold = null)
        {
            this.policy = policy ?? throw new ArgumentNullException(nameof(policy));
            if (exchange == null) throw new ArgumentNullException(nameof(exchange));
            if (string.IsNullOrEmpty(queue)) throw new InvalidArgumentException("queue", queue, "a name that is not empty");
            TimeSpan shortest = threshold ?? DefaultThreshold;
            if (!Seconds.IsLegal(shortest)) throw new InvalidArgumentException("threshold", shortest, Seconds.LegalRange);
            this.threshold = Seconds.FromTimeSpan(shortest);

            // Delays never shrink, so that equal ones are neighbours, and those after the steady one add no rung (L-7).
            long last = 0;
            foreach (double delay in policy.ScheduleUntilSteady())
            {
                long ttlMs = TtlInBroker(delay);
                if (ttlMs > LongestTtlMs) throw new RungTooLongException(ttlMs, LongestTtlMs);
                if (ttlMs > last) rungs.Add(new Rung(queue, exchange, ttlMs));
                last = ttlMs;
            }
        }

        /// <summary>The rungs, the shortest first.</summary>
        public IReadOnlyList<Rung> Rungs => rungs.AsReadOnly();

        /// <summary>The rung that holds a message for this delay or a little longer; null when the message is not to wait in the
        /// broker.</summary>
        public Rung RungFor(TimeSpan delay)
        {
            if (!Seconds.IsLegal(delay)) throw new InvalidArgumentException("delay", delay, Seconds.LegalRange);
            return Find(Seconds.FromTimeSpan(delay));
        }

        /// <summary>The same for the policy's own wait after this attempt, which a TimeSpan may have rounded to its neighbour's
        /// side of a millisecond.</summary>
        public Rung RungAfter(long attempt) => Find(policy.BackoffSeconds(attempt));

        Rung Find(double delay)
        {
            long ttlMs = TtlInBroker(delay);
            if (ttlMs == 0 || rungs.Count == 0) return null;
            int low = 0, high = rungs.Count - 1; // ends at the longest rung when all are shorter (L-11)
            while (low < high)
            {
                int middle = low + (high - low) / 2;
                if (rungs[middle].TtlMs >= ttlMs) high = middle;
                else low = middle + 1;
            }
            return rungs[low];
        }

        /// <summary>The milliseconds that this delay waits in the broker: 0 when it does not (L-1, L-3).</summary>
        long TtlInBroker(double delay) =>
            threshold > 0.0 && delay > 0.0 && delay >= threshold ? Seconds.ToMilliseconds(delay) : 0;
    }
}
