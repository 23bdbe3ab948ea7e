package explain

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/oneshot"
)

// advice returns what would remove a reason for a copy.
func (t *tracer) advice(d oneshot.Decision, r oneshot.Reason) []Advice {
	switch r.Rule {
	case oneshot.ReadAfterWrite, oneshot.OutOfOrder:
		return t.conflictAdvice(d, r)
	case oneshot.Parallel:
		return []Advice{
			{Kind: "attribute", Text: "pass it to the parallel loop as one of its shared outputs, and insert what each thread makes"},
			{Kind: "option", Name: "check-parallel-regions=false", Text: "if the threads write different parts of it"},
		}
	case oneshot.Constant:
		return []Advice{{Kind: "destination", Text: "start from tensor.empty, filled by linalg.fill if the constant is one value: filling writes, where a copy reads and writes",
			change: change{kind: otherDestination, op: d.Use.Owner().Loc(), value: t.place(d.Use.Value()).Name}}}
	case oneshot.ReadOnlyArgument:
		return t.argumentAdvice(r.Definition)
	case oneshot.ReadOnlyBuffer:
		if op := r.Definition.DefiningOp(); op != nil && op.Is(bufferization.ToTensor) {
			return []Advice{{Kind: "attribute", Text: "say `restrict writable` on the bufferization.to_tensor, if the buffer may be changed", change: change{kind: markWritable, op: op.Loc()}}}
		}
	case oneshot.ReadOnlyResult:
		return []Advice{{Kind: "drop", Text: "let the callee return a tensor that it makes, and not a constant or what it may not write"}}
	case oneshot.UnknownOp:
		return []Advice{{Kind: "drop", Text: "replace the operation by one that can be bufferized, or let it be bufferized, too"}}
	case oneshot.PassedOn:
		return []Advice{{Kind: "reorder", Text: "pass on each tensor in its own place: the loop swaps what it carries, or carries the same tensor twice",
			change: change{kind: passOn, op: d.Use.Owner().Loc()}}}
	case oneshot.NotAnalyzed:
		return []Advice{{Kind: "option", Name: "copy-before-write=false", Text: "let the analysis decide"}}
	}
	return nil
}

// conflictAdvice returns what would make a conflict between a read and a write go away.
func (t *tracer) conflictAdvice(d oneshot.Decision, r oneshot.Reason) []Advice {
	var out []Advice
	reader, writer := r.Read.Owner(), r.Write.Owner()
	read := t.place(r.Read.Value())
	name := read.Name
	copied := d.Copy != oneshot.CopyNothing
	if a, ok := accessAdvice(r.Write); ok {
		out = append(out, a)
	}
	switch {
	case r.Rule == oneshot.OutOfOrder:
		out = append(out, Advice{Kind: "destination", Text: fmt.Sprintf("carry %s through the loop as one of its iteration arguments, if each iteration may start from what the one before made", t.place(r.Definition).Name),
			change: change{kind: otherDestination, op: d.Use.Owner().Loc(), value: t.place(d.Use.Value()).Name}})
	case reader == writer && copied && startsLoop(writer):
		out = append(out, Advice{Kind: "destination", Text: fmt.Sprintf("start %s with %s in one place only, if the loop can do with that", t.called(writer), name), change: change{kind: otherDestination, op: writer.Loc(), value: t.place(d.Use.Value()).Name}})
	case reader == writer && copied:
		out = append(out, Advice{Kind: "destination", Text: fmt.Sprintf("give %s another destination, such as a tensor.empty, or read %s in the order in which it is written", t.called(writer), name),
			change: change{kind: otherDestination, op: writer.Loc(), value: t.place(d.Use.Value()).Name}})
	case isReturn(reader):
		out = append(out, Advice{Kind: "drop", Text: fmt.Sprintf("don't pass on %s, if nobody needs it", name), change: dropOf(reader, read)})
	case movable(reader, writer):
		out = append(out, Advice{Kind: "reorder", Text: fmt.Sprintf("move the %s that reads %s before the %s that overwrites it", t.called(reader), name, t.called(writer)),
			change: change{kind: moveBefore, op: reader.Loc(), other: writer.Loc()}})
	}
	if op := r.Definition.DefiningOp(); op != nil && cheap(op) && copied {
		out = append(out, Advice{Kind: "recompute", Text: fmt.Sprintf("make %s anew for the %s: a %s costs less than a copy, which reads what it writes", t.place(r.Definition).Name, t.called(writer), op.Name()),
			change: change{kind: makeAnew, op: writer.Loc(), other: r.Definition.Loc(), value: t.place(r.Definition).Name}})
	}
	text := "do without the read of %s: as long as its old contents and the new ones are both needed, one of them is a copy"
	if !copied {
		text = "do without the read of %s: as long as its old contents and the new ones are both needed, each of them needs a buffer"
	}
	return append(out, Advice{Kind: "drop", Text: fmt.Sprintf(text, name), change: dropOf(reader, read)})
}

// dropOf lets an operation do without reading a value.
func dropOf(reader *ir.Op, read Place) change {
	return change{kind: dropRead, op: reader.Loc(), other: read.Loc, value: read.Name}
}

