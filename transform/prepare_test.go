package transform_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/difftest"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/transform"
)

// compiled is what prepared programs go through.
const compiled = "builtin.module(prepare-bufferization,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map " +
	"allow-return-allocs-from-loops recursive-functions external-results copy-around-regions carry-through-conditions},complete-buffer-deallocation-pipeline)"

// Random programs of what one-shot-bufferize refuses compute the same when they are
// prepared and compiled, and are safe.
func TestPreparedPrograms(t *testing.T) {
	executed := 0
	for seed := range *programs {
		src := newProgram(rand.New(rand.NewPCG(seed, 16))).write()
		parse := func() *ir.Op {
			m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "p.mlir", asm.ParseOptions{})
			if err == nil {
				err = ir.Verify(m)
			}
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, src)
			}
			return m
		}
		m := parse()
		var r pass.Registry
		transform.Register(&r)
		for _, p := range []string{"builtin.module(prepare-bufferization)", compiled} {
			pm, err := r.ParsePipeline(p)
			if err != nil {
				t.Fatal(err)
			}
			after := parse()
			if err := (&pass.Runner{VerifyEach: true}).Run(pm, after); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, src)
			}
			report := difftest.Run(m, after, difftest.Options{Inputs: 4, Seed: seed, Leaks: p == compiled})
			for _, f := range report.Functions {
				if f.Skipped != nil || len(f.Mismatches)+len(f.Findings) > 0 {
					t.Fatalf("seed %d: %v %v %v\n%s\n%s", seed, f.Skipped, f.Mismatches, f.Findings, src, asm.Print(after, asm.PrintOptions{}))
				}
				executed += f.Inputs - f.Undefined
			}
			if p != compiled {
				continue
			}
			if c := check.Module(after, check.Options{}); len(c.Findings) > 0 {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, c.Findings[0], src, asm.Print(after, asm.PrintOptions{}))
			}
		}
	}
	if executed < 5*int(*programs) {
		t.Errorf("only %d executions", executed)
	}
}

// program writes a random function on tensors of eight elements.
type program struct {
	*rand.Rand
	strings.Builder
	tensors []string
	names   int
}

func newProgram(r *rand.Rand) *program { return &program{Rand: r, tensors: []string{"%a", "%b"}} }

func (p *program) fresh() string {
	p.names++
	return fmt.Sprintf("%%v%d", p.names)
}

func (p *program) line(format string, args ...any) { fmt.Fprintf(p, "  "+format+"\n", args...) }

func (p *program) tensor() string { return p.tensors[p.IntN(len(p.tensors))] }

