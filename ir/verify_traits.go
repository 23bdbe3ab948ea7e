package ir

import (
	"reflect"
	"slices"
)

// verifyTraits checks what the traits promise about types and position.
func verifyTraits(op *Op, t Traits) *Diagnostic {
	const checked = TraitTerminator | TraitSameOperandsAndResultType | TraitSameTypeOperands | TraitSameOperandsShape |
		TraitSameOperandsAndResultShape | TraitSameOperandsElementType | TraitSameOperandsAndResultElementType |
		TraitSameOperandsAndResultRank | TraitElementwise | TraitSymbol | TraitOptionalSymbol | TraitResultsBroadcastable |
		TraitFirstAttrDerivedResultType
	// What operands, or operands and results, have in common is that of the first, which has to be there.
	const likeOperands = TraitSameOperandsShape | TraitSameOperandsElementType | TraitSameOperandsAndResultRank
	const likeResults = TraitSameOperandsAndResultType | TraitSameOperandsAndResultShape | TraitSameOperandsAndResultElementType
	if t&checked == 0 {
		return nil
	}
	if d := verifyEnd(op, t); d != nil {
		return d
	}
	if t&(likeOperands|likeResults) != 0 && len(op.Operands()) == 0 {
		return op.Errorf("expected 1 or more operands, but found 0")
	}
	if t&likeResults != 0 && len(op.Results()) == 0 {
		return op.Errorf("expected 1 or more results")
	}
	if t&TraitSameTypeOperands != 0 && !sameOperandTypes(op) {
		return op.Errorf("requires all operands to have the same type")
	}
	if t&TraitSameOperandsAndResultType != 0 {
		if d := verifySameType(op); d != nil {
			return d
		}
	}
	switch {
	case t&TraitSameOperandsShape != 0 && !sameShapes(op, false):
		return op.Errorf("requires the same shape for all operands")
	case t&TraitSameOperandsAndResultShape != 0 && !sameShapes(op, true):
		return op.Errorf("requires the same shape for all operands and results")
	case t&TraitSameOperandsElementType != 0 && !sameElements(op, false):
		return op.Errorf("requires the same element type for all operands")
	case t&TraitSameOperandsAndResultElementType != 0 && !sameElements(op, true):
		return op.Errorf("requires the same element type for all operands and results")
	case t&TraitSameOperandsAndResultRank != 0 && !sameRanks(op, false):
		return op.Errorf("operands don't have matching ranks")
	case t&TraitSameOperandsAndResultRank != 0 && !sameRanks(op, true):
		return op.Errorf("result type has different rank than operands")
	case t&TraitFirstAttrDerivedResultType != 0 && !hasTypeOfFirstAttr(op):
		return op.Errorf("inferred type(s) %s are incompatible with return type(s) of operation %s",
			quoteTypes([]Type{TypeOfAttr(op.Prop(0))}), quoteTypes(op.Results().Types()))
	}
	if t&TraitResultsBroadcastable != 0 {
		if d := verifyBroadcast(op); d != nil {
			return d
		}
	}
	if t&TraitElementwise != 0 {
		if d := verifyElementwise(op); d != nil {
			return d
		}
	}
	if t&(TraitSymbol|TraitOptionalSymbol) != 0 {
		return verifySymbol(op, t)
	}
	return nil
}

// verifyPlace checks what traits promise about the operation's place, which may change
// though the operation doesn't.
func verifyPlace(op *Op, t Traits) *Diagnostic {
	if d := verifyEnd(op, t); d != nil {
		return d
	}
	if t&(TraitSymbol|TraitOptionalSymbol) != 0 {
		return verifySymbol(op, t)
	}
	return nil
}

func verifyEnd(op *Op, t Traits) *Diagnostic {
	if t&TraitTerminator != 0 && (op.block == nil || op.block.last != op) {
		return op.Errorf("must be the last operation in the parent block")
	}
	return nil
}

// eachType calls fn for the types of the operands and then, if asked, of the
// results, until it returns false.
func eachType(op *Op, results bool, fn func(t Type) bool) bool {
	for i := range op.Operands() {
		if !fn(op.Operands()[i].value.typ) {
			return false
		}
	}
	if results {
		for i := range op.Results() {
			if !fn(op.Results()[i].typ) {
				return false
			}
		}
	}
	return true
}

func sameOperandTypes(op *Op) bool {
	for i := 1; i < len(op.Operands()); i++ {
		if op.Operands()[i].value.typ != op.Operands()[0].value.typ {
			return false
		}
	}
	return true
}

