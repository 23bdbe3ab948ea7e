package ir

import (
	"fmt"
	"strings"
)

// CheckDialect returns what is wrong with the definitions of a dialect, in their order:
// names that are missing, taken or of another dialect, type rules and traits about groups
// and attributes that aren't declared, and interfaces that are implemented twice. It is for
// tests of dialects: registration itself panics, but looks only for what it sees in
// passing. asm.CheckDialect checks the assembly formats, too. Linear time.
func CheckDialect(d *Dialect) []error {
	c := &dialectChecker{where: fmt.Sprintf("dialect %q", d.Name)}
	if d.Name == "" || strings.ContainsAny(d.Name, ". ") {
		c.errorf("the name must be a word without dots")
	}
	c.models(d.Models)
	types := map[string]bool{}
	for _, t := range d.Types {
		c.where = fmt.Sprintf("type %q", d.Name+"."+t.Mnemonic)
		c.name(t.Mnemonic, types, "it is defined twice")
		c.models(t.Models)
	}
	ops := map[string]bool{}
	for i, def := range d.OpDefs() {
		c.where = fmt.Sprintf("dialect %q: operation %d", d.Name, i)
		if def == nil || def.ID == nil {
			c.errorf("it has no identity")
			continue
		}
		c.where = fmt.Sprintf("operation %q", def.ID.name)
		if !d.owns(def.ID) {
			c.errorf("the name doesn't start with that of its dialect, %q", d.Name)
		}
		c.name(def.ID.name, ops, "it is defined twice")
		c.definition(def)
	}
	return c.errs
}

// owns tells whether an operation has the prefix of the dialect.
func (d *Dialect) owns(id *OpID) bool {
	n := len(d.Name)
	return len(id.name) > n+1 && id.name[n] == '.' && id.name[:n] == d.Name
}

// dialectChecker collects what is wrong.
type dialectChecker struct {
	where string // what is checked
	errs  []error
}

func (c *dialectChecker) errorf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(c.where+": "+format, args...))
}

// name checks that a name is there, and isn't among those that were seen.
func (c *dialectChecker) name(name string, seen map[string]bool, taken string) {
	switch {
	case name == "":
		c.errorf("a name is empty")
	case seen[name]:
		c.errorf("%s", taken)
	}
	seen[name] = true
}

// group is name for groups of operands and results, which need no name.
func (c *dialectChecker) group(name string, seen map[string]bool, taken string) {
	if name != "" {
		c.name(name, seen, taken)
	}
}

func (c *dialectChecker) models(models []Model) {
	seen := map[int]bool{}
	for i, m := range models {
		switch {
		case m.of == nil:
			c.errorf("model %d is of no interface", i)
			continue
		case seen[m.of.id()]:
			c.errorf("%s is implemented twice", m.of.Name())
		}
		seen[m.of.id()] = true
	}
}

// revisions checks that revisions are of later versions than the definition, in order.
func (c *dialectChecker) revisions(verify func(*Op) error, list []Revision) {
	last := DefinedBy
	for _, r := range list {
		if r.Since <= last {
			c.errorf("a revision is of LLVM %d, which isn't later than %d", r.Since, last)
		}
		last = r.Since
		if r.Evident && (r.Verify == nil || verify == nil) {
			c.errorf("a revision of LLVM %d is evident, but doesn't change what is verified", r.Since)
		}
		c.models(r.Models)
	}
}

func (c *dialectChecker) definition(def *OpDef) {
	c.models(def.Models)
	c.revisions(def.Verify, def.Revisions)
	groups := map[string]bool{}
	for _, o := range def.Operands {
		c.group(o.Name, groups, fmt.Sprintf("two operands are called %q", o.Name))
		if o.Segments != "" && def.AttrIndex(o.Segments) < 0 {
			c.errorf("operand %q: the attribute %q with the sizes of its lists is not declared", o.Name, o.Segments)
		}
	}
	groups = map[string]bool{}
	for _, r := range def.Results {
		c.group(r.Name, groups, fmt.Sprintf("two results are called %q", r.Name))
	}
	attrs := map[string]bool{}
	for _, a := range def.Attrs {
		c.name(a.Name, attrs, fmt.Sprintf("two attributes are called %q", a.Name))
	}
	for _, s := range []struct {
		trait Traits
		name  string
	}{{TraitAttrSizedOperandSegments, OperandSegmentsAttr}, {TraitAttrSizedResultSegments, ResultSegmentsAttr}} {
		if def.Traits.Has(s.trait) && !attrs[s.name] {
			c.errorf("the attribute %q with the sizes of groups is not declared", s.name)
		}
	}
	if def.Traits.Has(TraitConstantLike) && (len(def.Operands) > 0 || len(def.Results) != 1 || len(def.Attrs) == 0) {
		c.errorf("a constant must have no operands, one result, and an attribute that is its value")
	}
	for i := range def.TypeRules {
		c.rule(def, &def.TypeRules[i])
	}
}

// rule checks that a type rule relates groups that there are.
func (c *dialectChecker) rule(def *OpDef, r *TypeRule) {
	related := r.Transforms() || r.TransformList != nil || r.Repeat != nil
	names := r.Same
	if related || r.From != "" || r.To != "" {
		names = append(names[:len(names):len(names)], r.From, r.To)
	}
	for _, n := range names {
		if _, ok := findRef(def, n); !ok {
			c.errorf("a type rule is about %q, which is not declared (%s)", n, r.Summary)
		}
	}
	if !related && len(r.Same) == 0 && r.Check == nil {
		c.errorf("a type rule demands nothing (%s)", r.Summary)
	}
}
