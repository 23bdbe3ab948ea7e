package vector

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

const (
	permutationMap = "permutation_map"
	inBounds       = "in_bounds"
)

// TransferRead reads a part of a tensor or memref into a vector; positions
// outside give the padding value.
var TransferRead = ir.NewOpID("vector.transfer_read")

func transferReadDef() *ir.OpDef {
	return &ir.OpDef{
		ID: TransferRead,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyShaped), indices("indices"), ir.Operand("padding", constraint.AnyType),
			ir.OptionalOperand("mask", bits)},
		Results: ir.SingleResult("vector", anyRank),
		Attrs:   []ir.AttrDef{attr(permutationMap, constraint.AffineMapAttr), attr(inBounds, boolArray), segments},
		Traits:  ir.TraitAttrSizedOperandSegments,
		Earlier: []ir.Spelling{{Until: 18, Upgrade: fillInBounds}},
		Verify:  verifyTransferRead,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.MemoryEffects.Model(transferEffects),
			interfaces.DestinationStyle.Model(func(op *ir.Op) (start, n int) { return op.NumOperands(), 0 }),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseTransferRead, Print: printTransferRead}),
			interfaces.Bufferizable.Model(readBufferize{}),
			exec.Executable.Model(executeTransferRead),
			rewrite.Patterns(transferReadPatterns()...),
			interfaces.Subset.Model(subset{}),
			interfaces.ConditionallySpeculatable.Model(speculateTransfer),
			interfaces.SubsetExtraction.Model(struct{}{}),
		},
		Fold: foldTransferRead,
	}
}

// TransferWrite writes a vector into a part of a tensor or memref.
var TransferWrite = ir.NewOpID("vector.transfer_write")

func transferWriteDef() *ir.OpDef {
	return &ir.OpDef{
		ID: TransferWrite,
		Operands: []ir.OperandDef{ir.Operand("vector", anyRank), ir.Operand("source", constraint.AnyShaped), indices("indices"),
			ir.OptionalOperand("mask", bits)},
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyRankedTensor, Arity: ir.Optional}},
		Attrs:   []ir.AttrDef{attr(permutationMap, constraint.AffineMapAttr), attr(inBounds, boolArray), segments},
		Traits:  ir.TraitAttrSizedOperandSegments,
		Earlier: []ir.Spelling{{Until: 18, Upgrade: fillInBounds}},
		Verify:  verifyTransferWrite, VerifyRegions: interfaces.VerifyDestinationStyle,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.MemoryEffects.Model(transferEffects),
			interfaces.DestinationStyle.Model(func(*ir.Op) (start, n int) { return 1, 1 }),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseTransferWrite, Print: printTransferWrite}),
			interfaces.Bufferizable.Model(writeBufferize{}),
			exec.Executable.Model(executeTransferWrite),
			rewrite.Patterns(transferWritePatterns()...),
			interfaces.Subset.Model(subset{}),
			interfaces.ConditionallySpeculatable.Model(speculateTransfer),
			interfaces.SubsetInsertion.Model(subsetInsertion{}),
		},
		Fold: foldTransferWrite,
	}
}

// TransferOp is a vector.transfer_read or vector.transfer_write.
type TransferOp struct{ *ir.Op }

// IsWrite tells whether the operation is a vector.transfer_write.
func (o TransferOp) IsWrite() bool {
	return o.Def().OperandIndex("padding") < 0
}

// Source returns the tensor or memref that is read or written.
func (o TransferOp) Source() *ir.Value { return o.OperandGroup(o.Def().OperandIndex("source")).At(0) }

// Indices returns the position of the part.
func (o TransferOp) Indices() ir.Operands { return o.OperandGroup(o.Def().OperandIndex("indices")) }

// Padding returns the padding value of a vector.transfer_read.
func (o TransferOp) Padding() *ir.Value { return o.OptionalOperand(o.Def().OperandIndex("padding")) }

// Mask returns the mask, or nil.
func (o TransferOp) Mask() *ir.Value { return o.OptionalOperand(o.Def().OperandIndex("mask")) }

// VectorType returns the type of the vector that is read or written.
func (o TransferOp) VectorType() *ir.VectorType {
	if o.IsWrite() {
		return vec(TransferWriteOp(o).Vector().Type())
	}
	return vec(o.Result(0).Type())
}

// PermutationMap returns the map from the dimensions of the source to those of the
// vector.
func (o TransferOp) PermutationMap() *ir.AffineMap {
	m, _ := o.Attr(permutationMap).(*ir.AffineMapAttr)
	if m == nil {
		return nil
	}
	return m.Map
}

