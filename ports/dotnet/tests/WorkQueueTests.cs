using System;
using System.Globalization;
using System.Linq;
using Samewait.Retry;

namespace Samewait.Tests
{
    static class WorkQueueTests
    {
        static TimeSpan S(double seconds) => Seconds.ToTimeSpan(seconds);

        static string Told(WorkQueue queue) => string.Join("; ", queue.Trace.Select(Told));

        static string Told(QueueEvent e)
        {
            string at = e.At.TotalSeconds.ToString(CultureInfo.InvariantCulture);
            string[] words = { at, e.Kind.ToString(), e.Message, e.RefusedCall, e.Code, e.Reason?.ToString(), e.Error };
            return string.Join(" ", words.Where(word => word != null));
        }

        public static void Milk()
        {
            var queue = new WorkQueue(new RetryPolicy(3, S(1)), messageTtl: S(5));
            queue.Put("milk");
            queue.AdvanceTo(S(4));
            queue.AddConsumer("c");
            queue.RemoveConsumer("c");
            queue.AdvanceTo(S(8));
            Check.Equal(1, queue.Stats().Ready);
            queue.AdvanceTo(S(20));
            Check.Equal(
                "0 Ready milk; 4 Delivered milk; 4 Failed milk consumer removed; 4 Delayed milk; 5 Ready milk; 8 Stats; "
                + "9 Dead milk TtlExpired consumer removed",
                Told(queue));
        }

        public static void ALeaseEndsBeforeAnAckAtTheSameInstant()
        {
            var queue = new WorkQueue(RetryPolicy.Fixed(2, S(0)), ackTimeout: S(0.3));
            queue.AddConsumer("c");
            queue.AdvanceTo(S(0.1));
            queue.Put("m");
            queue.AdvanceTo(S(0.4));
            Check.Equal(false, queue.Ack("m", delivery: 1));
            Check.Equal(true, queue.Ack("m"));
            Check.Equal(
                "0.1 Ready m; 0.1 Delivered m; 0.4 Failed m ack timeout; 0.4 Ready m; 0.4 Delivered m; "
                + "0.4 Refused m ack unknown_delivery; 0.4 Acked m",
                Told(queue));
        }

        public static void AReplayStartsAfresh()
        {
            var queue = new WorkQueue(RetryPolicy.None);
            queue.AddConsumer("c", OnMessage.Fail("no"));
            queue.Put("a");
            queue.Put("b");
            Check.Sequence(new[] { "a", "b" }, queue.DeadLetters().Select(letter => letter.Message));
            Check.Equal(true, queue.Replay("a"));
            Check.Sequence(new[] { "b", "a" }, queue.DeadLetters().Select(letter => letter.Message));
            Check.Equal(false, queue.Replay("nobody"));
            queue.RemoveConsumer("c");
            queue.Replay("a");
            queue.AddConsumer("c");
            Check.Equal(false, queue.Ack("a", delivery: 1)); // deliveries are counted on
            Check.Equal(true, queue.Ack("a", delivery: 3));
        }

        public static void PrefetchBoundsLeases()
        {
            var queue = new WorkQueue(RetryPolicy.None);
            queue.AddConsumer("c", prefetch: 2);
            foreach (string name in new[] { "a", "b", "d" }) queue.Put(name);
            Check.Equal(2, queue.Stats().Leased);
            queue.Ack("a");
            Check.Equal(0, queue.Stats().Ready);
        }

        public static void TimesAreWholeMillisecondsAndNeverDecrease()
        {
            Check.Equal(
                "message_ttl",
                Check.Throws<InvalidArgumentException>(() => new WorkQueue(RetryPolicy.None, S(-1), S(-1))).Field);
            var queue = new WorkQueue(RetryPolicy.None, messageTtl: S(0.0004)); // none
            queue.Put("m");
            queue.AdvanceTo(S(1));
            Check.Equal(1, queue.Stats().Ready);
            Check.Throws<ArgumentOutOfRangeException>(() => queue.AdvanceTo(S(0.5)));
            Check.Throws<ArgumentOutOfRangeException>(() => queue.AdvanceTo(S(1.0005)));
            Check.Throws<ArgumentException>(() => queue.Put("m"));
        }

        /// <summary>The nearest tick of this age limit is no whole millisecond but the next one, and yet the age reaches it.</summary>
        public static void AnAgeIsComparedInSeconds()
        {
            Check.Equal(10000000000140001, S(1000000000.014).Ticks);
            var queue = new WorkQueue(RetryPolicy.Fixed(3, S(1)).GiveUpAfter(S(1000000000.014)));
            queue.Put("m");
            queue.AddConsumer("c");
            queue.AdvanceTo(TimeSpan.FromTicks(10000000000140000));
            queue.Nack("m");
            Check.Equal(GiveUpReason.MaxMessageAge, queue.DeadLetters().Single().Reason);
        }

        public static void ManyMessagesCostLittleMoreEach()
        {
            var queue = new WorkQueue(RetryPolicy.Exponential(3, S(1)), S(100), S(10));
            for (int i = 0; i < 100000; i++) queue.Put("m" + i);
            queue.AddConsumer("c");
            queue.AdvanceTo(S(1000));
            Check.Equal(100000, queue.Stats().Dead);
        }
    }
}
