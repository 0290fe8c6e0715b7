using System;
using Samewait.Retry;

namespace Samewait.Tests
{
    static class SecondsTests
    {
        const long HorizonTicks = 4294967296 * TimeSpan.TicksPerSecond;

        /// <summary>A number of any size, with all its bits at random: NextDouble has but 31 of them.</summary>
        static long AnyTicks(Random random) =>
            ((long)random.Next() << 32 ^ (long)random.Next() << 16 ^ random.Next()) >> random.Next(0, 60);

        public static void TheNumberNearestToTicks()
        {
            var random = new Random(1);
            bool divisionWouldErr = false;
            for (int i = 0; i < 20000; i++)
            {
                long ticks = AnyTicks(random);
                double seconds = Seconds.FromTimeSpan(TimeSpan.FromTicks(ticks));
                Check.Equal(true, Exact.Distance(seconds, ticks) <= Exact.Distance(Math.BitDecrement(seconds), ticks), "below");
                Check.Equal(true, Exact.Distance(seconds, ticks) <= Exact.Distance(Math.BitIncrement(seconds), ticks), "above");
                Check.Equal(-seconds, Seconds.FromTimeSpan(TimeSpan.FromTicks(-ticks)));
                divisionWouldErr |= seconds != ticks / 1e7;
            }
            Check.Equal(true, divisionWouldErr, "the numbers do not reach the trap:");
        }

        public static void TheTicksNearestToANumber()
        {
            var random = new Random(2);
            for (int i = 0; i < 20000; i++)
            {
                double seconds = AnyTicks(random) % HorizonTicks / 1e7 * (1.0 + random.NextDouble());
                long ticks = Seconds.ToTimeSpan(seconds).Ticks;
                // The half is exceeded by no more than a product's rounding.
                Check.Equal(true, Exact.Distance(seconds, ticks) * 2 <= Exact.OneTick + (Exact.OneTick >> 20), "nearest");
            }
        }

        public static void WholeTicksGoThereAndBack()
        {
            var random = new Random(3);
            for (int i = 0; i < 20000; i++)
            {
                double seconds = Seconds.FromTimeSpan(TimeSpan.FromTicks(AnyTicks(random) % HorizonTicks));
                Check.Equal(seconds, Seconds.FromTimeSpan(Seconds.ToTimeSpan(seconds)));
            }
        }

        public static void Edges()
        {
            Check.Equal(15000, Seconds.ToTimeSpan(0.0015).Ticks); // 20000 by TimeSpan.FromSeconds of some runtimes
            Check.Equal(3000000, Seconds.ToTimeSpan(0.3).Ticks);
            Check.Equal(-3000000, Seconds.ToTimeSpan(-0.3).Ticks);
            Check.Equal(0, Seconds.ToTimeSpan(double.Epsilon).Ticks);
            Check.Equal(Seconds.Horizon, Seconds.ToTimeSpan(4294967296.0));
            Check.Equal(TimeSpan.MaxValue, Seconds.ToTimeSpan(double.PositiveInfinity));
            Check.Equal(TimeSpan.MaxValue, Seconds.ToTimeSpan(922337203685.4775807));
            Check.Equal(TimeSpan.MinValue, Seconds.ToTimeSpan(double.NegativeInfinity));
            Check.Throws<ArgumentException>(() => Seconds.ToTimeSpan(double.NaN));
            Check.Equal(922337203685.4775807, Seconds.FromTimeSpan(TimeSpan.MaxValue));
            Check.Equal(-922337203685.4775807, Seconds.FromTimeSpan(TimeSpan.MinValue));
        }
    }
}
