// Package bench measures whole pipelines on programs of any size.
package bench

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/internal/testing/models"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
)

// program writes a program of n parts.
type program func(n int) string

func straight(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%in: memref<64xf32>, %out: memref<64xf32>) {\n")
	last := "%in"
	for i := range n {
		fmt.Fprintf(&b, "  %%a%d = memref.alloc() : memref<64xf32>\n  memref.copy %s, %%a%d : memref<64xf32> to memref<64xf32>\n", i, last, i)
		last = fmt.Sprintf("%%a%d", i)
	}
	fmt.Fprintf(&b, "  memref.copy %s, %%out : memref<64xf32> to memref<64xf32>\n  return\n}\n", last)
	return b.String()
}

func diamonds(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%c: i1, %in: memref<64xf32>, %out: memref<64xf32>) {\n  cf.br ^h0(%in : memref<64xf32>)\n")
	for i := range n {
		fmt.Fprintf(&b, `^h%[1]d(%%p%[1]d: memref<64xf32>):
  cf.cond_br %%c, ^l%[1]d, ^r%[1]d
^l%[1]d:
  %%a%[1]d = memref.alloc() : memref<64xf32>
  memref.copy %%p%[1]d, %%a%[1]d : memref<64xf32> to memref<64xf32>
  cf.br ^h%[2]d(%%a%[1]d : memref<64xf32>)
^r%[1]d:
  cf.br ^h%[2]d(%%p%[1]d : memref<64xf32>)
`, i, i+1)
	}
	fmt.Fprintf(&b, "^h%[1]d(%%p%[1]d: memref<64xf32>):\n  memref.copy %%p%[1]d, %%out : memref<64xf32> to memref<64xf32>\n  return\n}\n", n)
	return b.String()
}

func functions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `func.func @f%d(%%c: i1, %%lb: index, %%ub: index, %%st: index, %%in: memref<64xf32>, %%out: memref<64xf32>) {
  %%a = memref.alloc() : memref<64xf32>
  %%r = scf.if %%c -> (memref<64xf32>) {
    %%b = memref.alloc() : memref<64xf32>
    memref.copy %%in, %%b : memref<64xf32> to memref<64xf32>
    scf.yield %%b : memref<64xf32>
  } else {
    memref.copy %%in, %%a : memref<64xf32> to memref<64xf32>
    scf.yield %%a : memref<64xf32>
  }
  %%l = scf.for %%i = %%lb to %%ub step %%st iter_args(%%x = %%r) -> (memref<64xf32>) {
    %%t = memref.alloc() : memref<64xf32>
    memref.copy %%x, %%t : memref<64xf32> to memref<64xf32>
    scf.yield %%t : memref<64xf32>
  }
  memref.copy %%l, %%out : memref<64xf32> to memref<64xf32>
  return
}
`, i)
	}
	return b.String()
}

func tensors(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%in: tensor<64xf32>, %c: f32) -> tensor<64xf32> {\n")
	last := "%in"
	for i := range n {
		fmt.Fprintf(&b, `  %%e%[1]d = tensor.empty() : tensor<64xf32>
  %%f%[1]d = linalg.fill ins(%%c : f32) outs(%%e%[1]d : tensor<64xf32>) -> tensor<64xf32>
  %%a%[1]d = linalg.add ins(%[2]s, %%f%[1]d : tensor<64xf32>, tensor<64xf32>) outs(%%f%[1]d : tensor<64xf32>) -> tensor<64xf32>
`, i, last)
		last = fmt.Sprintf("%%a%d", i)
	}
	fmt.Fprintf(&b, "  return %s : tensor<64xf32>\n}\n", last)
	return b.String()
}

func registry() *pass.Registry {
	r := &pass.Registry{}
	transform.Register(r)
	return r
}

// run parses, transforms and prints programs.
func run(b *testing.B, pipeline string, srcs ...string) {
	b.Helper()
	r := registry()
	ctx := ir.NewContext(dialect.All()...)
	size := 0
	for _, src := range srcs {
		m, err := asm.Parse(ctx, []byte(src), "bench", asm.ParseOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := ir.Verify(m); err != nil {
			b.Fatal(err)
		}
		if pipeline != "" {
			pm, err := r.ParsePipeline(pipeline)
			if err != nil {
				b.Fatal(err)
			}
			if err := (&pass.Runner{VerifyEach: true}).Run(pm, m); err != nil {
				b.Fatal(err)
			}
		}
		asm.Print(m, asm.PrintOptions{AssumeVerified: true})
		size += len(src)
	}
	b.SetBytes(int64(size))
}

const (
	deallocation = "builtin.module(buffer-deallocation-pipeline)"
	oneShot      = "builtin.module(one-shot-bufferize{bufferize-function-boundaries})"
	endToEnd     = "builtin.module(one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline)"
	prepared     = "builtin.module(prepare-bufferization,one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline)"
)

func BenchmarkPipelines(b *testing.B) {
	for _, c := range []struct {
		name     string
		program  program
		n        int
		pipeline string
	}{
		{"text/functions", functions, 2000, ""},
		{"text/tensors", tensors, 2000, ""},
		{"canonicalize/functions", functions, 2000, "builtin.module(canonicalize,cse)"},
		{"deallocation/functions", functions, 2000, deallocation},
		{"deallocation/straight", straight, 10000, deallocation},
		{"deallocation/diamonds", diamonds, 1000, deallocation},
		{"one-shot/tensors", tensors, 10000, oneShot},
		{"end-to-end/tensors", tensors, 500, endToEnd},
	} {
		src := c.program(c.n)
		b.Run(fmt.Sprintf("%s/%d", c.name, c.n), func(b *testing.B) {
			for b.Loop() {
				run(b, c.pipeline, src)
			}
		})
	}
	var networks []string
	for _, m := range models.All() {
		networks = append(networks, m.Source())
	}
	b.Run("end-to-end/models", func(b *testing.B) {
		for b.Loop() {
			run(b, prepared, networks...)
		}
	})
}
