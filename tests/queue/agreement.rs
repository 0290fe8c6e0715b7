//! The reference and the model tell the same of every scenario.
//!
//! What fails is shrunk, and its seed is kept in `agreement.regressions` next to this file: commit it, and it is tried
//! first from then on.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use samewait::answer::{Answer, Value};
use samewait::arbitrary::{any_scenario, scenario};
use samewait::question::{Question, QueueQuestion};
use samewait::reference;
use samewait::scenario::TraceEvent;

use super::model;

/// How many scenarios are tried in each run.
const SCENARIOS: u32 = 4000;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(SCENARIOS))]

    #[test]
    fn the_reference_and_the_model_tell_the_same_trace(question in scenario()) {
        let run = reference::run(&question).expect("legal limits");
        let model = model::answer(&question);
        prop_assert!(!run.is_cut_off);
        let Answer::Value(Value::Trace(trace)) = model.answer else {
            return Err(TestCaseError::fail("the model has no trace"));
        };
        if let Some(difference) = first_difference(&run.trace, &trace) {
            return Err(TestCaseError::fail(format!("{difference}\nin {}", as_json(&question))));
        }
        // What the rule for vectors (V-16) goes by.
        prop_assert_eq!(run.had_choice, model.had_choice, "in {}", as_json(&question));
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn the_reference_and_the_model_refuse_the_same_numbers(question in any_scenario()) {
        let model = model::answer(&question).answer;
        let reference = reference::answer(&Question::Queue(question), || unreachable!("a queue draws nothing"));
        prop_assert_eq!(reference, model);
    }
}

/// Where two traces part.
fn first_difference(reference: &[TraceEvent], model: &[TraceEvent]) -> Option<String> {
    let length = reference.len().max(model.len());
    let index = (0..length).find(|&index| reference.get(index) != model.get(index))?;
    let told = |trace: &[TraceEvent]| {
        trace
            .get(index)
            .map_or("nothing more".to_owned(), TraceEvent::to_string)
    };
    let (reference, model) = (told(reference), told(model));
    Some(format!(
        "event {index} is `{reference}` by the reference, and `{model}` by the model"
    ))
}

/// The scenario as a port would be asked it.
fn as_json(question: &QueueQuestion) -> String {
    serde_json::to_string(question).expect("a question")
}
