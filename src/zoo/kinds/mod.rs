//! The kinds of bugs, in the order of the specification.

mod age;
mod cap;
mod chain;
mod conversion;
mod copies;
mod counting;
mod delays;
mod exponent;
mod factory;
mod fault;
mod give_up;
mod growth;
mod jitter;
mod jitter_bounds;
mod jitter_rounding;
mod ladder_arguments;
mod ladder_names;
mod ladder_rungs;
mod ladder_ttl;
mod one_rule;
mod overflow;
mod refusal;
mod rounding;
mod rung_for;
mod samples;
mod schedule;
mod units;
mod validation;
mod zero;
mod zero_use;

use super::{Bug, queue};

/// Bugs of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The kind's name: `overflow`, `counting`, `jitter` and so on.
    pub name: &'static str,
    /// What its bugs have in common, in one sentence.
    pub about: &'static str,
    /// The bugs.
    pub bugs: &'static [Bug],
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "validation",
        about: "Numbers that slip into a policy.",
        bugs: validation::BUGS,
    },
    Kind {
        name: "refusal",
        about: "Policies refused that are legal, and negative zeros told from zeros.",
        bugs: refusal::BUGS,
    },
    Kind {
        name: "fault",
        about: "Faults of a policy repaired in silence, or reported as others.",
        bugs: fault::BUGS,
    },
    Kind {
        name: "factory",
        about: "Factories with other fields than they should have.",
        bugs: factory::BUGS,
    },
    Kind {
        name: "copy",
        about: "Copies that lose a field, or mistake one.",
        bugs: copies::BUGS,
    },
    Kind {
        name: "chain",
        about: "Chains of copies in another order than written, and policies that are made without being judged.",
        bugs: chain::BUGS,
    },
    Kind {
        name: "zero",
        about: "Fields of zero taken for nothing.",
        bugs: zero::BUGS,
    },
    Kind {
        name: "zero-use",
        about: "Zeros that are kept, and taken for something else where they are used.",
        bugs: zero_use::BUGS,
    },
    Kind {
        name: "counting",
        about: "Exponents off by one, and growth that is not a power of the multiplier.",
        bugs: counting::BUGS,
    },
    Kind {
        name: "growth",
        about: "Products that are regrouped, rounded otherwise, or made with another multiplier.",
        bugs: growth::BUGS,
    },
    Kind {
        name: "rounding",
        about: "Delays that are rounded to a unit, on the way or at the end.",
        bugs: rounding::BUGS,
    },
    Kind {
        name: "units",
        about: "One unit taken for another.",
        bugs: units::BUGS,
    },
    Kind {
        name: "cap",
        about: "Caps that come early, late, or not at all.",
        bugs: cap::BUGS,
    },
    Kind {
        name: "overflow",
        about: "Products and shifts that outgrow their integer before the cap is looked at.",
        bugs: overflow::BUGS,
    },
    Kind {
        name: "conversion",
        about: "Delays too large for the type, the timer or the calendar that they are handed to.",
        bugs: conversion::BUGS,
    },
    Kind {
        name: "exponent",
        about: "Exponents that are held at a constant, and attempts counted in too few bits.",
        bugs: exponent::BUGS,
    },
    Kind {
        name: "schedule",
        about: "Schedules that are too long, too short, or not what the delays are.",
        bugs: schedule::BUGS,
    },
    Kind {
        name: "age",
        about: "Ages held against the limit in another way.",
        bugs: age::BUGS,
    },
    Kind {
        name: "give-up",
        about: "Giving up too early, too late, for the wrong reason, or without a look at the arguments.",
        bugs: give_up::BUGS,
    },
    Kind {
        name: "jitter",
        about: "Jitter of another shape, width or place.",
        bugs: jitter::BUGS,
    },
    Kind {
        name: "jitter-rounding",
        about: "The same jitter on paper, and other bits.",
        bugs: jitter_rounding::BUGS,
    },
    Kind {
        name: "jitter-bounds",
        about: "Jittered delays held within limits that they have not, and draws and delays that are let through.",
        bugs: jitter_bounds::BUGS,
    },
    Kind {
        name: "samples",
        about: "Draws of a library's own that are one-sided, too few, dependent, or the same everywhere.",
        bugs: samples::BUGS,
    },
    Kind {
        name: "ladder-names",
        about: "Rungs whose names collide, or part with the time they stand for.",
        bugs: ladder_names::BUGS,
    },
    Kind {
        name: "ladder-ttl",
        about: "Times of rungs that are rounded, wrapped or compared in another way.",
        bugs: ladder_ttl::BUGS,
    },
    Kind {
        name: "ladder-arguments",
        about: "Rungs declared with other arguments than they should be.",
        bugs: ladder_arguments::BUGS,
    },
    Kind {
        name: "ladder-rungs",
        about: "Ladders with a rung too many, too few or too long.",
        bugs: ladder_rungs::BUGS,
    },
    Kind {
        name: "rung-for",
        about: "Delays sent to another rung than theirs.",
        bugs: rung_for::BUGS,
    },
    Kind {
        name: "queue-ttl",
        about: "The use-by clock starts, stops, or is looked at where it should not be, and what follows is not a death.",
        bugs: queue::ttl::BUGS,
    },
    Kind {
        name: "queue-age",
        about: "The age is counted from another event, in another unit, or looked at elsewhere than at a failure.",
        bugs: queue::age::BUGS,
    },
    Kind {
        name: "queue-delay",
        about: "The delay after a failure is added to the wrong instant, grows with the wrong number, or is rounded otherwise.",
        bugs: queue::delays::BUGS,
    },
    Kind {
        name: "queue-timer",
        about: "The timer of a delay fires at another time, holds what it should not, or is never set.",
        bugs: queue::timers::BUGS,
    },
    Kind {
        name: "queue-lease",
        about: "Leases end at the wrong time, are ended by old timers, or end in something other than a failure.",
        bugs: queue::leases::BUGS,
    },
    Kind {
        name: "queue-settle",
        about: "Acks and nacks work late, twice, or for another delivery, or are refused and leave something behind.",
        bugs: queue::settling::BUGS,
    },
    Kind {
        name: "queue-count",
        about: "Attempts are not counted, counted elsewhere, lost or shared, or held against another limit.",
        bugs: queue::counting::BUGS,
    },
    Kind {
        name: "queue-death",
        about: "A message that is given up does not die, dies in silence, dies more than once, or for another reason.",
        bugs: queue::deaths::BUGS,
    },
    Kind {
        name: "queue-text",
        about: "Error texts are mixed up, piled up, cut, or lost.",
        bugs: queue::texts::BUGS,
    },
    Kind {
        name: "queue-order",
        about: "Messages come in another order: ready ones, and those for which something happens at one instant.",
        bugs: queue::order::BUGS,
    },
    Kind {
        name: "queue-instant",
        about: "Within one instant, or from one to the next, things happen too early, too late, or not at all.",
        bugs: queue::instants::BUGS,
    },
    Kind {
        name: "queue-answer",
        about: "The list of dead letters and the numbers of messages do not tell what is there.",
        bugs: queue::letters::BUGS,
    },
    Kind {
        name: "queue-replay",
        about: "A replayed message keeps something of its former life, or something is replayed that is not dead.",
        bugs: queue::replay::BUGS,
    },
    Kind {
        name: "queue-consumer",
        about: "Consumers get too many messages or too few, and do the wrong thing to their leases when they go.",
        bugs: queue::consumers::BUGS,
    },
    Kind {
        name: "queue-limits",
        about: "The TTL and the timeout of a queue are not judged as they should be.",
        bugs: queue::limits::BUGS,
    },
];
