package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
)

// A large program is read again only where other attempts are made, and what comes out is the same as with a copy that was kept.
func TestAgain(t *testing.T) {
	decides, straight := &strings.Builder{}, &strings.Builder{}
	for _, b := range []*strings.Builder{decides, straight} {
		b.WriteString("func.func @f(%c: i1, %m: memref<8xf32>, %i: index, %v: f32) {\n")
	}
	for k := range 150 {
		fmt.Fprintf(decides, "  %%a%d = scf.if %%c -> (memref<8xf32>) {\n    %%x = memref.alloc() : memref<8xf32>\n    scf.yield %%x : memref<8xf32>\n  } else {\n    scf.yield %%m : memref<8xf32>\n  }\n", k)
		fmt.Fprintf(decides, "  memref.store %%v, %%a%d[%%i] : memref<8xf32>\n", k)
		for j := range 3 {
			fmt.Fprintf(straight, "  %%a%d_%d = memref.alloc() : memref<8xf32>\n  memref.store %%v, %%a%[1]d_%[2]d[%%i] : memref<8xf32>\n", k, j)
		}
	}
	for name, program := range map[string]struct {
		text  string
		times int
	}{"decides": {decides.String() + "  return\n}\n", 1}, "straight": {straight.String() + "  return\n}\n", 0}} {
		t.Run(name, func(t *testing.T) {
			run := func(again bool) (text string, times int) {
				session := driver.Freehold().NewSession()
				p, err := session.Parse([]byte(program.text), "in.mlir")
				if err != nil {
					t.Fatal(err)
				}
				c := compile.Compiler{Registry: session.Passes}
				if again {
					c.Again = func() (*ir.Op, error) {
						times++
						q, err := session.Parse([]byte(program.text), "in.mlir")
						if err != nil {
							return nil, err
						}
						return q.Module, nil
					}
				}
				if _, err := c.Compile(p.Module); err != nil {
					t.Fatal(err)
				}
				out, err := session.Print(p.Document, asm.PrintOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return string(out), times
			}
			kept, _ := run(false)
			read, times := run(true)
			if kept != read {
				t.Errorf("with a copy:\n%s\nread again:\n%s", kept, read)
			}
			if times != program.times {
				t.Errorf("read %d times, not %d", times, program.times)
			}
		})
	}
}
