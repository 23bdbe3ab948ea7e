package conversion

import (
	"sync"

	"freehold/ir"
)

// Materialization creates, at the builder's insertion point, a value of type t from
// the inputs; nil if it can't. There are no inputs where a value was erased that is
// still used.
type Materialization func(b *ir.Builder, t ir.Type, inputs []*ir.Value, loc ir.Location) *ir.Value

// MaterializationKind says what a materialization is for.
type MaterializationKind uint8

// The kinds of materializations: from converted values back to the original type of a
// value that was replaced, the same for an argument of a block, and from a value to
// the converted type that a pattern asks for.
const (
	SourceMaterialization MaterializationKind = iota
	ArgumentMaterialization
	TargetMaterialization
)

// TypeConversion returns the types that t becomes; known is false if the conversion
// has nothing to say about t. Nil types for a type that it knows mean that t can't be
// converted; an empty list, that values of the type disappear.
type TypeConversion func(t ir.Type) (types []ir.Type, known bool)

// TypeConverter says what types become, and how to get from one to the other. It is
// not changed while it is used, and may be used by several goroutines then.
type TypeConverter struct {
	conversions      []TypeConversion
	materializations [3][]Materialization
	cache            sync.Map // ir.Type -> []ir.Type; nil if it can't be converted
}

// NewTypeConverter returns a converter that converts no type.
func NewTypeConverter() *TypeConverter { return &TypeConverter{} }

// Add adds a conversion. The last one that knows a type decides about it.
func (c *TypeConverter) Add(f TypeConversion) { c.conversions = append(c.conversions, f) }

// AddOneToOne adds a conversion to a single type; nil if it doesn't know the type.
func (c *TypeConverter) AddOneToOne(f func(t ir.Type) ir.Type) {
	c.Add(func(t ir.Type) ([]ir.Type, bool) {
		n := f(t)
		if n == nil {
			return nil, false
		}
		return []ir.Type{n}, true
	})
}

// AddMaterialization adds a materialization. The last one that creates a value counts.
func (c *TypeConverter) AddMaterialization(k MaterializationKind, m Materialization) {
	c.materializations[k] = append(c.materializations[k], m)
}

// Convert returns the types that t becomes, and whether it can be converted.
func (c *TypeConverter) Convert(t ir.Type) ([]ir.Type, bool) {
	if types, ok := c.cache.Load(t); ok {
		types := types.([]ir.Type)
		return types, types != nil
	}
	var types []ir.Type
	for i := len(c.conversions) - 1; i >= 0; i-- {
		if list, known := c.conversions[i](t); known {
			types = list
			break
		}
	}
	c.cache.Store(t, types)
	return types, types != nil
}

// ConvertOne returns the only type that t becomes, or nil.
func (c *TypeConverter) ConvertOne(t ir.Type) ir.Type {
	if types, ok := c.Convert(t); ok && len(types) == 1 {
		return types[0]
	}
	return nil
}

// ConvertAll returns what a list of types becomes, and whether all can be converted.
func (c *TypeConverter) ConvertAll(ts []ir.Type) ([]ir.Type, bool) {
	out := make([]ir.Type, 0, len(ts))
	for _, t := range ts {
		types, ok := c.Convert(t)
		if !ok {
			return nil, false
		}
		out = append(out, types...)
	}
	return out, true
}

// IsLegal tells whether a type becomes itself.
func (c *TypeConverter) IsLegal(t ir.Type) bool { return c.ConvertOne(t) == t }

// IsLegalOp tells whether the types of all operands and results are legal.
func (c *TypeConverter) IsLegalOp(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if !c.IsLegal(op.Operand(i).Type()) {
			return false
		}
	}
	for i := range op.NumResults() {
		if !c.IsLegal(op.Result(i).Type()) {
			return false
		}
	}
	return true
}

// IsLegalRegion tells whether the types of all block arguments of a region are legal.
func (c *TypeConverter) IsLegalRegion(r *ir.Region) bool {
	for b := range r.Blocks() {
		for _, a := range b.Args() {
			if !c.IsLegal(a.Type()) {
				return false
			}
		}
	}
	return true
}

// IsLegalSignature tells whether all types of a function type are legal.
func (c *TypeConverter) IsLegalSignature(t *ir.FunctionType) bool {
	for _, list := range [][]ir.Type{t.Inputs, t.Results} {
		for _, t := range list {
			if !c.IsLegal(t) {
				return false
			}
		}
	}
	return true
}

// Materialize creates a value of type t from the inputs at the builder's insertion
// point; nil if the converter doesn't know how.
func (c *TypeConverter) Materialize(k MaterializationKind, b *ir.Builder, t ir.Type, inputs []*ir.Value, loc ir.Location) *ir.Value {
	list := c.materializations[k]
	for i := len(list) - 1; i >= 0; i-- {
		if v := list[i](b, t, inputs, loc); v != nil {
			return v
		}
	}
	return nil
}

// Signature says what the arguments of a block become.
type Signature struct {
	inputs []inputMapping
	types  []ir.Type
}

type inputMapping struct {
	first, n    int // the new arguments
	replacement *ir.Value
}

// NewSignature returns a signature that drops n arguments.
func NewSignature(n int) *Signature { return &Signature{inputs: make([]inputMapping, n)} }

// Add makes new arguments of the given types for argument i, after those that are there
// already.
func (s *Signature) Add(i int, types ...ir.Type) {
	s.inputs[i] = inputMapping{first: len(s.types), n: len(types)}
	s.types = append(s.types, types...)
}

// AddNew makes new arguments that belong to no old one.
func (s *Signature) AddNew(types ...ir.Type) { s.types = append(s.types, types...) }

// Remap replaces argument i by a value.
func (s *Signature) Remap(i int, v *ir.Value) { s.inputs[i] = inputMapping{replacement: v} }

// ConvertSignature returns the signature of a block with arguments of the given types
// when these are converted, and false if one can't be.
func (c *TypeConverter) ConvertSignature(types []ir.Type) (*Signature, bool) {
	s := NewSignature(len(types))
	for i, t := range types {
		converted, ok := c.Convert(t)
		if !ok {
			return nil, false
		}
		s.Add(i, converted...)
	}
	return s, true
}
