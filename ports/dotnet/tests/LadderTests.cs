using System;
using System.Linq;
using Samewait.Retry;

namespace Samewait.Tests
{
    static class LadderTests
    {
        static TimeSpan S(double seconds) => Seconds.ToTimeSpan(seconds);

        static string NameFor(double delay) =>
            new Ladder(RetryPolicy.Fixed(2, S(delay)), "q", "", S(0.0001)).Rungs.SingleOrDefault()?.Name;

        public static void TheExampleOfChapter5()
        {
            Rung rung = new Ladder(RetryPolicy.Exponential(11, S(0.1), S(3600)), "orders", "x").Rungs.Single();
            Check.Equal("orders.retry.51200ms", rung.Name);
            Check.Equal(51200L, rung.Arguments["x-message-ttl"]);
            Check.Equal("x", rung.Arguments["x-dead-letter-exchange"]);
            Check.Equal("orders", rung.Arguments["x-dead-letter-routing-key"]);
        }

        public static void Labels()
        {
            Check.Sequence(
                new[] { "q.retry.500ms", "q.retry.1s", "q.retry.33750ms", "q.retry.1m", "q.retry.90s", "q.retry.90m", "q.retry.24h" },
                new[] { 0.5, 1.0, 33.75, 60.0, 90.0, 5400.0, 86400.0 }.Select(NameFor));
        }

        public static void HalvesGoUpAndNotToEven()
        {
            Check.Equal(null, NameFor(0.0004999));
            Check.Equal("q.retry.1ms", NameFor(0.0005));
            Check.Equal("q.retry.2ms", NameFor(0.0015));
            Check.Equal("q.retry.3ms", NameFor(0.0025));
            Check.Equal("q.retry.2ms", NameFor(0.0024999));
        }

        public static void LookingUp()
        {
            var ladder = new Ladder(RetryPolicy.Exponential(5, S(20)), "q"); // 20, 40, 80, 160
            Check.Equal(3, ladder.Rungs.Count);
            Check.Equal(null, ladder.RungFor(S(29.9999999)));
            Check.Equal("q.retry.40s", ladder.RungFor(S(30)).Name);
            Check.Equal("q.retry.80s", ladder.RungFor(S(40.001)).Name);
            Check.Equal("q.retry.160s", ladder.RungFor(Seconds.Horizon).Name);
            Check.Equal(null, ladder.RungAfter(1));
            Check.Equal("q.retry.80s", ladder.RungAfter(3).Name);
            Check.Equal(null, new Ladder(RetryPolicy.Fixed(3, S(60)), "q", "", S(0)).RungFor(S(60)));
        }

        /// <summary>The nearest tick of this delay is half a millisecond, which would round up; the delay itself rounds down.
        /// </summary>
        public static void ARungIsNotRoundedToTicks()
        {
            var policy = new RetryPolicy(3, S(0.0333375), 999.9999999); // 33.33749999666625
            var ladder = new Ladder(policy, "q");
            Check.Equal(S(33.3375), policy.Backoff(2));
            Check.Equal("q.retry.33337ms", ladder.Rungs.Single().Name);
            Check.Equal("q.retry.33337ms", ladder.RungAfter(2).Name);
        }

        public static void ArgumentsAreJudgedInOrder()
        {
            RetryPolicy tooLong = RetryPolicy.Fixed(2, S(315360000.001));
            Check.Equal("queue", Check.Throws<InvalidArgumentException>(() => new Ladder(tooLong, "", "", S(-1))).Field);
            Check.Equal("threshold", Check.Throws<InvalidArgumentException>(() => new Ladder(tooLong, "q", "", S(-1))).Field);
            Check.Equal(null, Check.Throws<RungTooLongException>(() => new Ladder(tooLong, "q")).Field);
            var ladder = new Ladder(RetryPolicy.Fixed(2, S(315360000)), "q");
            Check.Equal("q.retry.87600h", ladder.Rungs.Single().Name);
            Check.Equal("delay", Check.Throws<InvalidArgumentException>(() => ladder.RungFor(S(-1))).Field);
        }

        public static void ManyAttemptsCostNothing()
        {
            Check.Equal(6, new Ladder(RetryPolicy.Exponential(2147483647, S(1), S(600)), "q").Rungs.Count); // 32 to 512, 600
        }
    }
}
