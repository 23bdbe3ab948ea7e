package memref

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// AtomicRMWKind enumerates what an atomic read-modify-write operation computes.
var AtomicRMWKind = &ir.EnumDef{
	Name: "atomic_rmw_kind", Int: ir.I64,
	Cases: []ir.EnumCase{{Keyword: "addf", Value: 0}, {Keyword: "addi", Value: 1}, {Keyword: "assign", Value: 2},
		{Keyword: "maximumf", Value: 3}, {Keyword: "maxs", Value: 4}, {Keyword: "maxu", Value: 5}, {Keyword: "minimumf", Value: 6},
		{Keyword: "mins", Value: 7}, {Keyword: "minu", Value: 8}, {Keyword: "mulf", Value: 9}, {Keyword: "muli", Value: 10},
		{Keyword: "ori", Value: 11}, {Keyword: "andi", Value: 12}, {Keyword: "maxnumf", Value: 13}, {Keyword: "minnumf", Value: 14},
		{Keyword: "xori", Value: 15, Since: 22}},
	Later: []string{"addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
		"mulf", "muli", "ori", "xori"},
}

// AtomicRMWKindAttr accepts the values of [AtomicRMWKind].
var AtomicRMWKindAttr = constraint.Enum(
	"allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14", AtomicRMWKind)

// LaterAtomicRMWKinds is the spelling of LLVM 22 of an inherent attribute that is an
// [AtomicRMWKind], or a list of them: the generic form has other numbers there.
func LaterAtomicRMWKinds(attr string) []ir.Spelling {
	return []ir.Spelling{{Since: 22, Values: map[string]ir.Recoding{attr: {
		Read: eachKind(func(n int64) (string, bool) {
			if n < 0 || n >= int64(len(AtomicRMWKind.Later)) {
				return "", false
			}
			return AtomicRMWKind.Later[n], true
		}, func(k string) int64 { n, _ := AtomicRMWKind.Parse(k); return int64(n) }),
		Printed: eachKind(func(n int64) (string, bool) { k := AtomicRMWKind.Keyword(uint64(n)); return k, k != "" },
			func(k string) int64 { return int64(slices.Index(AtomicRMWKind.Later, k)) }),
	}}}}
}

// eachKind renumbers kinds, whose keyword and number are given.
func eachKind(keyword func(n int64) (string, bool), number func(keyword string) int64) func(c *ir.Context, a ir.Attribute) ir.Attribute {
	var renumber func(c *ir.Context, a ir.Attribute) ir.Attribute
	renumber = func(c *ir.Context, a ir.Attribute) ir.Attribute {
		switch a := a.(type) {
		case *ir.IntegerAttr:
			if k, ok := keyword(a.Value); ok && a.Type == ir.Type(ir.I64) {
				return c.I64Attr(number(k))
			}
		case *ir.ArrayAttr:
			out := make([]ir.Attribute, len(a.Elems))
			for i, e := range a.Elems {
				out[i] = renumber(c, e)
			}
			return c.ArrayAttr(out...)
		}
		return a
	}
	return renumber
}

// AtomicRMW combines an element of a buffer with a value, atomically, and returns
// the old element.
var AtomicRMW = ir.NewOpID("memref.atomic_rmw")

func atomicRMWDef() *ir.OpDef {
	return &ir.OpDef{
		ID: AtomicRMW,
		Operands: []ir.OperandDef{ir.Operand("value", atomicScalar), ir.Operand("memref", atomicMemRef),
			indices("indices")},
		Results: ir.SingleResult("result", atomicScalar),
		Attrs:   []ir.AttrDef{{Name: "kind", Type: AtomicRMWKindAttr}},
		TypeRules: []ir.TypeRule{
			{Same: []string{"value", "result"}, Summary: "all of {value, result} have same type"},
			elementOf("memref", "value", "value type matches element type of memref"),
		},
		Format: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
		Later:  LaterAtomicRMWKinds("kind"),
		Verify: verifyAtomicRMW,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			onOperand(1, interfaces.Read, interfaces.Write),
			exec.Executable.Model(executeAtomic),
		},
		Fold: foldCastOperands,
	}
}

// AtomicRMWOp is a memref.atomic_rmw.
type AtomicRMWOp struct{ *ir.Op }

// Kind returns the keyword of what is computed.
func (o AtomicRMWOp) Kind() string {
	return AtomicRMWKind.Keyword(uint64(o.Attr("kind").(*ir.IntegerAttr).Value))
}

