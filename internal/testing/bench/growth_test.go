package bench

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"freehold/compile"
	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/proof/verify"
)

var (
	growth   = flag.Bool("growth", false, "measure how the time of each pass of compile grows with the program")
	exponent = flag.Float64("exponent", 1.15, "with -growth, the largest exponent that is allowed")
	only     = flag.String("family", "", "with -growth, only this family")
)

// times are those that parts of compile take, in the order in which they start.
type times struct {
	names []string
	of    map[string]time.Duration
}

func (t *times) add(name string, d time.Duration) {
	if t.of == nil {
		t.of = map[string]time.Duration{}
	}
	if _, ok := t.of[name]; !ok {
		t.names = append(t.names, name)
	}
	t.of[name] += d
}

// measure compiles a program with one thread, and tells what the parts took.
func measure(t *testing.T, src string) *times {
	t.Helper()
	out := &times{}
	session := driver.Freehold().NewSession()
	start := time.Now()
	p, err := session.Parse([]byte(src), "in.mlir")
	if err != nil {
		t.Fatal(err)
	}
	out.add("read", time.Since(start))
	m, err := session.Passes.ParsePipeline(compile.Options{}.Pipeline())
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	run := &pass.Runner{Threads: 1, VerifyEach: true, Started: func(i *pass.Instance, _ *ir.Op) {
		now := time.Now()
		if last != "" {
			out.add(last, now.Sub(start))
		}
		last, start = i.Pass.Name, now
	}}
	start = time.Now()
	if err := run.Run(m, p.Module); err != nil {
		t.Fatal(err)
	}
	out.add(last, time.Since(start))
	start = time.Now()
	_, proof, err := check.Certify(p.Module, check.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	out.add("check", time.Since(start))
	start = time.Now()
	if err := verify.Program(p.Module, proof, 1); err != nil {
		t.Fatal(err)
	}
	out.add("verify-certificate", time.Since(start))
	start = time.Now()
	if _, err := session.Print(p.Document, asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	out.add("print", time.Since(start))
	return out
}

// least is measure, of three times the least of each part.
func least(t *testing.T, src string) *times {
	t.Helper()
	out := measure(t, src)
	for range 2 {
		for name, d := range measure(t, src).of {
			if known, ok := out.of[name]; !ok || d < known {
				out.of[name] = d
			}
		}
	}
	return out
}

// What each part of compile takes grows with the size of the program, for every family: the exponent is that between a size and four times that.
// Parts that take less than a fiftieth of the time and less than some milliseconds are noise.
func TestGrowth(t *testing.T) {
	if !*growth {
		t.Skip("-growth")
	}
	for _, f := range families {
		if *only != "" && f.name != *only {
			continue
		}
		small, large := f.program(f.n), f.program(4*f.n)
		bytes := math.Log(float64(len(large))/float64(len(small))) / math.Log(4)
		a, b := least(t, small), least(t, large)
		var total time.Duration
		for _, d := range b.of {
			total += d
		}
		type row struct {
			name string
			e    float64
			d    time.Duration
		}
		var rows []row
		for _, name := range b.names {
			d := b.of[name]
			e := math.Log(float64(d)/float64(max(a.of[name], time.Microsecond))) / math.Log(4) / bytes
			if d > total/50 && d > 5*time.Millisecond {
				rows = append(rows, row{name, e, d})
			}
		}
		slices.SortFunc(rows, func(x, y row) int { return int(y.d - x.d) })
		var text strings.Builder
		for _, r := range rows {
			mark := ""
			if r.e > *exponent {
				mark = " !"
				t.Errorf("%s: %s grows with exponent %.2f", f.name, r.name, r.e)
			}
			fmt.Fprintf(&text, "  %-40s %8.1f ms  %.2f%s\n", r.name, float64(r.d)/1e6, r.e, mark)
		}
		fmt.Printf("%s, %d and %d: %.0f ms\n%s", f.name, f.n, 4*f.n, float64(total)/1e6, text.String())
	}
}
