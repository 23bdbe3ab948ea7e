package compile_test

import (
	"slices"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
)

// all returns options with all values that choose among steps.
func all() []compile.Options {
	var out []compile.Options
	for _, d := range compile.Deallocations() {
		for _, a := range compile.Arenas() {
			for _, drop := range []bool{false, true} {
				out = append(out, compile.Options{Deallocation: d, Arena: a, MaxMemory: int64(len(out)%2) * compile.LeastMemory, ExtraWork: 0.1, DropEquivalentResults: drop, KeepOrder: len(out)%5 == 0, StackBelow: len(out) % 3})
			}
		}
	}
	return out
}

// Each pipeline keeps the constraints on the order of its steps, and passes know all that it names.
func TestPipelinesKeepConstraints(t *testing.T) {
	passes := driver.Freehold().Registry()
	for _, o := range all() {
		steps := o.Steps()
		at := func(name string) int {
			return slices.IndexFunc(steps, func(s compile.Step) bool { return s.Name == name })
		}
		for _, s := range steps {
			if strings.TrimSpace(s.Why) == "" {
				t.Errorf("step %s has no reason", s.Name)
			}
			if n := strings.Count(o.Pipeline(), s.Passes); n == 0 {
				t.Errorf("the pipeline of %+v lacks %s", o, s.Passes)
			}
		}
		for _, c := range compile.Constraints() {
			if i, j := at(c.First), at(c.Then); i >= 0 && j >= 0 && i > j {
				t.Errorf("%+v: %s comes after %s, but %s", o, c.First, c.Then, c.Why)
			}
		}
		if _, err := passes.ParsePipeline(o.Pipeline()); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A constraint that no pipeline tries would be no constraint.
func TestConstraintsMatter(t *testing.T) {
	for _, c := range compile.Constraints() {
		if !slices.ContainsFunc(all(), func(o compile.Options) bool {
			names := map[string]bool{}
			for _, s := range o.Steps() {
				names[s.Name] = true
			}
			return names[c.First] && names[c.Then]
		}) {
			t.Errorf("no pipeline has %s and %s", c.First, c.Then)
		}
	}
}

// What options say is in the pipeline.
func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		o    compile.Options
		has  string
		want bool
	}{
		{compile.Options{}, "plan-memory,", true},
		{compile.Options{Arena: compile.GlobalArena, StackBelow: 64}, "plan-memory{arena=global stack-below=64}", true},
		{compile.Options{Arena: compile.NoArena}, "plan-memory", false},
		{compile.Options{Deallocation: compile.MLIR}, "plan-memory", false},
		{compile.Options{Deallocation: compile.MLIR}, "mlir-version=22", false},
		{compile.Options{Deallocation: compile.HLO}, "hlo-deallocation-pipeline", true},
		{compile.Options{Deallocation: compile.Clone}, "buffer-deallocation{function-boundaries}", true},
		{compile.Options{DropEquivalentResults: true}, "drop-equivalent-buffer-results,", true},
		{compile.Options{}, "drop-equivalent-buffer-results,", false},
	} {
		if got := strings.Contains(tt.o.Pipeline(), tt.has); got != tt.want {
			t.Errorf("%+v: that the pipeline has %q is %v: %s", tt.o, tt.has, got, tt.o.Pipeline())
		}
	}
}
