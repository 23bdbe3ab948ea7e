package tosa

import (
	"errors"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations of LLVM 22 that say what those of LLVM 19 can't, such as a shift that isn't a constant, stay as they are in a program of
// that version: operations of their own with any operands and attributes, which are printed by the name of the other one. Nothing
// folds, lowers or executes them.

// inexpressible is the error of what LLVM 19 has no way to say.
type inexpressible string

func (e inexpressible) Error() string { return string(e) }

// keptOps are the operations that are kept, with the inherent attributes that LLVM 22 gives them.
var keptOps = map[string][]string{
	"apply_scale":      {roundingName},
	"argmax":           {"axis", nanModeName},
	"avg_pool2d":       {accTypeName, "kernel", "pad", "stride"},
	"clamp":            {maxName, minName, nanModeName},
	"conv2d":           {accTypeName, "dilation", "local_bound", "pad", "stride"},
	"conv3d":           {accTypeName, "dilation", "local_bound", "pad", "stride"},
	"depthwise_conv2d": {accTypeName, "dilation", "local_bound", "pad", "stride"},
	"matmul":           {},
	"max_pool2d":       {"kernel", nanModeName, "pad", "stride"},
	"maximum":          {nanModeName},
	"minimum":          {nanModeName},
	"mul":              {},
	"negate":           {},
	"pad":              {},
	"reduce_max":       {"axis", nanModeName},
	"reduce_min":       {"axis", nanModeName},
	"rescale":          {inputSign, outputSign, "per_channel", roundingName, "scale32"},
	"reshape":          {},
	"resize":           {"mode"},
	"slice":            {},
	"tile":             {},
	"transpose_conv2d": {accTypeName, "local_bound", "out_pad", "stride"},
}

// keptName is the name of the operation that stands for one of the name. No program of LLVM has it.
func keptName(name string) string { return dialectName + "." + name + "_of_22" }

// keptIDs are the identities of the operations that are kept, by the names of those that they stand for.
var keptIDs = func() map[string]*ir.OpID {
	out := map[string]*ir.OpID{}
	for name := range keptOps {
		out[dialectName+"."+name] = ir.NewOpID(keptName(name))
	}
	return out
}()

// keptDefs are the definitions of the operations that are kept.
func keptDefs() []*ir.OpDef {
	var out []*ir.OpDef
	for name, attrs := range keptOps {
		sp := ir.Spelling{Since: 22, Name: dialectName + "." + name, Discardable: attrs}
		for _, a := range attrs {
			sp.Attrs = append(sp.Attrs, ir.AttrDef{Name: a, Type: constraint.AnyAttr, Optional: a == nanModeName || a == "local_bound"})
		}
		def := &ir.OpDef{
			ID:       keptIDs[dialectName+"."+name],
			Since:    22,
			Operands: []ir.OperandDef{ir.VariadicOperand("inputs", constraint.AnyType)},
			Results:  []ir.ResultDef{ir.VariadicResult("outputs", constraint.AnyType)},
			Traits:   ir.TraitPure,
			Format:   functional,
			Verify:   verifyKept(name),
		}
		if name == "maximum" || name == "minimum" {
			def.Traits |= ir.TraitResultsBroadcastable
		}
		if slices.ContainsFunc(attrs, func(a string) bool { return isWord(a) || a == "mode" }) {
			sp.Format = words
		}
		def.Later = []ir.Spelling{sp}
		out = append(out, def)
	}
	slices.SortFunc(out, func(a, b *ir.OpDef) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return out
}

// keeping reads operations with read, and keeps those that LLVM 19 can't express, in a program of LLVM 22.
func keeping(read func(b *ir.Builder, s *ir.OpState) error) func(b *ir.Builder, s *ir.OpState) error {
	return func(b *ir.Builder, s *ir.OpState) error {
		c := b.Context()
		id := keptIDs[s.Name.String()]
		if c.LLVM() < 22 || id == nil {
			return read(b, s)
		}
		operands, props, attrs := slices.Clone(s.Operands), slices.Clone(s.Props), slices.Clone(s.Attrs)
		err := read(b, s)
		var beyond inexpressible
		if !errors.As(err, &beyond) {
			return err
		}
		for i, a := range props {
			if a != nil {
				attrs = append(attrs, ir.NamedAttr{Name: s.Name.Def().Attrs[i].Name, Value: a})
			}
		}
		slices.SortFunc(attrs, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
		s.Name, s.Operands, s.Props, s.Attrs = c.OpNameOf(id), operands, nil, attrs
		return nil
	}
}
