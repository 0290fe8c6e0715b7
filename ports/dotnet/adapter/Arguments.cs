using System;
using System.Text.Json;
using Samewait.Retry;

namespace Samewait.Port
{
    /// <summary>Reads what a question carries, in the library's own types.</summary>
    static class Arguments
    {
        public static JsonElement Required(this JsonElement owner, string name) =>
            owner.TryGetProperty(name, out JsonElement value) ? value : throw new FormatException($"{name} is missing");

        public static JsonElement? Optional(this JsonElement owner, string name) =>
            owner.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null
                ? value : (JsonElement?)null;

        public static string Text(this JsonElement owner, string name) =>
            owner.Required(name).GetString() ?? throw new FormatException($"{name} is no text");

        public static long Integer(this JsonElement owner, string name) => owner.Required(name).GetInt64();

        public static double Number(this JsonElement owner, string name) => Number(owner.Required(name));

        public static double Number(JsonElement value)
        {
            if (value.ValueKind != JsonValueKind.String) return value.GetDouble();
            switch (value.GetString())
            {
                case "NaN": return double.NaN;
                case "Infinity": return double.PositiveInfinity;
                case "-Infinity": return double.NegativeInfinity;
                default: throw new FormatException($"{value} is no number");
            }
        }

        public static TimeSpan Duration(this JsonElement owner, string name) => Duration(owner.Number(name));

        /// <summary>No TimeSpan is NaN or infinite. The far end of its range stands for them, as these arguments have the range
        /// 0 to HORIZON, so that the library refuses them in their turn and under their own names (P-10).</summary>
        public static TimeSpan Duration(double seconds) =>
            double.IsNaN(seconds) ? TimeSpan.MinValue : Seconds.ToTimeSpan(seconds);

        public static RetryPolicy Policy(this JsonElement owner, string name)
        {
            JsonElement fields = owner.Required(name);
            return new RetryPolicy(
                fields.Integer("max_attempts"),
                fields.Duration("initial_delay"),
                fields.Number("multiplier"),
                fields.Duration("max_delay"),
                fields.Number("jitter_factor"),
                fields.Duration("max_message_age"));
        }
    }
}
