package campaign_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/internal/testing/campaign"
	"freehold/ir"
	"freehold/pass"
)

type variedOptions struct {
	yes              bool
	some, how, which int
	words            []string
}

// idle is the body of a pass that does nothing.
func idle[O any]() pass.Body[O] {
	return pass.OnModule(func(*pass.Context, *O, *ir.Op) error { return nil })
}

// The trials of a pass with options give them values that they can have.
func TestTrialsVaryOptions(t *testing.T) {
	r := &pass.Registry{}
	r.Register(pass.New(pass.Info{Name: "plain"}, func(o *struct{ text string }, d *pass.Decl) {
		d.String(&o.text, "text", "", "")
	}, idle[struct{ text string }]()),
		pass.New(pass.Info{Name: "varied", On: "func.func"}, func(o *variedOptions, d *pass.Decl) {
			d.Bool(&o.yes, "yes", true, "")
			d.Int(&o.some, "some", 1, "")
			d.Strings(&o.words, "words", "")
			pass.Words(d, &o.how, "how", 0, "", pass.Choice[int]{Name: "fast", Value: 0}, pass.Choice[int]{Name: "well", Value: 1})
			pass.Enum(d, &o.which, "which", 1, "", pass.Choice[int]{Name: "a", Value: 0}, pass.Choice[int]{Name: "b", Value: 1})
		}, idle[variedOptions]()))
	trials := campaign.Trials(r)
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
