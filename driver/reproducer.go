package driver

import (
	"fmt"
	"slices"

	"freehold/ir/asm"
	"freehold/pass"
)

// reproducerGroup is the resource that holds the pipeline to run on a program.
const reproducerGroup = "mlir_reproducer"

// reproducerKeys are the entries of that resource.
var reproducerKeys = map[string]asm.ResourceKind{
	"pipeline":          asm.StringResource,
	"disable_threading": asm.BoolResource,
	"verify_each":       asm.BoolResource,
}

// reproducerText prints the document as it is, with the pipeline to run on it.
func reproducerText(doc *asm.Document, pipeline string, disableThreading, verifyEach bool) []byte {
	var res asm.Resources
	if doc.Resources != nil {
		res.Dialect = doc.Resources.Dialect
		for _, g := range doc.Resources.External {
			if g.Name != reproducerGroup {
				res.External = append(res.External, g)
			}
		}
	}
	res.External = append(res.External, asm.ResourceGroup{Name: reproducerGroup, Entries: []asm.Resource{
		{Key: "pipeline", Kind: asm.StringResource, Text: pipeline},
		{Key: "disable_threading", Kind: asm.BoolResource, Bool: disableThreading},
		{Key: "verify_each", Kind: asm.BoolResource, Bool: verifyEach},
	}})
	return textOf(&asm.Document{Module: doc.Module, Resources: &res}, asm.PrintOptions{})
}

// reproduced takes the pipeline out of the document's resources and returns it, or m
// if they hold none, and whether to verify after each pass.
func (d *optDriver) reproduced(doc *asm.Document, m *pass.OpPassManager) (*pass.OpPassManager, bool, error) {
	verify := d.verifyEach
	if doc.Resources == nil {
		return m, verify, nil
	}
	for i, g := range doc.Resources.External {
		if g.Name != reproducerGroup {
			continue
		}
		doc.Resources.External = slices.Delete(slices.Clone(doc.Resources.External), i, i+1)
		for _, e := range g.Entries {
			kind, known := reproducerKeys[e.Key]
			if !known {
				return nil, verify, fmt.Errorf("unknown 'mlir_reproducer' resource key '%s'", e.Key)
			}
			if e.Kind != kind {
				return nil, verify, fmt.Errorf("expected %s value for key '%s'", kind, e.Key)
			}
			switch e.Key {
			case "verify_each":
				verify = e.Bool
			case "disable_threading":
				d.disableThreads = d.disableThreads || e.Bool
			case "pipeline":
				r, err := d.reg.ParsePipeline(e.Text)
				if err != nil {
					return nil, verify, err
				}
				m = r
			}
		}
		break
	}
	return m, verify, nil
}
