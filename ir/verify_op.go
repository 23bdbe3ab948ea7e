package ir

import (
	"slices"
	"strconv"
	"strings"
)

// What the verifier found out about an operation, in its mark: that the declared
// constraints hold, that its result types are those that are inferred, and that its
// definition's own checks hold, if they are promised to depend on the operation alone
// ([OpDef.VerifyAlone]). It depends on the types of operands and results and on attributes,
// for operations without regions and successors; of those with regions, only what is
// declared and what is promised is kept, which depends on the blocks, too. It
// holds until one of these changes, so that the many operations that a pass leaves alone
// are not looked at closely again.
const (
	sound         = 1 << 31
	inferredTypes = 1 << 30
	soundAlone    = 1 << 29
	verified      = sound | inferredTypes | soundAlone
)

// changed makes the verifier look at the operation closely again. Whatever changes the
// number or types of operands or results, attributes, or blocks, calls it.
func (o *Op) changed() { o.mark &^= verified }

// found keeps what the verifier found out.
func (o *Op) found(what uint32) {
	if o.ext != nil && (len(o.ext.succs) != 0 || len(o.ext.regions) != 0 && (what == inferredTypes || !o.name.def.VerifyAlone)) {
		return
	}
	o.mark |= what
}

// verifyInvariants checks a registered operation against its definition. The
// order of the checks is that of the messages that a malformed operation gives.
func verifyInvariants(op *Op) Diagnostics {
	def, plan := op.name.def, op.name.verifyPlan()
	if op.mark&sound != 0 {
		if len(def.Parents) > 0 && !hasParent(op, def.Parents) {
			return one(wrongParent(op))
		}
		if d := verifyPlace(op, def.Traits); d != nil {
			return one(d)
		}
	} else {
		if ds := verifyDefinition(op, def, plan); ds != nil {
			return ds
		}
		op.found(sound)
	}
	if op.mark&soundAlone != 0 {
		return nil
	}
	for _, f := range plan.iface {
		if ds := asDiagnostics(op, f(op)); ds != nil {
			return ds
		}
	}
	if def.Verify != nil {
		ds := asDiagnostics(op, def.Verify(op))
		if len(ds) > 0 {
			ds[0].ValidSince = def.evidentSince(op)
		}
		return ds
	}
	return nil
}

// verifyDefinition checks what definitions declare.
func verifyDefinition(op *Op, def *OpDef, plan *verifyPlan) Diagnostics {
	if d := verifyCounts(op, plan); d != nil {
		return one(d)
	}
	if d := verifyStructure(op, def, plan); d != nil {
		return one(d)
	}
	if d := verifyAttrs(op, def); d != nil {
		return one(d)
	}
	if d := verifyOperands(op, def, plan); d != nil {
		return one(d)
	}
	if d := verifyResults(op, def, plan); d != nil {
		return one(d)
	}
	for i := range plan.rules {
		if !plan.rules[i].holds(op) {
			return plan.rules[i].rule.broken(op)
		}
	}
	if d := verifyRegions(op, def, plan); d != nil {
		return one(d)
	}
	if d := verifyTraits(op, def.Traits); d != nil {
		return one(d)
	}
	return nil
}

