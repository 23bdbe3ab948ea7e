package bench

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
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
	only     = flag.String("family", "", "with -growth, only these families, separated by commas")
	size     = flag.Int("n", 0, "with -growth, programs of so many parts, and of four times as many; 0 is what is usual for a family")
	table    = flag.String("table", "", "with -growth, write the table of this page anew")
	programs = flag.String("programs", "", "write a program of each family, in both sizes, to this folder")
)

// chosen tells whether a family is asked for.
func chosen(f family) bool { return *only == "" || slices.Contains(strings.Split(*only, ","), f.name) }

// times are what parts of compile take of the processor, in the order in which they start.
type times struct {
	names []string
	of    map[string]time.Duration
	last  time.Duration
}

// add says that what was done since the last call belongs to a part.
func (t *times) add(name string) {
	now := cpuTime()
	if t.of == nil {
		t.of = map[string]time.Duration{}
	}
	if _, ok := t.of[name]; !ok {
		t.names = append(t.names, name)
	}
	t.of[name] += now - t.last
	t.last = now
}

// measure compiles a program with one thread, and tells what the parts took.
func measure(t *testing.T, src string) *times {
	t.Helper()
	runtime.GC()
	session := driver.Freehold().NewSession()
	m, err := session.Passes.ParsePipeline(compile.Options{}.Pipeline())
	if err != nil {
		t.Fatal(err)
	}
	out := &times{last: cpuTime()}
	p, err := session.Parse([]byte(src), "in.mlir")
	if err != nil {
		t.Fatal(err)
	}
	out.add("read")
	running := ""
	run := &pass.Runner{Threads: 1, VerifyEach: true, Started: func(i *pass.Instance, _ *ir.Op) {
		if running != "" {
			out.add(running)
		}
		running = i.Pass.Name
	}}
	if err := run.Run(m, p.Module); err != nil {
		t.Fatal(err)
	}
	out.add(running)
	report, proof, uncertified := check.Certify(p.Module, check.Options{Threads: 1})
	out.add("check")
	if len(report.Findings) > 0 {
		t.Fatal(report.Findings[0])
	}
	if uncertified == nil {
		if err := verify.Program(p.Module, proof, 1); err != nil {
			t.Fatal(err)
		}
		out.add("verify-certificate")
	}
	if _, err := session.Print(p.Document, asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	out.add("print")
	return out
}

// least is measure, of several times the least of each part.
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

// total adds the parts up.
func (t *times) total() (sum time.Duration) {
	for _, d := range t.of {
		sum += d
	}
	return sum
}

// grown is how the time of something depends on the size of a program.
type grown struct {
	name     string
	time     time.Duration // for the larger program
	exponent float64
}

// compare tells how the times for a program and for a longer one differ: all together, and each part that takes more than a fiftieth
// of it and more than some milliseconds, less of which is noise. factor is how many times as long the program is.
func compare(small, large *times, factor float64) (all grown, parts []grown) {
	of := func(name string, a, b time.Duration) grown {
		return grown{name, b, math.Log(float64(b)/float64(max(a, time.Microsecond))) / math.Log(factor)}
	}
	all = of("", small.total(), large.total())
	for _, name := range large.names {
		if d := large.of[name]; d > all.time/50 && d > 5*time.Millisecond {
			parts = append(parts, of(name, small.of[name], d))
		}
	}
	slices.SortFunc(parts, func(x, y grown) int { return int(y.time - x.time) })
	return all, parts
}

// What each part of compile takes of the processor grows with the size of the program, for every family: the exponent is that between a size and
// four times that.
func TestGrowth(t *testing.T) {
	if !*growth {
		t.Skip("-growth")
	}
	var page strings.Builder
	for _, f := range families {
		if !chosen(f) {
			continue
		}
		if *size > 0 {
			f.n = *size
		}
		small, large := f.program(f.n), f.program(4*f.n)
		all, parts := compare(least(t, small), least(t, large), float64(len(large))/float64(len(small)))
		fmt.Printf("%s, %d and %d: %.0f ms, %.2f\n", f.name, f.n, 4*f.n, milliseconds(all.time), all.exponent)
		worst := grown{}
		for _, p := range parts {
			mark := ""
			if p.exponent > *exponent {
				mark = " !"
				t.Errorf("%s: %s grows with exponent %.2f", f.name, p.name, p.exponent)
			}
			if p.exponent > worst.exponent {
				worst = p
			}
			fmt.Printf("  %-40s %8.1f ms  %.2f%s\n", p.name, milliseconds(p.time), p.exponent, mark)
		}
		fmt.Fprintf(&page, "| %s | %s | %d | %.0f | %.2f | %.2f, %s |\n", f.name, f.what, 4*f.n, milliseconds(all.time), all.exponent, worst.exponent, worst.name)
	}
	if *table != "" {
		if err := writeTable(*table, page.String()); err != nil {
			t.Fatal(err)
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// Each family has programs that can be compiled, of a length that grows with n. With -programs, they are written to files.
func TestFamilies(t *testing.T) {
	for _, f := range families {
		measure(t, f.program(3))
		if *programs == "" || !chosen(f) {
			continue
		}
		for _, n := range []int{f.n, 4 * f.n} {
			if err := os.WriteFile(filepath.Join(*programs, fmt.Sprintf("%s_%d.mlir", f.name, n)), []byte(f.program(n)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
