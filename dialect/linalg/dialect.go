// Package linalg is the dialect of structured operations: computations on
// tensors and memrefs that are defined by indexing maps and a scalar body.
package linalg

import (
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// Definitions of named operations that others create or look for.
var (
	byName      = defineNamed()
	Copy        = byName["copy"]
	Fill        = byName["fill"]
	Add         = byName["add"]
	Mul         = byName["mul"]
	Matmul      = byName["matmul"]
	BatchMatmul = byName["batch_matmul"]
	Matvec      = byName["matvec"]
	Vecmat      = byName["vecmat"]
	Dot         = byName["dot"]
)

// Dialect is the linalg dialect.
var Dialect = &ir.Dialect{
	Name: "linalg",
	Ops:  allOps(),
	Models: []ir.Model{
		exec.DialectModels.Model(execute),
		asm.Enums.Model([]*ir.EnumDef{IteratorType, UnaryFn, BinaryFn, TernaryFn, TypeFn}),
		iface.Inliner.Model(inliner{}),
	},
	VerifyOpAttr: func(op *ir.Op, a ir.NamedAttr) error {
		if a.Name == memoizedMaps {
			return nil
		}
		return op.PlainErrorf("attribute '\"%s\"' not supported by the linalg dialect", a.Name)
	},
}

func defineNamed() map[string]*ir.OpDef {
	m := make(map[string]*ir.OpDef, len(named))
	for _, s := range named {
		m[s.name] = s.define()
	}
	return m
}

func allOps() []*ir.OpDef {
	ops := []*ir.OpDef{Generic, Map, Reduce, Transpose, Broadcast, Yield, Index, Softmax,
		WinogradFilterTransform, WinogradInputTransform, WinogradOutputTransform}
	for _, s := range named {
		ops = append(ops, byName[s.name])
	}
	return ops
}

// Named returns the definition of a named operation such as "matmul", or nil.
func Named(name string) *ir.OpDef { return byName[name] }

// inliner allows every operation of the dialect to be inlined.
type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool                     { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool                { return true }
func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}

// Checks and rewrites that refer to definitions are attached after the
// definitions exist.
func init() {
	Generic.VerifyRegions = inTurn(iface.VerifyDestinationStyle, verifySemantics, verifyStructured)
	for def, verify := range map[*ir.OpDef]func(*ir.Op) error{
		Map: verifyMap, Reduce: verifyReduce, Transpose: verifyTranspose, Broadcast: verifyBroadcast,
	} {
		def.Verify = verify
		def.VerifyRegions = Generic.VerifyRegions
	}
	Softmax.VerifyRegions = iface.VerifyDestinationStyle
}

// inTurn runs checks up to the first that fails.
func inTurn(checks ...func(*ir.Op) error) func(*ir.Op) error {
	return func(op *ir.Op) error {
		for _, check := range checks {
			if err := check(op); err != nil {
				return err
			}
		}
		return nil
	}
}
