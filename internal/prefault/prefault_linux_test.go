package prefault

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

func TestMapping(t *testing.T) {
	maps := []byte("00400000-00f52000 r-xp 00000000 fe:00 101 /bin/x\n" +
		"01b37000-01bc8000 rw-p 01737000 fe:00 101 /bin/x\n" +
		"2b09aa400000-2b09aa800000 rw-p 00000000 00:00 0\n" +
		"2b09aa80")
	for _, c := range []struct{ address, lo, hi uintptr }{
		{0x400000, 0x400000, 0xf52000},
		{0xf52000, 0, 0},
		{0x1bc7fff, 0x1b37000, 0x1bc8000},
		{0x2b09aa400010, 0x2b09aa400000, 0x2b09aa800000},
		{0x2b09aa800010, 0, 0},
	} {
		if lo, hi := mapping(maps, c.address); lo != c.lo || hi != c.hi {
			t.Errorf("%x is in %x-%x, want %x-%x", c.address, lo, hi, c.lo, c.hi)
		}
	}
}

// What is populated is in memory, though nobody touched it.
func TestPopulate(t *testing.T) {
	const size = 1 << 20
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	lo := uintptr(unsafe.Pointer(&memory[0]))
	if err := madvise(lo, lo+size, populateWrite); err != 0 {
		t.Skip("the kernel is older than 5.14, or a sandbox: ", err)
	}
	pages := make([]byte, size/os.Getpagesize())
	if _, _, err := syscall.Syscall(syscall.SYS_MINCORE, lo, size, uintptr(unsafe.Pointer(&pages[0]))); err != 0 {
		t.Fatal(err)
	}
	for i, p := range pages {
		if p&1 == 0 {
			t.Fatalf("page %d of %d isn't in memory", i, len(pages))
		}
	}
}

// The variables lie in mappings that are found.
func TestMappingsOfVariables(t *testing.T) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []unsafe.Pointer{unsafe.Pointer(&static), unsafe.Pointer(heap)} {
		if lo, hi := mapping(maps, uintptr(p)); lo > uintptr(p) || hi <= uintptr(p) {
			t.Errorf("%p is in %x-%x", p, lo, hi)
		}
	}
}
