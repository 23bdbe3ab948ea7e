package interfaces

import (
	"errors"

	"freehold/ir"
)

// BlockArgBufferize has the usual answers for operations whose regions may have
// several blocks: an argument of a block has the buffer of what branches pass to
// it.
type BlockArgBufferize struct{ BufferizeDefaults }

// UnstructuredControlFlow returns true.
func (BlockArgBufferize) UnstructuredControlFlow() bool { return true }

// AliasingOperands returns the operands that branches pass to a block argument.
func (m BlockArgBufferize) AliasingOperands(v *ir.Value, s AnalysisState) []AliasingOperand {
	if !v.IsBlockArg() {
		return m.BufferizeDefaults.AliasingOperands(v, s)
	}
	var out []AliasingOperand
	for _, u := range Passed(v) {
		out = append(out, AliasingOperand{Use: u, Relation: Equivalent})
	}
	return out
}

// IsWritable returns true for arguments of blocks that are branched to: it is
// decided by what is passed.
func (BlockArgBufferize) IsWritable(v *ir.Value, _ AnalysisState) bool {
	return !v.IsBlockArg() || !v.ArgOwner().IsEntry()
}

// UndeterminedType is the error of a request for the type of a buffer of which nothing else is known than that it is one of the
// buffers whose types are being determined. Where it is one of several that meet, it adds nothing.
type UndeterminedType struct{ error }

// Unwrap returns what is told where the type of that buffer alone was asked for.
func (e *UndeterminedType) Unwrap() error { return e.error }

// IsUndetermined tells whether an error is an [UndeterminedType].
func IsUndetermined(err error) bool {
	var u *UndeterminedType
	return errors.As(err, &u)
}

// BufferType returns the common type of the buffers that branches pass to a block
// argument; a fully dynamic layout where they differ.
func (m BlockArgBufferize) BufferType(v *ir.Value, t BufferTyper) (ir.Type, error) {
	if !v.IsBlockArg() {
		return m.BufferizeDefaults.BufferType(v, t)
	}
	op := OwnerOf(v)
	var found ir.Type
	for _, u := range Passed(v) {
		w := u.Value()
		if t.InProgress(w) {
			continue // a loop adds nothing
		}
		wt := w.Type()
		if !IsBufferLike(wt) {
			var err error
			if wt, err = t.BufferType(w); IsUndetermined(err) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		switch {
		case found == nil:
			found = wt
		case found == wt:
		case MemorySpaceOf(found) != MemorySpaceOf(wt):
			return nil, op.Errorf("incoming operands of block argument have inconsistent memory spaces")
		default:
			found = t.DynamicType(v.Type(), MemorySpaceOf(found))
		}
	}
	if found == nil {
		return nil, &UndeterminedType{op.Errorf("could not infer buffer type of block argument")}
	}
	return found, nil
}

// BufferizeBlocks changes the arguments of all blocks in the operation's regions
// to buffers.
func BufferizeBlocks(op *ir.Op, b Bufferizer) error {
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			if err := b.BufferizeBlockArgs(blk); err != nil {
				return err
			}
		}
	}
	return nil
}

// Passed returns the operands that branches pass to a block argument.
func Passed(arg *ir.Value) []*ir.Use {
	var out []*ir.Use
	for p := arg.ArgOwner().FirstPred(); p != nil; p = p.NextPred() {
		m, ok := Branch.Of(p.Owner())
		if !ok {
			continue
		}
		start, n, produced := m.SuccessorOperands(p.Owner(), p.Index())
		if i := arg.Index() - produced; i >= 0 && i < n {
			out = append(out, p.Owner().OperandUse(start+i))
		}
	}
	return out
}

// Terminators lists the last operations of blocks in the region that choose says yes to.
func Terminators(r *ir.Region, choose func(*ir.Op) bool) []*ir.Op {
	var found []*ir.Op
	for b := range r.Blocks() {
		if t := b.Last(); t != nil && choose(t) {
			found = append(found, t)
		}
	}
	return found
}

// UniqueTerminator returns the only last operation of a block in the region that
// the predicate chooses, or nil if there is none or there are several.
func UniqueTerminator(r *ir.Region, choose func(*ir.Op) bool) *ir.Op {
	if found := Terminators(r, choose); len(found) == 1 {
		return found[0]
	}
	return nil
}
