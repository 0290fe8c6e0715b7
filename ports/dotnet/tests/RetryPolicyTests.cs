using System;
using System.Linq;
using Samewait.Retry;

namespace Samewait.Tests
{
    static class RetryPolicyTests
    {
        static TimeSpan S(double seconds) => Seconds.ToTimeSpan(seconds);

        public static void Defaults()
        {
            RetryPolicy none = RetryPolicy.None;
            Check.Equal(1, none.MaxAttempts);
            Check.Equal(2.0, none.Multiplier);
            Check.Equal(TimeSpan.Zero, none.InitialDelay);
            Check.Equal(TimeSpan.Zero, none.MaxDelay);
            Check.Equal(0.0, none.JitterFactor);
            Check.Equal(0, none.Schedule().Count());
            Check.Equal(1.0, RetryPolicy.Fixed(3, S(5)).Multiplier);
            Check.Equal(0.2, RetryPolicy.Exponential(3, S(5)).JitterFactor);
        }

        public static void TheFirstOffendingFieldIsNamed()
        {
            Check.Equal("max_attempts", Field(() => new RetryPolicy(0, S(-1))));
            Check.Equal("max_attempts", Field(() => new RetryPolicy(2147483648)));
            Check.Equal("initial_delay", Field(() => new RetryPolicy(1, S(-1), double.NaN)));
            Check.Equal("multiplier", Field(() => new RetryPolicy(multiplier: 0.99, jitterFactor: 2.0)));
            Check.Equal("multiplier", Field(() => new RetryPolicy(multiplier: double.PositiveInfinity)));
            Check.Equal("multiplier", Field(() => new RetryPolicy(multiplier: double.NaN)));
            Check.Equal("max_delay", Field(() => new RetryPolicy(maxDelay: Seconds.Horizon + TimeSpan.FromTicks(1))));
            Check.Equal("jitter_factor", Field(() => new RetryPolicy(jitterFactor: double.NaN)));
            Check.Equal("jitter_factor", Field(() => RetryPolicy.None.GiveUpAfter(S(1)).WithJitter(1.01)));
            Check.Equal("max_message_age", Field(() => RetryPolicy.None.GiveUpAfter(S(-1)).WithJitter(2.0)));
            Check.Equal("initial_delay", Field(() => RetryPolicy.Fixed(3, S(-1))));
            Check.Equal(
                "initial_delay: found -1.5 s, needed 0 to 4294967296 s",
                Check.Throws<InvalidPolicyException>(() => RetryPolicy.Fixed(3, S(-1.5))).Message);
        }

        static string Field(Action action)
        {
            var rejection = Check.Throws<InvalidPolicyException>(action);
            Check.Equal("invalid_policy", rejection.Code);
            return rejection.Field;
        }

        public static void CopiesLeaveTheirOriginal()
        {
            RetryPolicy policy = RetryPolicy.Exponential(5, S(1), S(10));
            RetryPolicy copy = policy.GiveUpAfter(S(60)).WithJitter(-0.0);
            Check.Equal(TimeSpan.Zero, policy.MaxMessageAge);
            Check.Equal(0.2, policy.JitterFactor);
            Check.Equal(S(60), copy.MaxMessageAge);
            Check.Equal(false, double.IsNegative(copy.JitterFactor)); // (P-7)
            Check.Equal(S(10), copy.MaxDelay);
        }

        public static void TheExampleOfChapter2()
        {
            RetryPolicy policy = RetryPolicy.Exponential(5, S(1), S(10));
            Check.Sequence(new[] { S(1), S(2), S(4), S(8) }, policy.Schedule());
            Check.Equal(S(10), policy.Backoff(5));
            Check.Equal(S(10), policy.Backoff(5000));
            Check.Equal("attempt", Check.Throws<InvalidArgumentException>(() => policy.Backoff(0)).Field);
            Check.Equal("attempt", Check.Throws<InvalidArgumentException>(() => policy.Backoff(2147483648)).Field);
        }

