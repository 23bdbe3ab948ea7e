package campaign_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/dialect/arith"
	"freehold/internal/testing/campaign"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/pass"
	"freehold/transform"
)

var programs = flag.Uint64("programs", 4, "the number of random programs that registered pipelines run on")

// simple returns a pass without options.
func simple(name string, run func(c *pass.Context, op *ir.Op) error) *pass.Pass {
	return pass.New(pass.Info{Name: name}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return run(c, op) })).Pass
}

// dropWrites is a planted bug.
func dropWrites(_ *pass.Context, op *ir.Op) error {
	erase(op, "memref.copy")
	return nil
}

// broken are passes with planted bugs, and the kinds of failures that each may be
// found as.
var broken = []struct {
	pass *pass.Pass
	// before are passes that come first, for programs of a generator.
	before, generator string
	kinds             []string
}{
	{simple("drop-frees", func(_ *pass.Context, op *ir.Op) error {
		erase(op, "memref.dealloc")
		return nil
	}), "buffer-deallocation-pipeline,", "buffers", []string{"finding"}},
	{simple("drop-writes", dropWrites), "buffer-deallocation-pipeline,", "buffers", []string{"finding", "mismatch"}}, // what isn't written is read, or is a result
	{simple("crash", func(*pass.Context, *ir.Op) error { panic("planted") }), "", "buffers", []string{"panic"}},
	{simple("refuse", func(_ *pass.Context, op *ir.Op) error { return op.PlainErrorf("planted") }), "", "buffers", []string{"rejected"}},
	{simple("drop-prints", func(_ *pass.Context, op *ir.Op) error {
		erase(op, "vector.print")
		return nil
	}), "", "corners", []string{"mismatch"}},
}

// generators returns the one of a name.
func generators(name string) []irgen.Generator {
	return slices.DeleteFunc(slices.Clone(irgen.Generators), func(g irgen.Generator) bool { return g.Name != name })
}

func erase(root *ir.Op, name string) {
	var ops []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if op.Name() == name {
			ops = append(ops, op)
		}
		return true
	})
	for _, op := range ops {
		op.Erase()
	}
}

func run(t *testing.T, o campaign.Options) (all campaign.Report) {
	t.Helper()
	o.Inputs, o.Jobs, o.Seed = 2, 2, 1
	o.Done = all.Add
	campaign.Run(context.Background(), o)
	return all
}

func TestPlantedBugs(t *testing.T) {
	for _, b := range broken {
		r := &pass.Registry{}
		transform.Register(r)
		r.Register(b.pass)
		rep := run(t, campaign.Options{Registry: r, Generators: generators(b.generator), Programs: 16, Size: 20, Shrink: 200,
			Trials: []campaign.Trial{{Pipeline: "builtin.module(" + b.before + b.pass.Name + ")", Frees: b.before != ""}}})
		if len(rep.Failures) == 0 {
			t.Errorf("%s is not found", b.pass.Name)
			continue
		}
		for _, f := range rep.Failures {
			if !slices.Contains(b.kinds, f.Kind) {
				t.Errorf("%s is a failure of kind %s: %s", b.pass.Name, f.Kind, f.Message)
			}
			if n := strings.Count(f.Program, "\n"); n > 40 {
				t.Errorf("%s: %d lines are left:\n%s", b.pass.Name, n, f.Program)
			}
		}
	}
}

// Every pipeline that is registered means the same before and after.
func TestRegisteredPipelines(t *testing.T) {
	r := &pass.Registry{}
	transform.Register(r)
	rep := run(t, campaign.Options{Registry: r, Generators: irgen.Generators, Trials: campaign.Trials(r), Programs: *programs, Size: 20, Shrink: 200})
	for _, f := range rep.Failures {
		t.Errorf("program %d, %s: %s: %s\n%s", f.Seed, f.Pipeline, f.Kind, f.Message, f.Program)
	}
}

