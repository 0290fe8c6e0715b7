//! Ladders with a rung too many, too few or too long.

use crate::answer::RungValue;
use crate::policy::PolicyFields;
use crate::zoo::Bug;
use crate::zoo::rules::{LadderOf, Outcome, Rules};
use crate::zoo::specified::{rung, too_long, ttls};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    bug(
        "rungs-one-for-each-attempt",
        "Delays that are equal have a rung each.",
        "https://github.com/spring-projects/spring-kafka/issues/2496",
        &["L-7"],
        |rules, fields, of| {
            ttls(rules, fields, of)?;
            let delays = (rules.schedule)(rules, fields)?;
            Ok(declared(rules, of, times(rules, of, &delays)))
        },
    ),
    bug(
        "rungs-longest-first",
        "The rungs are declared from the longest to the shortest.",
        "https://github.com/stitchfix/pwwka/issues/12",
        &["L-7"],
        |rules, fields, of| {
            let mut rungs = (SPECIFIED.rungs)(rules, fields, of)?;
            rungs.reverse();
            Ok(rungs)
        },
    ),
    bug(
        "rungs-without-the-last",
        "Reaching the last delay ends the ladder before its rung is declared.",
        "https://github.com/kubernetes/kubernetes/issues/131122",
        &["L-7"],
        |rules, fields, of| of_attempts(rules, fields, of, fields.max_attempts - 1),
    ),
    bug(
        "rungs-without-the-first",
        "The first delay is taken to be none, and has no rung.",
        "https://github.com/elennick/retry4j/issues/36",
        &["L-7"],
        |rules, fields, of| {
            let mut rungs = (SPECIFIED.rungs)(rules, fields, of)?;
            let first = (rules.ttl_ms)((rules.backoff)(fields, 1)?, of.threshold);
            let is_first = |rung: &RungValue| first.is_some() && rung.ttl_ms.as_i64() == first;
            rungs.retain(|rung| !is_first(rung));
            Ok(rungs)
        },
    ),
    bug(
        "rungs-one-too-many",
        "There is a rung for every attempt, the last failure included.",
        "https://github.com/nats-io/nats-server/pull/2812",
        &["L-7"],
        |rules, fields, of| of_attempts(rules, fields, of, fields.max_attempts + 1),
    ),
    bug(
        "rungs-beyond-the-cap",
        "The cap is not applied to the delays that rungs are made of.",
        "https://github.com/Xuanwo/backon/issues/231",
        &["L-7", "B-6"],
        |rules, fields, of| {
            (SPECIFIED.rungs)(
                rules,
                &PolicyFields {
                    max_delay: 0.0,
                    ..*fields
                },
                of,
            )
        },
    ),
    bug(
        "rungs-jittered",
        "The delays are jittered before rungs are made of them.",
        "https://github.com/symfony/symfony/pull/65168",
        &["J-8"],
        |rules, fields, of| {
            let jittered: Outcome<Vec<f64>> = (rules.schedule)(rules, fields)?
                .into_iter()
                .map(|delay| (rules.jitter)(fields, delay, 0.9))
                .collect();
            ttls(rules, fields, of)?;
            Ok(declared(rules, of, times(rules, of, &jittered?)))
        },
    ),
    bug(
        "rungs-never-none",
        "A ladder without a rung has a default one of five minutes.",
        "https://github.com/ITV/bucky/pull/65",
        &["L-7"],
        |rules, fields, of| {
            let rungs = (SPECIFIED.rungs)(rules, fields, of)?;
            Ok(if rungs.is_empty() {
                vec![rung(rules, of, 0, 300_000)]
            } else {
                rungs
            })
        },
    ),
    bug(
        "rungs-too-long-left-out",
        "A delay that is too long for the broker has no rung, and its messages vanish.",
        "https://github.com/rabbitmq/rabbitmq-delayed-message-exchange/issues/122",
        &["L-4"],
        |rules, fields, of| limited(rules, fields, of, |ttl_ms| (ttl_ms <= MOST).then_some(ttl_ms)),
    ),
    bug(
        "rungs-too-long-held-at-the-limit",
        "A delay that is too long for the broker is as long as the broker allows.",
        "https://github.com/nsqio/nsq/pull/868",
        &["L-4"],
        |rules, fields, of| limited(rules, fields, of, |ttl_ms| Some(ttl_ms.min(MOST))),
    ),
    bug(
        "rungs-without-a-limit",
        "Nothing is too long, until the broker says so.",
        "https://github.com/rabbitmq/rabbitmq-delayed-message-exchange/issues/227",
        &["L-4"],
        |rules, fields, of| limited(rules, fields, of, Some),
    ),
    bug(
        "rungs-of-32-bits-at-most",
        "A delay of more than 2^32 - 1 milliseconds is not delayed at all.",
        "https://github.com/rabbitmq/rabbitmq-delayed-message-exchange/issues/23",
        &["L-4", "L-7"],
        |rules, fields, of| {
            let mut rungs = (SPECIFIED.rungs)(rules, fields, of)?;
            rungs.retain(|rung| rung.ttl_ms.as_i64().is_some_and(|ttl_ms| ttl_ms < 1 << 32));
            Ok(rungs)
        },
    ),
    bug(
        "rungs-of-31-bits-refused-beyond",
        "More than 2^31 - 1 milliseconds are refused, a month among them.",
        "https://github.com/yiisoft/yii2-queue/issues/343",
        &["L-4"],
        |rules, fields, of| refused_from(1 << 31, (SPECIFIED.rungs)(rules, fields, of)?),
    ),
    bug(
        "rungs-of-the-limit-refused",
        "The longest time that a broker accepts is refused.",
        "https://github.com/emqx/emqx/pull/14721",
        &["L-4"],
        |rules, fields, of| refused_from(MOST, (SPECIFIED.rungs)(rules, fields, of)?),
    ),
];

