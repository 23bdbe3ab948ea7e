package ir

import "strings"

// verifyPlan is what the verifier works out once for each definition.
type verifyPlan struct {
	operands, results, regions, successors count
	operandSizes, resultSizes              int   // attributes with the group sizes, or -1
	innerSizes                             []int // per operand group: attribute of the inner sizes, or -1
	rules                                  []rulePlan
	iface, ifaceRegions                    []func(op *Op) error
	inferred                               bool // result types can be inferred and are compared
	// alone tells that what the definition checks itself, if anything, depends on the operation alone; anywhere, that nothing depends on where it is,
	// and on what its attributes refer to.
	alone, anywhere bool
}

// count is how many values, regions or successors there must be.
type count struct {
	fixed    int // that many, or at least that many
	variadic int // position of the first variable group, or -1
}

// typeRef names a group whose types a rule relates.
type typeRef struct {
	kind  refKind
	index int
	each  bool // each type of the group by itself
	opt   bool // the group may be absent
}

type refKind uint8

const (
	operandRef refKind = iota
	resultRef
	attrRef
)

type rulePlan struct {
	rule     *TypeRule
	same     []typeRef
	from, to typeRef
}

func (n *OpName) verifyPlan() *verifyPlan {
	p := n.plan.Load()
	if p == nil {
		p = newVerifyPlan(n.def, n.models.list)
		n.plan.Store(p)
	}
	return p
}

func newVerifyPlan(def *OpDef, models []Model) *verifyPlan {
	p := &verifyPlan{operandSizes: -1, resultSizes: -1}
	if def.Traits.Has(TraitAttrSizedOperandSegments) {
		p.operandSizes = def.AttrIndex(OperandSegmentsAttr)
	}
	if def.Traits.Has(TraitAttrSizedResultSegments) {
		p.resultSizes = def.AttrIndex(ResultSegmentsAttr)
	}
	p.operands.variadic, p.results.variadic, p.regions.variadic, p.successors.variadic = -1, -1, -1, -1
	p.innerSizes = make([]int, len(def.Operands))
	for i := range def.Operands {
		p.operands.add(i, def.Operands[i].Arity != One)
		p.innerSizes[i] = -1
		if s := def.Operands[i].Segments; s != "" {
			p.innerSizes[i] = def.AttrIndex(s)
		}
	}
	for i := range def.Results {
		p.results.add(i, def.Results[i].Arity != One)
	}
	for i := range def.Regions {
		p.regions.add(i, def.Regions[i].Variadic)
	}
	for i := range def.Successors {
		p.successors.add(i, def.Successors[i].Variadic)
	}
	for i := range def.TypeRules {
		r := &def.TypeRules[i]
		rp := rulePlan{rule: r}
		for _, n := range r.Same {
			if ref, ok := findRef(def, n); ok {
				rp.same = append(rp.same, ref)
			}
		}
		if r.Transforms() || r.TransformList != nil || r.Repeat != nil {
			from, ok := findRef(def, r.From)
			to, ok2 := findRef(def, r.To)
			if !ok || !ok2 {
				continue
			}
			rp.from, rp.to = from, to
		}
		p.rules = append(p.rules, rp)
	}
	for _, m := range models {
		v, vr := m.of.verifiers(m.impl)
		if v != nil {
			p.iface = append(p.iface, v)
		}
		if vr != nil {
			p.ifaceRegions = append(p.ifaceRegions, vr)
		}
	}
	p.inferred = def.InferTypes != nil
	p.alone = def.VerifyAlone || len(p.iface)+len(p.ifaceRegions) == 0 && def.Verify == nil && def.VerifyRegions == nil
	p.anywhere = len(def.Parents) == 0 && def.Traits&(TraitTerminator|TraitSymbol|TraitOptionalSymbol) == 0 && def.VerifySymbolUses == nil
	return p
}

func (c *count) add(i int, variadic bool) {
	if !variadic {
		c.fixed++
	} else if c.variadic < 0 {
		c.variadic = i
	}
}

