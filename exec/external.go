package exec

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// External stands for a function that the program declares but doesn't define, or
// for an operation that nothing is known about. Its error is a *[Finding] if the
// program is wrong, anything else if it can't be executed.
type External func(call *ExternalCall) (Values, error)

// ExternalCall is a call of an external function.
type ExternalCall struct {
	// Machine is what executes the program.
	Machine *Machine
	// Op is the call, or the unknown operation.
	Op *ir.Op
	// Name is the function's or the operation's name.
	Name string
	// Inputs and Results are the types of arguments and results.
	Inputs, Results []ir.Type
	// Args are the arguments. Tensors among them must not be changed.
	Args Values
	// Unknown tells that it is an unknown operation.
	Unknown bool
}

// NewMemRef allocates memory of the given sizes, in row-major order, that belongs
// to the program, on behalf of the call.
func (call *ExternalCall) NewMemRef(t ir.Type, sizes []int64) (*MemRef, error) {
	e := ElemOf(ir.ElementType(t))
	n, err := call.Machine.Elements(call.Op, e, sizes)
	if err != nil {
		return nil, err
	}
	a, err := call.Machine.NewAlloc(call.Op, Heap, e, t, n)
	if err != nil {
		return nil, err
	}
	// Nobody knows who has to free what an unknown operation returns.
	a.Lent = call.Unknown
	return &MemRef{Alloc: a, Elem: e, Sizes: sizes, Strides: RowMajor(sizes)}, nil
}

// Meaningless is implemented by dialects with operations that are defined but mean
// nothing: the model tells whether an operation may be executed as an unknown one.
var Meaningless = ir.NewInterface[func(op *ir.Op) bool]("ExecutableMeaningless")

// unknown compiles an operation that the program's Unknown executes; nil if it is
// not of that kind.
func (c *Compiler) unknown(op *ir.Op) Step {
	if c.program.Unknown == nil || op.NumRegions() > 0 || op.NumSuccessors() > 0 || op == op.Block().Terminator() {
		return nil
	}
	if m, ok := Meaningless.OfDialect(op.Dialect()); op.Registered() && !(ok && m(op)) {
		return nil
	}
	return c.external(op, op.Name(), op.Operands(), true, c.program.Unknown)
}

// external compiles a call of an external function.
func (c *Compiler) external(op *ir.Op, name string, operands ir.Operands, unknown bool, fn External) Step {
	regs, results := c.Regs(operands.Values()), c.Regs(op.Results().Values())
	var inputs, outputs []ir.Type
	for _, v := range operands.Values() {
		inputs = append(inputs, v.Type())
	}
	for _, v := range op.Results().Values() {
		outputs = append(outputs, v.Type())
	}
	return func(f *Frame) error {
		args := Values{make([]uint64, len(regs)), make([]any, len(regs))}
		for i, r := range regs {
			if r.IsWord() {
				args.W[i] = f.W[r.Word()]
				continue
			}
			if t, ok := f.O[r.Object()].(*Tensor); ok {
				t.shared = true
			}
			args.O[i] = f.O[r.Object()]
		}
		out, err := fn(&ExternalCall{f.M, op, name, inputs, outputs, args, unknown})
		if err != nil {
			return err
		}
		for i, r := range results {
			if r.IsWord() {
				f.W[r.Word()] = out.W[i]
			} else {
				f.O[r.Object()] = out.O[i]
			}
		}
		return nil
	}
}

// declared returns the external function for a declaration, or nil.
func (p *Program) declared(fn *ir.Op) External {
	if fn.BodyBlock(0) != nil {
		return nil
	}
	if !interfaces.Function.Has(fn) {
		return nil
	}
	name, _ := ir.SymbolName(fn)
	for _, d := range fn.Context().Dialects() {
		if m, ok := Library.OfDialect(d); ok {
			if ext := m(fn, name); ext != nil {
				return ext
			}
		}
	}
	if p.External == nil {
		return nil
	}
	return p.External(name)
}

// Library is implemented by dialects whose lowering calls functions of a library at run
// time: the model returns what a declared function does, or nil if it isn't one of them.
var Library = ir.NewInterface[func(fn *ir.Op, name string) External]("ExecutableLibrary")
