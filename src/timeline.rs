//! A trace, drawn: one lane for each message, time from left to right.
//!
//! Everything is read from the trace, so that a port's trace can be drawn as well as the reference's.

use std::collections::BTreeMap;

use crate::millis::Millis;
use crate::scenario::{Time, TraceEvent};

/// The legend of the picture.
pub const LEGEND: &str = "- ready   . delayed   = leased   1 2 3 delivered (which attempt)   ! failed   v acked   X dead   r back by replay or put";

/// How the time axis is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// One column for each instant at which something happens, whatever lies between.
    Compressed,
    /// To scale, so many columns wide; what happens too close together shares a column.
    Scaled(usize),
}

/// Draws a trace: the axis first, then a line for each message, in the order in which they appear.
#[must_use]
pub fn draw(trace: &[TraceEvent], axis: Axis) -> Vec<String> {
    let lanes = lanes(trace);
    let columns = columns(trace, &lanes, axis);
    let name_width = lanes
        .iter()
        .map(|lane| lane.name.chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    let mut picture = vec![format!("{:<name_width$}  {}", "time", ruler(&columns))];
    for lane in &lanes {
        picture.push(format!("{:<name_width$}  {}", lane.name, lane.draw(&columns)));
    }
    picture.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// What happened to one message.
struct Lane<'a> {
    name: &'a str,
    /// In the order of time: when, the mark, and the bar that follows.
    marks: Vec<(Millis, char, char)>,
}

/// The bar of a message that is dead or gone.
const NOTHING: char = ' ';

fn lanes(trace: &[TraceEvent]) -> Vec<Lane<'_>> {
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for event in trace {
        let (message, mark, bar) = match event {
            TraceEvent::Ready { message, .. } => (message, 'r', '-'),
            TraceEvent::Delivered { message, attempt, .. } => {
                let digit = char::from_digit(*attempt, 10).unwrap_or('+');
                (message, digit, '=')
            }
            TraceEvent::Acked { message, .. } => (message, 'v', NOTHING),
            TraceEvent::Failed { message, .. } => (message, '!', '='),
            TraceEvent::Delayed { message, .. } => (message, '.', '.'),
            TraceEvent::Dead { message, .. } => (message, 'X', NOTHING),
            TraceEvent::Refused { .. } | TraceEvent::Stats { .. } | TraceEvent::DeadLetters { .. } => continue,
        };
        let index = *by_name.entry(message).or_insert_with(|| {
            let name = message;
            lanes.push(Lane { name, marks: vec![] });
            lanes.len() - 1
        });
        if let Some(lane) = lanes.get_mut(index) {
            lane.marks.push((event.at(), mark, bar));
        }
    }
    lanes
}

/// A part of the axis: the instants up to the next column's, and its width.
struct Column {
    from: Millis,
    width: usize,
    /// The first instant in it at which something happens.
    event: Option<Millis>,
}

fn columns(trace: &[TraceEvent], lanes: &[Lane<'_>], axis: Axis) -> Vec<Column> {
    let mut starts: Vec<Millis> = match axis {
        Axis::Compressed => trace.iter().map(TraceEvent::at).collect(),
        Axis::Scaled(width) => {
            let end = trace.last().map_or(0, |event| event.at().count());
            let width = u64::try_from(width.max(2)).unwrap_or(2);
            // The last instant has a column of its own.
            (0..width)
                .map(|column| Millis::new(end.saturating_mul(column) / (width - 1)))
                .collect()
        }
    };
    starts.sort();
    starts.dedup();
    let ends = starts.iter().skip(1).map(Some).chain([None]);
    let width = |from: Millis, to: Option<&Millis>| {
        let is_here = |at: Millis| at >= from && to.is_none_or(|to| at < *to);
        let marks = lanes
            .iter()
            .map(|lane| lane.marks.iter().filter(|(at, ..)| is_here(*at)).count());
        let needed = marks.max().unwrap_or(0);
        match axis {
            Axis::Compressed => needed.max(label(from).len()) + 1,
            Axis::Scaled(_) => needed.max(1),
        }
    };
    let columns = starts.iter().zip(ends).map(|(&from, to)| {
        let is_here = |at: &Millis| *at >= from && to.is_none_or(|to| at < to);
        Column {
            from,
            width: width(from, to),
            event: trace.iter().map(TraceEvent::at).find(is_here),
        }
    });
    columns.collect()
}

/// The labels of the columns, where there is room for them.
fn ruler(columns: &[Column]) -> String {
    let mut line = String::new();
    let mut place = 0;
    for column in columns {
        if let Some(at) = column.event
            && (line.is_empty() || line.chars().count() < place)
        {
            line = format!("{line:<place$}{}", label(at));
        }
        place += column.width;
    }
    line
}

fn label(at: Millis) -> String {
    Time(at).to_string().replace(' ', "")
}

impl Lane<'_> {
    fn draw(&self, columns: &[Column]) -> String {
        let mut line = String::new();
        let mut bar = NOTHING;
        let mut marks = self.marks.iter().peekable();
        for (index, column) in columns.iter().enumerate() {
            let end = columns.get(index + 1).map(|next| next.from);
            let mut cell = String::new();
            while let Some((_, mark, next)) = marks.next_if(|(at, ..)| end.is_none_or(|end| *at < end)) {
                cell.push(*mark);
                bar = *next;
            }
            let is_last = end.is_none();
            let room = column.width.saturating_sub(cell.chars().count());
            cell.extend(std::iter::repeat_n(if is_last { NOTHING } else { bar }, room));
            line.push_str(&cell);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time(Millis::new(seconds * 1000))
    }

    fn milk() -> Vec<TraceEvent> {
        let message = || "milk".to_owned();
        vec![
            TraceEvent::Ready {
                at: at(0),
                message: message(),
            },
            TraceEvent::Delivered {
                at: at(4),
                message: message(),
                attempt: 1,
                consumer: "worker".to_owned(),
            },
            TraceEvent::Failed {
                at: at(4),
                message: message(),
                attempt: 1,
                error: None,
            },
            TraceEvent::Delayed {
                at: at(4),
                message: message(),
                until: at(5),
            },
            TraceEvent::Ready {
                at: at(5),
                message: message(),
            },
            TraceEvent::Dead {
                at: at(9),
                message: message(),
                reason: "ttl_expired".to_owned(),
                error: None,
                attempts: 1,
            },
            TraceEvent::DeadLetters {
                at: at(10),
                messages: vec![],
            },
        ]
    }

    #[test]
    fn compresses_the_axis_to_what_happens() {
        assert_eq!(
            draw(&milk(), Axis::Compressed),
            ["time  0s 4s  5s 9s 10s", "milk  r--1!..r--X",]
        );
    }

    #[test]
    fn draws_to_scale() {
        assert_eq!(
            draw(&milk(), Axis::Scaled(21)),
            ["time  0s      4s  5s      9s", "milk  r-------1!..r-------X",]
        );
    }

    #[test]
    fn draws_nothing_of_an_empty_trace() {
        assert_eq!(draw(&[], Axis::Compressed), ["time"]);
    }
}
