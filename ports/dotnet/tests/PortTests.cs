using System.IO;
using System.Text;

namespace Samewait.Tests
{
    static class PortTests
    {
        const string Policy = "\"policy\":{\"max_attempts\":5,\"initial_delay\":1.0,\"multiplier\":2.0,\"max_delay\":0.0,"
            + "\"jitter_factor\":0.0,\"max_message_age\":0.0}";

        static string Ask(string questions)
        {
            var output = new MemoryStream();
            Port.Program.Run(new MemoryStream(Encoding.UTF8.GetBytes(questions)), output);
            return Encoding.UTF8.GetString(output.ToArray());
        }

        static string AgeAt(string attempt, string age) =>
            Ask($"{{\"id\":\"x\",\"ask\":\"next_delay\",{Policy},\"attempt\":{attempt},\"message_age\":{age}}}\n");

        public static void DelaysAreTicks()
        {
            Check.Equal("{\"id\":\"x\",\"value\":{\"delay\":40000000}}\n", AgeAt("3", "null"));
            Check.Equal("{\"id\":\"x\",\"value\":{\"delay\":40000000}}\n", AgeAt("3", "\"Infinity\""));
            Check.Equal("{\"id\":\"x\",\"value\":{\"give_up\":\"max_attempts\"}}\n", AgeAt("5", "1.5"));
        }

        public static void NotANumberIsRefusedInItsTurn()
        {
            Check.Equal("{\"id\":\"x\",\"rejected\":{\"code\":\"invalid_argument\",\"field\":\"attempt\"}}\n", AgeAt("0", "\"NaN\""));
            Check.Equal("{\"id\":\"x\",\"rejected\":{\"code\":\"invalid_argument\",\"field\":\"message_age\"}}\n", AgeAt("5", "\"NaN\""));
            Check.Equal(
                "{\"id\":\"x\",\"rejected\":{\"code\":\"invalid_policy\",\"field\":\"initial_delay\"}}\n",
                Ask("{\"id\":\"x\",\"ask\":\"policy\",\"make\":{\"fixed\":{\"max_attempts\":9,\"delay\":\"NaN\"}},"
                    + "\"then\":[{\"give_up_after\":-1.0}]}\n"));
        }

        public static void ItLivesOnAfterNonsense()
        {
            string[] answers = Ask("what?\n{\"id\":\"1\",\"ask\":\"nobody knows\"}\n{\"id\":\"2\",\"ask\":\"backoff\"}\n"
                + "{\"id\":\"3\",\"ask\":\"backoff\"," + Policy + ",\"attempt\":1.5}\n"
                + "{\"id\":\"4\",\"ask\":\"backoff\"," + Policy + ",\"attempt\":1,\"new\":"
                + new string('[', 5000) + new string(']', 5000) + "}").Split('\n'); // and no end of the last line
            Check.Equal(true, answers[0].StartsWith("{\"id\":\"\",\"error\":"));
            Check.Equal("{\"id\":\"1\",\"unsupported\":\"this port does not know the question nobody knows\"}", answers[1]);
            Check.Equal("{\"id\":\"2\",\"error\":\"FormatException: policy is missing\"}", answers[2]);
            Check.Equal(true, answers[3].StartsWith("{\"id\":\"3\",\"error\":"));
            Check.Equal("{\"id\":\"4\",\"value\":{\"delay\":10000000}}", answers[4]);
            Check.Equal(6, answers.Length);
        }
    }
}
