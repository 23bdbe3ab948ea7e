package asm

import (
	"slices"

	"freehold/ir"
)

// finish infers the types that the format doesn't spell, resolves the operands
// and fills the rest of the state.
func (x *formatParser) finish() error {
	s := x.s
	for i := range s.regions {
		if len(s.regions[i]) == 0 && !s.def.Regions[i].Variadic {
			s.regions[i] = []*ir.Region{{}}
		}
		s.Regions = append(s.Regions, s.regions[i]...)
	}
	for i := range s.succs {
		s.Successors = append(s.Successors, s.succs[i]...)
	}
	if x.infer(); x.typeErr != nil {
		return x.typeErr
	}
	if err := x.resolveOperands(); err != nil {
		return err
	}
	return x.resultTypes()
}

// infer finds types by the rules of the definition, until none applies any more.
func (x *formatParser) infer() {
	s := x.s
	c := x.p.Context()
	for i := range s.opnds {
		g := &s.opnds[i]
		if !g.typed && s.def.Operands[i].Type.Buildable != nil {
			x.setOperandType(i, s.def.Operands[i].Type.Buildable(c))
		}
		if len(g.ops) == 0 && !x.repeated(s.def.Operands[i].Name) {
			g.typed = true
		}
	}
	for i := range s.results {
		if !s.results[i].typed && !x.f.resultsTogether && s.def.Results[i].Type.Buildable != nil {
			x.setResultType(i, s.def.Results[i].Type.Buildable(c))
		}
	}
	// Each round that changes something types at least one more group.
	for range len(s.opnds) + len(s.results) + 1 {
		if x.inferred() {
			return
		}
		changed := false
		for i := range s.def.TypeRules {
			changed = x.apply(&s.def.TypeRules[i]) || changed
		}
		if s.def.Traits.Has(ir.TraitSameOperandsAndResultType) {
			changed = x.sameType(true) || changed
		} else if s.def.Traits.Has(ir.TraitSameTypeOperands) {
			changed = x.sameType(false) || changed
		}
		if !changed {
			return
		}
	}
}

func (x *formatParser) inferred() bool {
	for i := range x.s.opnds {
		if !x.s.opnds[i].typed {
			return false
		}
	}
	if x.f.resultsTogether {
		return true
	}
	for i := range x.s.results {
		if !x.s.results[i].typed {
			return false
		}
	}
	return true
}

// setOperandType gives all operands of a group one type.
func (x *formatParser) setOperandType(i int, t ir.Type) {
	g := &x.s.opnds[i]
	g.typed = true
	if len(g.ops) <= 1 {
		g.oneType[0] = t
		g.types = g.oneType[:len(g.ops)]
		return
	}
	g.types = make([]ir.Type, len(g.ops))
	for k := range g.types {
		g.types[k] = t
	}
}

// setResultType gives the result of a group of one a type. How many results other
// groups have can't be inferred.
func (x *formatParser) setResultType(i int, t ir.Type) bool {
	g := &x.s.results[i]
	if x.s.def.Results[i].Arity != ir.One {
		return false
	}
	g.oneType[0] = t
	g.types, g.typed = g.oneType[:], true
	return true
}

// known returns the first type of a group, or of an attribute, or nil.
func (x *formatParser) known(name string) ir.Type {
	name = groupName(name)
	if i := x.s.def.OperandIndex(name); i >= 0 {
		return firstType(x.s.opnds[i].types)
	}
	if i := x.s.def.ResultIndex(name); i >= 0 {
		if x.f.resultsTogether && i == 0 {
			return firstType(x.s.Types)
		}
		return firstType(x.s.results[i].types)
	}
	a := x.s.Attr(name)
	if t, ok := a.(*ir.TypeAttr); ok {
		return t.Type
	}
	if a == nil {
		return nil
	}
	return ir.TypeOfAttr(a)
}

func firstType(ts []ir.Type) ir.Type {
	if len(ts) == 0 {
		return nil
	}
	return ts[0]
}

func groupName(s string) string {
	if s != "" && s[0] == '$' {
		return s[1:]
	}
	return s
}

// assign gives a group a type if it has none yet.
func (x *formatParser) assign(name string, t ir.Type) bool {
	name = groupName(name)
	if i := x.s.def.OperandIndex(name); i >= 0 {
		if x.s.opnds[i].typed {
			return false
		}
		x.setOperandType(i, t)
		return true
	}
	if i := x.s.def.ResultIndex(name); i >= 0 && !x.f.resultsTogether && !x.s.results[i].typed {
		return x.setResultType(i, t)
	}
	return false
}