// SetPermutationMap replaces the map.
func (o TransferOp) SetPermutationMap(m *ir.AffineMap) {
	o.SetAttr(permutationMap, o.Context().AffineMapAttr(m))
}

// HasMinorIdentity tells whether the dimensions of the vector are the last ones of the source, in order.
func (o TransferOp) HasMinorIdentity() bool { return isMinorIdentity(o.Context(), o.PermutationMap()) }

// SetMinorIdentity makes the dimensions of the vector the last ones of a source of that rank.
func (o TransferOp) SetMinorIdentity(rank int) {
	o.SetPermutationMap(minorIdentity(o.Context(), rank, len(o.VectorType().Shape)))
}

// InBounds tells for each dimension of the vector whether it is within bounds.
func (o TransferOp) InBounds() []bool {
	arr, _ := o.Attr(inBounds).(*ir.ArrayAttr)
	if arr == nil {
		return nil
	}
	out := make([]bool, len(arr.Elems))
	for i, e := range arr.Elems {
		b, ok := e.(*ir.IntegerAttr)
		out[i] = ok && b.Value != 0
	}
	return out
}

// What transfers do with a buffer.
var (
	readTransferred  = []interfaces.Effect{interfaces.OnOperand(interfaces.Read, 0)}
	writeTransferred = []interfaces.Effect{interfaces.OnOperand(interfaces.Write, 1)}
)

func transferEffects(op *ir.Op) []interfaces.Effect {
	o := TransferOp{op}
	switch {
	case !ir.IsMemRef(o.Source().Type()):
		return nil
	case o.IsWrite():
		return writeTransferred
	}
	return readTransferred
}

// minorIdentity is the map from n dimensions to the last k.
func minorIdentity(c *ir.Context, n, k int) *ir.AffineMap {
	exprs := make([]*ir.AffineExpr, k)
	for i := range exprs {
		exprs[i] = c.AffineDim(n - k + i)
	}
	return c.AffineMap(n, 0, exprs...)
}

func isMinorIdentity(c *ir.Context, m *ir.AffineMap) bool {
	return m.Syms == 0 && m.Dims >= len(m.Results) && m == minorIdentity(c, m.Dims, len(m.Results))
}

// defaultMap is the permutation map of a transfer that spells none.
func defaultMap(c *ir.Context, source ir.Type, v *ir.VectorType) *ir.AffineMap {
	shape, _ := ir.ShapeOf(source)
	rank := len(v.Shape)
	if e := vec(ir.ElementType(source)); e != nil {
		rank -= len(e.Shape)
	}
	if len(shape) == 0 && len(v.Shape) == 1 && v.Shape[0] == 1 {
		return c.AffineMap(0, 0, c.AffineConstant(0))
	}
	if rank < 0 || rank > len(shape) {
		rank = len(shape) // which the verifier rejects
	}
	return minorIdentity(c, len(shape), rank)
}

// mapsDemanded is the version of LLVM since which transfers of more dimensions than there are must spell a map.
const mapsDemanded = 22

// hasDefaultMap tells whether LLVM 22 has a map for a transfer that spells none.
func hasDefaultMap(source ir.Type, v *ir.VectorType) bool {
	shape, _ := ir.ShapeOf(source)
	rank := len(v.Shape)
	if e := vec(ir.ElementType(source)); e != nil {
		rank -= len(e.Shape)
	}
	return rank >= 0 && rank <= len(shape)
}

// maskType returns the type of the mask of a transfer.
func maskType(c *ir.Context, v *ir.VectorType, m *ir.AffineMap) *ir.VectorType {
	var shape []int64
	var scalable []bool
	for d := range m.Dims {
		for i, r := range m.Results {
			if r.Kind == ir.AffineDim && r.Value == int64(d) && i < len(v.Shape) {
				shape = append(shape, v.Shape[i])
				scalable = append(scalable, v.Scalable != nil && v.Scalable[i])
				break
			}
		}
	}
	return c.Vector(shape, scalable, ir.I1)
}

