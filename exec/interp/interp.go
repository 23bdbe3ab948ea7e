// Package interp executes functions with checked memory: it binds arguments, runs
// the function, and reports results, what went wrong, and what the function did
// with memory.
package interp

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
)

// Value is an argument or a result. Numbers are in Word, in the encoding of
// package exec; integers wider than 64 bits are a *big.Int in Object. Tensors,
// vectors and the contents of memrefs are in Tensor.
type Value struct {
	Type   ir.Type
	Word   uint64
	Tensor *exec.Tensor
	Object any
}

// Options say how to run. Limits that are 0 are the default ones.
type Options struct {
	MaxSteps, MaxBytes int64
	// OneByOne executes loop nests element by element, see exec.Machine.
	OneByOne bool
	// ReuseAddress chooses the addresses of new memory, see exec.Machine.
	ReuseAddress func(n int) int
	// Places say where the buffers of the arguments are. It may be nil: then each is in memory of
	// its own.
	Places []Place
	// Contracts are those of the functions of the module, if they are known already. A buffer that a function owns is lent to it:
	// the function may free it. May be nil.
	Contracts *analysis.Contracts
	// Externals are the functions that stand for those that the program declares.
	Externals map[string]External
	// Otherwise stands for all other declared functions, and for operations of
	// unknown dialects. It may be nil: then they can't be executed.
	Otherwise External
	// Trace is told of each operation that was executed; see the function [Trace]. It
	// may be nil.
	Trace func(t *exec.Traced)
	// Memory collects what happens to memory. It may be nil.
	Memory *MemoryTrace
	// Interrupt ends the execution soon after it is closed: the finding's kind is
	// [exec.Interrupted]. May be nil.
	Interrupt <-chan struct{}
	// TakeArguments lets the execution have the tensors of the arguments, which the caller
	// doesn't need any more: Run removes them from the list, so that their memory is free
	// for others when the program doesn't need them.
	TakeArguments bool
	// Twice calls the function a second time, in the same memory: buffers among the arguments, and globals, are as the first call has left them, but
	// for the arguments that Restore lists by their positions, whose contents are made what they were.
	Twice   bool
	Restore []bool
	// Resources are the contents of constants that the program has apart from it, by their
	// keys; see the function [Resources].
	Resources map[string][]byte
	// Elided makes up constants without contents, such as dense_resource<__elided__>, from
	// this seed: the same ones for the same key, sizes and element type. If it is nil,
	// they can't be executed: the error is an *[exec.ElidedError].
	Elided *uint64
}

// Result is what became of an execution.
type Result struct {
	// Values are the results of the function; memrefs are given by their contents.
	Values []Value
	// Buffers are the contents of the memrefs among the arguments after the run, at
	// the positions of the arguments, unless the function owned and freed them.
	Buffers []Value
	// Findings are what the function did wrong, leaks last. The function was stopped
	// by the first one that is not a leak, and has no results then.
	Findings []*exec.Finding
	// Effects are what the function did to the outside, in order: calls of external
	// functions, and what it printed.
	Effects []Effect
	// Stats counts what the function did, in the first call.
	Stats exec.Stats
	// Again is what became of the second call, if there was one. It has no leaks.
	Again *Result
}

// Stopped returns the finding that stopped the function, or nil.
func (r *Result) Stopped() *exec.Finding {
	if len(r.Findings) > 0 && r.Findings[0].Kind != exec.Leak {
		return r.Findings[0]
	}
	return nil
}

// Entry returns the function of the given name, or, if it is empty, the one that
// is obviously meant: @main, or the only public function with a body, beside those that tell the sizes of its arenas.
func Entry(module *ir.Op, name string) (*ir.Op, error) {
	var found, private []*ir.Op
	b := module.BodyBlock(0)
	if b == nil {
		return nil, ir.Errorf(module.Loc(), "there is no function")
	}
	for op := range b.Ops() {
		if !interfaces.Function.Has(op) {
			continue
		}
		sym, _ := ir.SymbolName(op)
		if sym == name && name != "" || name == "" && sym == "main" && op.BodyBlock(0) != nil {
			return op, nil
		}
		switch {
		case name != "" || op.BodyBlock(0) == nil:
		case ir.IsPublic(op):
			found = append(found, op)
		default:
			private = append(private, op)
		}
	}
	sizes := map[string]bool{}
	for _, fn := range found {
		for i := range fn.BodyBlock(0).NumArgs() {
			if ref, ok := interfaces.ArgAttr(fn, i, memref.ArenaSizeAttr).(*ir.SymbolRefAttr); ok {
				sizes[ref.Root] = true
			}
		}
	}
	found = slices.DeleteFunc(found, func(fn *ir.Op) bool {
		sym, _ := ir.SymbolName(fn)
		return sizes[sym]
	})
	switch {
	case name != "":
		return nil, noFunction(b, name)
	case len(found) == 1:
		return found[0], nil
	case len(found)+len(private) == 0:
		return nil, ir.Errorf(module.Loc(), "no function has a body")
	}
	what := "there are several functions, of which one must be chosen"
	if len(found) == 0 {
		what, found = "no function is public: one must be chosen", private
	}
	err := ir.Errorf(found[0].Loc(), "%s", what)
	for _, op := range found {
		sym, _ := ir.SymbolName(op)
		err.WithNote(op.Loc(), "function @%s is here", sym)
	}
	return nil, &AmbiguousError{err}
}