// accessAdvice is about a write that is only feared: of a function that can't be seen.
func accessAdvice(write *ir.Use) (Advice, bool) {
	m, ok := interfaces.Call.Of(write.Owner())
	if !ok {
		return Advice{}, false
	}
	callee, _ := m.Callee(write.Owner())
	if callee == nil {
		return Advice{}, false
	}
	fn := ir.LookupSymbol(write.Owner(), callee)
	start, _ := m.Args(write.Owner())
	if fn == nil || fn.BodyBlock(0) != nil {
		return Advice{}, false
	}
	n := write.Index() - start
	return Advice{Kind: "attribute", Text: fmt.Sprintf("say `{%s = \"read\"}` on argument %d of @%s, if it only reads it", bufferization.AccessAttr, n, callee.Leaf()),
		change: change{kind: setAccess, op: fn.Loc(), index: n}}, true
}

// cheap tells whether making a tensor anew costs less than copying it: it has the same
// value everywhere.
func cheap(op *ir.Op) bool { return op.Is(linalg.Fill) || op.Is(tensor.Splat) }

// movable tells whether reader, which comes after writer in a block, could come before:
// neither it nor anything that it needs is made by the writer or behind it, and it does
// nothing but compute.
func movable(reader, writer *ir.Op) bool {
	b := writer.Block()
	if b == nil || reader.Block() != b || !writer.IsBefore(reader) || !interfaces.IsMemoryEffectFree(reader) {
		return false
	}
	free := true
	reader.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			def := op.Operand(i).DefiningOp()
			if def == nil || def == reader || reader.IsAncestorOf(def) {
				continue
			}
			if at := b.AncestorIn(def); at != nil && (at == writer || writer.IsBefore(at)) {
				free = false
			}
		}
		return free
	})
	return free
}

// ownAdvice returns what would spare an operation its new buffer or its copy.
func ownAdvice(i *Item, s source) []Advice {
	switch {
	case i.Cause == Moves && s.moves != "":
		out := []Advice{{Kind: "destination", Text: "compute the part where it belongs: let what makes it write to a tensor.extract_slice of the destination",
			change: change{kind: computeThere, op: s.at.Loc}}}
		if s.fromEmpty {
			out = append(out, Advice{Kind: "pass", Name: "eliminate-empty-tensors", Text: "which does that here, right before bufferization"})
		}
		return out
	case s.kept != "":
		return s.argumentAdvice
	case i.Cause == Result && s.reuses:
		return vacancyAdvice(s)
	}
	return nil
}

// layoutAdvice returns what would spare a copy to another layout.
func (t *tracer) layoutAdvice(op *ir.Op) []Advice {
	for _, r := range t.returned[t.unique(op.Loc())] {
		if r.argument {
			// With another layout, it would be copied so that callers own what they get.
			return []Advice{{Kind: "drop", Text: "don't return " + r.name + ", which is in a buffer that callers have already"}}
		}
	}
	_, call := interfaces.Call.Of(op)
	parent := op.Parent()
	if parent != nil {
		_, fn := interfaces.Function.Of(parent)
		call = call || fn && isReturn(op)
	}
	if call {
		return []Advice{
			{Kind: "option", Name: "function-boundary-type-conversion=infer-layout-map", Text: "let functions take and return buffers with whatever layout they have"},
			{Kind: "option", Name: "function-boundary-type-conversion=fully-dynamic-layout-map", Text: "the same for any layout, known only when the program runs"},
		}
	}
	return []Advice{{Kind: "drop", Text: "let all that arrives here be dense, or have the same strides"}}
}

// ownershipAdvice returns what would spare a buffer of one's own, by where the buffer that
// isn't comes from.
func (t *tracer) ownershipAdvice(clone *ir.Op, name string, returned *ir.Use) []Advice {
	fn := clone.Parent()
	for fn != nil {
		if interfaces.Function.Has(fn) {
			break
		}
		fn = fn.Parent()
	}
	if fn == nil {
		return nil
	}
	b := t.buffers[fn]
	if b == nil {
		if t.buffers == nil {
			t.buffers = map[*ir.Op]*analysis.Buffers{}
		}
		b = analysis.NewBuffers(fn, analysis.BufferOptions{})
		t.buffers[fn] = b
	}
	arguments, globals, others := 0, 0, 0
	b.Terminals(bufferization.CloneOp{Op: clone}.Input(), func(v *ir.Value) {
		op := v.DefiningOp()
		switch {
		case op == nil && v.ParentBlock() == fn.BodyBlock(0):
			arguments++
		case op != nil && op.Is(memref.GetGlobal):
			globals++
		default:
			others++
		}
	})
	switch {
	case globals > 0 && arguments+others == 0:
		return []Advice{{Kind: "drop", Text: "the contents of " + name + " are a constant: let those who need them have the constant themselves"}}
	case arguments > 0 && globals+others == 0 && returned != nil:
		ret := returned.Owner()
		out := []Advice{{Kind: "drop", Text: "don't return what is still the buffer of " + name + ": callers have it already"}}
		if list := t.returned[t.unique(ret.Loc())]; returned.Index() < len(list) {
			out[0].change = change{kind: dropRead, op: ret.Loc(), value: list[returned.Index()].name}
		}
		if list := t.returned[t.unique(returned.Owner().Loc())]; returned.Index() < len(list) && list[returned.Index()].equivalent {
			out = append(out, Advice{Kind: "pass", Name: "drop-equivalent-buffer-results", After: true, Text: "which does that between functions of the program, right after bufferization"})
		}
		return out
	}
	return []Advice{{Kind: "reorder", Text: "let " + name + " be made here on all paths, or on none, so that it is known who frees it"}}
}

func withoutCasts(v *ir.Value) *ir.Value {
	for c := v.DefinedBy(memref.Cast); c != nil; c = v.DefinedBy(memref.Cast) {
		v = memref.CastOp{Op: c}.Source()
	}
	return v
}
