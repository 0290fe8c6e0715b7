package dev.samewait.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.samewait.retry.RejectedException.InvalidArgument;
import dev.samewait.retry.RejectedException.RungTooLong;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LadderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy HOURLY =
            RetryPolicy.exponential(11, Duration.ofMillis(100), Duration.ofHours(1));

    private static List<String> names(Ladder ladder) {
        return ladder.rungs().stream().map(Rung::name).toList();
    }

    @ParameterizedTest
    @CsvSource({"500,500ms", "1000,1s", "33750,33750ms", "60000,1m", "90000,90s", "5400000,90m", "86400000,24h"})
    void labels(long ttl, String label) {
        assertEquals("q.retry." + label, new Rung("q", "", ttl).name());
    }

    @Test
    void onlyLongDelaysWaitInTheBroker() {
        Ladder ladder = Ladder.of(HOURLY, "orders", "dlx");
        assertEquals(List.of("orders.retry.51200ms"), names(ladder));
        assertEquals(
                Map.of("x-message-ttl", 51_200L, "x-dead-letter-exchange", "dlx", "x-dead-letter-routing-key", "orders"),
                ladder.rungs().get(0).arguments());
        assertEquals(List.of(), Ladder.of(HOURLY, "orders", "dlx", Duration.ZERO).rungs());
        assertEquals(List.of(), Ladder.of(RetryPolicy.none(), "orders", "").rungs());
    }

    @Test
    void aRungForEachTtlHoweverManyAttempts() {
        RetryPolicy endless = RetryPolicy.exponential(Integer.MAX_VALUE, SECOND, Duration.ofSeconds(3));
        assertTimeoutPreemptively(Duration.ofMillis(500), () -> assertEquals(
                List.of("q.retry.1s", "q.retry.2s", "q.retry.3s"), names(Ladder.of(endless, "q", "", SECOND))));
    }

    @Test
    void delaysBelowHalfAMillisecondHaveNoRung() {
        RetryPolicy short3 = RetryPolicy.exponential(4, Duration.ofNanos(250_000));
        assertEquals(List.of("q.retry.1ms"), names(Ladder.of(short3, "q", "", Duration.ofNanos(1)))); // 0.5 and 1 ms
    }

    @Test
    void findsTheNextLongerRung() {
        Ladder ladder = Ladder.of(RetryPolicy.exponential(4, SECOND), "q", "", SECOND); // 1, 2 and 4 s
        assertEquals(Optional.empty(), ladder.rungFor(Duration.ofMillis(999)));
        assertEquals("q.retry.2s", ladder.rungFor(Duration.ofMillis(1001)).orElseThrow().name());
        assertEquals("q.retry.4s", ladder.rungFor(Duration.ofSeconds(4)).orElseThrow().name());
        assertEquals("q.retry.4s", ladder.rungFor(Seconds.HORIZON).orElseThrow().name());
        assertThrows(InvalidArgument.class, () -> ladder.rungFor(Duration.ofNanos(-1)));
    }

    @Test
    void noBrokerAcceptsMoreThanTenYears() {
        RetryPolicy most = RetryPolicy.fixed(2, Duration.ofDays(3650));
        assertEquals(List.of("q.retry.87600h"), names(Ladder.of(most, "q", "")));
        RetryPolicy tooLong = RetryPolicy.fixed(2, Duration.ofDays(3650).plusMillis(1));
        RungTooLong rejection = assertThrows(RungTooLong.class, () -> Ladder.of(tooLong, "q", ""));
        assertEquals(Optional.empty(), rejection.field());
        assertEquals(List.of(), Ladder.of(tooLong, "q", "", Duration.ofDays(3651)).rungs());
    }

    @Test
    void judgesTheQueueBeforeTheThreshold() {
        InvalidArgument rejection =
                assertThrows(InvalidArgument.class, () -> Ladder.of(HOURLY, "", "", Duration.ofSeconds(-1)));
        assertEquals("queue", rejection.field().orElseThrow());
    }
}
