//! Consumers that come and go.

use super::consumers::{Duplicate, Removal, RemovedName};
use super::fail::Cause;
use super::instants::ConsumerStarts;
use super::model::{Consumer, Queue, State};
use crate::scenario::Handler;
use crate::zoo::rules::Outcome;

impl Queue<'_> {
    pub(super) fn add_consumer(&mut self, name: &str, on_message: &Handler, prefetch: Option<u64>) -> Outcome<()> {
        let is_old = |known: &&Consumer| known.name == name;
        let old = self.removed.iter().rfind(is_old);
        let mut settings = (on_message.clone(), prefetch);
        match self.habits.removed_name {
            RemovedName::InUse if old.is_some() => {
                self.refuse("add_consumer", None, Some(name), "duplicate_consumer");
                return Ok(());
            }
            RemovedName::WithItsSettings => {
                settings = old.map_or(settings, |old| (old.on_message.clone(), old.prefetch));
            }
            RemovedName::Free | RemovedName::InUse => {}
        }
        match (self.consumer_named(name), self.habits.duplicate) {
            (None, _) => {}
            (Some(_), Duplicate::Refused) => {
                self.refuse("add_consumer", None, Some(name), "duplicate_consumer");
                return Ok(());
            }
            (Some(_), Duplicate::Ignored) => return Ok(()),
            (Some(index), Duplicate::Replaces) => self.remove_consumer(index)?,
        }
        let (on_message, prefetch) = settings;
        let number = self.next_place().unsigned_abs();
        self.consumers.push(Consumer {
            number,
            name: name.to_owned(),
            on_message,
            prefetch,
            taken: 0,
            failures: 0,
            lost_places: 0,
            is_gone: false,
            is_awake: self.habits.consumer_starts == ConsumerStarts::AtOnce,
        });
        Ok(())
    }

    pub(super) fn consumer_named(&self, name: &str) -> Option<usize> {
        self.consumers
            .iter()
            .position(|consumer| consumer.name == name && !consumer.is_gone)
    }

    ///
    pub(super) fn remove_consumer(&mut self, index: usize) -> Outcome<()> {
        if self.habits.removal == Removal::TakesNewOnes {
            self.consumers[index].is_gone = true;
            return self.fail_leases(self.consumers[index].number);
        }
        let consumer = self.consumers.remove(index);
        let number = consumer.number;
        self.removed.push(consumer);
        self.fail_leases(number)
    }

    fn fail_leases(&mut self, consumer: u64) -> Outcome<()> {
        let held = self.sorted(self.habits.removed_leases, |message| {
            message.lease().filter(|_| message.consumer == consumer)
        });
        for (place, index) in held.into_iter().enumerate() {
            match self.habits.removal {
                Removal::FailsThem | Removal::TakesNewOnes => self.fail(index, Cause::Removal, None)?,
                Removal::FailsTheFirst if place == 0 => self.fail(index, Cause::Removal, None)?,
                Removal::FailsOneByOne => {
                    self.fail(index, Cause::Removal, None)?;
                    self.settle()?;
                }
                Removal::LeavesThem => {}
                Removal::FailsTheFirst | Removal::LosesThem => {
                    if let State::Leased { end, .. } = &mut self.messages[index].state {
                        *end = None;
                    }
                }
                Removal::AcksThem => self.ack(index),
            }
        }
        Ok(())
    }
}