// parseTransfer reads what follows the indices of a transfer, and completes the
// attributes.
func parseTransfer(p *asm.Parser, s *ir.OpState, vectorFirst bool) (source ir.Type, v *ir.VectorType, mask *asm.Unresolved, mt *ir.VectorType, err error) {
	if p.Optional(",") {
		u, err := p.Operand()
		if err != nil {
			return nil, nil, nil, nil, err
		}
		mask = &u
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return nil, nil, nil, nil, err
	}
	pos := p.Pos()
	types, err := p.ColonTypes()
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if len(types) != 2 {
		return nil, nil, nil, nil, p.Errorf(pos, "requires two types")
	}
	source = types[0]
	vt := types[1]
	if vectorFirst {
		source, vt = vt, source
	}
	v = vec(vt)
	if vectorFirst && v == nil {
		return nil, nil, nil, nil, p.Errorf(pos, "requires vector type")
	}
	switch source.(type) {
	case *ir.MemRefType, *ir.RankedTensorType:
	default:
		return nil, nil, nil, nil, p.Errorf(pos, "requires memref or ranked tensor type")
	}
	if v == nil {
		return nil, nil, nil, nil, p.Errorf(pos, "requires vector type")
	}
	c := p.Context()
	var m *ir.AffineMap
	if a, ok := s.Attr(permutationMap).(*ir.AffineMapAttr); ok {
		m = a.Map
	} else {
		if c.LLVM() >= mapsDemanded && s.Attr(permutationMap) == nil && !hasDefaultMap(source, v) {
			return nil, nil, nil, nil, p.Errorf(pos, "expected a custom permutation_map when rank(source) != rank(destination)")
		}
		m = defaultMap(c, source, v)
		if s.Attr(permutationMap) == nil {
			s.SetAttr(permutationMap, c.AffineMapAttr(m))
		}
	}
	if s.Attr(inBounds) == nil {
		elems := make([]ir.Attribute, len(m.Results))
		for i := range elems {
			elems[i] = c.Bool(false)
		}
		s.SetAttr(inBounds, c.ArrayAttr(elems...))
	}
	if mask != nil {
		if vec(ir.ElementType(source)) != nil {
			return nil, nil, nil, nil, p.Errorf(mask.Pos, "does not support masks with vector element type")
		}
		if len(v.Shape) != len(m.Results) {
			return nil, nil, nil, nil, p.Errorf(pos, "expected the same rank for the vector and the results of the permutation map")
		}
		mt = maskType(c, v, m)
	}
	return source, v, mask, mt, nil
}

func parseTransferRead(p *asm.Parser, s *ir.OpState) error {
	src, err := p.Operand()
	if err != nil {
		return err
	}
	idx, err := p.Operands(asm.Square)
	if err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	padding, err := p.Operand()
	if err != nil {
		return err
	}
	source, v, mask, mt, err := parseTransfer(p, s, false)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, source, src); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, idx...); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.ElementType(source), padding); err != nil {
		return err
	}
	masks := int32(0)
	if mask != nil {
		masks = 1
		if err := p.ResolveInto(s, mt, *mask); err != nil {
			return err
		}
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, p.Context().DenseI32Array(1, int32(len(idx)), 1, masks))
	s.Types = []ir.Type{v}
	return nil
}

func parseTransferWrite(p *asm.Parser, s *ir.OpState) error {
	val, err := p.Operand()
	if err != nil {
		return err
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	src, err := p.Operand()
	if err != nil {
		return err
	}
	idx, err := p.Operands(asm.Square)
	if err != nil {
		return err
	}
	source, v, mask, mt, err := parseTransfer(p, s, true)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, v, val); err != nil {
		return err
	}
	if err := p.ResolveInto(s, source, src); err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, idx...); err != nil {
		return err
	}
	masks := int32(0)
	if mask != nil {
		masks = 1
		if err := p.ResolveInto(s, mt, *mask); err != nil {
			return err
		}
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, p.Context().DenseI32Array(1, 1, int32(len(idx)), masks))
	if ir.IsTensor(source) {
		s.Types = []ir.Type{source}
	}
	return nil
}

func printTransferEnd(p *asm.Printer, o TransferOp) {
	if m := o.Mask(); m != nil {
		p.Text(", ")
		p.Operand(m)
	}
	elided := []string{ir.OperandSegmentsAttr}
	if m := o.PermutationMap(); m != nil && isMinorIdentity(o.Context(), m) {
		elided = append(elided, permutationMap)
	}
	any := false
	for _, b := range o.InBounds() {
		any = any || b
	}
	if !any {
		elided = append(elided, inBounds)
	}
	p.OptionalAttrDict(p.AllAttrs(o.Op), elided...)
	p.Text(" : ")
}

func printSourceAt(p *asm.Printer, o TransferOp) {
	p.Operand(o.Source())
	p.Text("[")
	p.Operands(o.Indices().Values())
	p.Text("]")
}

func printTransferRead(p *asm.Printer, op *ir.Op) {
	o := TransferOp{op}
	p.Text(" ")
	printSourceAt(p, o)
	p.Text(", ")
	p.Operand(o.Padding())
	printTransferEnd(p, o)
	p.Types([]ir.Type{o.Source().Type(), o.VectorType()})
}