        /// <summary>Above 2^29 seconds neighbouring doubles differ in ticks, so that a product rounded wrongly shows (B-5).</summary>
        public static void ProductsAreRoundedOneByOne()
        {
            foreach (double multiplier in new[] { 1.1, 1.15, 1.7, 3.3 })
            {
                var policy = new RetryPolicy(1000, S(0.1), multiplier);
                int attempt = 1, seen = 0;
                for (double delay = 0.1; delay < 4294967296.0; delay = Exact.Multiply(delay, multiplier), attempt++)
                {
                    Check.Equal(S(delay), policy.Backoff(attempt), $"{multiplier}, attempt {attempt}:");
                    Check.Equal(S(delay), policy.Schedule().ElementAt(attempt - 1));
                    if (delay > 1L << 29) seen++;
                }
                Check.Equal(true, seen > 0);
                Check.Equal(Seconds.Horizon, policy.Backoff(attempt)); // (B-3)
            }
        }

        public static void LargeAttemptsCostNothing()
        {
            const int last = 2147483647;
            Check.Equal(Seconds.Horizon, new RetryPolicy(last, S(1)).Backoff(last));
            Check.Equal(Seconds.Horizon, new RetryPolicy(last, S(1), double.MaxValue).Backoff(last));
            Check.Equal(TimeSpan.Zero, new RetryPolicy(last, S(0), double.MaxValue).Backoff(last));
            Check.Equal(S(5), RetryPolicy.Fixed(last, S(5)).Backoff(last));
            Check.Equal(S(3), new RetryPolicy(last, S(7), maxDelay: S(3)).Backoff(1));
            Check.Sequence(new[] { S(7), S(7) }, RetryPolicy.Fixed(last, S(7)).Schedule().Take(2)); // nothing is stored (B-11)
        }

        public static void NextDelayJudgesAttemptsBeforeAge()
        {
            RetryPolicy policy = RetryPolicy.Exponential(5, S(1)).GiveUpAfter(S(60));
            Check.Equal(S(8), policy.NextDelay(4).Delay.Value);
            Check.Equal(S(1), policy.NextDelay(1, S(59.99)).Delay.Value);
            Check.Equal(S(1), policy.NextDelay(1, S(-3)).Delay.Value);
            Check.Equal(S(1), policy.NextDelay(1, TimeSpan.MinValue).Delay.Value);
            Check.Equal(GiveUpReason.MaxMessageAge, policy.NextDelay(1, S(60)).Reason.Value);
            Check.Equal(GiveUpReason.MaxMessageAge, policy.NextDelay(1, TimeSpan.MaxValue).Reason.Value);
            Check.Equal(GiveUpReason.MaxAttempts, policy.NextDelay(5, S(60)).Reason.Value);
            Check.Equal(false, policy.NextDelay(5).Delay.HasValue);
            Check.Equal("attempt", Check.Throws<InvalidArgumentException>(() => policy.NextDelay(0, S(60))).Field);
        }

        public static void JitterGoesToBothSides()
        {
            RetryPolicy policy = RetryPolicy.Exponential(5, S(10), S(10));
            Check.Equal(S(8), policy.Jittered(S(10), 0.0));
            Check.Equal(S(8), policy.Jittered(S(10), -0.0));
            Check.Equal(S(10), policy.Jittered(S(10), 0.5));
            Check.Equal(S(11), policy.Jittered(S(10), 0.75)); // above max_delay (J-5)
            Check.Equal(S(100), policy.WithJitter(0.0).Jittered(S(100), 0.9));
            Check.Equal("delay", Check.Throws<InvalidArgumentException>(() => policy.Jittered(S(-1), 1.0)).Field);
            Check.Equal("draw", Check.Throws<InvalidArgumentException>(() => policy.Jittered(S(0), 1.0)).Field);
            Check.Equal("draw", Check.Throws<InvalidArgumentException>(() => policy.Jittered(S(0), double.NaN)).Field);
        }

        public static void ItsOwnDrawsAreSpread()
        {
            RetryPolicy policy = RetryPolicy.None.WithJitter(1.0);
            var parts = new int[10];
            for (int i = 0; i < 10000; i++) parts[(int)(policy.Jittered(S(10)).TotalSeconds / 2.0)]++;
            Check.Equal(true, parts.All(count => count > 800), string.Join(" ", parts)); // 1000 each, and six sigma are 180
        }
    }
}
