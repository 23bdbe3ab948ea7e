package conversion

import "freehold/ir"

// Legality is what a target says about an operation.
type Legality uint8

// The legalities. Operations of unknown legality may stay in a partial conversion,
// but patterns must not create them.
const (
	Unknown Legality = iota
	Legal
	Illegal
)

// Legalized returns Legal or Illegal.
func Legalized(legal bool) Legality {
	if legal {
		return Legal
	}
	return Illegal
}

// rule is what a target says about the operations of a definition or dialect.
type rule struct {
	static  Legality
	dynamic []func(op *ir.Op) Legality // the last that knows decides
}

func (r *rule) of(op *ir.Op) Legality {
	for i := len(r.dynamic) - 1; i >= 0; i-- {
		if l := r.dynamic[i](op); l != Unknown {
			return l
		}
	}
	return r.static
}

// Target says which operations are legal. What is said about an operation comes
// before what is said about its dialect, and that before what is said about all
// others. A target is not changed while it is used, and may be used by several
// goroutines then.
type Target struct {
	ops       map[*ir.OpID]*rule
	dialects  map[string]*rule
	others    rule
	recursive map[*ir.OpID][]func(op *ir.Op) Legality
}

// NewTarget returns a target that knows nothing to be legal or illegal.
func NewTarget() *Target {
	return &Target{ops: map[*ir.OpID]*rule{}, dialects: map[string]*rule{}, recursive: map[*ir.OpID][]func(*ir.Op) Legality{}}
}

// Legal makes operations legal.
func (t *Target) Legal(ids ...*ir.OpID) {
	for _, id := range ids {
		t.ops[id] = &rule{static: Legal}
	}
}

// Illegal makes operations illegal.
func (t *Target) Illegal(ids ...*ir.OpID) {
	for _, id := range ids {
		t.ops[id] = &rule{static: Illegal}
	}
}

// Dynamic lets legal decide about operations. Of several functions for one
// the last that doesn't return Unknown counts.
func (t *Target) Dynamic(legal func(op *ir.Op) Legality, ids ...*ir.OpID) {
	for _, id := range ids {
		add(t.ops, id, legal)
	}
}

func add[K comparable](rules map[K]*rule, k K, legal func(op *ir.Op) Legality) {
	r := rules[k]
	if r == nil || r.static != Unknown {
		r = &rule{}
		rules[k] = r
	}
	r.dynamic = append(r.dynamic, legal)
}

// LegalDialects makes the operations of dialects legal.
func (t *Target) LegalDialects(names ...string) {
	for _, n := range names {
		t.dialects[n] = &rule{static: Legal}
	}
}

// IllegalDialects makes the operations of dialects illegal.
func (t *Target) IllegalDialects(names ...string) {
	for _, n := range names {
		t.dialects[n] = &rule{static: Illegal}
	}
}

// DynamicOthers lets legal decide about all operations about which nothing else is
// said, unregistered ones included.
func (t *Target) DynamicOthers(legal func(op *ir.Op) Legality) {
	t.others.dynamic = append(t.others.dynamic, legal)
}

// Recursive makes everything in operations that are legal legal too. If legal is not
// nil, it says for which operations that is so.
func (t *Target) Recursive(legal func(op *ir.Op) Legality, ids ...*ir.OpID) {
	if legal == nil {
		legal = func(*ir.Op) Legality { return Legal }
	}
	for _, id := range ids {
		t.recursive[id] = append(t.recursive[id], legal)
	}
}

// Legality returns what the target says about an operation.
func (t *Target) Legality(op *ir.Op) Legality {
	if r := t.rule(op.ID(), dialectName(op)); r != nil {
		return r.of(op)
	}
	return Unknown
}

// IsRecursivelyLegal tells whether op is legal together with all that is in it.
func (t *Target) IsRecursivelyLegal(op *ir.Op) bool {
	rules := t.recursive[op.ID()]
	if len(rules) == 0 || t.Legality(op) != Legal {
		return false
	}
	return (&rule{dynamic: rules}).of(op) == Legal
}

// mayBeLegal tells whether operations are legal, always or under
// conditions.
func (t *Target) mayBeLegal(id *ir.OpID) (may, always bool) {
	r := t.rule(id, prefix(id.String()))
	if r == nil {
		return false, false
	}
	always = r.static == Legal && len(r.dynamic) == 0
	return always || len(r.dynamic) > 0, always
}

func (t *Target) rule(id *ir.OpID, dialect string) *rule {
	if r := t.ops[id]; r != nil {
		return r
	}
	if r := t.dialects[dialect]; r != nil {
		return r
	}
	if len(t.others.dynamic) > 0 {
		return &t.others
	}
	return nil
}

func dialectName(op *ir.Op) string {
	if d := op.Dialect(); d != nil {
		return d.Name
	}
	return prefix(op.Name())
}

func prefix(name string) string {
	for i := range len(name) {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return name
}
