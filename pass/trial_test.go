package pass_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// The trials of a pass with options give them values that they can have.
func TestTrialsVaryOptions(t *testing.T) {
	r := &pass.Registry{}
	nothing := func(*pass.Context, *ir.Op) error { return nil }
	r.Register(&pass.Pass{Name: "plain", Run: nothing, Options: []pass.Option{pass.String("text", "", "")}},
		&pass.Pass{Name: "varied", On: "func.func", Run: nothing, Options: []pass.Option{
			pass.Bool("yes", true, ""), pass.Int("some", 1, ""), pass.List("words", ""), pass.String("how", "fast", "").Among("fast", "well"),
			pass.Enum("which", "b", "", pass.Case{Name: "a"}, pass.Case{Name: "b"}),
		}})
	trials := r.Trials()
	if len(trials) != 4 || trials[0].Vary != nil || trials[3].Vary == nil {
		t.Fatalf("the trials are %+v", trials)
	}
	if text := trials[1].Vary(func(int) int { return 0 }); text != "builtin.module(func.func(plain))" {
		t.Errorf("on functions, the pipeline is %s", text)
	}
	rnd, seen := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
	for range 200 {
		text := trials[3].Vary(rnd.IntN)
		if _, err := r.ParsePipeline(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, w := range strings.Fields(strings.TrimSuffix(strings.TrimPrefix(text, "builtin.module(func.func(varied{"), "}))")) {
			seen[w] = true
		}
	}
	for _, w := range []string{"yes=false", "some=0", "some=2", "which=a", "words=main", "how=well"} {
		if !seen[w] {
			t.Errorf("%s is never tried", w)
		}
		delete(seen, w)
	}
	for w := range seen {
		if !strings.HasPrefix(w, "words=") {
			t.Errorf("%s is no other value", w)
		}
	}
}