func verifySameType(op *Op) *Diagnostic {
	first := op.Results()[0].typ
	var d *Diagnostic
	eachType(op, true, func(t Type) bool {
		if t == first {
			return true
		}
		if ElementType(t) != ElementType(first) || !CompatibleShapes(t, first) {
			d = op.Errorf("requires the same type for all operands and results")
			return false
		}
		if encoding(first) != nil && encoding(t) != encoding(first) {
			d = op.Errorf("requires the same encoding for all operands and results")
			return false
		}
		return true
	})
	return d
}

func encoding(t Type) Attribute {
	if r, ok := t.(*RankedTensorType); ok {
		return r.Encoding
	}
	return nil
}

// CompatibleShapes tells whether values of the two types could have the same
// shape when the program runs: both are scalars, or one is unranked, or the ranks
// are equal and no two static dimensions differ.
func CompatibleShapes(a, b Type) bool {
	if IsShaped(a) != IsShaped(b) {
		return false
	}
	s, ok := ShapeOf(a)
	u, ok2 := ShapeOf(b)
	if !ok || !ok2 {
		return true
	}
	if len(s) != len(u) || !slices.Equal(scalable(a), scalable(b)) {
		return false
	}
	for i := range s {
		if s[i] != u[i] && s[i] != Dynamic && u[i] != Dynamic {
			return false
		}
	}
	return true
}

func scalable(t Type) []bool {
	if v, ok := t.(*VectorType); ok {
		return v.Scalable
	}
	return nil
}

func sameShapes(op *Op, results bool) bool {
	if len(op.Operands()) == 0 {
		return true
	}
	first := op.Operands()[0].value.typ
	return eachType(op, results, func(t Type) bool { return t == first || CompatibleShapes(t, first) })
}

func sameElements(op *Op, results bool) bool {
	if len(op.Operands()) == 0 {
		return true
	}
	first := ElementType(op.Operands()[0].value.typ)
	return eachType(op, results, func(t Type) bool { return ElementType(t) == first })
}

func sameRanks(op *Op, results bool) bool {
	rank := -1
	return eachType(op, results, func(t Type) bool {
		s, ok := ShapeOf(t)
		if !ok {
			return true
		}
		if rank < 0 {
			rank = len(s)
		}
		return rank == len(s)
	})
}

func hasTypeOfFirstAttr(op *Op) bool {
	t := TypeOfAttr(op.Prop(0))
	for i := range op.Results() {
		if t != nil && op.Results()[i].typ != t {
			return false
		}
	}
	return true
}

func isMappable(t Type) bool { return IsVector(t) || IsTensor(t) }

func verifyElementwise(op *Op) *Diagnostic {
	operands, results := 0, 0
	for i := range op.Operands() {
		if isMappable(op.Operands()[i].value.typ) {
			operands++
		}
	}
	for i := range op.Results() {
		if isMappable(op.Results()[i].typ) {
			results++
		}
	}
	if operands == 0 && results == 0 {
		return nil
	}
	if operands > 0 && results == 0 {
		return op.Errorf("if an operand is non-scalar, then there must be at least one non-scalar result")
	}
	if operands == 0 {
		return op.Errorf("if a result is non-scalar, then at least one operand must be non-scalar")
	}
	if results != len(op.Results()) {
		return op.Errorf("if an operand is non-scalar, then all results must be non-scalar")
	}
	var first Type
	ok := eachType(op, true, func(t Type) bool {
		if !isMappable(t) {
			return true
		}
		if first == nil {
			first = t
			return true
		}
		return t == first || reflect.TypeOf(t) == reflect.TypeOf(first) && CompatibleShapes(t, first)
	})
	if !ok {
		return op.Errorf("all non-scalar operands/results must have the same shape and base type")
	}
	return nil
}

func verifySymbol(op *Op, t Traits) *Diagnostic {
	name := op.Attr(SymbolNameAttr)
	if name == nil && t&TraitOptionalSymbol != 0 {
		return nil
	}
	s, ok := name.(*StringAttr)
	if !ok {
		return op.Errorf("requires string attribute '%s'", SymbolNameAttr)
	}
	if s.Value == "" {
		return op.Errorf("symbol names can't be empty")
	}
	if vis := op.Attr(SymbolVisibilityAttr); vis != nil {
		s, ok := vis.(*StringAttr)
		if !ok {
			return op.Errorf("requires visibility attribute '%s' to be a string attribute, but got %s", SymbolVisibilityAttr, vis)
		}
		switch s.Value {
		case "public", "private", "nested":
		default:
			return op.Errorf(`visibility expected to be one of ["public", "private", "nested"], but got %s`, s)
		}
	}
	if p := op.Parent(); p != nil && p.Registered() && !p.Has(TraitSymbolTable) {
		return op.Errorf("symbol's parent must have the SymbolTable trait")
	}
	return nil
}

