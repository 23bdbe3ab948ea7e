package sparsetensor

import (
	"errors"
	"math/bits"
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Operations that go through some levels of a tensor.
var (
	// ExtractIterationSpace is the positions of elements in a range of levels: all, or those that an iterator over the levels before leads to.
	ExtractIterationSpace = ir.NewOpID("sparse_tensor.extract_iteration_space")
	// Iterate executes its region for each position in a space, and carries values from one iteration to the next.
	Iterate = ir.NewOpID("sparse_tensor.iterate")
	// ExtractValue is the element to which an iterator leads. LLVM 20 added it.
	ExtractValue = ir.NewOpID("sparse_tensor.extract_value")
)

const (
	loLevel    = "loLvl"
	hiLevel    = "hiLvl"
	usedLevels = "crdUsedLvls"

	// maxLevels is how many levels have a place in crdUsedLvls.
	maxLevels = 64
)

func ranged(mnemonic, summary string) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: func(t ir.Type) bool { return ir.IsDialectType(t, dialectName, mnemonic) }}
}

var (
	iterSpace    = ranged(spaceMnemonic, "sparse iteration space")
	iterator     = ranged(iteratorMnemonic, "sparse iterator")
	levelSetAttr = ir.AttrConstraint{Summary: "LevelSet attribute", Match: constraint.I64Attr.Match, Class: constraint.I64Attr.Class,
		ValueType: constraint.I64Attr.ValueType}
)

func extractIterationSpaceDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractIterationSpace, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), {Name: "parentIter", Type: iterator, Arity: ir.Optional}},
		Attrs:    []ir.AttrDef{attr(hiLevel, levelAttr), attr(loLevel, levelAttr)},
		Results:  []ir.ResultDef{ir.Result("resultSpace", iterSpace)},
		Format: "$tensor (`at` $parentIter^)? `lvls` `=` custom<LevelRange>($loLvl, $hiLvl) attr-dict `:` type($tensor) (`,` type($parentIter)^)?" +
			" `->` type($resultSpace)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			e, ok := TensorEncoding(s.Operands[0].Type())
			lo, ok1 := s.Attr(loLevel).(*ir.IntegerAttr)
			hi, ok2 := s.Attr(hiLevel).(*ir.IntegerAttr)
			if !ok || !ok1 || !ok2 {
				return nil, errors.New("needs a sparse tensor and levels")
			}
			return []ir.Type{newLevelRange(s.Name.Context(), spaceMnemonic, e.DialectAttr, lo.Value, hi.Value)}, nil
		},
		Verify: verifyExtractIterationSpace,
	}
}

func extractValueDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractValue, Since: 20, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), ir.Operand("iterator", iterator)},
		Results:  ir.SingleResult("result", constraint.AnyType),
		Format:   "$tensor `at` $iterator attr-dict `:` type($tensor) `,` type($iterator)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			t := ir.ElementType(s.Operands[0].Type())
			if t == nil {
				return nil, errors.New("needs a sparse tensor")
			}
			return []ir.Type{t}, nil
		},
		Verify: func(op *ir.Op) error {
			e, ok := TensorEncoding(op.Operand(0).Type())
			at, also := levelRangeOf(op.Operand(1).Type(), iteratorMnemonic)
			switch {
			case !ok || !also:
				return op.Errorf("needs a sparse tensor and an iterator")
			case at.encoding() != e.DialectAttr:
				return op.Errorf("mismatch in tensor encoding and iterator encoding.")
			case at.hi() != int64(e.LvlRank()):
				return op.Errorf("must use last-level iterator to extract values. ")
			}
			return nil
		},
	}
}

var levelRangeDirective = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		lo, hi, err := parseLevels(p, p.NamePos())
		if err != nil {
			return err
		}
		s.SetAttr(args[0].Name, p.Context().IndexAttr(lo))
		s.SetAttr(args[1].Name, p.Context().IndexAttr(hi))
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		lo, _ := intAttr(op, args[0].Name)
		hi, _ := intAttr(op, args[1].Name)
		printLevels(p.Writer(), lo, hi)
	},
}

func verifyExtractIterationSpace(op *ir.Op) error {
	lo, _ := intAttr(op, loLevel)
	hi, _ := intAttr(op, hiLevel)
	if uint64(lo) >= uint64(hi) {
		return op.Errorf("expected smaller level low than level high")
	}
	parent := op.OptionalOperand(1)
	if (parent != nil) == (lo == 0) {
		return op.Errorf("parent iterator should be specified iff level lower bound equals 0")
	}
	if parent == nil {
		return nil
	}
	before, _ := levelRangeOf(parent.Type(), iteratorMnemonic)
	if space, ok := levelRangeOf(op.Result(0).Type(), spaceMnemonic); ok && before.encoding() != space.encoding() {
		return op.Errorf("mismatch in parent iterator encoding and iteration space encoding.")
	}
	if before.hi() != lo {
		return op.Errorf("parent iterator should be used to extract an iteration space from a consecutive level.")
	}
	return nil
}

