//! Jittered delays held within limits that they have not, and draws and delays that are let through.

use super::one_rule::jittering;
use crate::policy::{HORIZON, PolicyFields};
use crate::rejection::{Argument, Rejection};
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules, Stop};
use crate::zoo::specified::{ceiling, lenient};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    jittering(
        "jitter-held-at-the-cap",
        "A jittered delay is cut back to the cap.",
        "https://github.com/agenda/agenda/issues/1748",
        &["J-5"],
        |fields, delay, draw| Ok(jittered(fields, delay, draw)?.min(ceiling(fields))),
    ),
    jittering(
        "jitter-held-at-the-horizon",
        "A jittered delay is cut back to the longest delay there is.",
        "https://github.com/Yeachan-Heo/gajae-code/pull/3612",
        &["J-5"],
        |fields, delay, draw| Ok(jittered(fields, delay, draw)?.min(HORIZON)),
    ),
    jittering(
        "jitter-after-the-cap-again",
        "A delay that is given is held at the cap before it is jittered.",
        "https://github.com/temporalio/temporal/pull/6063",
        &["J-5"],
        |fields, delay, draw| {
            let capped = if delay > ceiling(fields) {
                ceiling(fields)
            } else {
                delay
            };
            jittered(fields, delay, draw)?;
            jittered(fields, capped, draw)
        },
    ),
    jittering(
        "jitter-not-below-a-millisecond",
        "A jittered delay is raised to a millisecond.",
        "https://github.com/resilience4j/resilience4j/pull/2109",
        &["J-5"],
        |fields, delay, draw| Ok(jittered(fields, delay, draw)?.max(0.001)),
    ),
    jittering(
        "jitter-not-below-the-initial-delay",
        "The initial delay is the shortest there is, and a jittered delay is raised to it.",
        "https://github.com/jd/tenacity/issues/487",
        &["J-5"],
        |fields, delay, draw| Ok(jittered(fields, delay, draw)?.max(fields.initial_delay)),
    ),
    jittering(
        "jitter-not-at-first",
        "The first retry comes after the exact initial delay.",
        "https://github.com/grpc/proposal/pull/452",
        &["J-1"],
        |fields, delay, draw| {
            let moved = jittered(fields, delay, draw)?;
            let is_first = delay <= fields.initial_delay;
            Ok(if is_first { delay } else { moved })
        },
    ),
    jittering(
        "jitter-not-at-the-cap",
        "Once the cap is reached nothing is drawn any more.",
        "https://github.com/Azure/azure-webjobs-sdk/pull/66",
        &["J-5"],
        |fields, delay, draw| {
            let moved = jittered(fields, delay, draw)?;
            Ok(if delay >= ceiling(fields) { delay } else { moved })
        },
    ),
    jittering(
        "jitter-of-zero-panics",
        "A draw below 0 is asked for when there is nothing to move, and the generator panics.",
        "https://github.com/hemilabs/heminetwork/issues/664",
        &["J-3"],
        |fields, delay, draw| match jittered(fields, delay, draw)? {
            _ if delay * fields.jitter_factor == 0.0 => Err(Stop::Crashed("invalid argument to Int63n")),
            moved => Ok(moved),
        },
    ),
    jittering(
        "jitter-draw-of-one",
        "The generator gives 1 as well, and nobody minds.",
        "https://github.com/jj1bdx/sfmt-erlang/issues/21",
        &["J-7"],
        |fields, delay, draw| draw_if(fields, delay, draw, (0.0..=1.0).contains(&draw)),
    ),
    jittering(
        "jitter-draw-below-zero",
        "The generator gives numbers a little below 0, and nobody minds.",
        "https://github.com/elm/core/issues/679",
        &["J-7"],
        |fields, delay, draw| draw_if(fields, delay, draw, draw < 1.0),
    ),
    jittering(
        "jitter-draw-of-nan",
        "A draw is refused when it is below 0 or not below 1, and NaN is neither.",
        "https://github.com/taskcluster/fast-azure-storage/pull/70",
        &["J-7"],
        |fields, delay, draw| draw_if(fields, delay, draw, draw.is_nan() || (0.0..1.0).contains(&draw)),
    ),
    jittering(
        "jitter-draw-judged-when-needed",
        "Without a factor the draw is not looked at.",
        "https://github.com/taskcluster/fast-azure-storage/pull/70",
        &["J-7"],
        |fields, delay, draw| {
            draw_if(
                fields,
                delay,
                draw,
                fields.jitter_factor == 0.0 || (0.0..1.0).contains(&draw),
            )
        },
    ),
    jittering(
        "jitter-draw-judged-first",
        "The draw is judged before the delay.",
        "https://github.com/airbytehq/airbyte-python-cdk/pull/1038",
        &["J-7"],
        |fields, delay, draw| {
            jittered(fields, 1.0, draw)?;
            jittered(fields, delay, draw)
        },
    ),
    jittering(
        "jitter-delay-below-zero",
        "A negative delay is no delay.",
        "https://github.com/umputun/tg-spam/pull/116",
        &["J-7"],
        |fields, delay, draw| jittered(fields, if delay < 0.0 { 0.0 } else { delay }, draw),
    ),
    jittering(
        "jitter-delay-without-an-end",
        "A delay has no upper limit here, since it was computed and not given.",
        "https://github.com/numikel/law-scrapper-mcp/issues/27",
        &["J-7"],
        |fields, delay, draw| jittered(fields, if delay > HORIZON { HORIZON } else { delay }, draw),
    ),
    jittering(
        "jitter-delay-of-nan",
        "A delay that is not a number is a default of a second.",
        "https://github.com/BlackBeltTechnology/pi-agent-dashboard/pull/492",
        &["J-7"],
        |fields, delay, draw| jittered(fields, if delay.is_nan() { 1.0 } else { delay }, draw),
    ),
];

fn jittered(fields: &PolicyFields, delay: f64, draw: f64) -> Outcome<f64> {
    (SPECIFIED.jitter)(fields, delay, draw)
}

/// As specified, but for the judgement of the draw.
fn draw_if(fields: &PolicyFields, delay: f64, draw: f64, is_draw: bool) -> Outcome<f64> {
    jittered(fields, delay, 0.5)?;
    if !is_draw {
        return Err(Stop::Rejected(Rejection::argument(Argument::Draw, draw)));
    }
    let factor = lenient(fields).jitter_factor();
    Ok(if factor == 0.0 || delay == 0.0 {
        delay + 0.0
    } else {
        delay * (1.0 + ((draw * 2.0 - 1.0) * factor))
    })
}
