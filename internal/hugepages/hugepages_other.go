//go:build !linux || !(amd64 || arm64)

package hugepages

// Advise does nothing where a process can't ask for large pages, or has few addresses.
func Advise(int) {}
