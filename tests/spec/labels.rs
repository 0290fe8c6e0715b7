//! The label of every rung that a vector names, from a table written by hand (L-5): no code says what a label is but the
//! reference's, and none of it was asked for these.

use std::collections::BTreeSet;

use samewait::answer::{Answer, Value};
use samewait::load::VectorSet;

/// A TTL in milliseconds, and its label: whole hours where it has some and nothing else, else whole minutes, whole seconds, milliseconds.
const LABELS: &[(u64, &str)] = &[
    (1, "1ms"),
    (2, "2ms"),
    (3, "3ms"),
    (314, "314ms"),
    (500, "500ms"),
    (999, "999ms"),
    (1_000, "1s"),
    (1_001, "1001ms"),
    (1_500, "1500ms"),
    (2_000, "2s"),
    (4_000, "4s"),
    (5_000, "5s"),
    (8_000, "8s"),
    (10_000, "10s"),
    (15_000, "15s"),
    (16_000, "16s"),
    (30_000, "30s"),
    (30_001, "30001ms"),
    (30_003, "30003ms"),
    (30_004, "30004ms"),
    (31_000, "31s"),
    (32_000, "32s"),
    (32_001, "32001ms"),
    (32_002, "32002ms"),
    (33_333, "33333ms"),
    (33_337, "33337ms"),
    (33_750, "33750ms"),
    (34_500, "34500ms"),
    (39_675, "39675ms"),
    (40_000, "40s"),
    (41_000, "41s"),
    (44_950, "44950ms"),
    (45_000, "45s"),
    (45_626, "45626ms"),
    (47_150, "47150ms"),
    (50_000, "50s"),
    (51_000, "51s"),
    (51_200, "51200ms"),
    (52_470, "52470ms"),
    (54_223, "54223ms"),
    (59_999, "59999ms"),
    (60_000, "1m"),
    (60_001, "60001ms"),
    (62_902, "62902ms"),
    (65_000, "65s"),
    (65_177, "65177ms"),
    (90_000, "90s"),
    (120_000, "2m"),
    (133_263, "133263ms"),
    (180_000, "3m"),
    (240_000, "4m"),
    (480_000, "8m"),
    (600_000, "10m"),
    (845_000, "845s"),
    (898_487, "898487ms"),
    (960_000, "16m"),
    (1_350_000, "1350s"),
    (1_920_000, "32m"),
    (2_700_000, "45m"),
    (3_599_999, "3599999ms"),
    (3_600_000, "1h"),
    (3_600_001, "3600001ms"),
    (3_605_000, "3605s"),
    (3_660_000, "61m"),
    (5_400_000, "90m"),
    (7_200_000, "2h"),
    (10_800_000, "3h"),
    (21_600_000, "6h"),
    (40_000_000, "40000s"),
    (86_400_000, "24h"),
    (604_800_000, "168h"),
    (864_000_000, "240h"),
    (2_147_483_647, "2147483647ms"),
    (2_147_483_648, "2147483648ms"),
    (3_600_000_000, "1000h"),
    (4_294_967_296, "4294967296ms"),
    (4_294_968_296, "4294968296ms"),
    (5_184_000_000, "1440h"),
    (8_640_000_000, "2400h"),
    (10_000_000_000, "10000000s"),
    (86_400_000_000, "24000h"),
    (300_000_000_000, "5000000m"),
    (315_360_000_000, "87600h"),
];

#[test]
fn every_rung_of_the_vectors_is_in_the_table() {
    let mut seen = BTreeSet::new();
    for case in VectorSet::embedded().expect("vectors").cases {
        match &case.expected {
            Answer::Value(Value::Rungs(rungs)) => {
                for rung in rungs {
                    let ttl_ms = rung.ttl_ms.as_u64().expect("a number of milliseconds");
                    let label = label(&rung.name);
                    assert!(
                        LABELS.contains(&(ttl_ms, label)),
                        "{}: {ttl_ms} ms are not `{label}`",
                        case.id
                    );
                    seen.insert(ttl_ms);
                }
            }
            Answer::Value(Value::Rung(Some(name))) => {
                let label = label(name);
                let row = LABELS.iter().find(|(_, known)| *known == label);
                let (ttl_ms, _) = row.unwrap_or_else(|| panic!("{}: no TTL is labelled `{label}`", case.id));
                seen.insert(*ttl_ms);
            }
            Answer::Value(_) | Answer::Rejected(_) => {}
        }
    }
    let unused: Vec<u64> = LABELS
        .iter()
        .map(|(ttl_ms, _)| *ttl_ms)
        .filter(|ttl_ms| !seen.contains(ttl_ms))
        .collect();
    assert!(unused.is_empty(), "no vector names these: {unused:?}");
}

fn label(name: &str) -> &str {
    name.rsplit_once(".retry.").expect("a rung's name").1
}
