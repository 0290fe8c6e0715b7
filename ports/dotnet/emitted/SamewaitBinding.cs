using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Samewait.Port;
using Samewait.Retry;

namespace Samewait.Emitted
{
    /// <summary>Puts the questions of the tests that `samewait emit xunit --resolution 100ns` makes to this library. With IGNORE_CAP
    /// in the environment it leaves the cap out, to show that the tests notice.</summary>
    public sealed class SamewaitBinding : IBinding
    {
        static readonly bool IgnoreCap = Environment.GetEnvironmentVariable("IGNORE_CAP") != null;

        public Policy Policy(Make make, Copy[] then) => Ask(() =>
        {
            RetryPolicy policy = Made(make);
            foreach (Copy copy in then)
            {
                policy = copy.Change == "give_up_after"
                    ? policy.GiveUpAfter(Arguments.Duration(copy.Value))
                    : policy.WithJitter(copy.Value);
            }
            return new Policy(
                policy.MaxAttempts,
                Seconds.FromTimeSpan(policy.InitialDelay),
                policy.Multiplier,
                Seconds.FromTimeSpan(policy.MaxDelay),
                policy.JitterFactor,
                Seconds.FromTimeSpan(policy.MaxMessageAge));
        });

        public IEnumerable<long> Schedule(Policy policy) =>
            Ask(() => Made(policy).Schedule().Select(delay => delay.Ticks).ToArray());

        public long Backoff(Policy policy, long attempt) => Ask(() => Made(policy).Backoff(attempt).Ticks);

        public object NextDelay(Policy policy, long attempt, double? messageAge) => Ask(() =>
        {
            TimeSpan? age = messageAge is double seconds ? Arguments.Duration(seconds) : (TimeSpan?)null;
            Decision next = Made(policy).NextDelay(attempt, age);
            return next.Delay is TimeSpan delay ? delay.Ticks : (object)next.Reason.Value.OnTheWire();
        });

        public long Jitter(Policy policy, double delay, double draw) =>
            Ask(() => Made(policy).Jittered(Arguments.Duration(delay), draw).Ticks);

        public JsonElement Ladder(Policy policy, string queue, string exchange, double threshold) => Ask(() => Written(json =>
        {
            foreach (Rung rung in MadeLadder(policy, queue, exchange, threshold).Rungs)
            {
                json.WriteStartObject();
                json.WriteString("name", rung.Name);
                json.WriteNumber("ttl_ms", rung.TtlMs);
                json.WritePropertyName("arguments");
                JsonSerializer.Serialize(json, rung.Arguments);
                json.WriteEndObject();
            }
        }));

        public string RungFor(Policy policy, string queue, string exchange, double threshold, double delay) =>
            Ask(() => MadeLadder(policy, queue, exchange, threshold).RungFor(Arguments.Duration(delay))?.Name);

        public JsonElement Queue(Policy policy, double messageTtl, double ackTimeout, JsonElement steps) => Ask(() =>
        {
            var queue = new WorkQueue(Made(policy), Arguments.Duration(messageTtl), Arguments.Duration(ackTimeout));
            Scenario.Play(queue, steps);
            return Written(json => Scenario.WriteTrace(queue, json));
        });

        /// <summary>The library's answer, and its refusals as those of the tests.</summary>
        static T Ask<T>(Func<T> question)
        {
            try
            {
                return question();
            }
            catch (Samewait.Retry.RejectedException e)
            {
                throw new RejectedException(e.Code, e.Field);
            }
        }

        static RetryPolicy Made(Policy fields) => new RetryPolicy(
            fields.MaxAttempts,
            Arguments.Duration(fields.InitialDelay),
            fields.Multiplier,
            IgnoreCap ? TimeSpan.Zero : Arguments.Duration(fields.MaxDelay),
            fields.JitterFactor,
            Arguments.Duration(fields.MaxMessageAge));

        static RetryPolicy Made(Make make)
        {
            Policy given = make.Policy;
            TimeSpan delay = Arguments.Duration(given.InitialDelay);
            switch (make.Factory)
            {
                case "none": return RetryPolicy.None;
                case "fixed": return RetryPolicy.Fixed(given.MaxAttempts, delay);
                case "exponential":
                    return RetryPolicy.Exponential(given.MaxAttempts, delay, Arguments.Duration(given.MaxDelay));
                default: return Made(given);
            }
        }

        static Ladder MadeLadder(Policy policy, string queue, string exchange, double threshold) =>
            new Ladder(Made(policy), queue, exchange, Arguments.Duration(threshold));

        /// <summary>A list of what is written into it.</summary>
        static JsonElement Written(Action<Utf8JsonWriter> write)
        {
            using (var bytes = new MemoryStream())
            {
                using (var json = new Utf8JsonWriter(bytes))
                {
                    json.WriteStartArray();
                    write(json);
                    json.WriteEndArray();
                }
                using (JsonDocument document = JsonDocument.Parse(bytes.ToArray())) return document.RootElement.Clone();
            }
        }
    }
}