func printTransferWrite(p *asm.Printer, op *ir.Op) {
	o := TransferOp{op}
	p.Text(" ")
	p.Operand(TransferWriteOp{op}.Vector())
	p.Text(", ")
	printSourceAt(p, o)
	printTransferEnd(p, o)
	p.Types([]ir.Type{o.VectorType(), o.Source().Type()})
}

func verifyTransferRead(op *ir.Op) error {
	o := TransferOp{op}
	if err := verifyTransferIndices(o); err != nil {
		return err
	}
	if err := verifyTransfer(o); err != nil {
		return err
	}
	elem, padding := ir.ElementType(o.Source().Type()), o.Padding().Type()
	switch {
	case elem == padding:
	case vec(elem) != nil:
		return op.Errorf("requires source element type and padding type to match.")
	case !ir.IsIntOrIndex(padding) && !ir.IsFloat(padding):
		return op.Errorf("requires valid padding vector elemental type")
	default:
		return op.Errorf("requires formal padding and source of the same elemental type")
	}
	return verifyPermutation(o)
}

func verifyTransferWrite(op *ir.Op) error {
	o := TransferOp{op}
	if err := verifyTransferIndices(o); err != nil {
		return err
	}
	for _, r := range o.PermutationMap().Results {
		if r.IsConst(0) {
			return op.Errorf("should not have broadcast dimensions")
		}
	}
	if err := verifyTransfer(o); err != nil {
		return err
	}
	return verifyPermutation(o)
}

func verifyTransferIndices(o TransferOp) error {
	if shape, _ := ir.ShapeOf(o.Source().Type()); len(o.Indices()) != len(shape) {
		return o.Errorf("requires %d indices", len(shape))
	}
	return nil
}

// verifyTransfer checks the vector against the elements of the source, the mask
// and the bounds.
func verifyTransfer(o TransferOp) error {
	switch o.Source().Type().(type) {
	case *ir.MemRefType, *ir.RankedTensorType:
	default:
		return o.Errorf("requires source to be a memref or ranked tensor type")
	}
	if err := verifyTransferElements(o); err != nil {
		return err
	}
	shape, _ := ir.ShapeOf(o.Source().Type())
	m := o.PermutationMap()
	if m.Syms != 0 {
		return o.Errorf("requires permutation_map without symbols")
	}
	if m.Dims != len(shape) {
		return o.Errorf("requires a permutation_map with input dims of the same rank as the source type")
	}
	if mask := o.Mask(); mask != nil {
		if want := maskType(o.Context(), o.VectorType(), m); mask.Type() != ir.Type(want) {
			return o.Errorf("inferred mask type ('%s') and mask operand type ('%s') don't match", want, mask.Type())
		}
	}
	in := o.InBounds()
	if len(in) != len(m.Results) {
		return o.Errorf("expects the in_bounds attr of same rank as permutation_map results: %s vs inBounds of size: %d",
			o.Context().AffineMapAttr(m), len(in))
	}
	later := o.Context().LLVM() >= 22 // which takes broadcast dimensions for in bounds, whatever is said of them
	for i, r := range m.Results {
		if r.Kind == ir.AffineConst && !in[i] && !later {
			return o.Errorf("requires broadcast dimensions to be in-bounds")
		}
	}
	return nil
}

func verifyTransferElements(o TransferOp) error {
	v, m := o.VectorType(), o.PermutationMap()
	elem := ir.ElementType(o.Source().Type())
	rank, bits, what := len(v.Shape), bitsOf(elem), "source element type"
	e := vec(elem)
	if e != nil {
		bits, what = minorBits(e), "minor 1-D vector of the source"
	}
	if bits == 0 || minorBits(v)%bits != 0 {
		return o.Errorf("requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the %s", what)
	}
	if e != nil {
		if rank -= len(e.Shape); rank < 0 {
			return o.Errorf("requires source vector element and vector result ranks to match.")
		}
	}
	if len(m.Results) != rank {
		return o.Errorf("requires a permutation_map with result dims of the same rank as the vector type")
	}
	if e != nil && o.Mask() != nil {
		return o.Errorf("does not support masks with vector element type")
	}
	return nil
}

// verifyPermutation checks that the results of the permutation map are different
// dimensions, or zero.
func verifyPermutation(o TransferOp) error {
	m := o.PermutationMap()
	seen := make([]bool, m.Dims)
	for _, r := range m.Results {
		if r.IsConst(0) {
			continue
		}
		if r.Kind != ir.AffineDim {
			return o.Errorf("requires a projected permutation_map (at most one dim or the zero constant can appear in each result)")
		}
		if seen[r.Value] {
			return o.Errorf("requires a permutation_map that is a permutation (found one dim used more than once)")
		}
		seen[r.Value] = true
	}
	return nil
}
