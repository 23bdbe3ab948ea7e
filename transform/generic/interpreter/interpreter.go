// Package interpreter executes scripts of the transform dialect, which find operations of a
// program and transform them.
package interpreter

import (
	"strings"

	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/linalg"
	memrefd "freehold/dialect/memref"
	transformd "freehold/dialect/transformd"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/oneshot"
	"freehold/transform/generic/memref"
	"freehold/transform/memory/placement"
)

// Options say which script is executed, and on what.
type Options struct {
	// EntryPoint is the name of the script.
	EntryPoint string
	// RootTag is the transform.target_tag of the operation that the script works on;
	// empty for the module.
	RootTag string
	// TrailingArgs lists, for each further argument of the script, names of operations
	// separated by ";": the argument stands for all of these in the program.
	TrailingArgs []string
	// RunPass runs the registered pass of a name, with options as text, on an operation.
	RunPass func(name, options string, op *ir.Op) error
}

// Run executes a script of a module on the module, or a part of it. A failed script leaves
// the program as it is then. It takes the time of what the script does, and for each
// operation of the script that consumes a handle, time in the operations that handles
// stand for.
func Run(module *ir.Op, o Options) error {
	script := findScript(module, o.EntryPoint)
	if script == nil {
		return module.PlainErrorf("could not find a nested named sequence with name: %s", o.EntryPoint)
	}
	if script.Attr(transformd.TextAttr) != nil {
		return ir.Errorf(script.Loc(), "this script does what isn't known here, and can't be executed")
	}
	root := module
	if o.RootTag != "" {
		if root = tagged(module, o.RootTag); root == nil {
			return module.PlainErrorf("could not find the operation with %s=\"%s\" attribute", transformd.TargetTag, o.RootTag)
		}
	}
	body := script.BodyBlock(0)
	if n := max(body.NumArgs()-1, 0); n != len(o.TrailingArgs) {
		return ir.Errorf(script.Loc(), "operation expects %d extra value bindings, but %d were provided to the interpreter", n, len(o.TrailingArgs))
	}
	in := &interpreter{opts: o, handles: map[*ir.Value][]*ir.Op{}, invalid: map[*ir.Value]invalidation{}}
	for i, a := range body.Args() {
		ops := []*ir.Op{root}
		if i > 0 {
			ops = named(root, strings.Split(o.TrailingArgs[i-1], ";"))
		}
		if err := in.set(a, ops, script.Loc()); err != nil {
			return err
		}
	}
	for op := body.First(); op != nil && !op.Is(transformd.Yield); op = op.Next() {
		if err := in.execute(op); err != nil {
			return err
		}
	}
	return nil
}

// findScript returns the named sequence of that name in a module, or nil.
func findScript(module *ir.Op, name string) (script *ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if op.Is(transformd.NamedSequence) {
			if s, _ := ir.SymbolName(op); s == name && script == nil && (!op.RegionAt(0).Empty() || op.Attr(transformd.TextAttr) != nil) {
				script = op
			}
			return false
		}
		return script == nil
	})
	return script
}

func tagged(root *ir.Op, tag string) (found *ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		if s, ok := op.Attr(transformd.TargetTag).(*ir.StringAttr); ok && s.Value == tag && found == nil {
			found = op
		}
		return found == nil
	})
	return found
}

// named lists the operations in root with one of the names.
func named(root *ir.Op, names []string) (out []*ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		for _, n := range names {
			if op.Name() == n {
				out = append(out, op)
			}
		}
		return true
	})
	return out
}

// interpreter is the state of an execution.
type interpreter struct {
	opts Options
	// handles has what handles stand for. There are no handles to values but to results: operations that define them are here.
	handles map[*ir.Value][]*ir.Op
	invalid map[*ir.Value]invalidation
}

// invalidation says why a handle must not be used any more.
type invalidation struct {
	by               *ir.Op // of the script
	ancestor, nested ir.Location
}