// Value returns the value that the element is combined with.
func (o AtomicRMWOp) Value() *ir.Value { return o.Operand(0) }

// MemRef returns the buffer.
func (o AtomicRMWOp) MemRef() *ir.Value { return o.Operand(1) }

// Indices returns the position of the element.
func (o AtomicRMWOp) Indices() ir.Operands { return o.OperandGroup(2) }

func verifyAtomicRMW(op *ir.Op) error {
	o := AtomicRMWOp{op}
	if len(o.Indices()) != len(memrefOf(o.MemRef().Type()).Shape) {
		return op.Errorf("expects the number of subscripts to be equal to memref rank")
	}
	switch k := o.Kind(); k {
	case "addf", "maximumf", "minimumf", "mulf":
		if !ir.IsFloat(o.Value().Type()) {
			return op.Errorf("with kind '%s' expects a floating-point type", k)
		}
	case "addi", "maxs", "maxu", "mins", "minu", "muli", "ori", "andi", "xori":
		if !ir.IsInteger(o.Value().Type()) {
			return op.Errorf("with kind '%s' expects an integer type", k)
		}
	}
	return nil
}

// GenericAtomicRMW replaces an element of a buffer by what its region computes
// from it, atomically, and returns the new element.
var GenericAtomicRMW = ir.NewOpID("memref.generic_atomic_rmw")

func genericAtomicRMWDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 GenericAtomicRMW,
		Operands:           []ir.OperandDef{ir.Operand("memref", atomicMemRef), indices("indices")},
		Results:            ir.SingleResult("result", atomicScalar),
		Regions:            []ir.RegionDef{{Name: "atomic_body"}},
		Traits:             ir.TraitSingleBlock,
		ImplicitTerminator: AtomicYield,
		TypeRules:          []ir.TypeRule{elementOf("memref", "result", "result type matches element type of memref")},
		Verify:             verifyGenericAtomic,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			onOperand(0, interfaces.Read, interfaces.Write),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseGenericAtomic, Print: printGenericAtomic}),
			exec.Executable.Model(executeGenericAtomic),
		},
	}
}

// GenericAtomicRMWOp is a memref.generic_atomic_rmw.
type GenericAtomicRMWOp struct{ *ir.Op }

// MemRef returns the buffer.
func (o GenericAtomicRMWOp) MemRef() *ir.Value { return o.Operand(0) }

// Indices returns the position of the element.
func (o GenericAtomicRMWOp) Indices() ir.Operands { return o.OperandGroup(1) }

// Body returns the block that computes the new element from its argument.
func (o GenericAtomicRMWOp) Body() *ir.Block { return o.BodyBlock(0) }

func verifyGenericAtomic(op *ir.Op) error {
	b := op.BodyBlock(0)
	if b == nil || b.NumArgs() != 1 {
		return op.Errorf("expected single number of entry block arguments")
	}
	if b.Arg(0).Type() != op.Result(0).Type() {
		return op.Errorf("expected block argument of the same type result type")
	}
	var err error
	op.Walk(func(x *ir.Op) bool {
		if x != op && err == nil && !interfaces.IsMemoryEffectFree(x) {
			err = x.PlainErrorf("body of 'memref.generic_atomic_rmw' should contain only operations with no side effects")
		}
		return err == nil
	})
	return err
}

func parseGenericAtomic(p *asm.Parser, s *ir.OpState) error {
	m, err := p.Operand()
	if err != nil {
		return err
	}
	idx, err := p.Operands(asm.Square)
	if err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, m); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, idx...); err != nil {
		return err
	}
	if err := p.Region(s.AddRegion(), nil); err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	s.Types = []ir.Type{ir.ElementType(t)}
	return nil
}

