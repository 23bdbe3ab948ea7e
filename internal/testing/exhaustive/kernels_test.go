package exhaustive_test

import (
	"errors"
	"strings"
	"testing"

	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

// TestKernels executes each operation on all values of small types and on special ones of others, and compares with package naive,
// which shares no code with package exec.
func TestKernels(t *testing.T) {
	for _, tt := range worlds {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.types, tt.small)
			b := newBatch(t, w, nil)
			if !*all {
				b.runs = 40
			}
			known := 0
			for _, x := range w.instances {
				if x.free {
					continue
				}
				var kids []*tree
				for i, in := range x.in {
					kids = append(kids, &tree{arg: i, typ: in})
				}
				for res := range x.out {
					if b.kernel(&tree{of: x, res: res, kids: kids}) {
						known++
					}
				}
			}
			if known == 0 {
				t.Error("package naive knows none of the operations")
			}
			t.Logf("%d of %d operations are known, %d executions", known, len(w.instances), b.executed)
		})
	}
}

// kernel compares an operation; it returns whether package naive knows it.
func (b *batch) kernel(tree *tree) bool {
	module := newModule(b.w.ctx)
	p := addProgram(module, "f", tree)
	if p == nil {
		return false
	}
	r, err := newRunner(module, p.fn)
	if err != nil {
		return false
	}
	known := true
	types := r.fn.Type().Results
	b.arguments(p.inputs, func(args []any) bool {
		b.executed++
		got := r.run(args)
		want, err := naive.Run(module, p.fn, naiveArguments(p.inputs, args), 100)
		var wrong *naive.Wrong
		switch {
		case errors.Is(err, naive.ErrUnknown):
			known = false
			return false
		case errors.As(err, &wrong):
			if poison := wrong.Op == p.fn; got.wrong != !poison || got.poison != poison {
				b.differs(p, args, types, got, wrong.Error())
				return false
			}
			return true
		case got.wrong || got.poison || !naive.Same(want[0], naive.Value(types[0], got.values[0])):
			b.differs(p, args, types, got, naive.Show(want[0]))
			return false
		}
		return true
	})
	return known
}

func (b *batch) differs(p *program, args []any, types []ir.Type, got outcome, want string) {
	b.t.Helper()
	var list []string
	for i, a := range args {
		list = append(list, show(p.inputs[i], a))
	}
	b.t.Errorf("for (%s) exec says %s, naive %s\n%s", strings.Join(list, ", "), got.String(types), want, asm.Print(p.fn, asm.PrintOptions{}))
}
