using System;
using System.Text.Json;
using Samewait.Retry;

namespace Samewait.Port
{
    /// <summary>Plays the steps of a `queue` question and writes the trace.</summary>
    static class Scenario
    {
        public static void Answer(JsonElement request, Utf8JsonWriter value)
        {
            var queue = new WorkQueue(
                request.Policy("policy"), request.Duration("message_ttl"), request.Duration("ack_timeout"));
            Play(queue, request.Required("steps"));
            value.WriteStartArray("trace");
            WriteTrace(queue, value);
            value.WriteEndArray();
        }

        public static void Play(WorkQueue queue, JsonElement steps)
        {
            foreach (JsonElement step in steps.EnumerateArray())
            {
                queue.AdvanceTo(Instant(step.Number("at")));
                Take(queue, step);
            }
        }

        public static void WriteTrace(WorkQueue queue, Utf8JsonWriter value)
        {
            foreach (QueueEvent happened in queue.Trace) Write(happened, value);
        }

        static void Take(WorkQueue queue, JsonElement step)
        {
            switch (step.Text("do"))
            {
                case "put": queue.Put(step.Text("message")); break;
                case "add_consumer":
                    queue.AddConsumer(step.Text("consumer"), Handler(step.Optional("on_message")), Count(step.Optional("prefetch")));
                    break;
                case "remove_consumer": queue.RemoveConsumer(step.Text("consumer")); break;
                case "ack": queue.Ack(step.Text("message"), Count(step.Optional("delivery"))); break;
                case "nack":
                    queue.Nack(step.Text("message"), step.Optional("error")?.GetString(), Count(step.Optional("delivery")));
                    break;
                case "replay": queue.Replay(step.Text("message")); break;
                case "stats": queue.Stats(); break;
                case "dead_letters": queue.DeadLetters(); break;
                case "wait": break;
                default: throw new FormatException($"{step.Text("do")} is nothing to do");
            }
        }

        static OnMessage Handler(JsonElement? given)
        {
            if (!(given is JsonElement handler)) return OnMessage.Hold;
            if (handler.ValueKind == JsonValueKind.Object) return OnMessage.Fail(handler.Text("fail"));
            switch (handler.GetString())
            {
                case "hold": return OnMessage.Hold;
                case "ack": return OnMessage.Ack;
                default: throw new FormatException($"{handler} is no on_message");
            }
        }

        static long? Count(JsonElement? given) => given?.GetInt64();

        /// <summary>By way of milliseconds, for the tick nearest to a binary64 number of seconds is not always a whole one when that
        /// number is large. A time that is no whole number of milliseconds makes no sense (Q-33).</summary>
        static TimeSpan Instant(double seconds)
        {
            double milliseconds = Math.Round(seconds * 1000.0);
            if (milliseconds / 1000.0 != seconds || milliseconds > Seconds.Horizon.TotalMilliseconds)
                throw new FormatException("a time is no whole number of milliseconds within HORIZON");
            return TimeSpan.FromTicks((long)milliseconds * TimeSpan.TicksPerMillisecond);
        }

        static void Write(QueueEvent happened, Utf8JsonWriter value)
        {
            value.WriteStartObject();
            value.WriteNumber("at", Seconds.FromTimeSpan(happened.At));
            switch (happened.Kind)
            {
                case QueueEventKind.Ready:
                    value.WriteString("event", "ready");
                    value.WriteString("message", happened.Message);
                    break;
                case QueueEventKind.Delivered:
                    value.WriteString("event", "delivered");
                    value.WriteString("message", happened.Message);
                    value.WriteNumber("attempt", happened.Attempt.Value);
                    value.WriteString("consumer", happened.Consumer);
                    break;
                case QueueEventKind.Acked:
                    value.WriteString("event", "acked");
                    value.WriteString("message", happened.Message);
                    value.WriteNumber("attempt", happened.Attempt.Value);
                    break;
                case QueueEventKind.Failed:
                    value.WriteString("event", "failed");
                    value.WriteString("message", happened.Message);
                    value.WriteNumber("attempt", happened.Attempt.Value);
                    value.WriteString("error", happened.Error);
                    break;
                case QueueEventKind.Delayed:
                    value.WriteString("event", "delayed");
                    value.WriteString("message", happened.Message);
                    value.WriteNumber("until", Seconds.FromTimeSpan(happened.Until.Value));
                    break;
                case QueueEventKind.Dead:
                    value.WriteString("event", "dead");
                    value.WriteString("message", happened.Message);
                    value.WriteString("reason", happened.Reason.Value.OnTheWire());
                    value.WriteString("error", happened.Error);
                    value.WriteNumber("attempts", happened.Attempt.Value);
                    break;
                case QueueEventKind.Refused:
                    value.WriteString("event", "refused");
                    value.WriteString("do", happened.RefusedCall);
                    if (happened.Message != null) value.WriteString("message", happened.Message);
                    if (happened.Consumer != null) value.WriteString("consumer", happened.Consumer);
                    value.WriteString("code", happened.Code);
                    break;
                case QueueEventKind.Stats:
                    QueueStats stats = happened.Stats.Value;
                    value.WriteString("event", "stats");
                    value.WriteNumber("ready", stats.Ready);
                    value.WriteNumber("delayed", stats.Delayed);
                    value.WriteNumber("leased", stats.Leased);
                    value.WriteNumber("dead", stats.Dead);
                    break;
                case QueueEventKind.DeadLetters:
                    value.WriteString("event", "dead_letters");
                    value.WriteStartArray("messages");
                    foreach (DeadLetter letter in happened.DeadLetters) Write(letter, value);
                    value.WriteEndArray();
                    break;
            }
            value.WriteEndObject();
        }

        static void Write(DeadLetter letter, Utf8JsonWriter value)
        {
            value.WriteStartObject();
            value.WriteString("message", letter.Message);
            value.WriteString("reason", letter.Reason.OnTheWire());
            value.WriteString("error", letter.Error);
            value.WriteNumber("attempts", letter.Attempts);
            value.WriteNumber("at", Seconds.FromTimeSpan(letter.At));
            value.WriteEndObject();
        }
    }
}
