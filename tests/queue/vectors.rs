//! The vectors of the area queue: their expectations were derived by hand, and the model derives them once more.

use samewait::load::VectorSet;
use samewait::question::Question;

use super::model;

/// How many there are at least: one that goes must be noticed.
const AT_LEAST: usize = 120;

#[test]
fn the_model_answers_every_vector_as_expected() {
    let vectors = VectorSet::embedded().expect("the embedded vectors are legal");
    let mut count = 0;
    let mut disagreements = Vec::new();
    for case in &vectors.cases {
        let Question::Queue(question) = &case.question else {
            continue;
        };
        count += 1;
        let model = model::answer(question);
        if model.answer != case.expected {
            let (expected, model) = (&case.expected, &model.answer);
            disagreements.push(format!("{}\n  expected {expected:?}\n  the model {model:?}", case.id));
        }
        if model.had_choice {
            disagreements.push(format!("{}\n  leaves a choice of consumers (V-16)", case.id));
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    assert!(count >= AT_LEAST, "{count} vectors ask queue, needed {AT_LEAST}");
}
