module samewait.example/go

go 1.19
