// Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.
// The comments 1 to 4 lead from this skeleton to a port of your library.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text.Json;

static class Answers
{
    public delegate object Question(JsonElement request);

    public static readonly Dictionary<string, Question> Questions = new Dictionary<string, Question>
    {
        ["backoff"] = Backoff,
    };

    static object Backoff(JsonElement request)
    {
        // 1. Call your library here, in place of the stand-in. Durations are seconds.
        StandIn policy = Policy(request.GetProperty("policy"));
        return new { delay = policy.Backoff(request.GetProperty("attempt").GetInt64()) };
    }

    // 2. Next question: schedule. Write the method and add it to Questions: Hello claims what is there.
    //
    // static object Schedule(JsonElement request) => new { delays = Policy(request.GetProperty("policy")).Schedule() };

    // 3. Say who you are. A library that counts in whole units says "1ns", "100ns" (a TimeSpan), "1us" or "1ms" in place of
    //    "exact", and answers each delay as a whole number of them.
    public static object Hello() => new
    {
        protocol = 1,
        name = "my-library",
        version = "0.0.0",
        language = "C# (" + RuntimeInformation.FrameworkDescription + ")",
        features = Questions.Keys,
        resolution = "exact",
    };

    // Map the fields to your library's own names here, and its exceptions to RejectedException.
    static StandIn Policy(JsonElement fields) => new StandIn(
        fields.GetProperty("max_attempts").GetInt64(),
        Number(fields.GetProperty("initial_delay")),
        Number(fields.GetProperty("multiplier")),
        Number(fields.GetProperty("max_delay")),
        Number(fields.GetProperty("jitter_factor")),
        Number(fields.GetProperty("max_message_age")));

    // JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero. (Compilers drop a "+ 0.0".)
    static double Number(JsonElement value)
    {
        double number = value.ValueKind == JsonValueKind.String
            ? double.Parse(value.GetString(), CultureInfo.InvariantCulture) : value.GetDouble();
        return number == 0 ? 0 : number;
    }
}

// The library refuses its input. Any other exception counts as a failure of the port.
class RejectedException : Exception
{
    public RejectedException(string code, string field = null) : base(code + ": " + field) =>
        Rejection = field == null ? (object)new { code } : new { code, field };

    public object Rejection { get; }
}

// 4. The stand-in: what your library does instead. Delete it once nothing calls it.
class StandIn
{
    const double Horizon = 4294967296; // seconds
    readonly double initialDelay, multiplier, ceiling;

    public StandIn(
        long maxAttempts, double initialDelay, double multiplier, double maxDelay, double jitterFactor, double maxMessageAge)
    {
        // In the order in which faults are reported.
        Check("max_attempts", maxAttempts, 1, int.MaxValue);
        Check("initial_delay", initialDelay, 0, Horizon);
        Check("multiplier", multiplier, 1, double.MaxValue);
        Check("max_delay", maxDelay, 0, Horizon);
        Check("jitter_factor", jitterFactor, 0, 1);
        Check("max_message_age", maxMessageAge, 0, Horizon);
        this.initialDelay = initialDelay;
        this.multiplier = multiplier;
        ceiling = maxDelay > 0 ? maxDelay : Horizon; // 0 means no cap
    }

    static void Check(string field, double value, double low, double high)
    {
        // So written, it refuses NaN too.
        if (!(low <= value && value <= high)) throw new RejectedException("invalid_policy", field);
    }

    public double Backoff(long attempt)
    {
        if (attempt < 1 || attempt > int.MaxValue) throw new RejectedException("invalid_argument", "attempt");
        double delay = initialDelay;
        for (long n = 1; n < attempt && delay < ceiling; n++)
        {
            double longer = delay * multiplier;
            if (longer == delay) break; // it will not change any more, however large the attempt
            delay = longer;
        }
        return Math.Min(delay, ceiling);
    }
}

// The wire. There should be no need to change anything below.
static class Port
{
    const byte NewLine = (byte)'\n';

    // Requests may carry keys that nobody knows, nested deeper than the 64 levels that are the default.
    static readonly JsonDocumentOptions Deep = new JsonDocumentOptions { MaxDepth = 10000 };

    // Answers all that has arrived, flushes, and only then waits for more, until the input ends.
    static void Main()
    {
        Console.SetOut(Console.Error); // what a library prints is no answer
        using (Stream requests = Console.OpenStandardInput(), output = Console.OpenStandardOutput())
        {
            var answers = new BufferedStream(output, 1 << 16);
            var buffer = new byte[1 << 16];
            int filled = 0, start, end;
            for (int read; (read = requests.Read(buffer, filled, buffer.Length - filled)) > 0;)
            {
                filled += read;
                for (start = 0; (end = Array.IndexOf(buffer, NewLine, start, filled - start)) >= 0; start = end + 1)
                    Answer(new ReadOnlyMemory<byte>(buffer, start, end - start), answers);
                answers.Flush();
                filled -= start;
                Buffer.BlockCopy(buffer, start, buffer, 0, filled);
                if (filled == buffer.Length) Array.Resize(ref buffer, 2 * buffer.Length);
            }
            if (filled > 0) Answer(new ReadOnlyMemory<byte>(buffer, 0, filled), answers);
            answers.Flush();
        }
    }

    // Answers a line by a line. Only what has no id cannot be answered.
    static void Answer(ReadOnlyMemory<byte> line, Stream answers)
    {
        string id = null;
        byte[] answer;
        try
        {
            using (JsonDocument request = JsonDocument.Parse(line, Deep))
            {
                id = request.RootElement.GetProperty("id").GetString();
                answer = JsonSerializer.SerializeToUtf8Bytes(Outcome(id, request.RootElement));
            }
        }
        catch (Exception failure)
        {
            Console.Error.WriteLine(failure); // people see it
            if (id == null) return;
            string error = failure.GetType().Name + ": " + failure.Message;
            answer = JsonSerializer.SerializeToUtf8Bytes(new { id, error });
        }
        answers.Write(answer, 0, answer.Length);
        answers.WriteByte(NewLine);
    }

    static object Outcome(string id, JsonElement request)
    {
        string ask = request.GetProperty("ask").GetString();
        if (ask == "hello") return new { id, value = Answers.Hello() };
        if (!Answers.Questions.TryGetValue(ask, out Answers.Question question))
            return new { id, unsupported = "no question " + ask + " is known here" };
        try
        {
            return new { id, value = question(request) };
        }
        catch (RejectedException refusal)
        {
            return new { id, rejected = refusal.Rejection };
        }
    }
}
