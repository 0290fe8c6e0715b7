package dev.samewait.port;

import java.io.Serial;

/** A question that this port does not know (W-5). */
final class UnsupportedQuestionException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    UnsupportedQuestionException(String ask) {
        super("this port does not know the question " + ask);
    }
}
