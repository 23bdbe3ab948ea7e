//go:build !linux || !(amd64 || arm64)

package heapgoal

// useHugePages does nothing where a process can't ask for large pages, or has few addresses.
func useHugePages(int) {}
