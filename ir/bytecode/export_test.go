package bytecode

// ReadSplit is Read for tests, with a bound for the size from which on several goroutines read.
var ReadSplit = readSplit
