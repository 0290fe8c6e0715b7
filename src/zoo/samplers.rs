//! Samplers of jittered delays, each with one defect.
//!
//! A sampler is started for a policy and a delay, and then makes one jittered delay after another from draws that are handed to it.
//! `spec/statistics.md` tells how many samples the statistical form needs to see each defect.

mod distribution;
mod generator;
mod range;

use crate::Policy;

/// A sampler with a defect.
#[derive(Debug, Clone, Copy)]
pub struct Sampler {
    /// Its name, unique among the samplers.
    pub name: &'static str,
    /// The defect, in one sentence.
    pub about: &'static str,
    /// The public report of it, if there is one.
    pub report: Option<&'static str>,
    /// How it shows.
    pub sign: Sign,
    pub(super) start: Start,
}

/// How a defect shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// In the samples of one process: [`examine`](crate::uniformity::examine) is meant to see it.
    Samples,
    /// In two fresh processes: [`are_same_draws`](crate::uniformity::are_same_draws) is meant to see it.
    Processes,
    /// Not at all at the sizes of samples that a port can be asked for.
    Hidden,
}

/// The delay to jitter, and the policy that jitters it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The policy. Most defects need only its jitter factor.
    pub policy: Policy,
    /// The delay in seconds.
    pub delay: f64,
}

/// The next jittered delay in seconds, made of as many draws from [0, 1) as the sampler needs.
pub type Samples = Box<dyn FnMut(Draws<'_>) -> f64>;

/// Where draws from [0, 1) come from.
pub type Draws<'a> = &'a mut dyn FnMut() -> f64;

pub(super) type Start = fn(Setting) -> Samples;

impl Sampler {
    /// Begins a sequence of samples, as a fresh process does.
    #[must_use]
    pub fn start(&self, setting: Setting) -> Samples {
        (self.start)(setting)
    }
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Sampler> {
    ALL.concat()
}

pub(super) const ALL: [&[Sampler]; 3] = [range::SAMPLERS, distribution::SAMPLERS, generator::SAMPLERS];

/// The sampler without a defect.
#[must_use]
pub fn healthy(setting: Setting) -> Samples {
    Box::new(move |draws| setting.jittered(draws()))
}

impl Setting {
    fn factor(&self) -> f64 {
        self.policy.jitter_factor()
    }

    /// J-1.
    fn jittered(&self, draw: f64) -> f64 {
        self.delay * (1.0 + (draw * 2.0 - 1.0) * self.factor())
    }
}

/// A defect that shows in the samples.
const fn defect(name: &'static str, about: &'static str, report: Option<&'static str>, start: Start) -> Sampler {
    Sampler {
        name,
        about,
        report,
        sign: Sign::Samples,
        start,
    }
}

impl Sampler {
    const fn showing(self, sign: Sign) -> Self {
        Self { sign, ..self }
    }
}