// set makes a handle stand for operations.
func (in *interpreter) set(v *ir.Value, ops []*ir.Op, loc ir.Location) error {
	if want := transformd.HandleName(v.Type()); want != "" {
		for _, op := range ops {
			if op.Name() != want {
				d := ir.Errorf(loc, "incompatible payload operation name expected %s vs %s -> ", want, op.Name())
				d.Suffix = op
				return d.WithNote(op.Loc(), "payload operation")
			}
		}
	}
	in.handles[v] = ops
	return nil
}

// payload returns the operations that the target of an operation of the script stands for,
// without those that are gone.
func (in *interpreter) payload(op *ir.Op) ([]*ir.Op, error) {
	v := op.Operand(0)
	if x, ok := in.invalid[v]; ok {
		d := ir.Errorf(op.Loc(), "op uses a handle invalidated by a previously executed transform op")
		d.WithNote(v.Loc(), "handle to invalidated ops")
		d.WithNote(x.by.Loc(), "invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them")
		d.WithNote(x.ancestor, "ancestor payload op")
		d.WithNote(x.nested, "nested payload op")
		return nil, d
	}
	var out []*ir.Op
	for _, p := range in.handles[v] {
		if p.Block() != nil || p.Is(builtin.Module) {
			out = append(out, p)
		}
	}
	return out, nil
}

// consume invalidates the handles to operations, and to what is in them.
func (in *interpreter) consume(by *ir.Op, ops []*ir.Op) {
	for v, held := range in.handles {
		if _, ok := in.invalid[v]; ok {
			continue
		}
		for _, h := range held {
			for _, op := range ops {
				if _, done := in.invalid[v]; !done && (op == h || op.IsAncestorOf(h)) {
					in.invalid[v] = invalidation{by, op.Loc(), h.Loc()}
				}
			}
		}
	}
}

func (in *interpreter) execute(op *ir.Op) error {
	targets, err := in.payload(op)
	if err != nil {
		return err
	}
	if transformd.Consumes(op) {
		in.consume(op, targets)
	}
	switch op.ID() {
	case transformd.Match:
		if op.Attr(transformd.InterfaceAttr) != nil {
			return op.Errorf("finds operations by an interface, which can't be executed")
		}
		return in.set(op.Result(0), match(op, targets), op.Loc())
	case transformd.ApplyRegisteredPass:
		for _, t := range targets {
			if t.IsAncestorOf(op) {
				return ir.Errorf(op.Loc(), "cannot apply transform to itself (or one of its ancestors)").WithNote(t.Loc(), "target payload op")
			}
			if err := in.opts.RunPass(text(op, "pass_name"), text(op, "options"), t); err != nil {
				return err
			}
		}
		return in.set(op.Result(0), targets, op.Loc())
	case transformd.OneShotBufferize:
		if err := oneShot(op, targets); err != nil {
			return err
		}
		return in.set(op.Result(0), targets, op.Loc())
	case transformd.EliminateEmptyTensors:
		for _, t := range targets {
			if err := oneshot.EliminateEmptyTensors(t); err != nil {
				return asList(err, ir.Errorf(t.Loc(), "empty tensor elimination failed"))
			}
		}
	case transformd.EmptyTensorToAllocTensor:
		return in.set(op.Result(0), allocTensors(targets), op.Loc())
	case transformd.BufferLoopHoisting:
		for _, t := range targets {
			hoist(t)
		}
	case transformd.BufferizeToAllocation:
		return in.toAllocation(op, targets)
	case transformd.Select:
		return in.set(op.Result(0), selected(op, targets), op.Loc())
	case transformd.DefiningOp:
		return in.set(op.Result(0), targets, op.Loc())
	case transformd.MultiBuffer:
		made, err := multiBuffer(op, targets)
		if err != nil {
			return err
		}
		return in.set(op.Result(0), made, op.Loc())
	default:
		return op.Errorf("can't be executed")
	}
	return nil
}

