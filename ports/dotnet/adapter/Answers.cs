using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text.Json;
using Samewait.Retry;

namespace Samewait.Port
{
    /// <summary>Puts each question to the library and writes its value.</summary>
    static class Answers
    {
        delegate void Answer(JsonElement request, Utf8JsonWriter value);

        static readonly Dictionary<string, Answer> Features = new Dictionary<string, Answer>
        {
            ["policy"] = Policy,
            ["schedule"] = Schedule,
            ["backoff"] = Backoff,
            ["next_delay"] = NextDelay,
            ["jitter"] = Jitter,
            ["jitter_samples"] = JitterSamples,
            ["ladder"] = Ladder,
            ["rung_for"] = RungFor,
            ["queue"] = Scenario.Answer,
        };

        /// <summary>Writes the value of the answer, or that there is none to such a question (W-5).</summary>
        public static void Write(JsonElement request, Utf8JsonWriter answer)
        {
            string ask = request.Text("ask");
            Answer feature = ask == "hello" ? Hello : Features.GetValueOrDefault(ask);
            if (feature == null)
            {
                answer.WriteString("unsupported", "this port does not know the question " + ask);
                return;
            }
            answer.WriteStartObject("value");
            feature(request, answer);
            answer.WriteEndObject();
        }

        static void Hello(JsonElement request, Utf8JsonWriter value)
        {
            value.WriteNumber("protocol", 1);
            value.WriteString("name", "samewait-dotnet");
            value.WriteString("version", "1.0.0");
            value.WriteString("language", "C# on " + RuntimeInformation.FrameworkDescription);
            value.WriteStartArray("features");
            foreach (string feature in Features.Keys) value.WriteStringValue(feature);
            value.WriteEndArray();
            value.WriteString("resolution", "100ns");
        }

        static void Policy(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = Make(request.Required("make"));
            foreach (JsonElement step in request.Required("then").EnumerateArray())
            {
                policy = step.Optional("give_up_after") != null
                    ? policy.GiveUpAfter(step.Duration("give_up_after"))
                    : policy.WithJitter(step.Number("with_jitter"));
            }
            value.WriteStartObject("policy");
            value.WriteNumber("max_attempts", policy.MaxAttempts);
            value.WriteNumber("initial_delay", Seconds.FromTimeSpan(policy.InitialDelay));
            value.WriteNumber("multiplier", policy.Multiplier);
            value.WriteNumber("max_delay", Seconds.FromTimeSpan(policy.MaxDelay));
            value.WriteNumber("jitter_factor", policy.JitterFactor);
            value.WriteNumber("max_message_age", Seconds.FromTimeSpan(policy.MaxMessageAge));
            value.WriteEndObject();
        }

        static RetryPolicy Make(JsonElement make)
        {
            if (make.Optional("fields") != null) return make.Policy("fields");
            if (make.Optional("none") != null) return RetryPolicy.None;
            if (make.Optional("fixed") is JsonElement same)
                return RetryPolicy.Fixed(same.Integer("max_attempts"), same.Duration("delay"));
            JsonElement doubling = make.Required("exponential");
            return RetryPolicy.Exponential(
                doubling.Integer("max_attempts"), doubling.Duration("initial_delay"), doubling.Duration("max_delay"));
        }

        static void Schedule(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = request.Policy("policy");
            WriteDelays(policy.Schedule(), value);
        }

        static void WriteDelays(IEnumerable<TimeSpan> delays, Utf8JsonWriter value)
        {
            value.WriteStartArray("delays");
            foreach (TimeSpan delay in delays) value.WriteNumberValue(delay.Ticks);
            value.WriteEndArray();
        }

        static void Backoff(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = request.Policy("policy");
            value.WriteNumber("delay", policy.Backoff(request.Integer("attempt")).Ticks);
        }

        static void NextDelay(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = request.Policy("policy");
            long attempt = request.Integer("attempt");
            TimeSpan? age = null;
            if (request.Required("message_age").ValueKind != JsonValueKind.Null)
            {
                double seconds = request.Number("message_age");
                if (double.IsNaN(seconds))
                {
                    // The one refusal that the library cannot come to, as any TimeSpan is an age. It judges the attempt first (N-1).
                    policy.NextDelay(attempt);
                    throw new InvalidArgumentException("message_age", seconds, "a number, or null");
                }
                age = Arguments.Duration(seconds);
            }
            Decision decision = policy.NextDelay(attempt, age);
            if (decision.Delay is TimeSpan delay) value.WriteNumber("delay", delay.Ticks);
            else value.WriteString("give_up", decision.Reason.Value.OnTheWire());
        }

        static void Jitter(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = request.Policy("policy");
            value.WriteNumber("delay", policy.Jittered(request.Duration("delay"), request.Number("draw")).Ticks);
        }

        static void JitterSamples(JsonElement request, Utf8JsonWriter value)
        {
            RetryPolicy policy = request.Policy("policy");
            WriteDelays(policy.JitterSamples(request.Duration("delay"), request.Integer("count")), value);
        }

        static void Ladder(JsonElement request, Utf8JsonWriter value)
        {
            Ladder ladder = LadderOf(request);
            value.WriteStartArray("rungs");
            foreach (Rung rung in ladder.Rungs)
            {
                value.WriteStartObject();
                value.WriteString("name", rung.Name);
                value.WriteNumber("ttl_ms", rung.TtlMs);
                value.WritePropertyName("arguments");
                JsonSerializer.Serialize(value, rung.Arguments);
                value.WriteEndObject();
            }
            value.WriteEndArray();
        }

        static void RungFor(JsonElement request, Utf8JsonWriter value)
        {
            Ladder ladder = LadderOf(request);
            value.WriteString("rung", ladder.RungFor(request.Duration("delay"))?.Name);
        }

        static Ladder LadderOf(JsonElement request) => new Ladder(
            request.Policy("policy"), request.Text("queue"), request.Text("exchange"), request.Duration("threshold"));

        public static string OnTheWire(this GiveUpReason reason)
        {
            switch (reason)
            {
                case GiveUpReason.MaxAttempts: return "max_attempts";
                case GiveUpReason.MaxMessageAge: return "max_message_age";
                default: return "ttl_expired";
            }
        }
    }
}