func (x *formatParser) apply(r *ir.TypeRule) (changed bool) {
	for _, from := range r.Same {
		t := x.known(from)
		if t == nil {
			continue
		}
		for _, to := range r.Same {
			changed = x.assign(to, t) || changed
		}
		break
	}
	if r.Transforms() {
		if t := x.known(r.From); t != nil {
			x.check(r.From, r.To)
			if u := r.Apply(x.p.Context(), t); u != nil {
				changed = x.assign(r.To, u) || changed
			}
		}
	}
	if r.TransformList != nil {
		if t := x.known(r.From); t != nil {
			changed = x.assignList(r.To, r.TransformList(t)) || changed
		}
	}
	if r.Repeat != nil {
		if t := x.known(r.From); t != nil {
			x.check(r.From, r.To)
			changed = x.repeat(r.To, r.Repeat, t) || changed
		}
	}
	return changed
}

// check records an error if the types of group from, from which those of group to
// are about to be inferred, don't satisfy their own constraint.
func (x *formatParser) check(from, to string) {
	if x.typeErr != nil || x.f.resultsTogether {
		return
	}
	from, to = groupName(from), groupName(to)
	def := x.s.def
	if i, j := def.OperandIndex(from), def.ResultIndex(to); i >= 0 && j >= 0 && !x.s.results[j].typed {
		x.checkTypes(from, &def.Operands[i].Type, x.s.opnds[i].types)
	}
	if i, j := def.ResultIndex(from), def.OperandIndex(to); i >= 0 && j >= 0 && !x.s.opnds[j].typed {
		x.checkTypes(from, &def.Results[i].Type, x.s.results[i].types)
	}
}

// checkTypes records an error if one of the types of a group doesn't satisfy the
// group's constraint.
func (x *formatParser) checkTypes(group string, c *ir.TypeConstraint, types []ir.Type) {
	for _, t := range types {
		if c.Match != nil && !c.Match(t) {
			x.typeErr = x.p.Errorf(x.p.NamePos(), "'%s' must be %s, but got '%s'", group, c.Summary, t.String())
			return
		}
	}
}

// assignList gives a variadic group its types if it has none yet.
func (x *formatParser) assignList(name string, ts []ir.Type) bool {
	name = groupName(name)
	if i := x.s.def.OperandIndex(name); i >= 0 {
		g := &x.s.opnds[i]
		// A group without operands counts as typed, but may be too small.
		if g.typed && (len(g.ops) > 0 || len(g.types) == len(ts)) {
			return false
		}
		g.types, g.typed = ts, true
		return true
	}
	if i := x.s.def.ResultIndex(name); i >= 0 && !x.f.resultsTogether && !x.s.results[i].typed {
		x.s.results[i].types, x.s.results[i].typed = ts, true
		return true
	}
	return false
}

// repeated tells whether a rule says how many values a group has.
func (x *formatParser) repeated(name string) bool {
	return slices.ContainsFunc(x.s.def.TypeRules, func(r ir.TypeRule) bool { return r.Repeat != nil && r.To == name })
}

// repeat gives the operands of a variadic group the type that rule says, if they
// are as many; or a group of results as many of that type.
func (x *formatParser) repeat(name string, rule func(ir.Type) (ir.Type, int64), from ir.Type) bool {
	if x.s.def.OperandIndex(groupName(name)) < 0 {
		t, n := rule(from)
		if n > maxNamed {
			x.typeErr = x.p.Errorf(x.p.NamePos(), "has %d results, more than the %d that are read", n, maxNamed)
			return false
		}
		return x.assignList(name, slices.Repeat([]ir.Type{t}, int(n)))
	}
	g := &x.s.opnds[x.s.def.OperandIndex(groupName(name))]
	if x.typeErr != nil || g.typed {
		return false
	}
	t, n := rule(from)
	if int64(len(g.ops)) != n {
		x.typeErr = x.p.miscounted(g.pos, len(g.ops), n)
		return false
	}
	g.types, g.typed = slices.Repeat([]ir.Type{t}, int(n)), true
	return true
}

// sameType spreads the first type that is known over all operands, and over the
// results if they take part.
func (x *formatParser) sameType(results bool) (changed bool) {
	var t ir.Type
	for i := range x.s.opnds {
		if t = firstType(x.s.opnds[i].types); t != nil {
			break
		}
	}
	if t == nil && results {
		t = firstType(x.s.Types)
		for i := range x.s.results {
			if t == nil {
				t = firstType(x.s.results[i].types)
			}
		}
	}
	if t == nil {
		return false
	}
	for i := range x.s.opnds {
		if !x.s.opnds[i].typed {
			x.setOperandType(i, t)
			changed = true
		}
	}
	if results && !x.f.resultsTogether {
		for i := range x.s.results {
			if !x.s.results[i].typed {
				changed = x.setResultType(i, t) || changed
			}
		}
	}
	return changed
}

