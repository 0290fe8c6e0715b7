//! Vectors and skeletons of ports are embedded: a file that comes or goes must rebuild the crate.

fn main() {
    println!("cargo:rerun-if-changed=vectors");
    println!("cargo:rerun-if-changed=templates");
}
