using System;

namespace Samewait.Retry
{
    /// <summary>
    /// The edge between .NET's time, whole ticks of 100 ns, and the contract's, seconds in binary64 (P-3). Both directions go
    /// to the nearest value. <c>TimeSpan.FromSeconds</c> is no help: some runtimes round it to milliseconds.
    /// </summary>
    public static class Seconds
    {
        /// <summary>The longest duration the contract knows: 2^32 seconds, about 136 years.</summary>
        public static readonly TimeSpan Horizon = TimeSpan.FromTicks(4294967296 * TimeSpan.TicksPerSecond);

        internal const string LegalRange = "0 to 4294967296 s";

        const double TicksPerSecond = TimeSpan.TicksPerSecond;
        const long LastExactInteger = 1L << 53;

        /// <summary>The TimeSpan nearest to a number of seconds. Infinities and whatever else is too long become the longest
        /// TimeSpan of that sign.</summary>
        public static TimeSpan ToTimeSpan(double seconds)
        {
            if (double.IsNaN(seconds)) throw new ArgumentException("no TimeSpan is NaN", nameof(seconds));
            double whole = Math.Floor(seconds);
            if (whole >= TimeSpan.MaxValue.Ticks / TimeSpan.TicksPerSecond) return TimeSpan.MaxValue;
            if (whole <= TimeSpan.MinValue.Ticks / TimeSpan.TicksPerSecond) return TimeSpan.MinValue;
            // The split is exact, so only the fraction's product is rounded: the whole seconds need more than 53 bits in ticks.
            double fraction = Math.Round((seconds - whole) * TicksPerSecond, MidpointRounding.AwayFromZero);
            return TimeSpan.FromTicks((long)whole * TimeSpan.TicksPerSecond + (long)fraction);
        }

        /// <summary>The binary64 number of seconds nearest to a TimeSpan.</summary>
        public static double FromTimeSpan(TimeSpan span)
        {
            long ticks = span.Ticks;
            if (ticks >= -LastExactInteger && ticks <= LastExactInteger) return ticks / TicksPerSecond;
            // As a double the ticks would be rounded before the division rounds again. The sum rounds once that matters: from
            // 2^29 seconds on, its midpoints are multiples of 2^-24, and a fraction n / (2^7 * 5^7) that is none of them is
            // at least 2^-41 away from all, far more than the 2^-54 by which the division moves it.
            return ticks / TimeSpan.TicksPerSecond + ticks % TimeSpan.TicksPerSecond / TicksPerSecond;
        }

        /// <summary>Whole milliseconds, as brokers and the queue count them (L-2, Q-32). .NET rounds halves to even unless told
        /// otherwise.</summary>
        internal static long ToMilliseconds(double seconds) =>
            (long)Math.Round(seconds * 1000.0, MidpointRounding.AwayFromZero);

        internal static bool IsLegal(TimeSpan span) => span >= TimeSpan.Zero && span <= Horizon;
    }
}