func iterateDef() *ir.OpDef {
	return &ir.OpDef{ID: Iterate, Traits: ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects, ImplicitTerminator: Yield,
		Operands: []ir.OperandDef{ir.Operand("iterSpace", iterSpace), ir.VariadicOperand("initArgs", constraint.AnyType)},
		Attrs:    []ir.AttrDef{attr(usedLevels, levelSetAttr)},
		Results:  []ir.ResultDef{ir.VariadicResult("results", constraint.AnyType)},
		Regions:  []ir.RegionDef{{Name: "region", Sized: 1}},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseIterate, Print: printIterate}),
			interfaces.LoopLike.Model(iterateLoop{}),
			interfaces.RegionBranch.Model(iterateFlow{}),
			rewrite.Patterns(rewrite.Pattern{Name: "RemoveUnusedLvlCrds", Rewrite: dropUnusedCoordinates}),
		},
		Verify:        verifyIterate,
		VerifyRegions: verifyIterateRegions,
	}
}

// iterateOp is a sparse_tensor.iterate. The arguments of its body are the iterator, the coordinates that are used, and what is carried;
// since LLVM 20, in the opposite order.
type iterateOp struct{ *ir.Op }

// carriedFirst tells whether what is carried stands in front of the coordinates, and these in front of the iterator.
func carriedFirst(c *ir.Context) bool { return c.LLVM() >= 20 }

// iteratorArg returns the place of the iterator among n arguments.
func iteratorArg(c *ir.Context, n int) int {
	if carriedFirst(c) {
		return n - 1
	}
	return 0
}

// coordinate returns the place of the first coordinate among the arguments.
func (o iterateOp) coordinate() int {
	if carriedFirst(o.Context()) {
		return len(o.inits())
	}
	return 1
}

func (o iterateOp) space() levelRange {
	s, _ := levelRangeOf(IterateOp(o).IterSpace().Type(), spaceMnemonic)
	return s
}

func (o iterateOp) inits() ir.Operands { return o.Operands()[1:] }

// used is the set of levels whose coordinates are arguments.
func (o iterateOp) used() uint64 {
	n, _ := intAttr(o.Op, usedLevels)
	return uint64(n)
}

func (o iterateOp) iterArgs() []*ir.Value {
	args, others := o.BodyBlock(0).Args(), 1+bits.OnesCount64(o.used())
	if carriedFirst(o.Context()) {
		return args[:max(0, len(args)-others)]
	}
	return args[min(len(args), others):]
}

// dropUnusedCoordinates removes arguments that nothing uses.
func dropUnusedCoordinates(r *rewrite.Rewriter, op *ir.Op) bool {
	o := iterateOp{op}
	body, used, left := op.BodyBlock(0), o.used(), uint64(0)
	var unused []int
	arg := o.coordinate()
	for level := range o.space().rank() {
		if used&(1<<level) == 0 {
			continue
		}
		if body.Arg(arg).HasUses() {
			left |= 1 << level
		} else {
			unused = append(unused, arg)
		}
		arg++
	}
	if len(unused) == 0 {
		return false
	}
	r.Modify(op, func() {
		op.SetAttr(usedLevels, op.Context().I64Attr(int64(left)))
		for _, i := range slices.Backward(unused) {
			body.EraseArg(i)
		}
	})
	return true
}

type iterateFlow struct{}

func (iterateFlow) Successors(op *ir.Op, _ interfaces.RegionPoint) []interfaces.RegionSuccessor {
	return []interfaces.RegionSuccessor{{Region: op.RegionAt(0), Inputs: iterateOp{op}.iterArgs()}, {Inputs: op.Results().Values()}}
}

func (iterateFlow) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return 1, op.NumOperands() - 1
}

type iterateLoop struct{}

