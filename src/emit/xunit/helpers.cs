using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using Xunit;

namespace Samewait.Emitted
{
    /// <summary>
    /// Puts the questions to the library under test, in a class SamewaitBinding that is written once. Throws a
    /// <see cref="RejectedException"/> where the library refuses. Times in arguments, rungs and traces are in seconds.
    /// </summary>
    public interface IBinding
    {
        Policy Policy(Make make, Copy[] then);

        IEnumerable<NUMBER> Schedule(Policy policy);

        NUMBER Backoff(Policy policy, long attempt);

        /// <summary>A delay, or the reason to give up as a string. The age is null when it is unknown.</summary>
        object NextDelay(Policy policy, long attempt, double? messageAge);

        NUMBER Jitter(Policy policy, double delay, double draw);

        /// <summary>The list of rungs.</summary>
        JsonElement Ladder(Policy policy, string queue, string exchange, double threshold);

        /// <summary>The rung's name, or null.</summary>
        string RungFor(Policy policy, string queue, string exchange, double threshold, double delay);

        /// <summary>The trace.</summary>
        JsonElement Queue(Policy policy, double messageTtl, double ackTimeout, JsonElement steps);
    }

    /// <summary>The six fields, with their defaults.</summary>
    public sealed class Policy
    {
        public Policy(
            long maxAttempts = 1,
            double initialDelay = 0.0,
            double multiplier = 2.0,
            double maxDelay = 0.0,
            double jitterFactor = 0.0,
            double maxMessageAge = 0.0)
        {
            MaxAttempts = maxAttempts;
            InitialDelay = initialDelay;
            Multiplier = multiplier;
            MaxDelay = maxDelay;
            JitterFactor = jitterFactor;
            MaxMessageAge = maxMessageAge;
        }

        public long MaxAttempts { get; }

        public double InitialDelay { get; }

        public double Multiplier { get; }

        public double MaxDelay { get; }

        public double JitterFactor { get; }

        public double MaxMessageAge { get; }
    }

    /// <summary>A factory (fields, none, fixed, exponential) and what it is given; the delay of fixed is the initial one.</summary>
    public sealed class Make
    {
        public Make(string factory, Policy policy)
        {
            Factory = factory;
            Policy = policy;
        }

        public string Factory { get; }

        public Policy Policy { get; }
    }

    /// <summary>A change (give_up_after, with_jitter) and the new value.</summary>
    public sealed class Copy
    {
        public Copy(string change, double value)
        {
            Change = change;
            Value = value;
        }

        public string Change { get; }

        public double Value { get; }
    }

    /// <summary>The least and the greatest count that is right.</summary>
    public sealed class Counts
    {
        public Counts(long least, long greatest)
        {
            Least = least;
            Greatest = greatest;
        }

        public long Least { get; }

        public long Greatest { get; }
    }

    /// <summary>A refused input; the field is null where the code has none.</summary>
    public sealed class Rejected
    {
        public Rejected(string code, string field)
        {
            Code = code;
            Field = field;
        }

        public string Code { get; }

        public string Field { get; }
    }

    public sealed class RejectedException : Exception
    {
        public RejectedException(string code, string field) : base(code + " " + field)
        {
            Rejected = new Rejected(code, field);
        }

        public Rejected Rejected { get; }
    }

    public class SamewaitTests
    {
        static readonly IBinding Binding = new SamewaitBinding();

        static void Check(string id, object expected, Func<object> question)
        {
            object got;
            try
            {
                got = question();
            }
            catch (RejectedException e)
            {
                got = e.Rejected;
            }
            Assert.Equal(id + ": " + Shown(Chosen(expected, got)), id + ": " + Shown(got));
        }

        /// <summary>What is expected, with the count that was got where it is a right one.</summary>
        static object Chosen(object expected, object got)
        {
            if (expected is Counts counts)
                return got is long count && counts.Least <= count && count <= counts.Greatest ? count : counts.Least;
            if (expected is object[] items)
            {
                object[] found = (got as IEnumerable<NUMBER>)?.Cast<object>().ToArray() ?? new object[0];
                return items.Select((item, index) => Chosen(item, index < found.Length ? found[index] : null)).ToArray();
            }
            return expected;
        }

        /// <summary>A text that tells all different answers apart: doubles by their bits, so that -0.0 is not 0.0.</summary>
        static string Shown(object value)
        {
            if (value == null) return "null";
            if (value is string text) return text;
            if (value is double number)
                return number.ToString("R", CultureInfo.InvariantCulture) + " " + BitConverter.DoubleToInt64Bits(number).ToString("x");
            if (value is Rejected rejected) return "rejected " + rejected.Code + " " + rejected.Field;
            if (value is Policy policy)
            {
                var fields = new object[]
                {
                    policy.MaxAttempts, policy.InitialDelay, policy.Multiplier,
                    policy.MaxDelay, policy.JitterFactor, policy.MaxMessageAge,
                };
                return Shown(fields);
            }
            if (value is JsonElement json) return Plain(json);
            if (value is IEnumerable<NUMBER> delays) return Shown(delays.Cast<object>().ToArray());
            if (value is object[] items) return "[" + string.Join(", ", items.Select(Shown)) + "]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        /// <summary>JSON with its keys in order and its numbers in one spelling.</summary>
        static string Plain(JsonElement json)
        {
            switch (json.ValueKind)
            {
                case JsonValueKind.Array: return "[" + string.Join(", ", json.EnumerateArray().Select(Plain)) + "]";
                case JsonValueKind.Object:
                    var entries = json.EnumerateObject().OrderBy(entry => entry.Name, StringComparer.Ordinal);
                    return "{" + string.Join(", ", entries.Select(entry => entry.Name + ": " + Plain(entry.Value))) + "}";
                case JsonValueKind.Number: return json.GetDouble().ToString("R", CultureInfo.InvariantCulture);
                case JsonValueKind.String: return JsonSerializer.Serialize(json.GetString());
                default: return json.GetRawText();
            }
        }

        static double Bits(ulong bits) => BitConverter.Int64BitsToDouble(unchecked((long)bits));

        /// <summary>Lines of JSON, in which ' stands for the quotes, as one list.</summary>
        static JsonElement Lines(params string[] lines)
        {
            using (JsonDocument document = JsonDocument.Parse("[" + string.Join(",", lines).Replace('\'', '"') + "]"))
                return document.RootElement.Clone();
        }