func findRef(def *OpDef, name string) (typeRef, bool) {
	bare, each := strings.CutPrefix(name, "$")
	if i := def.OperandIndex(bare); i >= 0 {
		return typeRef{operandRef, i, each, def.Operands[i].Arity == Optional}, true
	}
	if i := def.ResultIndex(bare); i >= 0 {
		return typeRef{resultRef, i, each, def.Results[i].Arity == Optional}, true
	}
	if i := def.AttrIndex(bare); i >= 0 {
		return typeRef{attrRef, i, each, def.Attrs[i].Optional}, true
	}
	return typeRef{}, false
}

// typeList is the types of a group.
type typeList struct {
	operands Operands
	results  Results
	attr     Type
	single   bool // the type of an attribute
}

func (l *typeList) len() int {
	if l.single {
		return 1
	}
	return len(l.operands) + len(l.results)
}

func (l *typeList) at(i int) Type {
	switch {
	case l.single:
		return l.attr
	case len(l.operands) > 0:
		return l.operands[i].value.typ
	}
	return l.results[i].typ
}

// types returns the types of the group.
func (r typeRef) types(op *Op) typeList {
	switch r.kind {
	case operandRef:
		return typeList{operands: op.OperandGroup(r.index)}
	case resultRef:
		return typeList{results: op.ResultGroup(r.index)}
	}
	if a := op.Prop(r.index); a != nil {
		return typeList{attr: TypeOfAttr(a), single: true}
	}
	return typeList{}
}

func (p *rulePlan) holds(op *Op) bool {
	if p.rule.Check != nil && !p.rule.Check(op) {
		return false
	}
	if p.rule.Repeat != nil {
		from, to := p.from.types(op), p.to.types(op)
		t, n := p.rule.Repeat(from.at(0))
		if int64(to.len()) != n {
			return false
		}
		for i := range to.len() {
			if to.at(i) != t {
				return false
			}
		}
		return true
	}
	if p.rule.TransformList != nil {
		from, to := p.from.types(op), p.to.types(op)
		n, m := from.len(), to.len()
		if n != 1 {
			return n == 0 && m == 0
		}
		types := p.rule.TransformList(from.at(0))
		for i := 0; i < m && len(types) == m; i++ {
			if types[i] != to.at(i) {
				return false
			}
		}
		return len(types) == m
	}
	if p.rule.Transforms() {
		from, to := p.from.types(op), p.to.types(op)
		n, m := from.len(), to.len()
		if n == 0 && p.from.opt || m == 0 && p.to.opt {
			return true
		}
		if n != m && n != 1 && m != 1 {
			return false
		}
		if n == 0 || m == 0 {
			return n == m
		}
		for i := range max(n, m) {
			a, b := from.at(min(i, n-1)), to.at(min(i, m-1))
			if p.rule.Apply(op.Context(), a) != b && (p.rule.Related == nil || !p.rule.Related(a, b)) {
				return false
			}
		}
		return true
	}
	return p.sameHolds(op)
}

func (p *rulePlan) sameHolds(op *Op) bool {
	first := -1
	var firstTypes typeList
	for _, ref := range p.same {
		types := ref.types(op)
		n := types.len()
		if ref.each {
			// The types of the group are equal to one another, too.
			for i := 1; i < n; i++ {
				if types.at(i) != types.at(0) {
					return false
				}
			}
			n = min(n, 1)
			if n == 0 {
				continue
			}
		}
		if n == 0 && ref.opt {
			continue
		}
		if first < 0 {
			first, firstTypes = n, types
			continue
		}
		if n != first && n != 1 && first != 1 {
			return false
		}
		if n == 0 || first == 0 {
			if n != first {
				return false
			}
			continue
		}
		for i := range max(n, first) {
			if types.at(min(i, n-1)) != firstTypes.at(min(i, first-1)) {
				return false
			}
		}
	}
	return true
}
