package sparsetensor

import (
	"errors"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/constraint"
)

// arrayOfDimension is how LLVM 16 spells the reading of an array of a level, and LLVM 15, where the level is an operand.
func arrayOfDimension(name string) ir.Spelling {
	return ir.Spelling{Until: 16, Name: name, Renamed: map[string]string{"dimension": "level"},
		Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), ir.OptionalOperand("dim", constraint.Index)},
		Format:   "$tensor (`,` $dim^)? attr-dict `:` type($tensor) `to` type($result)",
		Upgrade: func(_ *ir.Builder, s *ir.OpState) error {
			if len(s.Operands) != 2 {
				return nil
			}
			level, ok := ir.ConstantOf(s.Operands[1]).(*ir.IntegerAttr)
			if !ok {
				return errors.New("has a level that isn't constant")
			}
			s.SetAttr("level", level)
			s.Operands = s.Operands[:1]
			return nil
		}}
}

// specifierDimension is what LLVM 16 calls the level of a storage specifier's part.
var specifierDimension = map[string]string{"dim": "level"}

// getOfInteger is how LLVM 16 reads a part of a storage specifier: as an integer of any width.
var getOfInteger = ir.Spelling{Until: 16, Renamed: specifierDimension,
	Results: []ir.ResultDef{ir.Result("result", constraint.AnyInteger)},
	Format:  "$specifier $specifierKind (`at` $level^)? attr-dict `:` qualified(type($specifier)) `to` type($result)",
	Upgrade: func(b *ir.Builder, s *ir.OpState) error {
		if len(s.Types) != 1 || !ir.IsInteger(s.Types[0]) {
			return nil
		}
		get := *s
		get.Types = []ir.Type{ir.Index}
		castTo(b, s, s.Types[0], b.Create(get).Result(0))
		return nil
	}}

// setToInteger is how LLVM 16 changes a part of a storage specifier.
var setToInteger = ir.Spelling{Until: 16, Renamed: specifierDimension,
	Operands:  []ir.OperandDef{ir.Operand("specifier", specifier), ir.Operand("value", constraint.AnyInteger)},
	TypeRules: []ir.TypeRule{same("result", "specifier")},
	Format:    "$specifier $specifierKind (`at` $level^)? `with` $value attr-dict `:` type($value) `,` qualified(type($result))",
	Upgrade: func(b *ir.Builder, s *ir.OpState) error {
		if len(s.Operands) == 2 && ir.IsInteger(s.Operands[1].Type()) {
			cast := *s
			castTo(b, &cast, ir.Index, s.Operands[1])
			s.Operands[1] = b.Create(cast).Result(0)
		}
		return nil
	}}

// castTo makes the state that of a cast of v between an integer and an index.
func castTo(b *ir.Builder, s *ir.OpState, t ir.Type, v *ir.Value) {
	loc := s.Loc
	*s = b.State(arith.IndexCast)
	s.Loc, s.Types, s.Operands = loc, []ir.Type{t}, []*ir.Value{v}
}

// compressInPlace is how LLVM 15 inserts what expanded arrays hold: it changes the tensor, and finds the coordinates in memory.
var compressInPlace = ir.Spelling{Until: 15,
	Operands: []ir.OperandDef{ir.Operand("tensor", sparseTensor), ir.Operand("indices", buffer(constraint.Index)),
		ir.Operand("values", buffer(constraint.AnyType)), ir.Operand("filled", buffer(constraint.I1)),
		ir.Operand("added", buffer(constraint.Index)), ir.Operand("count", constraint.Index)},
	Results: []ir.ResultDef{},
	Format: "$tensor `,` $indices `,` $values `,` $filled `,` $added `,` $count attr-dict `:` type($tensor) `,` type($indices) `,`" +
		" type($values) `,` type($filled) `,` type($added) `,` type($count)",
	Upgrade: func(b *ir.Builder, s *ir.OpState) error {
		if len(s.Types) != 0 || len(s.Operands) != 6 {
			return nil
		}
		tensor := s.Operands[0]
		e, ok := TensorEncoding(tensor.Type())
		if !ok || !rank1(s.Operands[1].Type()) {
			return nil // an error of the verifier
		}
		operands := append(s.Operands[2:6:6], tensor)
		s.Operands = append(operands, memref.LoadAll(b, s.Operands[1], e.LvlRank()-1)...)
		s.Types, s.InPlace = []ir.Type{tensor.Type()}, tensor
		return nil
	}}
