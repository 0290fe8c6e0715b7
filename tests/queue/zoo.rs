//! The zoo has a queue of its own, whose decisions its bugs replace. Without a bug it is the reference.

use proptest::prelude::*;
use samewait::answer::Reply;
use samewait::question::Question;
use samewait::{draws, reference, zoo};

use samewait::arbitrary::{any_scenario, scenario};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_a_defect_the_zoo_tells_the_same_trace(question in prop_oneof![9 => scenario(), 1 => any_scenario()]) {
        let question = Question::Queue(question);
        let expected = Reply::from(reference::answer(&question, draws::seeded(1)));
        prop_assert_eq!(zoo::without_defect(&question, &mut draws::seeded(1)), expected, "of {:?}", question);
    }
}
