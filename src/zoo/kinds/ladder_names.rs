//! Rungs whose names collide, or part with the time they stand for.

use crate::answer::RungValue;
use crate::wire::Resolution;
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    labelled(
        "name-cut-to-seconds",
        "A label is a number of whole seconds, and what is shorter is dropped.",
        "https://github.com/spring-projects/spring-amqp/issues/1999",
        &["L-5", "L-6"],
        |ttl_ms, _| format!("{}s", ttl_ms / 1000),
    ),
    labelled(
        "name-cut-to-the-unit-of-its-size",
        "The unit is chosen by size, and what it does not divide is dropped.",
        "https://github.com/pnp/pnpcore/issues/1590",
        &["L-5", "L-6"],
        |ttl_ms, _| {
            let by_size = [(3_600_000, "h"), (60_000, "m"), (1000, "s")];
            let fits = by_size.into_iter().find(|(length, _)| ttl_ms >= *length);
            let (length, unit) = fits.unwrap_or((1, "ms"));
            format!("{}{unit}", ttl_ms / length)
        },
    ),
    Bug {
        resolution: Resolution::Tick,
        ..labelled(
            "name-seconds-of-a-clock",
            "A label has the seconds of a clock, which begin again at 60.",
            "https://github.com/OneDrive/samples/issues/89",
            &["L-5", "L-6"],
            |ttl_ms, _| {
                if ttl_ms % 1000 == 0 {
                    format!("{}s", ttl_ms / 1000 % 60)
                } else {
                    as_specified(ttl_ms)
                }
            },
        )
    },
    labelled(
        "name-in-milliseconds",
        "Every label is in milliseconds.",
        "https://github.com/vyuldashev/laravel-queue-rabbitmq/issues/176",
        &["L-5"],
        |ttl_ms, _| format!("{ttl_ms}ms"),
    ),
    labelled(
        "name-in-seconds-at-most",
        "No label has a unit above the second.",
        "https://github.com/odolbeau/rabbit-mq-admin-toolkit/issues/29",
        &["L-5"],
        |ttl_ms, _| {
            if ttl_ms % 1000 == 0 {
                format!("{}s", ttl_ms / 1000)
            } else {
                as_specified(ttl_ms)
            }
        },
    ),
    labelled(
        "name-with-a-fraction",
        "A label is a number of seconds with a fraction.",
        "https://github.com/Particular/NServiceBus.RabbitMQ/issues/887",
        &["L-5"],
        |ttl_ms, _| match (ttl_ms / 1000, ttl_ms % 1000) {
            (_, 0) => as_specified(ttl_ms),
            (seconds, rest) => format!("{seconds}.{}s", format!("{rest:03}").trim_end_matches('0')),
        },
    ),
    labelled(
        "name-in-two-units",
        "A label has all units of the time, those of 0 left out.",
        "https://github.com/jsmreese/moment-duration-format/issues/64",
        &["L-5"],
        |ttl_ms, _| {
            let units = [
                (ttl_ms / 3_600_000, "h"),
                (ttl_ms / 60_000 % 60, "m"),
                (ttl_ms / 1000 % 60, "s"),
                (ttl_ms % 1000, "ms"),
            ];
            let written = units.into_iter().filter(|(count, _)| *count > 0);
            let texts: Vec<String> = written.map(|(count, unit)| format!("{count}{unit}")).collect();
            texts.concat()
        },
    ),
    labelled(
        "name-in-days",
        "There is a unit for a day.",
        "https://github.com/iamkun/dayjs/pull/3108",
        &["L-5"],
        |ttl_ms, _| {
            let day = 86_400_000;
            if ttl_ms % day == 0 {
                format!("{}d", ttl_ms / day)
            } else {
                as_specified(ttl_ms)
            }
        },
    ),
    labelled(
        "name-without-trailing-zeros",
        "Zeros at the end of the number are stripped, those of whole numbers as well.",
        "https://github.com/sionetta/wm_animated_ha_card/issues/9",
        &["L-5", "L-6"],
        |ttl_ms, _| {
            let label = as_specified(ttl_ms);
            let digits = label.trim_end_matches(char::is_alphabetic);
            format!("{}{}", digits.trim_end_matches('0'), label.trim_start_matches(digits))
        },
    ),
    labelled(
        "name-with-an-exponent",
        "From ten million on, a number is written with an exponent.",
        "https://github.com/tensorflow/tensorboard/pull/1760",
        &["L-5"],
        |ttl_ms, _| {
            let label = as_specified(ttl_ms);
            let digits = label.trim_end_matches(char::is_alphabetic);
            match digits.parse::<u32>() {
                Ok(number) if number >= 10_000_000 => {
                    format!("{:.1E}{}", f64::from(number), label.trim_start_matches(digits))
                }
                Ok(_) | Err(_) => label,
            }
        },
    ),
    labelled(
        "name-of-its-place",
        "A rung is named by its place in the ladder, so that a change of the policy gives the name another time.",
        "https://github.com/spring-projects/spring-kafka/issues/2912",
        &["L-6"],
        |_, place| place.to_string(),
    ),
    Bug::exact(
        "name-of-a-single-rung",
        "A ladder of one rung has the bare name, and a longer one has names by time.",
        "https://github.com/spring-projects/spring-kafka/issues/2654",
        &["L-6"],
        Rules {
            rungs: |rules, fields, of| {
                let mut rungs = (SPECIFIED.rungs)(rules, fields, of)?;
                if let [only] = rungs.as_mut_slice() {
                    only.name = format!("{}.retry", of.queue);
                }
                Ok(rungs)
            },
            ..SPECIFIED
        },
    ),
    Bug::exact(
        "name-without-the-queue",
        "The name has the time alone, so that two source queues share a rung.",
        "https://github.com/symfony/symfony/pull/31355",
        &["L-6"],
        Rules {
            rungs: |rules, fields, of| {
                renamed((SPECIFIED.rungs)(rules, fields, of), |name| {
                    name.replacen(&format!("{}.", of.queue), "", 1)
                })
            },
            ..SPECIFIED
        },
    ),
    Bug::exact(
        "name-in-lower-case",
        "Names are folded to lower case, although queues are told apart by it.",
        "https://github.com/Particular/docs.particular.net/pull/3042",
        &["L-6"],
        Rules {
            rungs: |rules, fields, of| renamed((SPECIFIED.rungs)(rules, fields, of), str::to_lowercase),
            ..SPECIFIED
        },
    ),
];

const fn labelled(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    label: fn(i64, usize) -> String,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { label, ..SPECIFIED })
}

fn as_specified(ttl_ms: i64) -> String {
    (SPECIFIED.label)(ttl_ms, 0)
}

fn renamed(rungs: Outcome<Vec<RungValue>>, rename: impl Fn(&str) -> String) -> Outcome<Vec<RungValue>> {
    let renamed = |rung: RungValue| RungValue {
        name: rename(&rung.name),
        ..rung
    };
    Ok(rungs?.into_iter().map(renamed).collect())
}
