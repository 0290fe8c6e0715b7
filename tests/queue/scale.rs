//! Many messages, in little memory: everything is accounted for, and the events that have not been taken are never
//! many.

use std::collections::BTreeMap;

use proptest::prelude::*;
use samewait::laws::queue::Ledger;
use samewait::queue::{OnMessage, QueueConfig, WorkQueue};
use samewait::scenario::{Action, Handler};
use samewait::{Millis, Policy, PolicyFields};

use super::told::{Checked, Names, compare};

const MESSAGES: u64 = 100_000;

/// A handler that fails comes and goes; each takes so long.
const SHIFT: u64 = 5_000;

/// What waits for a consumer are the messages of three seconds, by the TTL. Each may make three events when one comes,
/// and few other things happen in the same millisecond.
const MOST_EVENTS: usize = 3 * 3_000 + 1_000;

#[test]
fn a_hundred_thousand_messages_are_accounted_for_with_few_events_in_hand() -> Checked {
    let policy = PolicyFields {
        max_attempts: 3,
        initial_delay: 0.5,
        ..PolicyFields::default()
    };
    let policy = Policy::new(policy).expect("a legal policy");
    let mut work = Work {
        queue: WorkQueue::new(QueueConfig::new(policy, 3.0, 0.25).expect("legal limits")),
        ledger: Ledger::new(policy, 3.0, 0.25),
        names: Names::default(),
        most_events: 0,
        all_events: 0,
    };

    // One message per millisecond. "slow" holds three of them until its leases end. "failing" works every other shift;
    // of what waits in the shifts between, most dies, and "quick", who looks in shortly before they are over, is done
    // with the rest.
    work.add_consumer("slow", Handler::Hold, Some(3))?;
    for at in 0..MESSAGES {
        work.advance_to(Millis::new(at))?;
        if at % (2 * SHIFT) == 0 {
            work.add_consumer("failing", Handler::Fail("boom".to_owned()), Some(1))?;
        } else if at % (2 * SHIFT) == SHIFT {
            work.remove_consumer("failing")?;
        }
        if at % (2 * SHIFT) == 2 * SHIFT - 500 {
            work.add_consumer("quick", Handler::Ack, None)?;
            work.remove_consumer("quick")?;
        }
        let id = work.queue.put();
        let message = work.names.put(id);
        work.ledger.act(work.queue.now(), &Action::Put { message });
        work.read()?;
        if at % 10_000 == 0 {
            compare(&work.queue, &work.ledger, &work.names)?;
        }
    }
    while let Some(due) = work.queue.next_due() {
        work.advance_to(due)?;
    }
    compare(&work.queue, &work.ledger, &work.names)?;

    // Nothing waits for ever here, so all that were put are acked or dead.
    let stats = work.queue.stats();
    assert_eq!((stats.ready, stats.delayed, stats.leased), (0, 0, 0));
    let mut ends = BTreeMap::from([("acked", work.ledger.put_and_acked().1)]);
    for letter in work.queue.dead_letters() {
        *ends.entry(letter.reason.name()).or_default() += 1;
    }
    assert_eq!(u64::try_from(ends.values().sum::<usize>()), Ok(MESSAGES), "{ends:?}");
    // And it was no easy run.
    for end in ["acked", "max_attempts", "ttl_expired"] {
        assert!(ends.get(end).is_some_and(|&count| count > 5_000), "{ends:?}");
    }
    assert!(work.all_events > 500_000, "{} events", work.all_events);
    assert!(
        work.most_events <= MOST_EVENTS,
        "{} events were in hand",
        work.most_events
    );
    Ok(())
}

/// "Memory is linear in the messages that are not acked": seen in all that a queue without messages has to say of
/// itself.
#[test]
fn what_is_done_leaves_nothing_behind() {
    let policy = Policy::fixed(2, 1.0).expect("a legal policy");
    let mut queue = WorkQueue::new(QueueConfig::new(policy, 5.0, 60.0).expect("legal limits"));
    for _ in 0..10 {
        live_and_die(&mut queue);
    }
    let short = format!("{queue:?}").len();
    for _ in 0..1000 {
        live_and_die(&mut queue);
    }
    let long = format!("{queue:?}").len();
    // Some numbers have more digits.
    assert!(long < short + 200, "{short} characters have become {long}: {queue:#?}");
}

/// A message fails once, one dies twice, and in the end all are acked.
fn live_and_die(queue: &mut WorkQueue) {
    let held = |queue: &mut WorkQueue| queue.take_events().filter_map(|timed| timed.event.delivery()).last();
    let wait = |queue: &mut WorkQueue, seconds| queue.advance(queue.now() + Millis::nearest(seconds));

    let dies = queue.put();
    wait(queue, 5.0);
    queue.replay(dies).expect("it died of its TTL");
    wait(queue, 5.0);
    assert_eq!(queue.stats().dead, 1);

    queue
        .add_consumer("holds", OnMessage::Hold, Some(1))
        .expect("a new name");
    queue.put();
    let first = held(queue).expect("a delivery");
    queue.nack(first, Some("oops")).expect("a live lease");
    wait(queue, 1.0);
    let again = held(queue).expect("a second delivery");
    queue.ack(again).expect("a live lease");
    queue.replay(dies).expect("it died again");
    let last = held(queue).expect("a delivery");
    queue.ack(last).expect("a live lease");
    queue.remove_consumer("holds").expect("a name in use");
    queue.take_events().for_each(drop);
}

struct Work {
    queue: WorkQueue,
    ledger: Ledger,
    names: Names,
    most_events: usize,
    all_events: usize,
}

impl Work {
    fn add_consumer(&mut self, name: &str, handler: Handler, prefetch: Option<u64>) -> Checked {
        let on_message = match &handler {
            Handler::Hold => OnMessage::Hold,
            Handler::Ack => OnMessage::Ack,
            Handler::Fail(text) => OnMessage::Fail(text.as_str().into()),
        };
        self.queue.add_consumer(name, on_message, prefetch).expect("a new name");
        let action = Action::AddConsumer {
            consumer: name.to_owned(),
            on_message: handler,
            prefetch,
        };
        self.ledger.act(self.queue.now(), &action);
        self.read()
    }

    fn remove_consumer(&mut self, name: &str) -> Checked {
        self.queue.remove_consumer(name).expect("a name in use");
        let consumer = name.to_owned();
        self.ledger.act(self.queue.now(), &Action::RemoveConsumer { consumer });
        self.read()
    }

    /// From one due time to the next, so that the events in hand are those of one instant.
    fn advance_to(&mut self, to: Millis) -> Checked {
        while let Some(due) = self.queue.next_due().filter(|&due| due <= to) {
            self.queue.advance(due);
            self.read()?;
            prop_assert_ne!(self.queue.next_due(), Some(due), "what is due did not happen");
        }
        self.queue.advance(to);
        self.read()
    }

    fn read(&mut self) -> Checked {
        let in_hand = self.queue.events().count();
        self.all_events += in_hand;
        self.most_events = self.most_events.max(in_hand);
        for timed in self.queue.take_events() {
            let event = self.names.event(timed);
            self.ledger.enter(&event)?;
        }
        Ok(())
    }
}
