package prefault

import (
	"bytes"
	"strconv"
	"syscall"
	"unsafe"
)

// populateWrite is MADV_POPULATE_WRITE of madvise(2), which Linux has since 5.14.
const populateWrite = 23

// most is how many bytes of a mapping are populated: about what packages need to be initialized.
const most = 2 << 20

// What lies in the data segment, and at the start of the heap.
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
	for _, p := range [...]unsafe.Pointer{unsafe.Pointer(&static), unsafe.Pointer(heap)} {
		if lo, hi := mapping(maps[:n], uintptr(p)); lo < hi {
			_ = populate(lo, min(hi, lo+most)) // an older system can't
		}
	}
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

// populate maps the pages of a range of addresses for writing.
func populate(lo, hi uintptr) syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, lo, hi-lo, populateWrite)
	return errno
}
