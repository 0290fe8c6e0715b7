using System;

namespace Samewait.Retry
{
    /// <summary>The library refused a value, as the contract asks. Nothing has happened.</summary>
    public abstract class RejectedException : ArgumentException
    {
        internal RejectedException(string code, string field, string message) : base(message)
        {
            Code = code;
            Field = field;
        }

        internal RejectedException(string code, string field, object found, string needed)
            : this(code, field, FormattableString.Invariant($"{field}: found {Show(found)}, needed {needed}")) { }

        /// <summary>The contract's name of this kind of rejection.</summary>
        public string Code { get; }

        /// <summary>The contract's name of the offending field or argument, or null.</summary>
        public string Field { get; }

        /// <summary>The same as <see cref="Field"/>.</summary>
        public override string ParamName => Field;

        static string Show(object found) =>
            found is TimeSpan span ? FormattableString.Invariant($"{Seconds.FromTimeSpan(span):R} s")
            : found is double number ? FormattableString.Invariant($"{number:R}")
            : found is string text ? $"\"{text}\""
            : FormattableString.Invariant($"{found ?? "null"}");
    }

    /// <summary>A policy cannot have this value in this field (P-9).</summary>
    public sealed class InvalidPolicyException : RejectedException
    {
        internal InvalidPolicyException(string field, object found, string needed)
            : base("invalid_policy", field, found, needed) { }
    }

    /// <summary>A question cannot be answered for this argument.</summary>
    public sealed class InvalidArgumentException : RejectedException
    {
        /// <summary>Says that an argument, by its name in the contract, has a value that cannot be used.</summary>
        public InvalidArgumentException(string field, object found, string needed)
            : base("invalid_argument", field, found, needed) { }
    }

    /// <summary>A delay is longer than a broker's queue can hold a message (L-4).</summary>
    public sealed class RungTooLongException : RejectedException
    {
        internal RungTooLongException(long found, long most)
            : base("rung_too_long", null, FormattableString.Invariant($"ttl_ms: found {found}, needed at most {most}")) { }
    }
}
