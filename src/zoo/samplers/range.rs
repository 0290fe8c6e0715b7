//! Jitter over the wrong interval.

use super::{Sampler, Setting, defect};

pub(super) const SAMPLERS: &[Sampler] = &[
    defect(
        "upwards-only",
        "The draw is not centred: jitter only adds.",
        Some("https://github.com/NousResearch/hermes-agent/pull/40606"),
        |it| Box::new(move |draws| it.delay * (1.0 + draws() * it.factor())),
    ),
    defect(
        "downwards-only",
        "Jitter only takes away.",
        Some("https://github.com/dmmulroy/better-result/pull/84"),
        |it| Box::new(move |draws| it.delay * (1.0 - draws() * it.factor())),
    ),
    defect(
        "clamped-at-the-cap",
        "The jittered delay is cut back to max_delay.",
        Some("https://github.com/agenda/agenda/issues/1748"),
        |it| {
            Box::new(move |draws| {
                let jittered = it.jittered(draws());
                if it.policy.max_delay() > 0.0 {
                    jittered.min(it.policy.max_delay())
                } else {
                    jittered
                }
            })
        },
    ),
    defect(
        "half-width",
        "The factor is taken as the whole width, not as half of it.",
        None,
        |it| scaled(it, 0.5),
    ),
    defect("double-width", "The factor is doubled.", None, |it| scaled(it, 2.0)),
    defect(
        "narrower-by-a-twentieth",
        "The width is 95 % of what it should be.",
        None,
        |it| scaled(it, 0.95),
    ),
    defect(
        "narrower-by-a-hundredth",
        "The width is 99 % of what it should be.",
        None,
        |it| scaled(it, 0.99),
    ),
    defect(
        "full-jitter",
        "A random part of the delay, from nothing to all of it.",
        Some("https://github.com/grpc/proposal/pull/452"),
        |it| Box::new(move |draws| it.delay * draws()),
    ),
    defect(
        "full-jitter-doubled",
        "From nothing to twice the delay.",
        Some("https://github.com/googleapis/gax-python/pull/167"),
        |it| Box::new(move |draws| 2.0 * it.delay * draws()),
    ),
    defect(
        "equal-jitter",
        "Half of the delay, and a random part of the other half.",
        Some("https://github.com/launchdarkly/rust-eventsource-client/pull/41"),
        |it| Box::new(move |draws| it.delay * (0.5 + 0.5 * draws())),
    ),
    defect(
        "no-jitter",
        "The delay is answered as it is.",
        Some("https://github.com/ferd/backoff/issues/8"),
        |it| Box::new(move |_| it.delay),
    ),
    defect(
        "collapsed",
        "All samples are the lower end.",
        Some("https://github.com/redis/lettuce/issues/2115"),
        |it| Box::new(move |_| it.jittered(0.0)),
    ),
    defect(
        "off-at-multiplier-1",
        "The range is derived from the multiplier less 1, so that a constant delay is not jittered.",
        Some("https://github.com/spring-attic/spring-retry/issues/391"),
        |it| scaled(it, (it.policy.multiplier() - 1.0).min(1.0)),
    ),
    defect(
        "width-of-the-initial-delay",
        "The width is a part of initial_delay, not of the delay at that attempt.",
        Some("https://github.com/lostisland/faraday/issues/1197"),
        |it| {
            let width = it.policy.initial_delay() * it.factor();
            Box::new(move |draws| it.delay + (draws() * 2.0 - 1.0) * width)
        },
    ),
    defect(
        "off-centre-by-a-hundredth",
        "The interval is moved up by 1 % of its width.",
        None,
        |it| moved(it, 0.01),
    ),
    defect(
        "off-centre-by-a-twentieth",
        "The interval is moved up by 5 % of its width.",
        None,
        |it| moved(it, 0.05),
    ),
    defect(
        "off-centre-by-a-hundredth-and-cut",
        "The interval is moved up by 1 % of its width, and what is then too long is cut to the upper end.",
        None,
        |it| cut(it, 0.01),
    ),
    defect(
        "off-centre-by-a-twentieth-and-cut",
        "The interval is moved up by 5 % of its width, and what is then too long is cut to the upper end.",
        None,
        |it| cut(it, 0.05),
    ),
    defect(
        "compounding",
        "Each jittered delay is the base of the next.",
        Some("https://github.com/slackhq/EitherNet/pull/60"),
        |it| {
            let mut current = it;
            Box::new(move |draws| {
                current.delay = current.jittered(draws());
                current.delay
            })
        },
    ),
];

fn scaled(it: Setting, scale: f64) -> super::Samples {
    Box::new(move |draws| it.delay * (1.0 + (draws() * 2.0 - 1.0) * it.factor() * scale))
}

fn moved(it: Setting, part: f64) -> super::Samples {
    Box::new(move |draws| it.jittered(draws() + part))
}

fn cut(it: Setting, part: f64) -> super::Samples {
    Box::new(move |draws| it.jittered((draws() + part).min(1.0)))
}