// AmbiguousError is that of [Entry] for a program of whose functions none is obviously meant.
type AmbiguousError struct{ *ir.Diagnostic }

// Unwrap returns the diagnostic.
func (e *AmbiguousError) Unwrap() error { return e.Diagnostic }

// Run executes a function of a verified module. The error tells why it could not
// be executed; what the program does wrong is in the findings.
func Run(module, fn *ir.Op, args []Value, o Options) (res *Result, err error) {
	defer func() {
		// Verified programs don't get here; but no program may end its reader.
		if r := recover(); r != nil {
			res, err = nil, ir.Errorf(fn.Loc(), "internal error of the interpreter: %v", r)
		}
	}()
	program := exec.NewProgram(module)
	out := &outside{calls: map[string]int{}, limit: maxEffectElements}
	out.connect(program, o)
	program.Trace = o.Trace
	program.Contents = o.Contents
	f := program.Function(fn)
	name, _ := ir.SymbolName(fn)
	t := f.Type()
	if t == nil {
		return nil, fn.Errorf("can't be executed: it is not a function")
	}
	if len(args) != len(t.Inputs) {
		return nil, ir.Errorf(fn.Loc(), "function @%s takes %s, got %d", name, count(len(t.Inputs), "argument"), len(args))
	}
	if err := f.Compile(); err != nil {
		return nil, err
	}
	m := exec.NewMachine()
	m.OneByOne, m.ReuseAddress, m.Interrupt = o.OneByOne, o.ReuseAddress, o.Interrupt
	m.Print = out.print
	if o.Memory != nil {
		o.Memory.Version, o.Memory.Function = 1, name
		m.Memory = o.Memory.add
	}
	if o.MaxSteps > 0 {
		m.MaxSteps = o.MaxSteps
	}
	if o.MaxBytes > 0 {
		m.MaxBytes = o.MaxBytes
	}
	in := exec.Values{W: make([]uint64, len(args)), O: make([]any, len(args))}
	places := o.Places
	if places == nil {
		places = OwnPlaces(len(args))
	}
	if err := roomForArguments(fn, args, places, m.MaxBytes); err != nil {
		return nil, err
	}
	b := binder{m: m, fn: fn, places: places, args: args, types: t.Inputs, contract: contractOf(module, fn, o.Contracts), in: in}
	if err := b.bind(); err != nil {
		return nil, err
	}
	var again exec.Values
	if o.Twice {
		again = exec.Values{W: slices.Clone(in.W), O: slices.Clone(in.O)}
	}
	call := func(in exec.Values, take bool) (*Result, error) {
		res := &Result{Buffers: make([]Value, len(args))}
		values, err := f.Call(m, in, take)
		if err == nil {
			err = res.collect(m, fn, t, in, values, o.Twice)
		}
		if err != nil {
			finding, ok := err.(*exec.Finding)
			if !ok {
				return nil, err
			}
			res.Findings = append(res.Findings, finding)
			res.Values = nil
		}
		return res, nil
	}
	if o.TakeArguments && !o.Twice {
		for i := range args {
			args[i].Tensor = nil
		}
	}
	if res, err = call(in, o.TakeArguments && !o.Twice); err != nil {
		return nil, err
	}
	if res.Effects = out.take(); len(res.Findings) == 0 {
		res.leaks(m)
	}
	res.Stats = m.Stats
	// What a function owns is gone after the first call.
	owns := slices.ContainsFunc(b.contract.Args, func(a analysis.ArgContract) bool { return a.Owned })
	if o.Twice && !owns && res.Stopped() == nil {
		for i, restore := range o.Restore {
			if b, ok := again.O[i].(*exec.MemRef); ok && restore && args[i].Tensor != nil {
				if err := exec.CopyView(fn, b.View(), args[i].Tensor.View()); err != nil {
					return nil, err
				}
			}
		}
		if m.MaxSteps < math.MaxInt64-m.Steps {
			m.MaxSteps += m.Steps
		}
		if res.Again, err = call(again, false); err != nil {
			return nil, err
		}
		res.Again.Effects = out.take()
	}
	if o.Memory != nil {
		o.Memory.PeakBytes, o.Memory.Steps = m.PeakBytes, m.Steps
	}
	return res, nil
}

