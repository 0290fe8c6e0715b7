//! What the queue says: of acks, failures and deaths, and when it is asked.

use super::deaths::Reason;
use super::fail::Cause;
use super::letters::{Counted, LetterAt, LetterAttempts, Reading};
use super::model::{Message, Queue, Record, State};
use super::order::Order;
use super::texts::{OwnText, TextKept, TextOfTheDead, TextRead};
use crate::millis::Millis;
use crate::next_delay::GiveUp;
use crate::scenario::{Letter, Time, TraceEvent};

impl Queue<'_> {
    pub(super) fn tell_acked(&mut self, index: usize) {
        let message = &self.messages[index];
        let acked = TraceEvent::Acked {
            at: self.at(),
            message: message.name.clone(),
            attempt: message.attempts,
        };
        self.trace.push(acked);
    }

    pub(super) fn tell_failed(&mut self, index: usize, cause: Cause, text: Option<String>) {
        let text = match (cause, self.habits.own_text) {
            (Cause::Nack | Cause::Handler, _) => self.read_text(text),
            (_, OwnText::None) | (Cause::Expiry, _) => None,
            (Cause::LeaseEnd, _) | (Cause::Removal, OwnText::OneForBoth) => Some("ack timeout".to_owned()),
            (Cause::Removal, OwnText::OfItsOwn) => Some("consumer removed".to_owned()),
        };
        let at = self.at();
        let message = &mut self.messages[index];
        let former = message.error.take();
        message.error = match self.habits.text_kept {
            TextKept::Last => text.clone(),
            TextKept::First => former.or_else(|| text.clone()),
            TextKept::AllJoined => Some(
                [former, text.clone()]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("; "),
            ),
            TextKept::LastThereWas => text.clone().or(former),
        };
        self.trace.push(TraceEvent::Failed {
            at,
            message: message.name.clone(),
            attempt: message.attempts,
            error: text,
        });
    }

    fn read_text(&self, text: Option<String>) -> Option<String> {
        match self.habits.text_read {
            TextRead::AsGiven => text,
            TextRead::NoneWhenEmpty => text.filter(|text| !text.is_empty()),
            TextRead::EmptyWhenNone => text.or(Some(String::new())),
            TextRead::Trimmed => text.map(|text| text.trim().to_owned()),
            TextRead::CutAfterAHundred => text.map(|text| text.chars().take(100).collect()),
        }
    }

    ///
    pub(super) fn die(&mut self, index: usize, reason: &str) {
        let Letter {
            message,
            reason,
            error,
            attempts,
            at: _,
        } = self.record(index, reason);
        self.trace.push(TraceEvent::Dead {
            at: self.at(),
            message,
            reason,
            error,
            attempts,
        });
    }

    /// Enters a death into the list, without a word.
    pub(super) fn record(&mut self, index: usize, reason: &str) -> Letter {
        let place = self.next_place();
        let letter = self.letter(&self.messages[index], reason);
        self.deaths += 1;
        self.messages[index].state = State::Dead;
        self.letters.push(Record {
            place,
            message: index,
            letter: letter.clone(),
        });
        letter
    }

    fn letter(&self, message: &Message, reason: &str) -> Letter {
        let of_age = GiveUp::MaxMessageAge.name();
        let error = match self.habits.text_of_the_dead {
            TextOfTheDead::NoneAfterAnExpiry if reason == "ttl_expired" => None,
            TextOfTheDead::NoneAfterAnAgeDeath if reason == of_age => None,
            TextOfTheDead::TheReason => Some(reason.to_owned()),
            TextOfTheDead::OfTheLastFailure | TextOfTheDead::NoneAfterAnExpiry | TextOfTheDead::NoneAfterAnAgeDeath => {
                message.error.clone()
            }
        };
        let reason = match self.habits.reason {
            Reason::AlwaysAttempts => GiveUp::MaxAttempts.name().to_owned(),
            Reason::OverwrittenByTheText => error.clone().unwrap_or_else(|| reason.to_owned()),
            Reason::FirstOfThePolicy | Reason::AgeBeforeAttempts => reason.to_owned(),
        };
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let attempts = match self.habits.letter_attempts {
            LetterAttempts::Used => message.attempts,
            LetterAttempts::One => 1,
            LetterAttempts::TheLimit => number(self.fields.max_attempts.unsigned_abs()),
            LetterAttempts::OfAllLives => number(message.deliveries),
        };
        let at = match self.habits.letter_at {
            LetterAt::Death | LetterAt::Reading => self.now,
            LetterAt::Put => message.put,
        };
        Letter {
            message: message.name.clone(),
            reason,
            error,
            attempts,
            at: Time(Millis::new(at)),
        }
    }

    ///
    pub(super) fn tell_letters(&mut self) {
        let at = self.at();
        let mut records: Vec<&Record> = self.letters.iter().collect();
        match self.habits.letters {
            Order::FirstCome | Order::FewestAttempts => records.sort_by_key(|record| record.place),
            Order::LastCome => records.sort_by_key(|record| -record.place),
            Order::ByPut => records.sort_by_key(|record| record.message),
            Order::ByName => records.sort_by(|one, other| one.letter.message.cmp(&other.letter.message)),
        }
        let mut messages: Vec<Letter> = records.into_iter().map(|record| record.letter.clone()).collect();
        if self.habits.letter_at == LetterAt::Reading {
            for letter in &mut messages {
                letter.at = at;
            }
        }
        if self.habits.reading == Reading::GoesOnFromTheLast {
            let count = messages.len();
            messages.drain(..self.read.min(count));
            self.read = count;
        }
        self.trace.push(TraceEvent::DeadLetters { at, messages });
    }

    ///
    pub(super) fn tell_stats(&mut self) {
        let count = |is: fn(&State) -> bool| self.messages.iter().filter(|message| is(&message.state)).count();
        let mut ready = count(|state| matches!(state, State::Ready { .. }));
        let mut delayed = count(|state| matches!(state, State::Delayed { .. }));
        let mut leased = count(|state| matches!(state, State::Leased { .. }));
        let mut dead = count(|state| matches!(state, State::Dead));
        match self.habits.counted {
            Counted::WhereTheyAre => {}
            Counted::DelayedAsReady => ready += std::mem::take(&mut delayed),
            Counted::DelayedAsLeased => leased += std::mem::take(&mut delayed),
            Counted::LeasedNowhere => leased = 0,
            Counted::DeadWithAllLives => dead = self.deaths,
            Counted::GoneAsDead => dead += count(|state| matches!(state, State::Gone)),
        }
        self.trace.push(TraceEvent::Stats {
            at: self.at(),
            ready,
            delayed,
            leased,
            dead,
        });
    }

    pub(super) fn refuse(&mut self, r#do: &str, message: Option<&str>, consumer: Option<&str>, code: &str) {
        self.trace.push(TraceEvent::Refused {
            at: self.at(),
            r#do: r#do.to_owned(),
            message: message.map(str::to_owned),
            consumer: consumer.map(str::to_owned),
            code: code.to_owned(),
        });
    }
}