// verifyRegionTraits checks traits about what is nested in the operation.
func verifyRegionTraits(op *Op) *Diagnostic {
	if term := op.name.def.ImplicitTerminator; term != nil {
		for _, r := range op.ext.regions {
			if r.first == nil || r.first.last == nil && op.Has(TraitNoTerminator) {
				continue
			}
			if !r.first.last.Is(term) {
				return op.Errorf("expects regions to end with '%s', found '%s'", term, r.first.last.Name()).
					WithNote(op.loc, "in custom textual format, the absence of terminator implies '%s'", term)
			}
		}
	}
	return nil
}

// verifyIsolation checks that nothing in the regions uses a value from outside.
func verifyIsolation(op *Op) *Diagnostic {
	var work []*Region
	for _, root := range op.ext.regions {
		for work = append(work, root); len(work) > 0; {
			r := work[len(work)-1]
			work = work[:len(work)-1]
			for b := r.first; b != nil; b = b.next {
				for x := b.first; x != nil; x = x.next {
					for i := range x.Operands() {
						def := x.Operands()[i].value.ParentRegion()
						if def == r {
							continue
						}
						if def == nil {
							return x.PlainErrorf("operation's operand is unlinked")
						}
						if !root.IsAncestorOf(def) {
							return x.Errorf("using value defined outside the region").
								WithNote(op.loc, "required by region isolation constraints")
						}
					}
					if x.NumRegions() != 0 && !x.Has(TraitIsolatedFromAbove) {
						work = append(work, x.Regions()...)
					}
				}
			}
		}
	}
	return nil
}

// verifySymbolTable checks that names are unique, and then, if there are any uses,
// the references to symbols of the table.
func (v *verifier) verifySymbolTable(op *Op, users int) Diagnostics {
	if len(op.ext.regions) != 1 {
		return one(op.Errorf("Operations with a 'SymbolTable' must have exactly one region"))
	}
	if op.ext.regions[0].size != 1 {
		return one(op.Errorf("Operations with a 'SymbolTable' must have exactly one block"))
	}
	n := 0
	for o := op.ext.regions[0].first.first; o != nil; o = o.next {
		n++
	}
	seen := make(map[string]*Op, n)
	all := true
	for o := op.ext.regions[0].first.first; o != nil; o = o.next {
		name, ok := o.Attr(SymbolNameAttr).(*StringAttr)
		if !ok {
			continue
		}
		if other := seen[name.Value]; other != nil {
			return one(o.PlainErrorf("redefinition of symbol named '%s'", name.Value).
				WithNote(other.loc, "see existing symbol definition here"))
		}
		seen[name.Value] = o
		_, symbol := SymbolName(o)
		all = all && symbol
	}
	tables := NewSymbolTables()
	if all {
		tables.tables[op] = &SymbolTable{op: op, byName: seen}
	}
	var checked []*Op
	if users != everything {
		inside := v.symbolUsers[users:]
		v.symbolUsers = v.symbolUsers[:users]
		checked = inside
		sound := true
		for i := 0; sound && i < len(inside); i++ {
			sound = inside[i].name.def.VerifySymbolUses(inside[i], tables) == nil
		}
		if sound {
			return nil
		}
	}
	// The first error in the program counts.
	return v.verifySymbolUses(op, tables, checked)
}

// verifySymbolUses checks the references in the regions of op, without those of
// nested symbol tables, which were checked before. Regions wait on a stack, so that
// of those in one block the last comes first. If all errors are wanted, those of the
// users are, as others are erroneous themselves.
func (v *verifier) verifySymbolUses(op *Op, tables *SymbolTables, users []*Op) (all Diagnostics) {
	var wanted map[*Op]bool
	if v.all {
		wanted = make(map[*Op]bool, len(users))
		for _, u := range users {
			wanted[u] = true
		}
	}
	work := append([]*Region(nil), op.Regions()...)
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for b := r.first; b != nil; b = b.next {
			for x := b.first; x != nil; x = x.next {
				if f := x.name.def.VerifySymbolUses; f != nil && (!v.all || wanted[x]) {
					ds := asDiagnostics(x, f(x, tables))
					if ds != nil && !v.all {
						return ds
					}
					all = append(all, ds...)
				}
				if x.ext != nil && len(x.ext.regions) != 0 && !x.Has(TraitSymbolTable) {
					work = append(work, x.ext.regions...)
				}
			}
		}
	}
	return all
}
