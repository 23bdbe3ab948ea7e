//go:build linux && (amd64 || arm64)

package heapgoal

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// The addresses of the heap stay advised after what was allocated there is collected, and
// nothing of it is touched.
func TestUseHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has no transparent huge pages")
	}
	const size = 128 << 20
	_, residentBefore, _ := mapped(t)
	useHugePages(size)
	advised, resident, _ := mapped(t)
	if advised < size-4<<20 {
		t.Errorf("%d MB are advised, of %d", advised>>20, size>>20)
	}
	if live, _ := liveHeap(); live > size/2 {
		t.Errorf("%d MB are alive", live>>20)
	}
	if resident > residentBefore+size/2 {
		t.Errorf("%d MB are touched", (resident-residentBefore)>>20)
	}
}

// Where a process may not have as many addresses, the heap is as it was.
func TestUseHugePagesWithoutAddresses(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &before); err != nil {
		t.Skip(err)
	}
	advised, _, addresses := mapped(t)
	limit := before
	limit.Cur = uint64(addresses) + 2<<30
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_AS, &before)
	useHugePages(8 << 30)
	if now, _, _ := mapped(t); now != advised {
		t.Errorf("%d MB are advised", (now-advised)>>20)
	}
}

// mapped returns how many bytes of the process are advised to lie in large pages, how many
// are resident, and how many have an address.
func mapped(t *testing.T) (advised, resident, addresses int) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	size := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		n := 0
		switch name {
		case "Size":
			fmt.Sscan(value, &size)
			addresses += size << 10
		case "Rss":
			fmt.Sscan(value, &n)
			resident += n << 10
		case "VmFlags":
			if strings.Contains(value+" ", " hg ") {
				advised += size << 10
			}
		}
	}
	return advised, resident, addresses
}
