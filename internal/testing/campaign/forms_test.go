package campaign

import (
	"errors"
	"flag"
	"testing"

	"freehold/compile"
	"freehold/internal/testing/models"
	"freehold/internal/testing/twin"
	"freehold/ir"
	"freehold/pass"
	"freehold/transform"
)

var allForms = flag.Bool("forms", false, "try all forms of all networks, not one in three")

// uneven are the forms that need less than the network as it is: what is left to do.
var uneven = map[string]bool{"suppression while": true}

// Networks need the same memory once they are compiled, however they are written.
func TestForms(t *testing.T) {
	var registry pass.Registry
	transform.Register(&registry)
	tried := 0
	for i, n := range models.All() {
		module, err := parse([]byte(n.Source()))
		if err != nil {
			t.Fatal(err)
		}
		own := compiledForm(t, &registry, ir.CloneDetached(module))
		for k, x := range twin.All() {
			if !*allForms && (i+k)%3 > 0 {
				continue
			}
			other := ir.CloneDetached(module)
			if changes, err := x.Rewrite(&registry, other, chooser(uint64(i))); errors.Is(err, twin.ErrNone) || changes == 0 {
				continue
			}
			tried++
			if got := compiledForm(t, &registry, other); got != own && !(uneven[n.Name+" "+x.Name] && got.PeakBytes <= own.PeakBytes) {
				t.Errorf("%s, %s: %d bytes and %d copies instead of %d and %d", n.Name, x.Name, got.PeakBytes, got.Copies, own.PeakBytes, own.Copies)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d forms were tried", tried)
	}
}

// compiledForm compiles a module and returns its peak and copies.
func compiledForm(t *testing.T, registry *pass.Registry, module *ir.Op) Measures {
	t.Helper()
	c := compile.Compiler{Registry: registry, Unchecked: true}
	out, err := c.Compile(module)
	if err != nil {
		t.Fatal(err)
	}
	return Measures{PeakBytes: out.After.Peak.Bytes, Copies: int64(out.After.Copies)}
}

// A form that needs other memory is a failure of the campaign if it is asked for, and is counted anyway.
func TestFormsThatDiffer(t *testing.T) {
	same := TwinMeasures{"shared", Measures{PeakBytes: 1000, Copies: 2}, Measures{PeakBytes: 1010, Copies: 2}}
	more := TwinMeasures{"shared", Measures{PeakBytes: 1000, Copies: 2}, Measures{PeakBytes: 1011, Copies: 2}}
	less := TwinMeasures{"shared", Measures{PeakBytes: 1000, Copies: 2}, Measures{PeakBytes: 1000, Copies: 1}}
	if got := same.differ(); got != "" {
		t.Errorf("a hundredth more is no difference: %s", got)
	}
	if got := less.differ(); got != "1000 bytes and 1 copies instead of 1000 and 2" {
		t.Error(got)
	}
	var r, other Report
	r.Add(Outcome{Twin: &same})
	r.Add(Outcome{Twin: &more})
	other.Add(Outcome{Twin: &less})
	if err := r.Merge(&other); err != nil {
		t.Fatal(err)
	}
	if got, want := *r.Forms["shared"], (FormCount{Programs: 3, Same: 1, Less: 1, More: 1}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}
