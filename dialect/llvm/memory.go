package llvm

import (
	"errors"
	"math"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Memory.
var (
	// Alloca makes memory that lives as long as the function.
	Alloca = ir.NewOpID("llvm.alloca")
	// Load reads a value.
	Load = ir.NewOpID("llvm.load")
	// Store writes a value.
	Store = ir.NewOpID("llvm.store")
	// GetElementPtr computes the address of a part.
	GetElementPtr = ir.NewOpID("llvm.getelementptr")
)

func allocaDef() *ir.OpDef {
	return &ir.OpDef{ID: Alloca, Operands: []ir.OperandDef{ir.Operand("arraySize", signlessInt)}, Results: result(anyPointer),
		Attrs: []ir.AttrDef{alignment, attr("elem_type", constraint.TypeAttr), optional("inalloca", constraint.UnitAttr)},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseAlloca, Print: printAlloca}),
			interfaces.FixedEffects(interfaces.OnResult(interfaces.Allocate, 0).In(interfaces.AutomaticAllocationScopeResource)),
			exec.Executable.Model(executeAlloca),
		}}
}

func loadDef() *ir.OpDef {
	return &ir.OpDef{ID: Load, Later: []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{dereferenceable, optional("invariantGroup", constraint.UnitAttr)}, Discardable: []string{"invariantGroup"},
		Format: "(`volatile` $volatile_^)? $addr (`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? " +
			"attr-dict `:` qualified(type($addr)) `->` type($res)"}}, Operands: []ir.OperandDef{ir.Operand("addr", anyPointer)}, Results: result(loadable),
		Attrs: with([]ir.AttrDef{alignment, optional("volatile_", constraint.UnitAttr), optional("nontemporal", constraint.UnitAttr),
			optional("invariant", constraint.UnitAttr), zeroI64("ordering"), optional("syncscope", constraint.StrAttr)}, accessMetadata),
		Format:  "(`volatile` $volatile_^)? $addr (`invariant` $invariant^)? attr-dict `:` qualified(type($addr)) `->` type($res)",
		Earlier: []ir.Spelling{typedAccess("$addr", "res")},
		Models: []ir.Model{
			accesses(interfaces.Read, 0),
			exec.Executable.Model(executeLoad),
		}}
}

func storeDef() *ir.OpDef {
	return &ir.OpDef{ID: Store, Later: []ir.Spelling{{Since: 22, Attrs: optionals(constraint.UnitAttr, "invariantGroup"), Discardable: []string{"invariantGroup"},
		Format: "(`volatile` $volatile_^)? $value `,` $addr (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` qualified(type($addr))"}}, Operands: []ir.OperandDef{ir.Operand("value", loadable), ir.Operand("addr", anyPointer)},
		Attrs: with([]ir.AttrDef{alignment, optional("volatile_", constraint.UnitAttr), optional("nontemporal", constraint.UnitAttr),
			zeroI64("ordering"), optional("syncscope", constraint.StrAttr)}, accessMetadata),
		Format:  "(`volatile` $volatile_^)? $value `,` $addr attr-dict `:` type($value) `,` qualified(type($addr))",
		Earlier: []ir.Spelling{typedAccess("$value `,` $addr", "value")},
		Models: []ir.Model{
			accesses(interfaces.Write, 1),
			exec.Executable.Model(executeStore),
		}}
}

func getElementPtrDef() *ir.OpDef {
	return &ir.OpDef{ID: GetElementPtr, Traits: ir.TraitPure, Later: laterGEP,
		Operands: []ir.OperandDef{ir.Operand("base", pointers), ir.VariadicOperand("dynamicIndices", ints)}, Results: result(pointers),
		Attrs: []ir.AttrDef{attr(rawIndices, constraint.DenseI32Array), attr("elem_type", constraint.TypeAttr), optional(inbounds, constraint.UnitAttr)},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseGEP, Print: printGEP}),
			exec.Executable.Model(executeGEP),
		},
		Fold: foldGEP,
		Verify: func(op *ir.Op) error {
			raw, _ := op.Attr(rawIndices).(*ir.DenseArrayAttr)
			n := 0
			for i := range raw.Len() {
				if raw.Int(i) == dynamicIndex {
					n++
				}
			}
			if n != op.NumOperands()-1 {
				return op.Errorf("expected as many dynamic indices as specified in '%s'", rawIndices)
			}
			return verifyIndices(op, raw)
		}}
}

const (
	inbounds   = "inbounds"
	rawIndices = "rawConstantIndices"
	// dynamicIndex stands among the constant indices for one that is an operand.
	dynamicIndex = math.MinInt32
)

