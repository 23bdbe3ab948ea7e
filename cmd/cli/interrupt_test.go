package cli

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"freehold/driver"
)

// What was found is kept when the user interrupts a command.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes can't interrupt themselves there")
	}
	// Without this, the test itself would end if the command were not listening yet.
	ignored := make(chan os.Signal, 100)
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	dir := t.TempDir()
	program, trace := filepath.Join(dir, "endless.mlir"), filepath.Join(dir, "trace.json")
	const endless = `func.func @main() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  memref.dealloc %m : memref<4xf32>
  return %r : index
}
`
	if err := os.WriteFile(program, []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string // of what is printed
	}{
		{[]string{"run", "--memory-trace", trace, program}, "interrupted after"},
		{[]string{"difftest", "--pipeline", "--cse", "--max-steps", "1000000000000", program}, "interrupted; what was compared so far is reported"},
		{[]string{"fuzz", "--programs", "100000000"}, "programs, 0 failures"},
		{[]string{"reduce", program, "--", "sh", "-c", `sleep 0.2; grep -q arith.addi "$0" && exit 7`}, "interrupted; this is the smallest program so far"},
	} {
		var out bytes.Buffer
		status := make(chan int)
		go func() {
			status <- Main(driver.Freehold(), append([]string{"freehold"}, c.args...), driver.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
		}()
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		for got := -1; got < 0; {
			select {
			case got = <-status:
				if got != statusInterrupted || !strings.Contains(out.String(), c.want) {
					t.Errorf("%s: status %d: %s", c.args[0], got, out.String())
				}
			case <-time.After(300 * time.Millisecond):
				self.Signal(os.Interrupt)
			}
		}
	}
	if data, err := os.ReadFile(trace); err != nil || !bytes.Contains(data, []byte("memref.alloc")) {
		t.Errorf("the trace is lost: %v", err)
	}
}
