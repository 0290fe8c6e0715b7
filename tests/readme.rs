//! The console examples of the documents are run, and what they show is compared with what is printed.

#[test]
fn the_documents_show_what_the_commands_print() {
    trycmd::TestCases::new().case("README.md").case("ports/README.md");
}
