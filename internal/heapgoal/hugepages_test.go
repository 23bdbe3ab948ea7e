//go:build linux && (amd64 || arm64)

package heapgoal

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The addresses of the heap stay advised after what was allocated there is collected, and
// nothing of it is touched.
func TestUseHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has no transparent huge pages")
	}
	const size = 128 << 20
	_, residentBefore := mapped(t)
	useHugePages(size)
	advised, resident := mapped(t)
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

// mapped returns how many bytes of the process are advised to lie in large pages, and how
// many are resident.
func mapped(t *testing.T) (advised, resident int) {
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
		case "Rss":
			fmt.Sscan(value, &n)
			resident += n << 10
		case "VmFlags":
			if strings.Contains(value+" ", " hg ") {
				advised += size << 10
			}
		}
	}
	return advised, resident
}
