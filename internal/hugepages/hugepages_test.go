//go:build linux && (amd64 || arm64)

package hugepages

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// What the heap allocates next is advised, and nothing of it is touched.
func TestAdvise(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has no transparent huge pages")
	}
	before := mapped(t)
	Advise(3)
	after := mapped(t)
	if after.advised < 3*Size-Page {
		t.Errorf("%d MB are advised", after.advised>>20)
	}
	if got := after.resident - before.resident; got > Size/2 {
		t.Errorf("%d MB are touched", got>>20)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if stats.StackInuse > Size/2 {
		t.Errorf("%d MB are stacks", stats.StackInuse>>20)
	}
	const pieces, size = 8, Size / 4
	advised := 0
	for range pieces {
		piece := make([]byte, size)
		piece[0] = 1
		if mapped(t).isAdvised(uintptr(unsafe.Pointer(&piece[0])) + size/2) {
			advised++
		}
	}
	if advised < pieces-1 {
		t.Errorf("of %d values, %d lie in pages that are advised", pieces, advised)
	}
}

// Where a process may not have as many addresses, the heap is as it was.
func TestAdviseWithoutAddresses(t *testing.T) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &old); err != nil {
		t.Fatal(err)
	}
	before := mapped(t)
	limit := old
	limit.Cur = uint64(before.addresses) + 2<<30
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_AS, &old)
	Advise(128)
	if after := mapped(t); after.advised != before.advised {
		t.Errorf("%d MB are advised", (after.advised-before.advised)>>20)
	}
}

// Where stacks may not be as deep, the heap is as it was.
func TestAdviseWithoutDepth(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(Size))
	before := mapped(t)
	Advise(1)
	if after := mapped(t); after.advised != before.advised {
		t.Errorf("%d MB are advised", (after.advised-before.advised)>>20)
	}
	if got := debug.SetMaxStack(Size); got != Size {
		t.Errorf("stacks may have %d bytes", got)
	}
}

// memory is how many bytes of a process are advised to lie in large pages, how many are
// resident, and how many have an address; and the ranges of addresses that are advised.
type memory struct {
	advised, resident, addresses int
	ranges                       [][2]uintptr
}

func (m memory) isAdvised(address uintptr) bool {
	return slices.ContainsFunc(m.ranges, func(r [2]uintptr) bool { return r[0] <= address && address < r[1] })
}

func mapped(t *testing.T) (m memory) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lo, hi uintptr
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &lo, &hi); n == 2 {
			m.addresses += int(hi - lo)
			continue
		}
		name, value, _ := strings.Cut(lines.Text(), ":")
		n := 0
		switch name {
		case "Rss":
			fmt.Sscan(value, &n)
			m.resident += n << 10
		case "VmFlags":
			if strings.Contains(value+" ", " hg ") {
				m.advised += int(hi - lo)
				m.ranges = append(m.ranges, [2]uintptr{lo, hi})
			}
		}
	}
	return m
}