// hasTypes tells whether the types of an operation are those that a transform.structured.match asks for: that of its
// first result, and those of its operands, which a single one stands for all of.
func hasTypes(match, op *ir.Op) bool {
	if t, ok := match.Attr(transformd.FilterResultTypeAttr).(*ir.TypeAttr); ok && (op.NumResults() == 0 || op.Result(0).Type() != t.Type) {
		return false
	}
	list, ok := match.Attr(transformd.FilterOperandTypesAttr).(*ir.ArrayAttr)
	if !ok {
		return true
	}
	if len(list.Elems) != 1 && len(list.Elems) != op.NumOperands() {
		return false
	}
	for i := range op.NumOperands() {
		t, ok := list.Elems[min(i, len(list.Elems)-1)].(*ir.TypeAttr)
		if !ok || op.Operand(i).Type() != t.Type {
			return false
		}
	}
	return true
}

// match lists the operations in the targets that have one of the names, the types and the attributes.
func match(op *ir.Op, targets []*ir.Op) (out []*ir.Op) {
	names, byName := op.Attr("ops").(*ir.ArrayAttr)
	attrs, _ := op.Attr("op_attrs").(*ir.DictAttr)
	for _, t := range targets {
		t.Walk(func(x *ir.Op) bool {
			found := !byName && hasTypes(op, x)
			if byName {
				for _, n := range names.Elems {
					found = found || n.(*ir.StringAttr).Value == x.Name() && hasTypes(op, x)
				}
			}
			if attrs != nil {
				for _, a := range attrs.Entries {
					found = found && x.Attr(a.Name) == a.Value
				}
			}
			if found {
				out = append(out, x)
			}
			return true
		})
	}
	return out
}

// selected lists the targets that have the name of a transform.select.
func selected(op *ir.Op, targets []*ir.Op) (out []*ir.Op) {
	for _, t := range targets {
		if t.Name() == text(op, transformd.OpNameAttr) {
			out = append(out, t)
		}
	}
	return out
}

func text(op *ir.Op, attr string) string {
	s, _ := op.Attr(attr).(*ir.StringAttr)
	if s == nil {
		return ""
	}
	return s.Value
}

// oneShot bufferizes the targets.
func oneShot(op *ir.Op, targets []*ir.Op) error {
	is := func(name string) bool { a, ok := op.Attr(name).(*ir.IntegerAttr); return ok && a.Value != 0 }
	o := oneshot.DefaultOptions()
	o.AllowReturnAllocsFromLoops = is(transformd.ReturnAllocsAttr)
	o.AllowUnknownOps = is(transformd.UnknownOpsAttr)
	o.BufferizeFunctionBoundaries = is(transformd.BoundariesAttr)
	o.DumpAliasSets = is(transformd.DumpAliasSetsAttr)
	o.TestAnalysisOnly = is(transformd.TestAnalysisOnlyAttr)
	o.PrintConflicts = is(transformd.PrintConflictsAttr)
	o.CheckParallelRegions = is(transformd.ParallelRegionsAttr)
	if a, ok := op.Attr(transformd.LayoutAttr).(*ir.IntegerAttr); ok {
		o.FunctionBoundary = []oneshot.LayoutConversion{oneshot.InferLayout, oneshot.IdentityLayout, oneshot.FullyDynamicLayout}[a.Value]
	}
	if text(op, transformd.CopyOpAttr) == linalg.Copy.String() {
		o.Copy = func(b *ir.Builder, from, to *ir.Value) error {
			linalg.NewCopy(b, from, to)
			return nil
		}
	}
	for _, t := range targets {
		_, function := interfaces.Function.Of(t)
		switch module := t.Is(builtin.Module); {
		case o.BufferizeFunctionBoundaries && !module:
			return ir.Errorf(op.Loc(), "expected module target")
		case !module && !function:
			return ir.Errorf(op.Loc(), "expected module or function target")
		}
		if err := oneshot.Run(t, o); err != nil {
			return asList(err, ir.Errorf(op.Loc(), "bufferization failed"))
		}
	}
	return nil
}