// count returns "1 argument", "2 arguments".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fits tells what keeps the value from being one of a type.
func (v Value) fits(t ir.Type) error {
	if !ir.IsShaped(t) && v.Type != nil && v.Type.String() != t.String() {
		return fmt.Errorf("a value of type '%s' is needed, not '%s'", t, v.Type)
	}
	switch {
	case exec.IsWord(t):
		if v.Tensor != nil || v.Object != nil {
			return fmt.Errorf("a value of type '%s' is needed", t)
		}
		return nil
	case !ir.IsShaped(t):
		if v.Object == nil {
			return fmt.Errorf("a value of type '%s' can't be passed", t)
		}
		return nil
	case v.Tensor == nil:
		return fmt.Errorf("a value of type '%s' is needed", t)
	case v.Tensor.Elem.Type.String() != ir.ElementType(t).String():
		return fmt.Errorf("a value of type '%s' is needed, not one with elements of type '%s'", t, v.Tensor.Elem.Type)
	}
	shape, ranked := ir.ShapeOf(t)
	if !ranked {
		return nil
	}
	if len(shape) != len(v.Tensor.Sizes) {
		return fmt.Errorf("a value of rank %d is needed, not %d", len(shape), len(v.Tensor.Sizes))
	}
	for d, n := range shape {
		if n != ir.Dynamic && n != v.Tensor.Sizes[d] {
			return fmt.Errorf("dimension %d has size %d, where the type '%s' demands %d", d, v.Tensor.Sizes[d], t, n)
		}
	}
	return nil
}

// roomForArguments tells whether there is room for the arguments of a function in the
// memory that an execution may use.
func roomForArguments(fn *ir.Op, args []Value, places []Place, limit int64) error {
	need := int64(0)
	for i, v := range args {
		if v.Tensor != nil && places[i].In == i {
			need += v.Tensor.Elements() * v.Tensor.Elem.Bytes
		}
	}
	return tooLarge(fn, need, limit)
}

// noFunction is the error that a block has no function of that name; it names one that is
// called nearly so.
func noFunction(b *ir.Block, name string) error {
	var names []string
	for op := range b.Ops() {
		if interfaces.Function.Has(op) && op.BodyBlock(0) != nil {
			sym, _ := ir.SymbolName(op)
			names = append(names, sym)
		}
	}
	return ir.Errorf(b.ParentOp().Loc(), "there is no function @%s%s", name, pass.Meant("@", name, names))
}

// tooLarge returns an error, a *[TooLargeError], if the arguments of a function, which take
// so many bytes, don't fit into memory of a size; see argumentBytes.
func tooLarge(fn *ir.Op, need, limit int64) error {
	if need <= limit {
		return nil
	}
	name, _ := ir.SymbolName(fn)
	return &TooLargeError{ir.Errorf(fn.Loc(), "the arguments of @%s take %s, more than the %s of memory that may be used", name, footprint.Bytes(need), footprint.Bytes(limit)), need, limit}
}

// TooLargeError is the error that a program needs more memory than it may use.
type TooLargeError struct {
	*ir.Diagnostic
	// Need is at least what it takes, Limit what it may use, in bytes.
	Need, Limit int64
}

// Unwrap returns the diagnostic.
func (e *TooLargeError) Unwrap() error { return e.Diagnostic }

// argumentBytes returns how many bytes an argument of a type takes whose dynamic sizes are
// those that [Random] gives them, or the given ones.
func argumentBytes(t ir.Type, sizes []int64) int64 {
	if !ir.IsShaped(t) {
		return 0
	}
	shape, _ := ir.ShapeOf(t)
	if sizes != nil {
		shape = sizes
	}
	n := exec.ElemOf(ir.ElementType(t)).Bytes
	for _, d := range shape {
		if d == ir.Dynamic {
			d = defaultSize
		}
		if d != 0 && n > math.MaxInt64/d {
			return math.MaxInt64
		}
		n *= d
	}
	return n
}

