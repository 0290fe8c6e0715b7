using System;
using System.IO;
using System.Text.Json;
using Samewait.Retry;

namespace Samewait.Port
{
    /// <summary>Reads questions and writes answers, a line each, until the input ends (chapter 8).</summary>
    public static class Program
    {
        const byte NewLine = (byte)'\n';

        // A question may carry keys that nobody knows, nested as deeply as their sender likes (W-1).
        static readonly JsonDocumentOptions Options = new JsonDocumentOptions { MaxDepth = 10000 };

        /// <summary>Runs the port.</summary>
        public static void Main() => Run(Console.OpenStandardInput(), Console.OpenStandardOutput());

        /// <summary>Reads in bulk, and hands the answers on each time before it might have to wait (W-3).</summary>
        public static void Run(Stream input, Stream output)
        {
            var answers = new MemoryStream();
            var writer = new Utf8JsonWriter(answers);
            var buffer = new byte[1 << 16];
            int filled = 0, read;
            do
            {
                if (filled == buffer.Length) Array.Resize(ref buffer, 2 * buffer.Length);
                read = input.Read(buffer, filled, buffer.Length - filled);
                if (read == 0 && filled > 0) buffer[filled] = NewLine; // the last line may lack its end
                int searched = filled;
                filled += read == 0 && filled > 0 ? 1 : read;

                int start = 0;
                for (int end; (end = Array.IndexOf(buffer, NewLine, searched, filled - searched)) >= 0; start = searched = end + 1)
                {
                    Answer(new ReadOnlyMemory<byte>(buffer, start, end - start), writer);
                    writer.Flush();
                    answers.WriteByte(NewLine);
                }
                filled -= start;
                Buffer.BlockCopy(buffer, start, buffer, 0, filled);

                answers.WriteTo(output);
                output.Flush();
                answers.SetLength(0);
            }
            while (read > 0);
        }

        static void Answer(ReadOnlyMemory<byte> line, Utf8JsonWriter answer)
        {
            string id = ""; // until it is known: a line that is no question gets an answer too
            try
            {
                using (JsonDocument question = JsonDocument.Parse(line, Options))
                {
                    id = question.RootElement.Text("id");
                    Begin(answer, id);
                    Answers.Write(question.RootElement, answer);
                }
            }
            catch (RejectedException rejection)
            {
                Begin(answer, id);
                answer.WriteStartObject("rejected");
                answer.WriteString("code", rejection.Code);
                if (rejection.Field != null) answer.WriteString("field", rejection.Field);
                answer.WriteEndObject();
            }
            catch (Exception failure)
            {
                // Of the port or of the question, but never a rejection (W-7). The next question is another matter.
                Begin(answer, id);
                answer.WriteString("error", failure.GetType().Name + ": " + failure.Message);
            }
            answer.WriteEndObject();
        }

        /// <summary>Begins an answer, and takes back what may have been written of another.</summary>
        static void Begin(Utf8JsonWriter answer, string id)
        {
            answer.Reset();
            answer.WriteStartObject();
            answer.WriteString("id", id);
        }
    }
}
