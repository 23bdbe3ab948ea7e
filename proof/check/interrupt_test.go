package check_test

import (
	"strings"
	"sync"
	"testing"

	"freehold/ir"
	"freehold/proof/check"
)

// What was found before an interrupt is kept; the rest isn't judged.
func TestInterrupt(t *testing.T) {
	m := load([]byte(`
		func.func @first(%c: i1) {
			%m = memref.alloc() : memref<4xf32>
			scf.if %c { memref.dealloc %m : memref<4xf32> }
			return
		}
		func.func @second() {
			%m = memref.alloc() : memref<4xf32>
			return
		}`))
	stop := make(chan struct{})
	var once sync.Once
	r := check.Module(m, check.Options{Threads: 1, Interrupt: stop, Name: func(*ir.Value) string {
		once.Do(func() { close(stop) }) // the path of the leak is told
		return ""
	}})
	if len(r.Findings) != 1 || r.Findings[0].Kind != check.Leak {
		t.Errorf("findings %v", r.Findings)
	}
	if len(r.Unjudged) != 1 || !strings.Contains(r.Unjudged[0].Error(), "can't be judged: the check was interrupted") {
		t.Errorf("not judged: %v", r.Unjudged)
	}
	if r := check.Module(m, check.Options{Interrupt: stop}); len(r.Findings) != 0 || len(r.Unjudged) != 2 {
		t.Errorf("a check that is interrupted at once: findings %v, not judged %v", r.Findings, r.Unjudged)
	}
}