func verifyCounts(op *Op, p *verifyPlan) *Diagnostic {
	if n := op.NumRegions(); n != p.regions.fixed || p.regions.variadic >= 0 {
		switch {
		case p.regions.variadic >= 0:
			if n < p.regions.fixed {
				return op.Errorf("expected %d or more regions", p.regions.fixed)
			}
		case p.regions.fixed == 0:
			return op.Errorf("requires zero regions")
		case p.regions.fixed == 1:
			return op.Errorf("requires one region")
		default:
			return op.Errorf("expected %d regions", p.regions.fixed)
		}
	}
	if n := len(op.Results()); n != p.results.fixed || p.results.variadic >= 0 {
		switch {
		case p.results.variadic >= 0:
			if n < p.results.fixed {
				return op.Errorf("expected %d or more results", p.results.fixed)
			}
		case p.results.fixed == 0:
			return op.Errorf("requires zero results")
		case p.results.fixed == 1:
			return op.Errorf("requires one result")
		default:
			return op.Errorf("expected %d results", p.results.fixed)
		}
	}
	if n := op.NumSuccessors(); n != p.successors.fixed || p.successors.variadic >= 0 {
		switch {
		case p.successors.variadic >= 0:
			if n < p.successors.fixed {
				return op.Errorf("requires at least %d successors but found %d", p.successors.fixed, n)
			}
		case p.successors.fixed == 1:
			return op.Errorf("requires 1 successor but found %d", n)
		default:
			return op.Errorf("requires %d successors but found %d", p.successors.fixed, n)
		}
	}
	for i := range op.NumSuccessors() {
		if s := op.Successor(i); s == nil || s.region != op.Region() {
			return op.PlainErrorf("reference to block defined in another region")
		}
	}
	if n := len(op.Operands()); n != p.operands.fixed || p.operands.variadic >= 0 {
		switch {
		case p.operands.variadic >= 0:
			if n < p.operands.fixed {
				return op.Errorf("expected %d or more operands, but found %d", p.operands.fixed, n)
			}
		case p.operands.fixed == 0:
			return op.Errorf("requires zero operands")
		case p.operands.fixed == 1:
			return op.Errorf("requires a single operand")
		default:
			return op.Errorf("expected %d operands, but found %d", p.operands.fixed, n)
		}
	}
	return nil
}

// verifyStructure checks the traits that later checks rely on.
func verifyStructure(op *Op, def *OpDef, p *verifyPlan) *Diagnostic {
	t := def.Traits
	if len(def.Parents) > 0 && !hasParent(op, def.Parents) {
		return wrongParent(op)
	}
	if t&TraitSingleBlock != 0 || def.ImplicitTerminator != nil {
		for i, r := range op.Regions() {
			if r.first == nil {
				continue
			}
			if r.size != 1 {
				return op.Errorf("expects region #%d to have 0 or 1 blocks", i)
			}
			if t&TraitNoTerminator == 0 && r.first.first == nil {
				return op.Errorf("expects a non-empty block")
			}
		}
	}
	if t&TraitNoRegionArguments != 0 {
		for i, r := range op.Regions() {
			if r.first != nil && len(r.first.args) != 0 {
				if op.NumRegions() > 1 {
					return op.Errorf("region #%d should have no arguments", i)
				}
				return op.Errorf("region should have no arguments")
			}
		}
	}
	if t&TraitAttrSizedOperandSegments != 0 {
		if d := verifySizes(op, p.operandSizes, OperandSegmentsAttr, "operand", len(op.Operands()), len(def.Operands)); d != nil {
			return d
		}
	}
	if t&TraitAttrSizedResultSegments != 0 {
		if d := verifySizes(op, p.resultSizes, ResultSegmentsAttr, "result", len(op.Results()), len(def.Results)); d != nil {
			return d
		}
	}
	return nil
}

func wrongParent(op *Op) *Diagnostic {
	what := "'"
	if len(op.name.def.Parents) != 1 {
		what = "to be one of '"
	}
	var names []string
	for _, id := range op.name.def.Parents {
		names = append(names, id.String())
	}
	return op.Errorf("expects parent op %s%s'", what, strings.Join(names, ", "))
}

func hasParent(op *Op, allowed []*OpID) bool {
	p := op.Parent()
	return p != nil && slices.ContainsFunc(allowed, func(id *OpID) bool {
		return p.Is(id) || !p.Registered() && p.Name() == id.name
	})
}