// let writes an operation with one result of that type, and returns the result's name.
func (p *program) let(format string, args ...any) string {
	v := p.fresh()
	p.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (p *program) write() string {
	p.WriteString("func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32, %c: i1, %k: i32) -> (tensor<8xf32>, tensor<8xf32>) {\n")
	for i := range 4 {
		p.line("%%c%d = arith.constant %d : index", i, i)
	}
	for range 2 + p.IntN(5) {
		p.operation()
	}
	if p.IntN(3) > 0 {
		p.line("return %s, %s : tensor<8xf32>, tensor<8xf32>", p.tensor(), p.tensor())
	} else {
		p.branches()
	}
	p.WriteString("}\n")
	return p.String()
}

// branches ends the function with several returns.
func (p *program) branches() {
	first, second := p.tensor(), p.tensor()
	if p.IntN(2) == 0 {
		p.line("cf.cond_br %%c, ^one, ^two(%s : tensor<8xf32>)", first)
	} else {
		p.line("cf.switch %%k : i32, [default: ^one, 1: ^two(%s : tensor<8xf32>), 2: ^two(%s : tensor<8xf32>)]", first, second)
	}
	outer := p.tensors
	for _, label := range []string{"^one:", "^two(%t: tensor<8xf32>):"} {
		p.line("%s", label)
		p.tensors = outer[:len(outer):len(outer)]
		if label != "^one:" {
			p.tensors = append(p.tensors, "%t")
		}
		p.operation()
		p.line("return %s, %s : tensor<8xf32>, tensor<8xf32>", p.tensor(), p.tensor())
	}
}

// loop writes a loop with another operation in it.
func (p *program) loop() string {
	r, arg, outer := p.fresh(), p.fresh(), p.tensors
	p.line("%s = scf.for %%i%s = %%c0 to %%c3 step %%c1 iter_args(%s = %s) -> (tensor<8xf32>) {", r, arg[1:], arg, p.tensor())
	p.tensors = append(outer[:len(outer):len(outer)], arg)
	p.operation()
	p.line("  scf.yield %s : tensor<8xf32>", p.tensor())
	p.line("}")
	p.tensors = outer
	return r
}

func (p *program) operation() {
	const t = "tensor<8xf32>"
	var v string
	switch p.IntN(12) {
	case 0:
		v = p.let("arith.addf %s, %s : "+t, p.tensor(), p.tensor())
	case 1:
		less := p.let("arith.cmpf olt, %s, %s : "+t, p.tensor(), p.tensor())
		v = p.let("arith.select %s, %s, %s : tensor<8xi1>, "+t, less, p.tensor(), p.tensor())
	case 2:
		v = p.let("tensor.insert %%x into %s[%%c%d] : "+t, p.tensor(), p.IntN(4))
	case 3:
		half := p.let("tensor.extract_slice %s[%d] [4] [1] : "+t+" to tensor<4xf32>", p.tensor(), p.IntN(5))
		other := p.let("tensor.extract_slice %s[%d] [4] [1] : "+t+" to tensor<4xf32>", p.tensor(), p.IntN(5))
		v = p.let("tensor.concat dim(0) %s, %s : (tensor<4xf32>, tensor<4xf32>) -> "+t, half, other)
	case 4:
		dest := p.let("tensor.empty() : tensor<3x3xf32>")
		packed := p.let("tensor.pack %s padding_value(%%x : f32) inner_dims_pos = [0] inner_tiles = [3] into %s : "+t+" -> tensor<3x3xf32>", p.tensor(), dest)
		v = p.let("tensor.unpack %s inner_dims_pos = [0] inner_tiles = [3] into %s : tensor<3x3xf32> -> "+t, packed, p.tensor())
	case 5:
		dest := p.let("tensor.empty() : tensor<2x4xf32>")
		packed := p.let("tensor.pack %s inner_dims_pos = [0] inner_tiles = [4] into %s : "+t+" -> tensor<2x4xf32>", p.tensor(), dest)
		v = p.let("tensor.unpack %s inner_dims_pos = [0] inner_tiles = [4] into %s : tensor<2x4xf32> -> "+t, packed, p.tensor())
	case 6:
		at := p.let("arith.constant dense<[[7], [%d], [3], [3], [0], [1], [%d], [2]]> : tensor<8x1xi32>", p.IntN(8), p.IntN(8))
		v = p.let("tensor.gather %s[%s] gather_dims([0]) : ("+t+", tensor<8x1xi32>) -> "+t, p.tensor(), at)
	case 7:
		at := p.let("arith.constant dense<[[6], [%d]]> : tensor<2x1xindex>", p.IntN(6))
		part := p.let("tensor.extract_slice %s[%d] [2] [1] : "+t+" to tensor<2xf32>", p.tensor(), p.IntN(7))
		v = p.let("tensor.scatter %s into %s[%s] scatter_dims([0]) unique : (tensor<2xf32>, "+t+", tensor<2x1xindex>) -> "+t, part, p.tensor(), at)
	case 8:
		bits := p.let("tensor.bitcast %s : "+t+" to tensor<8xi32>", p.tensor())
		more := p.let("arith.xori %s, %s : tensor<8xi32>", bits, bits)
		whole := p.let("arith.addi %s, %s : tensor<8xi32>", bits, more)
		v = p.let("tensor.bitcast %s : tensor<8xi32> to "+t, whole)
	case 9:
		v = p.loop()
	default:
		r := p.fresh()
		p.line("%s = scf.execute_region -> "+t+" {", r)
		p.line("  cf.cond_br %%c, ^yes, ^no")
		for _, label := range []string{"^yes", "^no"} {
			w := p.tensor()
			p.line("%s:", label)
			if p.IntN(2) == 0 {
				w = p.let("tensor.insert %%x into %s[%%c2] : "+t, w)
			}
			p.line("  scf.yield %s : "+t, w)
		}
		p.line("}")
		v = r
	}
	p.tensors = append(p.tensors, v)
}