// valueOf returns what a word or object is; of a memref, its contents now.
func valueOf(op *ir.Op, t ir.Type, w uint64, o any) (Value, error) {
	v := Value{Type: t, Word: w}
	switch o := o.(type) {
	case *exec.Tensor:
		v.Tensor = o
	case *exec.MemRef:
		if err := o.Access(op); err != nil {
			return v, err
		}
		c, err := exec.TensorOfView(op, o.View())
		if err != nil {
			return v, err
		}
		v.Tensor = c
	default:
		v.Object = o
	}
	return v, nil
}

// collect takes the results over, and the contents of buffers.
// Buffers are copied if more is to come, which may change them.
func (r *Result) collect(m *exec.Machine, fn *ir.Op, t *ir.FunctionType, in, out exec.Values, more bool) error {
	contents := exec.LastTensorOfView
	if more {
		contents = exec.TensorOfView
	}
	var owned []*exec.Alloc
	owners := false
	for i, typ := range t.Results {
		if a, ok := exec.OwnerOf(typ, out.O[i]); ok {
			owners = true
			if a != nil {
				owned = append(owned, a)
			}
			continue
		}
		if o, ok := out.O[i].(*exec.MemRef); ok && !o.Alloc.Live() {
			f := exec.Findf(exec.UseAfterFree, fn, "result %d is memory that was freed", i)
			f.WithNote(o.Alloc.Loc, "allocated here")
			if o.Alloc.FreeLoc != nil {
				f.WithNote(o.Alloc.FreeLoc, "freed here")
			}
			return f
		}
		v, err := valueOf(fn, typ, out.W[i], out.O[i])
		if err != nil {
			return err
		}
		r.Values = append(r.Values, v)
	}
	for i, typ := range t.Inputs {
		if b, ok := in.O[i].(*exec.MemRef); ok && b.Alloc.Live() {
			c, err := contents(fn, b.View())
			if err != nil {
				return err
			}
			r.Buffers[i] = Value{Type: typ, Tensor: c}
		}
	}
	// What is returned belongs to the caller, who is done with it, unless owners tell what
	// does.
	if owners {
		for _, a := range owned {
			if err := m.HandOver(fn, a); err != nil {
				return err
			}
		}
		return nil
	}
	for i, o := range out.O {
		if b, ok := o.(*exec.MemRef); ok && interfaces.ResAttr(fn, i, interfaces.BorrowedAttr) == nil {
			m.Dispose(b.Alloc)
		}
	}
	return nil
}

// Returned lists the types of those results of a function that [Result.Values] has: all but
// owners, which tell only what the caller has to free.
func Returned(t *ir.FunctionType) (types []ir.Type) {
	for _, r := range t.Results {
		if _, owner := exec.OwnerOf(r, nil); !owner {
			types = append(types, r)
		}
	}
	return types
}

func (r *Result) leaks(m *exec.Machine) {
	left := append([]*exec.Alloc(nil), m.Heap()...)
	sort.Slice(left, func(i, j int) bool { return left[i].ID < left[j].ID })
	for _, a := range left {
		if a.Lent {
			continue
		}
		r.Findings = append(r.Findings, exec.Leaked(a))
	}
}

// Equal tells whether two lists of values are the same bit for bit. Undefined
// elements are equal only to undefined elements; a tensor is equal to a memref
// with the same elements.
func Equal(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equal(a, b Value) bool {
	if (a.Tensor == nil) != (b.Tensor == nil) {
		return false
	}
	if a.Tensor == nil {
		return a.Word == b.Word && fmt.Sprint(a.Object) == fmt.Sprint(b.Object)
	}
	return equalTensors(a.Tensor, b.Tensor)
}

func equalTensors(x, y *exec.Tensor) bool {
	// The types may be of different contexts.
	if x.Elem.Type.String() != y.Elem.Type.String() || len(x.Sizes) != len(y.Sizes) {
		return false
	}
	for d := range x.Sizes {
		if x.Sizes[d] != y.Sizes[d] {
			return false
		}
	}
	for i := range x.Elements() {
		if x.Elem.Size == 0 {
			v, ok1 := x.Object(i)
			w, ok2 := y.Object(i)
			p, shaped1 := v.(*exec.Tensor) // a vector
			q, shaped2 := w.(*exec.Tensor)
			switch {
			case ok1 != ok2 || shaped1 != shaped2:
				return false
			case ok1 && shaped1 && !equalTensors(p, q) || ok1 && !shaped1 && fmt.Sprint(v) != fmt.Sprint(w):
				return false
			}
			continue
		}
		v, ok1 := x.Word(i)
		w, ok2 := y.Word(i)
		if ok1 != ok2 || ok1 && v != w {
			return false
		}
	}
	return true
}