// verifySizes checks an attribute with the sizes of groups, of which there are
// any number if groups is negative.
func verifySizes(op *Op, attr int, name, what string, total, groups int) *Diagnostic {
	var a Attribute
	if attr >= 0 {
		a = op.Prop(attr)
	} else {
		a = op.DiscardableAttr(name)
	}
	if a == nil && total == 0 {
		return nil
	}
	sizes, ok := a.(*DenseArrayAttr)
	if !ok || sizes.Elem != Type(I32) {
		return op.Errorf("requires dense i32 array attribute '%s'", name)
	}
	sum := int64(0)
	for i := range sizes.Len() {
		n := sizes.Int(i)
		if n < 0 {
			return op.Errorf("'%s' attribute cannot have negative elements", name)
		}
		sum += n
	}
	if sum != int64(total) {
		return op.Errorf("%s count (%d) does not match with the total size (%d) specified in attribute '%s'", what, total, sum, name)
	}
	if groups >= 0 && sizes.Len() != groups {
		return op.Errorf("'%s' attribute for specifying %s segments must have %d elements, but got %d", name, what, groups, sizes.Len())
	}
	return nil
}

func verifyAttrs(op *Op, def *OpDef) *Diagnostic {
	missing := ""
	for i := range def.Attrs {
		d := &def.Attrs[i]
		if !d.Optional && !d.sizesOfGroups() && d.Default == nil && op.Prop(i) == nil && (missing == "" || d.Name < missing) {
			missing = d.Name
		}
	}
	if missing != "" {
		return op.Errorf("requires attribute '%s'", missing)
	}
	for i := range op.Props() {
		a, d := op.Props()[i], &def.Attrs[i]
		if IsMalformed(a) {
			return op.Errorf("attribute '%s' has a type that can't be: %s", d.Name, a)
		}
		if a != nil && d.Type.Match != nil && !d.Type.Match(a) {
			return op.Errorf("attribute '%s' failed to satisfy constraint: %s", d.Name, d.Type.Summary)
		}
	}
	return nil
}

func verifyOperands(op *Op, def *OpDef, p *verifyPlan) *Diagnostic {
	var sizes *DenseArrayAttr
	if p.operandSizes >= 0 {
		sizes, _ = op.Prop(p.operandSizes).(*DenseArrayAttr)
	}
	next := 0
	for g := range def.Operands {
		d := &def.Operands[g]
		n := groupSize(g, d.Arity, sizes, p.operands, len(def.Operands), len(op.Operands()))
		if d.Arity == Optional && n > 1 {
			return op.Errorf("operand group starting at #%d requires 0 or 1 element, but found %d", next, n)
		}
		if d.Arity == One && n != 1 {
			return op.Errorf("operand group starting at #%d requires 1 element, but found %d", next, n)
		}
		if d.Arity == VariadicOfVariadic && p.innerSizes[g] >= 0 {
			if e := verifySizes(op, p.innerSizes[g], d.Segments, d.Name, n, -1); e != nil {
				return e
			}
		}
		for ; n > 0; n-- {
			if t := op.Operands()[next].value.typ; d.Type.Match != nil && !d.Type.Match(t) {
				return typeError(op, "operand", next, d.Arity, d.Type.Summary, t)
			}
			next++
		}
	}
	return nil
}

func verifyResults(op *Op, def *OpDef, p *verifyPlan) *Diagnostic {
	var sizes *DenseArrayAttr
	if p.resultSizes >= 0 {
		sizes, _ = op.Prop(p.resultSizes).(*DenseArrayAttr)
	}
	for i := range op.Results() {
		if t := op.Results()[i].typ; IsMalformed(t) {
			return op.Errorf("result #%d has a type that can't be: '%s'", i, t)
		}
	}
	next := 0
	for g := range def.Results {
		d := &def.Results[g]
		n := groupSize(g, d.Arity, sizes, p.results, len(def.Results), len(op.Results()))
		if d.Arity == Optional && n > 1 {
			return op.Errorf("result group starting at #%d requires 0 or 1 element, but found %d", next, n)
		}
		if d.Arity == One && n != 1 {
			return op.Errorf("result group starting at #%d requires 1 element, but found %d", next, n)
		}
		for ; n > 0; n-- {
			if t := op.Results()[next].typ; d.Type.Match != nil && !d.Type.Match(t) {
				return typeError(op, "result", next, d.Arity, d.Type.Summary, t)
			}
			next++
		}
	}
	return nil
}

