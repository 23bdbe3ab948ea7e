module example.com/mytool

go 1.26.8

require freehold v0.0.0

replace freehold => ../..
