using System;

namespace Samewait.Retry
{
    /// <summary>Why no further attempt is made.</summary>
    public enum GiveUpReason
    {
        /// <summary>All attempts are used up.</summary>
        MaxAttempts,

        /// <summary>The message is too old.</summary>
        MaxMessageAge,

        /// <summary>The message waited in a queue for longer than it lives there. Only a <see cref="WorkQueue"/> says so.</summary>
        TtlExpired,
    }

    /// <summary>What follows a failure: a wait, or giving up.</summary>
    public readonly struct Decision
    {
        Decision(double seconds, GiveUpReason? reason)
        {
            ExactSeconds = seconds;
            Reason = reason;
        }

        internal static Decision Wait(double seconds) => new Decision(seconds, null);

        internal static Decision GiveUp(GiveUpReason reason) => new Decision(0.0, reason);

        /// <summary>Whether no further attempt is made.</summary>
        public bool GivesUp => Reason.HasValue;

        /// <summary>Why no further attempt is made, or null when there is one.</summary>
        public GiveUpReason? Reason { get; }

        /// <summary>The time to wait, without jitter, or null when no further attempt is made.</summary>
        public TimeSpan? Delay => GivesUp ? (TimeSpan?)null : Seconds.ToTimeSpan(ExactSeconds);

        internal double ExactSeconds { get; }
    }
}
