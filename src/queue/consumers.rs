//! Consumers, and which of them have room.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::event::{DeliveryId, Refused};

/// What a consumer does with a message at the instant of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnMessage {
    /// Keeps the lease.
    Hold,
    /// Acks it.
    Ack,
    /// Fails it with this text.
    Fail(Arc<str>),
}

#[derive(Debug, Default)]
pub(super) struct Consumers {
    by_name: HashMap<Arc<str>, Consumer>,
    /// Those that can take a message, in the order in which they were added.
    with_room: BTreeMap<u64, Arc<str>>,
}

#[derive(Debug)]
struct Consumer {
    order: u64,
    on_message: OnMessage,
    prefetch: Option<u64>,
    leases: BTreeSet<DeliveryId>,
}

impl Consumer {
    fn has_room(&self) -> bool {
        let held = u64::try_from(self.leases.len()).unwrap_or(u64::MAX);
        self.prefetch.is_none_or(|prefetch| held < prefetch)
    }
}

impl Consumers {
    pub(super) fn add(
        &mut self,
        name: &str,
        order: u64,
        on_message: OnMessage,
        prefetch: Option<u64>,
    ) -> Result<(), Refused> {
        if self.by_name.contains_key(name) {
            return Err(Refused::DuplicateConsumer);
        }
        let name: Arc<str> = name.into();
        let consumer = Consumer {
            order,
            on_message,
            prefetch,
            leases: BTreeSet::new(),
        };
        if consumer.has_room() {
            self.with_room.insert(order, Arc::clone(&name));
        }
        self.by_name.insert(name, consumer);
        Ok(())
    }

    /// Removes a consumer and gives the leases it held, in the order of their delivery.
    pub(super) fn remove(&mut self, name: &str) -> Result<BTreeSet<DeliveryId>, Refused> {
        let consumer = self.by_name.remove(name).ok_or(Refused::UnknownConsumer)?;
        self.with_room.remove(&consumer.order);
        Ok(consumer.leases)
    }

    /// A consumer with room: the one that was added first, of those there are (Q-4 leaves it open).
    pub(super) fn with_room(&self) -> Option<(Arc<str>, OnMessage)> {
        let (_, name) = self.with_room.first_key_value()?;
        let consumer = self.by_name.get(name)?;
        Some((Arc::clone(name), consumer.on_message.clone()))
    }

    /// Whether more than one has room.
    pub(super) fn is_choice(&self) -> bool {
        self.with_room.len() > 1
    }

    pub(super) fn lease(&mut self, name: &str, delivery: DeliveryId) {
        if let Some(consumer) = self.by_name.get_mut(name) {
            consumer.leases.insert(delivery);
            if !consumer.has_room() {
                self.with_room.remove(&consumer.order);
            }
        }
    }

    /// A lease that is not this consumer's is another's of the same name, now gone, and changes nothing.
    pub(super) fn end_lease(&mut self, name: &Arc<str>, delivery: DeliveryId) {
        if let Some(consumer) = self.by_name.get_mut(name)
            && consumer.leases.remove(&delivery)
            && consumer.has_room()
        {
            self.with_room.insert(consumer.order, Arc::clone(name));
        }
    }
}
