//! The battery of checks of jittered samples: each check passes what is good and fails what it is there for, good samplers raise no
//! alarm, each bound holds at levels where alarms can be counted, and the samplers of the zoo are seen as often as the specification says.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod uniformity {
    mod checks;
    mod draws;
    mod false_alarms;
    mod power;
    mod text;
}
