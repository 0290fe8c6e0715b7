//! The fuse: a scenario that would not come to an end in a lifetime is stopped, with its queue in order.

use samewait::queue::{Event, OnMessage, QueueConfig, WorkQueue};
use samewait::{MAX_ATTEMPTS, Millis, Policy};

/// A message that fails two thousand million times at one instant, and a handler that lets it.
fn endless(fuse: u64) -> WorkQueue {
    let policy = Policy::fixed(MAX_ATTEMPTS.into(), 0.0).expect("a legal policy");
    let mut queue = WorkQueue::new(QueueConfig::new(policy, 5.0, 0.0).expect("legal limits"));
    queue.set_fuse(fuse);
    queue
        .add_consumer("worker", OnMessage::Fail("boom".into()), None)
        .expect("a new name");
    queue.put();
    queue
}

#[test]
fn so_many_things_happen_and_then_no_more() {
    let mut queue = endless(100);
    assert!(queue.is_blown());
    let deliveries = queue
        .take_events()
        .filter(|timed| timed.event.delivery().is_some())
        .count();
    assert_eq!(deliveries, 100);
}

#[test]
fn a_blown_fuse_leaves_the_queue_in_order_and_still() {
    let mut queue = endless(7);
    queue.take_events().for_each(drop);
    let stats = queue.stats();
    assert_eq!((stats.ready, stats.delayed, stats.leased, stats.dead), (1, 0, 0, 0));

    queue.advance(Millis::nearest(60.0));
    assert_eq!(queue.now(), Millis::nearest(60.0));
    assert_eq!(queue.events().count(), 0, "not even its TTL runs out");
    assert_eq!(queue.stats(), stats);
}

#[test]
fn a_fuse_that_is_not_used_up_is_not_noticed() {
    let policy = Policy::fixed(100, 0.0).expect("a legal policy");
    let mut queue = WorkQueue::new(QueueConfig::new(policy, 0.0, 0.0).expect("legal limits"));
    queue.set_fuse(101);
    queue
        .add_consumer("worker", OnMessage::Fail("boom".into()), None)
        .expect("a new name");
    queue.put();
    assert!(!queue.is_blown());
    assert!(matches!(queue.events().last(), Some(timed) if matches!(timed.event, Event::Dead(_))));
}