// groupSize returns the number of values in group g. The numbers of values and
// the sizes were checked before. Without sizes, several variable groups all have
// the same size.
func groupSize(g int, a Arity, sizes *DenseArrayAttr, c count, groups, total int) int {
	if sizes != nil {
		return int(sizes.Int(g))
	}
	if a == One {
		return 1
	}
	return (total - c.fixed) / (groups - c.fixed)
}

func typeError(op *Op, what string, i int, a Arity, summary string, t Type) *Diagnostic {
	if a == Variadic || a == VariadicOfVariadic {
		summary = "variadic of " + summary
	}
	return &Diagnostic{Loc: op.loc, Op: op,
		Message: "'" + op.spelledName() + "' op " + what + " #" + strconv.Itoa(i) + " must be " + summary + ", but got '" + t.String() + "'"}
}

func verifyRegions(op *Op, def *OpDef, p *verifyPlan) *Diagnostic {
	if len(def.Regions) == 0 {
		return nil
	}
	i := 0
	for g := range def.Regions {
		d := &def.Regions[g]
		n := 1
		if d.Variadic {
			n = op.NumRegions() - p.regions.fixed
		}
		for ; n > 0; n-- {
			size := op.ext.regions[i].size
			what := ""
			switch {
			case d.Sized > 0 && size != d.Sized:
				what = "region with " + strconv.Itoa(d.Sized) + " blocks"
			case size < d.MinBlocks:
				what = "region with at least " + strconv.Itoa(d.MinBlocks) + " blocks"
			case d.MaxBlocks > 0 && size > d.MaxBlocks:
				what = "region with at most " + strconv.Itoa(d.MaxBlocks) + " blocks"
			}
			if what != "" {
				name := " "
				if d.Name != "" {
					name = " ('" + d.Name + "') "
				}
				return op.Errorf("region #%d%sfailed to verify constraint: %s", i, name, what)
			}
			i++
		}
	}
	return nil
}

// verifyInferredTypes compares the result types with those that are inferred.
func (v *verifier) verifyInferredTypes(op *Op) Diagnostics {
	v.values = v.values[:0]
	for i := range op.Operands() {
		v.values = append(v.values, op.Operands()[i].value)
	}
	v.state = OpState{Name: op.name, Loc: op.loc, Operands: v.values, Props: op.Props(),
		Attrs: op.DiscardableAttrs(), Regions: op.Regions(), room: v.state.room}
	types, err := op.name.def.InferTypes(&v.state)
	if err != nil {
		return append(asDiagnostics(op, err), op.Errorf("failed to infer returned types"))
	}
	same := len(types) == len(op.Results())
	for i := 0; same && i < len(types); i++ {
		same = types[i] == op.Results()[i].typ
	}
	if same {
		return nil
	}
	if compatible := op.name.def.CompatibleTypes; compatible != nil && compatible(types, op.Results().Types()) {
		return nil
	}
	return inferenceFailed(op, types)
}

func inferenceFailed(op *Op, types []Type) Diagnostics {
	return Diagnostics{
		Errorf(op.loc, "'%s' op inferred type(s) %s are incompatible with return type(s) of operation %s", op.spelledName(), quoteTypes(types), quoteTypes(op.Results().Types())),
		op.Errorf("failed to infer returned types"),
	}
}

func quoteTypes(types []Type) string {
	s := make([]string, len(types))
	for i, t := range types {
		s[i] = "'" + t.String() + "'"
	}
	return strings.Join(s, ", ")
}