// verifyIndices checks that all indices of a getelementptr but the first are those of
// parts of its element type, and that those of fields are constants.
func verifyIndices(op *ir.Op, raw *ir.DenseArrayAttr) error {
	t := op.Attr("elem_type").(*ir.TypeAttr).Type
	for i := 1; i < raw.Len(); i++ {
		n := raw.Int(i)
		_, isArray := is(t, array)
		switch {
		case isArray:
			t = elementAt(t, 0)
			if t == nil { // an array without elements
				return nil
			}
		case elementOr(t) != t:
			t = elementOr(t)
		case !aggregate(t):
			return op.Errorf("type '%s' cannot be indexed (index #%d)", t, i)
		case n == dynamicIndex:
			return op.Errorf("expected index %d indexing a struct to be constant", i)
		default:
			if t = elementAt(t, n); t == nil {
				return op.Errorf("index %d indexing a struct is out of bounds", i)
			}
		}
	}
	return nil
}

func accesses(kind interfaces.EffectKind, i int) ir.Model {
	return interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
		effects := []interfaces.Effect{interfaces.OnOperand(kind, i)}
		if op.Attr("volatile_") != nil {
			// A volatile access is one that nothing may be moved across.
			effects = append(effects, interfaces.Effect{Kind: interfaces.Read}, interfaces.Effect{Kind: interfaces.Write})
		}
		return effects
	})
}

// memoryIntrinsics copy and set memory; their form is the generic one.
func memoryIntrinsics() []*ir.OpDef {
	volatile := attr(isVolatile, constraint.BoolAttr)
	copying := func(name string) *ir.OpDef {
		return &ir.OpDef{ID: ir.NewOpID(name), Earlier: volatileOperand, Later: laterCopy, Attrs: with([]ir.AttrDef{volatile}, accessMetadata),
			Operands: []ir.OperandDef{ir.Operand("dst", anyPointer), ir.Operand("src", anyPointer), ir.Operand("len", signlessInt)},
			Models:   []ir.Model{interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 1), interfaces.OnOperand(interfaces.Write, 0))}}
	}
	return []*ir.OpDef{copying("llvm.intr.memcpy"), copying("llvm.intr.memmove"),
		{ID: ir.NewOpID("llvm.intr.memset"), Earlier: volatileOperand, Later: laterCopy, Attrs: with([]ir.AttrDef{volatile}, accessMetadata),
			Operands: []ir.OperandDef{ir.Operand("dst", anyPointer), ir.Operand("val", constraint.I8), ir.Operand("len", signlessInt)},
			Models:   []ir.Model{accesses(interfaces.Write, 0)}},
		{ID: ir.NewOpID("llvm.intr.abs"), Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("in", ints)}, Results: result(ints),
			Attrs: []ir.AttrDef{attr("is_int_min_poison", constraint.BoolAttr)}},
		lifetime(ir.NewOpID("llvm.intr.lifetime.start")), lifetime(ir.NewOpID("llvm.intr.lifetime.end")),
		{ID: ir.NewOpID("llvm.intr.assume"), Later: laterAssume, Operands: []ir.OperandDef{ir.Operand("cond", constraint.I1)},
			Models: []ir.Model{interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write})}},
		{ID: ir.NewOpID("llvm.intr.stacksave"), Results: result(anyPointer), Format: "attr-dict `:` qualified(type($res))"},
		{ID: ir.NewOpID("llvm.intr.stackrestore"), Operands: []ir.OperandDef{ir.Operand("ptr", anyPointer)}, Format: "$ptr attr-dict `:` qualified(type($ptr))"}}
}

// isVolatile is the attribute of intrinsics that copy or set memory.
const isVolatile = "isVolatile"

// volatileOperand is how LLVM 16 spells them: whether the access is volatile is a constant operand, the last one.
var volatileOperand = []ir.Spelling{{Until: 16,
	Upgrade: func(_ *ir.Builder, s *ir.OpState) error {
		const operands = 3
		if len(s.Operands) != operands+1 || s.Attr(isVolatile) != nil {
			return nil
		}
		constant, ok := ir.ConstantOf(s.Operands[operands]).(*ir.IntegerAttr)
		if !ok || constant.Type != ir.I1 {
			return errors.New("has a last operand that isn't constant: whether it is volatile")
		}
		s.SetAttr(isVolatile, constant)
		s.Operands = s.Operands[:operands]
		return nil
	}}}

// lifetime says that memory starts or ends being used.
func lifetime(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{ID: id, Operands: []ir.OperandDef{ir.Operand("ptr", anyPointer)}, Attrs: []ir.AttrDef{attr("size", constraint.I64Attr)},
		Format: "$size `,` $ptr attr-dict `:` qualified(type($ptr))",
		Later: []ir.Spelling{{Since: 22, Format: "$ptr attr-dict `:` qualified(type($ptr))", Without: []string{"size"},
			Upgrade: func(b *ir.Builder, s *ir.OpState) error {
				if s.Attr("size") == nil {
					s.SetAttr("size", b.Context().I64Attr(-1)) // of whatever size
				}
				return nil
			},
			Replace: func(_ *ir.Builder, op *ir.Op) { op.SetAttr("size", nil) }}}}
}

