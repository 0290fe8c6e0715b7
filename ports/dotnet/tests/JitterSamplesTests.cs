using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Threading;
using Samewait.Retry;

namespace Samewait.Tests
{
    static class JitterSamplesTests
    {
        static readonly RetryPolicy Half = RetryPolicy.None.WithJitter(0.5);

        static TimeSpan S(double seconds) => Seconds.ToTimeSpan(seconds);

        /// <summary>Draws what it was given.</summary>
        sealed class Drawing : Random
        {
            readonly Queue<double> draws;

            public Drawing(params double[] draws) => this.draws = new Queue<double>(draws);

            public override double NextDouble() => draws.Dequeue();
        }

        public static void EachHasADrawOfItsOwnInTheOrderOfTheDraws() =>
            Check.Sequence(new[] { S(12.5), S(5), S(10) }, Half.JitterSamples(S(10), 3, new Drawing(0.75, 0.0, 0.5)));

        public static void TheySpreadEvenlyOverBothSides()
        {
            TimeSpan[] samples = Half.JitterSamples(S(10), 10000);
            Check.Equal(10000, samples.Length);
            var parts = new int[11]; // the last one for exactly 15 s, to which the highest draws round
            foreach (TimeSpan sample in samples) parts[(int)Math.Floor((sample - S(5)).TotalSeconds)]++; // or out of bounds
            // 1000 are due in each, and six sigma are 180.
            Check.Equal(true, parts.Take(10).All(count => count > 800 && count < 1200), string.Join(" ", parts));
        }

        public static void WithoutJitterTheyAreTheDelay()
        {
            TimeSpan unround = Seconds.Horizon - TimeSpan.FromTicks(1); // which no double is
            Check.Sequence(new[] { unround, unround }, RetryPolicy.None.JitterSamples(unround, 2));
            Check.Sequence(new[] { S(0), S(0) }, Half.JitterSamples(S(0), 2));
        }

        public static void TheDelayIsJudgedBeforeTheCount()
        {
            Check.Equal(1, RetryPolicy.None.JitterSamples(S(1), 1).Length);
            Check.Equal(1000000, RetryPolicy.None.JitterSamples(S(1), 1000000).Length);
            Check.Equal("delay", Field(TimeSpan.FromTicks(-1), 0));
            Check.Equal("delay", Field(Seconds.Horizon + TimeSpan.FromTicks(1), 1));
            foreach (long count in new[] { 0, -1, 1000001, 4294967297, long.MinValue, long.MaxValue })
                Check.Equal("count", Field(S(0), count));
        }

        static string Field(TimeSpan delay, long count) =>
            Check.Throws<InvalidArgumentException>(() => RetryPolicy.None.JitterSamples(delay, count)).Field;

        /// <summary>Threads that start together do not draw together (J-9).</summary>
        public static void ThreadsDrawDifferently()
        {
            var drawn = new string[8];
            Thread[] threads = Enumerable.Range(0, drawn.Length)
                .Select(i => new Thread(() => drawn[i] = Drawn()))
                .ToArray();
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) thread.Join();
            Check.Equal(drawn.Length, drawn.Distinct().Count(), string.Join(", ", drawn));
        }

        /// <summary>Nor do processes (J-9).</summary>
        public static void FreshProcessesDrawDifferently()
        {
            string first = DrawnByAnother();
            Check.Equal(3, first.Split(' ').Length, first);
            Check.Equal(false, first == DrawnByAnother(), first);
        }

        /// <summary>The argument that has the tests print samples, and do nothing else.</summary>
        internal const string Print = "print-jitter-samples";

        internal static string Drawn() => string.Join(" ", Half.JitterSamples(S(10), 3));

        static string DrawnByAnother()
        {
            var start = new ProcessStartInfo(Process.GetCurrentProcess().MainModule.FileName)
            {
                RedirectStandardOutput = true,
                UseShellExecute = false,
            };
            // `dotnet` runs the tests, or else they are a program of their own, as the SDK makes one.
            if (!start.FileName.Contains("Samewait.Tests")) start.ArgumentList.Add(Assembly.GetExecutingAssembly().Location);
            start.ArgumentList.Add(Print);
            using (Process process = Process.Start(start)) return process.StandardOutput.ReadToEnd();
        }
    }
}