func (x *formatParser) resolveOperands() error {
	s, p := x.s, x.p
	if x.f.operandsTogether {
		vs, err := p.ResolveAll(s.all.ops, s.allTypes, s.all.pos)
		s.Operands = vs
		return err
	}
	total := 0
	for i := range s.opnds {
		total += len(s.opnds[i].ops)
	}
	if s.allTypes != nil && len(s.allTypes) != total {
		var all []Unresolved
		for i := range s.opnds {
			all = append(all, s.opnds[i].ops...)
		}
		_, err := p.ResolveAll(all, s.allTypes, p.NamePos())
		return err
	}
	if cap(s.Operands)-len(s.Operands) < total {
		s.Operands = append(make([]*ir.Value, 0, len(s.Operands)+total), s.Operands...)
	}
	for i := range s.opnds {
		g := &s.opnds[i]
		if !g.typed && s.def.Operands[i].Arity != ir.One && len(g.ops) > 0 {
			_, err := p.ResolveAll(g.ops, nil, g.pos) // its types are in a group that isn't there
			return err
		}
		if !g.typed {
			return p.Errorf(p.NamePos(), "'%s' op type of operand '%s' can't be inferred", s.Name.String(), s.def.Operands[i].Name)
		}
		if len(g.ops) != len(g.types) {
			_, err := p.ResolveAll(g.ops, g.types, g.pos)
			return err
		}
		for k := range g.ops {
			v, err := p.Resolve(g.ops[k], g.types[k])
			if err != nil {
				return err
			}
			s.Operands = append(s.Operands, v)
		}
		if d := &s.def.Operands[i]; d.Arity == ir.VariadicOfVariadic && d.Segments != "" {
			s.SetAttr(d.Segments, p.Context().DenseI32Array(g.segments...))
		}
	}
	if s.def.Traits.Has(ir.TraitAttrSizedOperandSegments) {
		var buf [8]int32
		sizes := buf[:0]
		for i := range s.opnds {
			sizes = append(sizes, int32(len(s.opnds[i].ops)))
		}
		s.SetAttr(ir.OperandSegmentsAttr, p.Context().DenseI32Array(sizes...))
	}
	return nil
}

// resultTypes sets the result types, asking the definition for what is not known
// yet.
func (x *formatParser) resultTypes() error {
	s, p := x.s, x.p
	if x.f.resultsTogether || len(s.results) == 0 {
		return nil
	}
	unknown := -1
	for i := range s.results {
		// Without a way to infer types, a group that an optional group of the format
		// would have given types is empty.
		if !s.results[i].typed && (s.def.Results[i].Arity == ir.One || s.def.InferTypes != nil) {
			unknown = i
			break
		}
	}
	if unknown >= 0 && s.def.Traits.Has(ir.TraitFirstAttrDerivedResultType) {
		if t := x.firstAttrType(); t != nil && x.setResultType(unknown, t) && len(s.results) == 1 {
			unknown = -1
		}
	}
	if unknown >= 0 {
		if s.def.InferTypes == nil {
			return p.Errorf(p.NamePos(), "'%s' op type of result '%s' can't be inferred", s.Name.String(), s.def.Results[unknown].Name)
		}
		ir.FillDefaults(s.OpState)
		types, err := s.def.InferTypes(s.OpState)
		if err != nil {
			if _, ok := err.(*ir.Diagnostic); ok {
				return err
			}
			return p.Errorf(p.NamePos(), "%s", err.Error())
		}
		s.Types = types
		return nil
	}
	s.Types = s.Types[:0]
	for i := range s.results {
		s.Types = append(s.Types, s.results[i].types...)
	}
	if s.def.Traits.Has(ir.TraitAttrSizedResultSegments) {
		sizes := make([]int32, len(s.results))
		for i := range s.results {
			sizes[i] = int32(len(s.results[i].types))
		}
		s.SetAttr(ir.ResultSegmentsAttr, p.Context().DenseI32Array(sizes...))
	}
	return nil
}

// firstAttrType returns the type that the first attribute has, or is.
func (x *formatParser) firstAttrType() ir.Type {
	if len(x.s.def.Attrs) == 0 {
		return nil
	}
	return x.known(x.s.def.Attrs[0].Name)
}
