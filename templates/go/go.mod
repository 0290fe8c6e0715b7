module example.com/my-library-port

go 1.19

// Your library, from the folder next to this one:
//
// require example.com/my-library v0.0.0
// replace example.com/my-library => ../