func parseAlloca(p *asm.Parser, s *ir.OpState) error {
	if p.OptionalKeyword("inalloca") {
		s.SetAttr("inalloca", ir.Unit)
	}
	size, err := p.Operand()
	if err != nil {
		return err
	}
	if err := p.Keyword("x"); err != nil {
		return err
	}
	elem, err := p.Type()
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	s.SetAttr("elem_type", p.Context().TypeAttr(elem))
	if err := p.Expect(":"); err != nil {
		return err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	f, ok := t.(*ir.FunctionType)
	if !ok || len(f.Inputs) != 1 || len(f.Results) != 1 {
		return p.Errorf(pos, "expected trailing function type with one argument and one result")
	}
	s.Types = f.Results
	return p.ResolveInto(s, f.Inputs[0], size)
}

func printAlloca(p *asm.Printer, op *ir.Op) {
	if op.Attr("inalloca") != nil {
		p.Text(" inalloca")
	}
	p.Text(" ")
	p.Operand(AllocaOp{op}.ArraySize())
	p.Text(" x ")
	if t, ok := op.Attr("elem_type").(*ir.TypeAttr); ok {
		p.Type(t.Type)
	}
	p.OptionalAttrDict(p.AllAttrs(op), "elem_type", "inalloca")
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
}

// parseWrapping reads inbounds, or flags of LLVM 22, of which only that is kept.
func parseWrapping(p *asm.Parser, s *ir.OpState) error {
	all := append([]string{inbounds}, keywords(wrapping)...)
	word, ok := p.OptionalAnyKeyword(all...)
	n := uint64(0)
	for ok {
		if word == inbounds {
			n |= inboundsFlag | noSignedWrap
		} else {
			bit, _ := wrapping.Parse(word)
			n |= bit
		}
		if !p.Optional("|") {
			break
		}
		pos := p.Pos()
		if word, ok = p.OptionalAnyKeyword(all...); !ok {
			return p.Errorf(pos, "expected one of %s", strings.Join(all, ", "))
		}
	}
	if n&(inboundsFlag|noSignedWrap) == inboundsFlag|noSignedWrap {
		s.SetAttr(inbounds, ir.Unit)
	}
	return nil
}

func parseGEP(p *asm.Parser, s *ir.OpState) error {
	if err := parseWrapping(p, s); err != nil {
		return err
	}
	pos := p.Pos()
	base, err := p.Operand()
	if err != nil {
		return err
	}
	us, raw := []asm.Unresolved{base}, []int32{}
	err = p.List(asm.Square, func() error {
		n, ok, err := p.OptionalInteger()
		if err != nil {
			return err
		}
		if ok {
			raw = append(raw, int32(n))
			return nil
		}
		u, err := p.Operand()
		us, raw = append(us, u), append(raw, dynamicIndex)
		return err
	})
	if err != nil {
		return err
	}
	s.SetAttr(rawIndices, p.Context().DenseI32Array(raw...))
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	typesPos := p.Pos()
	f, err := p.FunctionType()
	if err != nil {
		return err
	}
	var elem ir.Type
	if !p.At(",") && p.Reads(typedPointersUntil) && strings.Contains(p.Since(typesPos), "ptr<") {
		elem, err = pointee(p, typesPos)
	} else if err = p.Expect(","); err == nil {
		elem, err = p.Type()
	}
	if err != nil {
		return err
	}
	s.SetAttr("elem_type", p.Context().TypeAttr(elem))
	s.Types = f.Results
	s.Operands, err = p.ResolveAll(us, f.Inputs, pos)
	return err
}

func printGEP(p *asm.Printer, op *ir.Op) {
	if op.Attr(inbounds) != nil {
		p.Text(" inbounds")
	}
	p.Text(" ")
	p.Operand(GetElementPtrOp{op}.Base())
	p.Text("[")
	next := 1
	if raw, ok := op.Attr(rawIndices).(*ir.DenseArrayAttr); ok {
		for i := range raw.Len() {
			if i > 0 {
				p.Text(", ")
			}
			if v := raw.Int(i); v != dynamicIndex {
				p.Int(v)
				continue
			}
			p.Operand(op.Operand(next))
			next++
		}
	}
	p.Text("]")
	p.OptionalAttrDict(p.AllAttrs(op), rawIndices, "elem_type", inbounds)
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
	p.Text(", ")
	if t, ok := op.Attr("elem_type").(*ir.TypeAttr); ok {
		p.Type(t.Type)
	}
}