/// The longest time that a broker accepts, in milliseconds (L-4).
const MOST: i64 = 315_360_000_000;

const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    rungs: fn(&Rules, &PolicyFields, &LadderOf<'_>) -> Outcome<Vec<RungValue>>,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { rungs, ..SPECIFIED })
}

/// The ladder of a policy with that many attempts.
fn of_attempts(rules: &Rules, fields: &PolicyFields, of: &LadderOf<'_>, max_attempts: i64) -> Outcome<Vec<RungValue>> {
    (SPECIFIED.rungs)(
        rules,
        &PolicyFields {
            max_attempts,
            ..*fields
        },
        of,
    )
}

/// As specified, but for the times that are too long.
fn limited(
    rules: &Rules,
    fields: &PolicyFields,
    of: &LadderOf<'_>,
    keep: fn(i64) -> Option<i64>,
) -> Outcome<Vec<RungValue>> {
    // The arguments are judged with a policy that has no rungs.
    ttls(rules, &PolicyFields::default(), of)?;
    let delays = (rules.schedule)(rules, fields)?;
    let mut times: Vec<i64> = times(rules, of, &delays).into_iter().filter_map(keep).collect();
    times.dedup();
    Ok(declared(rules, of, times))
}

fn refused_from(first: i64, rungs: Vec<RungValue>) -> Outcome<Vec<RungValue>> {
    let refused = rungs
        .iter()
        .filter_map(|rung| rung.ttl_ms.as_i64())
        .find(|ttl_ms| *ttl_ms >= first);
    refused.map_or(Ok(rungs), |ttl_ms| Err(too_long(ttl_ms)))
}

/// The TTL of each delay that waits in the broker.
fn times(rules: &Rules, of: &LadderOf<'_>, delays: &[f64]) -> Vec<i64> {
    delays
        .iter()
        .filter_map(|delay| (rules.ttl_ms)(*delay, of.threshold))
        .collect()
}

fn declared(rules: &Rules, of: &LadderOf<'_>, times: Vec<i64>) -> Vec<RungValue> {
    let times = times.into_iter().enumerate();
    times.map(|(place, ttl_ms)| rung(rules, of, place, ttl_ms)).collect()
}