func (iterateLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (iterateLoop) Inits(op *ir.Op) (start, n int) { return 1, op.NumOperands() - 1 }
func (iterateLoop) IterArgs(op *ir.Op) []*ir.Value { return iterateOp{op}.iterArgs() }
func (iterateLoop) Yielded(op *ir.Op) ir.Operands  { return op.BodyBlock(0).Last().Operands() }
func (iterateLoop) Results(op *ir.Op) ir.Results   { return op.Results() }
func (iterateLoop) AddInits(*ir.Builder, *ir.Op, []*ir.Value, func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	return nil
}

func verifyIterate(op *ir.Op) error {
	if len(iterateOp{op}.inits()) != op.NumResults() {
		return op.Errorf("mismatch in number of loop-carried values and defined values")
	}
	if o := (iterateOp{op}); o.used() != 0 && (o.space().rank() > maxLevels || int64(bits.Len64(o.used())) > o.space().rank()) {
		return op.Errorf("required out-of-bound coordinates")
	}
	return nil
}

func verifyIterateRegions(op *ir.Op) error {
	o := iterateOp{op}
	body := op.BodyBlock(0)
	n := body.NumArgs()
	if n == 0 || body.Arg(iteratorArg(op.Context(), n)).Type() != o.space().iterator(op.Context()) {
		return op.Errorf("mismatch in iterator and iteration space type")
	}
	coordinates, first := bits.OnesCount64(o.used()), o.coordinate()
	for i := range coordinates {
		if first+i >= n || body.Arg(first+i).Type() != ir.Type(ir.Index) {
			return op.Errorf("expected %d coordinates of type 'index' in the region's arguments", coordinates)
		}
	}
	args, y := o.iterArgs(), body.Last()
	if len(args) != op.NumResults() {
		return op.Errorf("mismatch in number of basic block args and defined values")
	}
	if y.NumOperands() != op.NumResults() {
		return op.Errorf("number mismatch between iter args and results.")
	}
	for i, a := range args {
		t := op.Result(i).Type()
		for _, x := range []struct {
			value *ir.Value
			what  string
		}{{op.Operand(1 + i), "iter operand"}, {a, "iter region arg"}, {y.Operand(i), "yield value"}} {
			if x.value.Type() != t {
				return op.Errorf("types mismatch between %dth %s and defined value", i, x.what)
			}
		}
	}
	return nil
}

// parseIterate reads
//
//	%it in %space at(%crd, _) iter_args(%a = %x) : !sparse_tensor.iter_space<...> -> (f32) {...}
func parseIterate(p *asm.Parser, s *ir.OpState) error {
	iterators, err := p.Arguments(asm.NoDelimiter, false, false)
	if err != nil {
		return err
	}
	if err := p.Keyword("in"); err != nil {
		return err
	}
	spaces, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if len(iterators) != len(spaces) {
		return p.Errorf(p.NamePos(), "mismatch in number of sparse iterators and sparse spaces")
	}
	var coordinates, carried []asm.Argument
	var used uint64
	levels, at := 0, p.OptionalKeyword("at")
	if at {
		err := p.List(asm.Paren, func() error {
			if !p.OptionalKeyword("_") {
				a, err := p.Argument(false, false)
				if err != nil {
					return err
				}
				if levels >= maxLevels {
					return p.Errorf(p.NamePos(), "has more than %d levels", maxLevels)
				}
				a.Type = ir.Index
				coordinates = append(coordinates, a)
				used |= 1 << levels
			}
			levels++
			return nil
		})
		if err != nil {
			return also(err, p.Errorf(p.NamePos(), `expecting SSA value or "_" for level coordinates`))
		}
	}
	s.SetAttr(usedLevels, p.Context().I64Attr(int64(used)))
	var inits []asm.Unresolved
	carries := p.OptionalKeyword("iter_args")
	if carries {
		if carried, inits, err = p.Assignments(); err != nil {
			return err
		}
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if len(types) != len(spaces) {
		return p.Errorf(p.NamePos(), "mismatch in number of iteration space operands and iteration space types")
	}
	for i, t := range types {
		space, ok := levelRangeOf(t, spaceMnemonic)
		if !ok {
			return p.Errorf(p.NamePos(), "expected sparse_tensor.iter_space type for iteration space operands")
		}
		if at && space.rank() != int64(levels) {
			return p.Errorf(p.NamePos(), "mismatch in number of iteration space dimension and specified coordinates")
		}
		iterators[i].Type = space.iterator(p.Context())
	}
	if carries {
		if s.Types, err = p.ArrowTypes(); err != nil {
			return err
		}
	}
	for i, v := range spaces {
		if err := p.ResolveInto(s, types[i], v); err != nil {
			return err
		}
	}
	if len(inits) != len(s.Types) {
		return p.Errorf(p.NamePos(), "mismatch in number of iteration arguments and return values")
	}
	for i, v := range inits {
		carried[i].Type = s.Types[i]
		if err := p.ResolveInto(s, s.Types[i], v); err != nil {
			return err
		}
	}
	if len(iterators) != 1 {
		return p.Errorf(p.NamePos(), "expected only one iterator/iteration space")
	}
	args := slices.Concat(iterators, coordinates, carried)
	if carriedFirst(p.Context()) {
		args = slices.Concat(carried, coordinates, iterators)
	}
	if err := p.TerminatedRegion(s, args); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printIterate(p *asm.Printer, op *ir.Op) {
	o := iterateOp{op}
	args := op.BodyBlock(0).Args()
	p.Text(" ")
	p.Operand(args[iteratorArg(op.Context(), len(args))])
	p.Text(" in ")
	p.Operand(PrintOp{op}.Tensor())
	if used := o.used(); used != 0 {
		p.Text(" at(")
		next := o.coordinate()
		for level := range o.space().rank() {
			if level > 0 {
				p.Text(", ")
			}
			if used&(1<<level) == 0 {
				p.Text("_")
				continue
			}
			p.Operand(args[next])
			next++
		}
		p.Text(")")
	}
	if inits := o.inits(); len(inits) > 0 {
		p.Text(" iter_args")
		p.Assignments(o.iterArgs(), inits.Values())
	}
	p.Text(" : ")
	p.Type(PrintOp{op}.Tensor().Type())
	if carriedFirst(op.Context()) {
		p.Text(" ")
		if op.NumResults() > 0 {
			p.ArrowTypes(op.Results().Types())
		}
	} else if op.NumResults() > 0 {
		p.Text(" -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, len(o.inits()) > 0, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
