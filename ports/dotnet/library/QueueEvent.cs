using System;
using System.Collections.Generic;

namespace Samewait.Retry
{
    /// <summary>What a <see cref="QueueEvent"/> tells of.</summary>
    public enum QueueEventKind
    {
        /// <summary>A message waits for a consumer.</summary>
        Ready,

        /// <summary>A consumer has it.</summary>
        Delivered,

        /// <summary>It is done with for good.</summary>
        Acked,

        /// <summary>An attempt failed; what follows from it comes next.</summary>
        Failed,

        /// <summary>It waits out a delay.</summary>
        Delayed,

        /// <summary>It was given up, or waited for too long.</summary>
        Dead,

        /// <summary>A call was refused and had no effect.</summary>
        Refused,

        /// <summary>The messages were counted.</summary>
        Stats,

        /// <summary>The dead messages were listed.</summary>
        DeadLetters,
    }

    /// <summary>Something that happened in a <see cref="WorkQueue"/>. What does not belong to its kind is null.</summary>
    public sealed class QueueEvent
    {
        internal QueueEvent(TimeSpan at, QueueEventKind kind)
        {
            At = at;
            Kind = kind;
        }

        /// <summary>When it happened.</summary>
        public TimeSpan At { get; }

        /// <summary>What happened.</summary>
        public QueueEventKind Kind { get; }

        /// <summary>The message it happened to, or which the refused call was about.</summary>
        public string Message { get; internal set; }

        /// <summary>The consumer that got the message, or which the refused call was about.</summary>
        public string Consumer { get; internal set; }

        /// <summary>The attempts the message has used, this one included.</summary>
        public int? Attempt { get; internal set; }

        /// <summary>The text of the failure, if it had one.</summary>
        public string Error { get; internal set; }

        /// <summary>When the delay ends.</summary>
        public TimeSpan? Until { get; internal set; }

        /// <summary>Why the message is dead.</summary>
        public GiveUpReason? Reason { get; internal set; }

        /// <summary>The contract's name of the refused call.</summary>
        public string RefusedCall { get; internal set; }

        /// <summary>The contract's name of the refusal.</summary>
        public string Code { get; internal set; }

        /// <summary>The counts.</summary>
        public QueueStats? Stats { get; internal set; }

        /// <summary>The dead messages at that moment, in the order of their deaths.</summary>
        public IReadOnlyList<DeadLetter> DeadLetters { get; internal set; }
    }

    /// <summary>How many messages are in each state.</summary>
    public readonly struct QueueStats
    {
        internal QueueStats(int ready, int delayed, int leased, int dead)
        {
            Ready = ready;
            Delayed = delayed;
            Leased = leased;
            Dead = dead;
        }

        /// <summary>Messages that wait for a consumer.</summary>
        public int Ready { get; }

        /// <summary>Messages that wait out a delay.</summary>
        public int Delayed { get; }

        /// <summary>Messages that a consumer has.</summary>
        public int Leased { get; }

        /// <summary>Messages that are dead.</summary>
        public int Dead { get; }
    }

    /// <summary>A message that was given up or that expired.</summary>
    public sealed class DeadLetter
    {
        internal DeadLetter(string message, GiveUpReason reason, string error, int attempts, TimeSpan at)
        {
            Message = message;
            Reason = reason;
            Error = error;
            Attempts = attempts;
            At = at;
        }

        /// <summary>Its name.</summary>
        public string Message { get; }

        /// <summary>Why it is dead.</summary>
        public GiveUpReason Reason { get; }

        /// <summary>The text of its last failure, if there was one and it had a text.</summary>
        public string Error { get; }

        /// <summary>The attempts it used.</summary>
        public int Attempts { get; }

        /// <summary>When it died.</summary>
        public TimeSpan At { get; }
    }

    /// <summary>What a consumer does with every message it gets.</summary>
    public sealed class OnMessage
    {
        OnMessage(string error) => Error = error;

        /// <summary>Keeps it until the test settles it.</summary>
        public static OnMessage Hold { get; } = new OnMessage(null);

        /// <summary>Acks it at once.</summary>
        public static OnMessage Ack { get; } = new OnMessage(null);

        /// <summary>Fails it at once, with this text.</summary>
        public static OnMessage Fail(string error) => new OnMessage(error ?? throw new ArgumentNullException(nameof(error)));

        internal string Error { get; }
    }
}
