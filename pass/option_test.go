package pass_test

import (
	"errors"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// shapeOptions have an option of each kind, and something that no option sets.
type shapeOptions struct {
	flag     bool
	times    int
	seed     uint32
	label    string
	kind     level
	word     level
	names    []string
	hidden   int
	measured pass.Counter
}

// seen are the options that the pass was run with.
func shape(seen *[]shapeOptions) pass.Typed[shapeOptions] {
	return pass.New(pass.Info{Name: "shape", Title: "Shape"}, func(o *shapeOptions, d *pass.Decl) {
		o.hidden = 5
		d.Bool(&o.flag, "flag", true, "")
		d.Int(&o.times, "times", -2, "")
		d.Uint(&o.seed, "seed", 7, "")
		d.String(&o.label, "label", "x", "").Extension()
		pass.Enum(d, &o.kind, "kind", 2, "", pass.Choice[level]{Name: "one", Value: 1}, pass.Choice[level]{Name: "two", Value: 2})
		word := pass.Words(d, &o.word, "word", 1, "", pass.Choice[level]{Name: "one", Value: 1}, pass.Choice[level]{Name: "two", Value: 2})
		d.Strings(&o.names, "names", "").Extension()
		d.Counter(&o.measured, "measured", "")
		d.Check(func() error {
			if text, unknown := word.Unknown(); unknown {
				return errors.New("what is '" + text + "'?")
			}
			return nil
		})
	}, pass.OnModule(func(_ *pass.Context, o *shapeOptions, _ *ir.Op) error {
		o.measured.Add(1)
		*seen = append(*seen, *o)
		return nil
	}))
}

// An option sets its field, is written as it was read, and keeps its value in copies.
func TestOptionsAreFields(t *testing.T) {
	var seen []shapeOptions
	p := shape(&seen)
	r := &pass.Registry{}
	r.Register(p)
	for _, c := range []struct {
		text, want string
		check      func(o *shapeOptions) bool
	}{
		{"", "flag=true kind=two seed=7 times=-2 word=one", func(o *shapeOptions) bool {
			return o.flag && o.times == -2 && o.seed == 7 && o.label == "x" && o.kind == 2 && o.word == 1 && o.names == nil && o.hidden == 5
		}},
		{"flag=0 times=0x10 seed=4294967295 label={a b} kind=one word=two names=p,q names=r",
			"flag=false kind=one label={a b} names=p,q,r seed=4294967295 times=16 word=two", func(o *shapeOptions) bool {
				return !o.flag && o.times == 16 && o.seed == 1<<32-1 && o.label == "a b" && o.kind == 1 && o.word == 2 && strings.Join(o.names, " ") == "p q r"
			}},
		{"names= label=x flag", "flag=true kind=two names= seed=7 times=-2 word=one", func(o *shapeOptions) bool { return len(o.names) == 1 }},
		{"word=three word=two", "flag=true kind=two seed=7 times=-2 word=two", func(o *shapeOptions) bool { return o.word == 2 }},
	} {
		m, err := r.ParsePipeline("any(shape{" + c.text + "})")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			seen = nil
			if got, want := m.String(), "any(shape{"+c.want+"})"; got != want {
				t.Errorf("%s is\n%s\nnot\n%s", c.text, got, want)
			}
			if err := (&pass.Runner{}).Run(m, program(0)); err != nil || len(seen) != 1 || !c.check(&seen[0]) {
				t.Errorf("%s: error %v, options %+v", c.text, err, seen)
			}
			if report := m.StatisticsReport(false); !strings.Contains(report, "(S) 1 measured") {
				t.Errorf("counted\n%s", report)
			}
			m = m.Clone()
		}
	}
}

// What a program sets needs no option, and is kept in copies.
func TestWith(t *testing.T) {
	var seen []shapeOptions
	m := pass.NewManager(pass.AnyOp)
	m.AddNested(shape(&seen).With(func(o *shapeOptions) { o.hidden, o.word = 9, 2 }))
	m = m.Clone()
	if err := (&pass.Runner{}).Run(m, program(0)); err != nil || len(seen) != 1 || seen[0].hidden != 9 || seen[0].word != 2 {
		t.Errorf("error %v, options %+v", err, seen)
	}
	if want := "any(shape{flag=true kind=two seed=7 times=-2 word=two})"; m.String() != want {
		t.Errorf("it is %s", m)
	}
}

// Options that don't fit together are the pass's error, when it is its turn.
func TestCheck(t *testing.T) {
	var seen []shapeOptions
	for pipeline, want := range map[string]string{
		"builtin.module(anything,shape{word=three},anything)": "error: what is 'three'?\n",
		"builtin.module(func.func(fail-odd),shape{word=})":    "error: odd f1\n",
		"builtin.module(shape{word=})":                        "error: what is ''?\n",
	} {
		out, err := run(t, registry(shape(&seen).Pass), &pass.Runner{}, pipeline, program(2))
		if err == nil || out != want || len(seen) > 0 {
			t.Errorf("%s: error %v\n%s", pipeline, err, out)
		}
		m, _ := registry(shape(&seen).Pass).ParsePipeline(pipeline)
		if c := m.Clone(); c.String() != m.String() {
			t.Errorf("the copy of %s is %s", m, c)
		}
	}
}

// An option may have another default in a version of LLVM, which holds for pipelines that a registry for that version reads.
func TestDefaultsOfVersions(t *testing.T) {
	type options struct{ public bool }
	var seen []bool
	p := pass.New(pass.Info{Name: "publish", Title: "Publish"}, func(o *options, d *pass.Decl) {
		d.Bool(&o.public, "public", true, "").Since(21, "false")
	}, pass.OnModule(func(_ *pass.Context, o *options, _ *ir.Op) error {
		seen = append(seen, o.public)
		return nil
	}))
	for _, tt := range []struct {
		llvm     int
		pipeline string
		want     bool
	}{{0, "publish", true}, {20, "publish", true}, {21, "publish", false}, {22, "publish", false}, {22, "publish{public=true}", true}} {
		r := &pass.Registry{LLVM: tt.llvm}
		r.Register(p)
		m, err := r.ParsePipeline("any(" + tt.pipeline + ")")
		if err != nil {
			t.Fatal(err)
		}
		seen = nil
		if err := new(pass.Runner).Run(m, program(0)); err != nil || len(seen) != 1 || seen[0] != tt.want {
			t.Errorf("%s with LLVM %d: %v, %v; want %v", tt.pipeline, tt.llvm, seen, err, tt.want)
		}
	}
}