func printGenericAtomic(p *asm.Printer, op *ir.Op) {
	o := GenericAtomicRMWOp{op}
	p.Text(" ")
	p.Operand(o.MemRef())
	p.Text("[")
	p.Operands(o.Indices().Values())
	p.Text("] : ")
	p.Type(o.MemRef().Type())
	p.Text(" ")
	p.Region(op.RegionAt(0), true, true, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}

// AtomicYield ends the region of a GenericAtomicRMW with the new element.
var AtomicYield = ir.NewOpID("memref.atomic_yield")

func atomicYieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       AtomicYield,
		Operands: []ir.OperandDef{ir.Operand("result", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitTerminator,
		Parents:  []*ir.OpID{GenericAtomicRMW},
		Format:   "$result attr-dict `:` type($result)",
		Verify: func(op *ir.Op) error {
			p := op.Parent()
			if p.NumResults() > 0 && p.Result(0).Type() != (AtomicYieldOp{op}).ResultValue().Type() {
				return op.Errorf("types mismatch between yield op: '%s' and its parent: '%s'", AtomicYieldOp{op}.ResultValue().Type(), p.Result(0).Type())
			}
			return nil
		},
		Models: []ir.Model{
			exec.Executable.Model(exec.LeaveRegion),
		},
	}
}

// Names of the attributes of a prefetch.
const (
	IsWriteAttr      = "isWrite"
	LocalityHintAttr = "localityHint"
	IsDataCacheAttr  = "isDataCache"
)

// PrefetchAttrs declares the attributes that say how an element is prefetched.
func PrefetchAttrs() []ir.AttrDef {
	return []ir.AttrDef{{Name: IsWriteAttr, Type: constraint.BoolAttr}, {Name: LocalityHintAttr, Type: localityAttr},
		{Name: IsDataCacheAttr, Type: constraint.BoolAttr}}
}

// Prefetch moves an element towards the processor.
var Prefetch = ir.NewOpID("memref.prefetch")

func prefetchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Prefetch,
		Operands: []ir.OperandDef{ir.Operand("memref", constraint.AnyMemRef), indices("indices")},
		Attrs:    PrefetchAttrs(),
		Verify: func(op *ir.Op) error {
			if op.NumOperands() != 1+len(memrefOf(PrefetchOp{op}.MemRef().Type()).Shape) {
				return op.Errorf("too few indices")
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			asm.Assembly.Model(asm.OpAssembly{Parse: parsePrefetch, Print: printPrefetch}),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
			exec.Executable.Model(exec.Nothing),
		},
		// LLVM 22 says what it does to memory, so that passes that ask for it take it.
		Revisions: []ir.Revision{{Since: 22, Models: []ir.Model{onOperand(0, interfaces.Write)}}},
		Fold:      foldCastOperands,
	}
}

func parsePrefetch(p *asm.Parser, s *ir.OpState) error {
	m, err := p.Operand()
	if err != nil {
		return err
	}
	idx, err := p.Operands(asm.Square)
	if err != nil {
		return err
	}
	invalid, err := ParsePrefetchKind(p, s)
	if err != nil {
		return err
	}
	t, err := p.ColonTypeOf(ir.MemRefClass)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, m); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, idx...); err != nil {
		return err
	}
	return invalid
}

// ParsePrefetchKind reads ", read|write, locality<n>, data|instr" into the state's
// attributes. If other words are there, it returns what is to be said of them after
// the rest of the operation has been read.
func ParsePrefetchKind(p *asm.Parser, s *ir.OpState) (invalid, err error) {
	c := p.Context()
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	rw, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	if err := p.Keyword("locality"); err != nil {
		return nil, err
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	if _, err := p.AttrInto(s, LocalityHintAttr, ir.I32); err != nil {
		return nil, err
	}
	if err := p.Expect(">"); err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	cache, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	switch {
	case rw != "read" && rw != "write":
		invalid = p.Errorf(p.NamePos(), "rw specifier has to be 'read' or 'write'")
	case cache != "data" && cache != "instr":
		invalid = p.Errorf(p.NamePos(), "cache type has to be 'data' or 'instr'")
	}
	s.SetAttr(IsWriteAttr, c.Bool(rw == "write"))
	s.SetAttr(IsDataCacheAttr, c.Bool(cache == "data"))
	return invalid, nil
}

// PrintPrefetchKind writes what [ParsePrefetchKind] reads.
func PrintPrefetchKind(p *asm.Printer, op *ir.Op) {
	flag := func(name, yes, no string) {
		p.Text(", ")
		if i, ok := op.Attr(name).(*ir.IntegerAttr); ok && i.Value != 0 {
			p.Text(yes)
		} else {
			p.Text(no)
		}
	}
	flag(IsWriteAttr, "write", "read")
	p.Text(", locality<")
	p.AttrWithoutType(op.Attr(LocalityHintAttr))
	p.Text(">")
	flag(IsDataCacheAttr, "data", "instr")
}

func printPrefetch(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operand(PrefetchOp{op}.MemRef())
	p.Text("[")
	p.Operands(op.OperandGroup(1).Values())
	p.Text("]")
	PrintPrefetchKind(p, op)
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.Type(PrefetchOp{op}.MemRef().Type())
}