// toAllocation bufferizes each target alone, to a new buffer.
func (in *interpreter) toAllocation(op *ir.Op, targets []*ir.Op) error {
	a := oneshot.Allocation{
		MemorySpace:     op.Attr(transformd.MemorySpaceAttr),
		Stack:           text(op, transformd.AllocOpAttr) == memrefd.Alloca.String(),
		Dealloc:         op.Attr(transformd.EmitDeallocAttr) != nil,
		DestinationOnly: op.Attr(transformd.DestinationOnlyAttr) != nil,
	}
	switch text(op, transformd.CopyOpAttr) {
	case memrefd.Copy.String():
		a.Copy = func(b *ir.Builder, from, to *ir.Value) { memrefd.NewCopy(b, from, to) }
	case linalg.Copy.String():
		a.Copy = func(b *ir.Builder, from, to *ir.Value) { linalg.NewCopy(b, from, to) }
	}
	var buffers, made []*ir.Op
	for _, t := range targets {
		loc := t.Loc()
		out, err := oneshot.BufferizeToAllocation(t, a)
		if err != nil {
			d := ir.Errorf(op.Loc(), "failed to bufferize operation").WithNote(loc, "target payload op")
			if why, ok := err.(*ir.Diagnostic); ok {
				d.WithNote(why.Loc, "%s", why.Message)
			}
			return d
		}
		buffers, made = append(buffers, out.Buffer.DefiningOp()), append(made, out.Ops...)
	}
	if err := in.set(op.Result(0), buffers, op.Loc()); err != nil {
		return err
	}
	return in.set(op.Result(1), made, op.Loc())
}

// multiBuffer gives iterations of loops buffers of their own. Allocations that are used outside of loops stay.
func multiBuffer(op *ir.Op, targets []*ir.Op) ([]*ir.Op, error) {
	factor := op.Attr(transformd.FactorAttr).(*ir.IntegerAttr).Value
	var out []*ir.Op
	for _, t := range targets {
		if !memref.UsedInLoops(t) {
			out = append(out, t)
			continue
		}
		made := memref.MultiBuffer(t, factor, op.Attr(transformd.SkipAnalysisAttr) != nil)
		if made == nil {
			return nil, ir.Errorf(t.Loc(), "op failed to multibuffer")
		}
		out = append(out, made)
	}
	return out, nil
}

// asList is an error with a message of the script after it.
func asList(err error, d *ir.Diagnostic) error {
	switch err := err.(type) {
	case ir.Diagnostics:
		return append(err[:len(err):len(err)], d)
	case *ir.Diagnostic:
		return ir.Diagnostics{err, d}
	}
	return err
}

// allocTensors makes allocations of empty tensors.
func allocTensors(empties []*ir.Op) (out []*ir.Op) {
	for _, op := range empties {
		b := ir.NewBuilder(op.Context())
		b.SetBefore(op)
		b.Loc = op.Loc()
		v := bufferization.NewAllocTensor(b, op.Result(0).Type(), op.Operands().Values(), nil, nil)
		op.Result(0).ReplaceAllUsesWith(v)
		op.Erase()
		out = append(out, v.DefiningOp())
	}
	return out
}

// hoist moves allocations out of the loops of the functions in op.
func hoist(op *ir.Op) {
	var calls *analysis.CallSummaries
	if op.Has(ir.TraitSymbolTable) {
		calls = analysis.NewCallSummaries(op)
	}
	op.Walk(func(fn *ir.Op) bool {
		if !interfaces.Function.Has(fn) || fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
			return true
		}
		placement.HoistFromLoops(fn, ir.NewDominance(), calls)
		return false
	})
}
