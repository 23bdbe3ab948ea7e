//go:build !linux || !(amd64 || arm64)

package hugepages

// Size is in how large pieces, in bytes, the heap would be advised.
const Size = 64 << 20

// Advise does nothing where a process can't ask for large pages, or has few addresses.
func Advise(int) {}
