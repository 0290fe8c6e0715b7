using System;
using System.Numerics;

namespace Samewait.Tests
{
    /// <summary>Binary64 by integer arithmetic, which rounds nothing unless asked to.</summary>
    static class Exact
    {
        // The smallest subnormal is 2^-1074, so that every double is a whole number of it.
        const int Scale = 1074;

        /// <summary>A double, times 2^1074.</summary>
        public static BigInteger Scaled(double value)
        {
            long bits = BitConverter.DoubleToInt64Bits(value);
            int exponent = (int)(bits >> 52 & 0x7FF);
            BigInteger mantissa = bits & (1L << 52) - 1;
            if (exponent > 0) mantissa = mantissa + (1L << 52) << exponent - 1;
            return bits < 0 ? -mantissa : mantissa;
        }

        /// <summary>The product, rounded to nearest and to even: positive, and neither subnormal nor too large.</summary>
        public static double Multiply(double a, double b)
        {
            BigInteger product = Scaled(a) * Scaled(b); // times 2^2148
            int excess = 0;
            for (BigInteger rest = product >> 53; !rest.IsZero; rest >>= 1) excess++;
            BigInteger mantissa = product >> excess;
            BigInteger cut = product - (mantissa << excess), half = BigInteger.One << excess - 1;
            if (cut > half || cut == half && !mantissa.IsEven) mantissa += 1;
            int exponent = excess - 2 * Scale + 1075; // as the format keeps it
            // A carry out of the mantissa runs into the exponent, as it should.
            return BitConverter.Int64BitsToDouble(((long)exponent - 1 << 52) + (long)mantissa);
        }

        /// <summary>How far a number of seconds is from a number of ticks, in ticks times 2^1074.</summary>
        public static BigInteger Distance(double seconds, long ticks) =>
            BigInteger.Abs(Scaled(seconds) * TimeSpan.TicksPerSecond - (new BigInteger(ticks) << Scale));

        public static readonly BigInteger OneTick = BigInteger.One << Scale;
    }
}
