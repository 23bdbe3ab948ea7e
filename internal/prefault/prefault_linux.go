package prefault

import (
	"bytes"
	"strconv"
	"syscall"
	"unsafe"

	"freehold/internal/hugepages"
)

// populateWrite is MADV_POPULATE_WRITE of madvise(2), which Linux has since 5.14.
const populateWrite = 23

// What lies in the data segment, and where the heap has come to.
var (
	static = [...]byte{1}
	heap   = new([64]byte)
)

func init() {
	fd, err := syscall.Open("/proc/self/maps", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(fd)
	var maps [2048]byte // the program and the heap have low addresses, and come first
	n, err := syscall.Read(fd, maps[:])
	if err != nil {
		return
	}
	if lo, hi := mapping(maps[:n], uintptr(unsafe.Pointer(&static))); lo < hi {
		_ = madvise(lo, hi, populateWrite) // an older system can't
	}
	if lo, hi := mapping(maps[:n], uintptr(unsafe.Pointer(heap))); lo < hi {
		// Pages around what has some already are small.
		lo = uintptr(unsafe.Pointer(heap)) &^ (uintptr(syscall.Getpagesize()) - 1)
		_ = madvise(lo, hi, syscall.MADV_HUGEPAGE)
		_ = madvise(lo, min(hi, (lo+hugepages.Page-1)&^(hugepages.Page-1)), populateWrite)
	}
	hugepages.Advise(1)
}

// mapping returns the range of addresses in /proc/self/maps that has an address; an empty
// one if none has.
func mapping(maps []byte, address uintptr) (lo, hi uintptr) {
	for line := range bytes.Lines(maps) {
		first, rest, _ := bytes.Cut(line, []byte("-"))
		end, _, _ := bytes.Cut(rest, []byte(" "))
		lo, err1 := strconv.ParseUint(string(first), 16, 64)
		hi, err2 := strconv.ParseUint(string(end), 16, 64)
		if err1 == nil && err2 == nil && uint64(address) >= lo && uint64(address) < hi {
			return uintptr(lo), uintptr(hi)
		}
	}
	return 0, 0
}

// madvise gives the kernel an advice on a range of addresses.
func madvise(lo, hi uintptr, advice uintptr) syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, lo, hi-lo, advice)
	return errno
}
