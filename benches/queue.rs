//! What an event of the queue costs, with few and with many messages present.
//!
//! Prints nanoseconds per event and the ratio between the two, which is what counts: machines differ, and are noisy.
//! Run with `cargo bench --bench queue`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::error::Error;
use std::time::{Duration, Instant};

use samewait::queue::{OnMessage, QueueConfig, WorkQueue};
use samewait::{Millis, Policy, PolicyFields};

const FEW: u64 = 1_000;
const MANY: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    // The first round warms up.
    for round in 0..4 {
        let few = measure(FEW, MANY / FEW)?;
        let many = measure(MANY, 1)?;
        if round > 0 {
            println!(
                "{FEW} messages: {:.0} ns per event; {MANY} messages: {:.0} ns per event ({} events); ratio {:.2}",
                few.nanoseconds(),
                many.nanoseconds(),
                many.events,
                many.nanoseconds() / few.nanoseconds()
            );
        }
    }
    Ok(())
}

struct Measured {
    events: u32,
    time: Duration,
}

impl Measured {
    fn nanoseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / f64::from(self.events)
    }
}

/// So many messages, all present at once, fail two or more times and die; so many times over.
fn measure(messages: u64, times: u64) -> Result<Measured, Box<dyn Error>> {
    let policy = Policy::new(PolicyFields {
        max_attempts: 3,
        initial_delay: 1.0,
        ..PolicyFields::default()
    })?;
    let config = QueueConfig::new(policy, 86_400.0, 0.0)?;
    let mut events = 0;
    let start = Instant::now();
    for _ in 0..times {
        let mut queue = WorkQueue::new(config);
        for number in 0..messages {
            queue.advance(Millis::new(number / 100));
            queue.put();
        }
        queue.add_consumer("worker", OnMessage::Fail("no".into()), None)?;
        events += count(&mut queue)?;
        while let Some(due) = queue.next_due() {
            queue.advance(due);
            events += count(&mut queue)?;
        }
    }
    let time = start.elapsed();
    Ok(Measured { events, time })
}

fn count(queue: &mut WorkQueue) -> Result<u32, Box<dyn Error>> {
    Ok(u32::try_from(queue.take_events().count())?)
}
