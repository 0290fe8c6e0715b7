package dev.samewait.port;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import dev.samewait.retry.RejectedException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;

/** Reads questions from standard input and writes answers to standard output, one JSON object a line. */
public final class Port {
    /** Gson's own entry points are lenient: they would write NaN, which is no JSON. The bare adapter is not. */
    private static final TypeAdapter<JsonElement> JSON = new Gson().getAdapter(JsonElement.class);

    private Port() {}

    public static void main(String[] args) throws IOException {
        // Not System.out: a PrintStream would swallow the news that nobody reads any more.
        try (Writer answers = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), UTF_8));
                BufferedReader questions = new BufferedReader(
                        new InputStreamReader(new FlushBeforeWaiting(System.in, answers), UTF_8))) {
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                Arguments request = read(line);
                if (request != null) {
                    answers.write(JSON.toJson(answer(request)));
                    answers.write('\n');
                }
            }
        }
    }

    /** The request on this line, or null if there is none: without an id, nothing could be answered. */
    private static Arguments read(String line) {
        try {
            Arguments request = Arguments.of(JSON.fromJson(line));
            request.text("id");
            return request;
        } catch (IOException | RuntimeException e) {
            System.err.println("no request: " + e);
            return null;
        }
    }

    private static JsonObject answer(Arguments request) {
        JsonObject answer = new JsonObject();
        answer.addProperty("id", request.text("id"));
        try {
            answer.add("value", Questions.answer(request.text("ask"), request));
        } catch (RejectedException e) {
            JsonObject rejection = new JsonObject();
            rejection.addProperty("code", e.code());
            e.field().ifPresent(field -> rejection.addProperty("field", field));
            answer.add("rejected", rejection);
        } catch (UnsupportedQuestionException e) {
            answer.addProperty("unsupported", e.getMessage());
        } catch (RuntimeException e) {
            answer.addProperty("error", e.toString());
        }
        return answer;
    }

    /**
     * Flushes the answers whenever the next read would have to wait for input (W-3). So answers are written in bulk as long
     * as questions come in, and never lie about while the kit waits for them.
     */
    private static final class FlushBeforeWaiting extends FilterInputStream {
        private final Writer answers;

        FlushBeforeWaiting(InputStream in, Writer answers) {
            super(in);
            this.answers = answers;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (available() == 0) {
                answers.flush();
            }
            return super.read(buffer, offset, length);
        }
    }
}
