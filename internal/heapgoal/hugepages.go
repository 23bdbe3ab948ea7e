//go:build linux && (amd64 || arm64)

package heapgoal

import (
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// arenaSize is the size of the pieces, in bytes, in which the runtime takes addresses.
const arenaSize = 64 << 20

// useHugePages makes the kernel map the next size bytes of the heap in large pages, where it
// has any: touching fresh memory, a page after the other, is else a tenth of the time of a
// command. The advice is on addresses, and stays when what was allocated at these is
// collected, which is at once. That it isn't followed is no error, nor that there aren't as
// many addresses, for which the runtime would give up.
func useHugePages(size int) {
	free, err := syscall.Mmap(-1, 0, size+2*arenaSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil || syscall.Munmap(free) != nil {
		return
	}
	var heap strings.Builder // isn't cleared, where addresses were used before
	heap.Grow(size)
	_ = heap.WriteByte(0)
	bytes := unsafe.Slice(unsafe.StringData(heap.String()), size)
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
	runtime.KeepAlive(bytes)
	runtime.GC()
}