func TestMerge(t *testing.T) {
	part := func(seed, n uint64) *campaign.Report {
		r := &campaign.Report{Seconds: 1}
		for i := range n {
			r.Add(campaign.Outcome{Seed: seed + i, Generator: "buffers", Runs: 2, Failures: []campaign.Failure{{Seed: seed + i}}})
			if err := r.Extend(campaign.Range{Seed: seed + i, Programs: 1}); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	all := part(10, 5)
	if err := all.Merge(part(1, 9)); err != nil {
		t.Fatal(err)
	}
	if err := all.Merge(part(20, 2)); err != nil {
		t.Fatal(err)
	}
	if len(all.Ranges) != 2 || all.Ranges[0] != (campaign.Range{Seed: 1, Programs: 14}) || all.Ranges[1] != (campaign.Range{Seed: 20, Programs: 2}) {
		t.Errorf("ranges are %v", all.Ranges)
	}
	if all.Programs() != 16 || len(all.Failures) != 16 || all.Failures[0].Seed != 1 || all.Seconds != 3 {
		t.Errorf("%d programs, %d failures", all.Programs(), len(all.Failures))
	}
	if err := all.Merge(part(14, 1)); err == nil || err.Error() != "program 14 counts twice" {
		t.Errorf("the error is %v", err)
	}
	var b strings.Builder
	all.Print(&b)
	if !strings.HasSuffix(b.String(), "\n16 programs, 16 failures\n") {
		t.Errorf("the table is\n%s", b.String())
	}
}

// A campaign that stops at the first failure has one.
func TestFailFast(t *testing.T) {
	r := &pass.Registry{}
	transform.Register(r)
	r.Register(broken[2].pass)
	rep := run(t, campaign.Options{Registry: r, Generators: irgen.Generators, Programs: 1000, Size: 5, FailFast: true,
		Trials: []campaign.Trial{{Pipeline: "builtin.module(crash)"}, {Pipeline: "builtin.module(crash,crash)"}}})
	// Two programs are tried at the same time.
	if n := len(rep.Failures); n < 1 || n > 3 || rep.Programs() > 5 {
		t.Errorf("%d failures after %d programs", n, rep.Programs())
	}
}

// Digests tell whether what is printed differs, in any part of a campaign.
func TestDigest(t *testing.T) {
	r := &pass.Registry{}
	transform.Register(r)
	r.Register(simple("drop-writes", dropWrites))
	digest := func(seed, programs uint64, pipeline string) uint64 {
		var all campaign.Report
		campaign.Run(context.Background(), campaign.Options{Registry: r, Generators: irgen.Generators[1:2], Seed: seed, Programs: programs,
			Size: 20, Inputs: 1, Trials: []campaign.Trial{{Pipeline: "builtin.module(" + pipeline + ")"}}, Done: all.Add})
		return all.Digest
	}
	if a, b := digest(1, 8, "cse"), digest(1, 3, "cse")+digest(4, 5, "cse"); a != b {
		t.Errorf("the digest is %x, those of the parts come to %x", a, b)
	}
	if digest(1, 8, "cse,drop-writes") == digest(1, 8, "cse") {
		t.Error("the digest doesn't change")
	}
}

// A baseline finds what is done without need, which no other oracle does, and failures
// that are known don't count.
func TestBaseline(t *testing.T) {
	try := func(work func(*pass.Context, *ir.Op) error, o campaign.Options) campaign.Report {
		r := &pass.Registry{}
		transform.Register(r)
		r.Register(simple("simplify", work))
		o.Registry, o.Generators, o.Programs, o.Size, o.Measure = r, irgen.Generators[1:2], 6, 20, true
		o.Trials = []campaign.Trial{{Pipeline: "builtin.module(simplify)"}}
		return run(t, o)
	}
	nothing := func(*pass.Context, *ir.Op) error { return nil }
	more := func(_ *pass.Context, op *ir.Op) error {
		for fn := range op.BodyBlock(0).Ops() {
			b := ir.NewBuilder(op.Context())
			b.SetStart(fn.BodyBlock(0))
			arith.ConstantIndex(b, 7)
		}
		return nil
	}
	before := try(nothing, campaign.Options{})
	after := try(more, campaign.Options{Baseline: before.Measures})
	if len(before.Failures) > 0 || len(after.Failures) == 0 || after.Failures[0].Kind != "worse" {
		t.Fatalf("the failures are %v", after.Failures)
	}
	if again := try(more, campaign.Options{Baseline: before.Measures, Known: after.Known()}); len(again.Failures) > 0 {
		t.Errorf("what is known fails: %v", again.Failures)
	}
}

// A peer that changes nothing agrees with a pass that changes nothing, and one that
// refuses all programs with a pass that does so for the same reason.
func TestPeerExact(t *testing.T) {
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "peer")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	same := script("cat")
	refuses := script(`in=$(cat)
if [ "$in" = "module {}" ] || [ $# = 0 ]; then echo "$in"; else echo "x:1:1: error: too hard" >&2; exit 1; fi`)
	knowsNothing := script(`cat >/dev/null; echo "error: MLIR Textual PassPipeline Parser:1:1: error: what" >&2; exit 1`)
	passes := map[string]func(*pass.Context, *ir.Op) error{
		"nothing": func(*pass.Context, *ir.Op) error { return nil },
		"more": func(_ *pass.Context, op *ir.Op) error {
			b := ir.NewBuilder(op.Context())
			b.SetStart(op.BodyBlock(0).First().BodyBlock(0))
			arith.ConstantIndex(b, 7)
			return nil
		},
		"hard": func(_ *pass.Context, op *ir.Op) error { return op.PlainErrorf("too hard") },
		"bad":  func(_ *pass.Context, op *ir.Op) error { return op.PlainErrorf("not good") },
	}
	for _, tt := range []struct{ peer, pass, want string }{
		{same, "nothing", ""},
		{same, "more", "its program differs: pure operations"},
		{same, "hard", "accepts what is refused: "},
		{refuses, "nothing", "refuses what is accepted: x:1:1: error: too hard"},
		{refuses, "hard", ""},
		{refuses, "bad", "refuses for another reason: too hard, not "},
		{knowsNothing, "hard", ""},
	} {
		r := &pass.Registry{}
		r.Register(simple("work", passes[tt.pass]))
		rep := run(t, campaign.Options{Registry: r, Generators: irgen.Generators[1:2], Programs: 2, Size: 10,
			Trials: []campaign.Trial{{Pipeline: "builtin.module(work)", MayReject: true}}, Peer: tt.peer, PeerExact: true})
		switch {
		case tt.want == "" && len(rep.Failures) > 0:
			t.Errorf("%s: %s", tt.pass, rep.Failures[0].Message)
		case tt.want != "" && (len(rep.Failures) != 2 || !strings.HasPrefix(rep.Failures[0].Message, tt.want)):
			t.Errorf("%s: the failures are %v, not %s", tt.pass, rep.Failures, tt.want)
		}
	}
}
