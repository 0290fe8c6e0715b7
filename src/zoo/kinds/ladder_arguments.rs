//! Rungs declared with other arguments than they should be.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::wire::Resolution;
use crate::zoo::Bug;
use crate::zoo::rules::{LadderOf, Rules};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;
const TTL: &str = "x-message-ttl";
const EXCHANGE: &str = "x-dead-letter-exchange";
const ROUTING_KEY: &str = "x-dead-letter-routing-key";

pub(super) const BUGS: &[Bug] = &[
    bug(
        "argument-ttl-as-text",
        "The time is declared as a text.",
        "https://github.com/streadway/amqp/issues/60",
        &["L-8"],
        |ttl_ms, of| with(TTL, Json::from(ttl_ms.to_string()), specified(ttl_ms, of)),
    ),
    bug(
        "argument-ttl-as-a-fraction",
        "The time is declared as a number with a fraction.",
        "https://github.com/MassTransit/MassTransit/issues/166",
        &["L-8"],
        |ttl_ms, of| with(TTL, json_of_seconds(ttl_ms), specified(ttl_ms, of)),
    ),
    Bug {
        resolution: Resolution::Tick,
        ..bug(
            "argument-ttl-milliseconds-of-a-clock",
            "The time has the milliseconds of a clock, which begin again at a second.",
            "https://github.com/EasyNetQ/EasyNetQ/issues/1240",
            &["L-8"],
            |ttl_ms, of| with(TTL, Json::from(ttl_ms % 1000), specified(ttl_ms, of)),
        )
    },
    bug(
        "argument-ttl-missing",
        "The time is left to each message, and a short wait sits behind a long one.",
        "https://github.com/shinyscorpion/task_bunny/issues/69",
        &["L-8"],
        |ttl_ms, of| without(TTL, specified(ttl_ms, of)),
    ),
    bug(
        "argument-routing-key-missing",
        "There is no option for the routing key, and messages come back under the one of their rung.",
        "https://github.com/LeanKit-Labs/wascally/issues/51",
        &["L-8"],
        |ttl_ms, of| without(ROUTING_KEY, specified(ttl_ms, of)),
    ),
    bug(
        "argument-routing-key-of-its-own",
        "The routing key has a suffix of its own, so that messages are routed to no source queue.",
        "https://github.com/Tradeshift/spring-rabbitmq-tuning/pull/70",
        &["L-8"],
        |ttl_ms, of| {
            with(
                ROUTING_KEY,
                Json::from(format!("{}.retry", of.queue)),
                specified(ttl_ms, of),
            )
        },
    ),
    bug(
        "argument-exchange-missing",
        "No exchange is declared, and expired messages are gone.",
        "https://github.com/jondot/sneakers/issues/136",
        &["L-8"],
        |ttl_ms, of| without(EXCHANGE, specified(ttl_ms, of)),
    ),
    bug(
        "argument-exchange-left-out-when-empty",
        "An exchange with an empty name is taken for none and left out.",
        "https://github.com/SpinGo/op-rabbit/issues/175",
        &["L-8", "L-13"],
        |ttl_ms, of| {
            let arguments = specified(ttl_ms, of);
            if of.exchange.is_empty() {
                without(EXCHANGE, arguments)
            } else {
                arguments
            }
        },
    ),
    bug(
        "argument-exchange-is-the-default",
        "Messages come back through the default exchange, whatever exchange is given.",
        "https://github.com/jwage/phpamqplib-messenger/pull/147",
        &["L-8", "L-13"],
        |ttl_ms, of| with(EXCHANGE, Json::from(""), specified(ttl_ms, of)),
    ),
    bug(
        "argument-exchange-is-the-queue",
        "Messages come back to where they came from, taken from the wrong place.",
        "https://github.com/pardahlman/RawRabbit/issues/314",
        &["L-8"],
        |ttl_ms, of| with(EXCHANGE, Json::from(of.queue), specified(ttl_ms, of)),
    ),
    bug(
        "argument-expires",
        "The queue itself expires at twice its time, with the messages inside.",
        "https://github.com/vyuldashev/laravel-queue-rabbitmq/pull/627",
        &["L-8"],
        |ttl_ms, of| with("x-expires", Json::from(ttl_ms.saturating_mul(2)), specified(ttl_ms, of)),
    ),
];

const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    arguments: fn(i64, &LadderOf<'_>) -> BTreeMap<String, Json>,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { arguments, ..SPECIFIED })
}

type Arguments = BTreeMap<String, Json>;

fn specified(ttl_ms: i64, of: &LadderOf<'_>) -> Arguments {
    (SPECIFIED.arguments)(ttl_ms, of)
}

fn with(name: &str, value: Json, mut arguments: Arguments) -> Arguments {
    arguments.insert(name.to_owned(), value);
    arguments
}

fn without(name: &str, mut arguments: Arguments) -> Arguments {
    arguments.remove(name);
    arguments
}

/// The milliseconds as a number that was never made an integer.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "below 2^53")]
fn json_of_seconds(ttl_ms: i64) -> Json {
    Json::from(ttl_ms as f64)
}
