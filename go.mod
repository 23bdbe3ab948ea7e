module freehold

go 1.26.8
