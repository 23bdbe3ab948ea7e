package exec

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// Step executes an operation. Its error is a *[Finding], or an *ir.Diagnostic for
// what can't be executed.
type Step func(f *Frame) error

// Model compiles an operation.
type Model func(c *Compiler, op *ir.Op) (Step, error)

// Executable is implemented by operations that can be executed. Terminators that
// only pass their operands on to the operation around them need no model, see
// [Compiler.Region].
var Executable = ir.NewInterface[Model]("Executable")

// Reg is a register: a word, numbered from 0 on, or an object, numbered from -1
// down.
type Reg int32

// IsWord tells whether the register is a word.
func (r Reg) IsWord() bool { return r >= 0 }

// Word returns the index of a word register in Frame.W.
func (r Reg) Word() int { return int(r) }

// Object returns the index of an object register in Frame.O.
func (r Reg) Object() int { return int(^r) }

// Discard is no register: what is moved there is dropped.
const Discard Reg = -1 << 31

// Program is a module that is being executed. Functions are compiled when they
// are called for the first time.
type Program struct {
	// External returns what stands for a declared function of the given name, or nil;
	// Unknown is what unknown operations without regions and successors do. Both may
	// be nil, and are set before the program is used.
	External func(name string) External
	Unknown  External
	// Trace is told of each operation that was executed. It may be nil.
	Trace func(t *Traced)
	// Contents returns the contents of a constant of a type that has only a key for them,
	// or an error: [ErrElided] if they are nowhere. It may be nil: they are nowhere then.
	Contents func(t ir.Type, key string) (*Tensor, error)

	module    *ir.Op
	functions map[*ir.Op]*Function
}

// NewProgram returns the program of a module, which must be verified and must
// not be changed as long as the program is in use.
func NewProgram(module *ir.Op) *Program {
	return &Program{module: module, functions: map[*ir.Op]*Function{}}
}

// Function returns the function that an operation defines.
func (p *Program) Function(op *ir.Op) *Function {
	fn := p.functions[op]
	if fn == nil {
		fn = &Function{Op: op, program: p}
		p.functions[op] = fn
	}
	return fn
}

// Compiler compiles one function.
type Compiler struct {
	program        *Program
	function       *ir.Op
	words, objects int
	regs           map[*ir.Value]Reg
	lastUses       map[*ir.Value][]*ir.Use
	poisonable     map[*ir.Value]bool
	poisonRegs     map[Reg]bool
	region         *regionState
	nest           *nestState
	consts         []constant
	constants      map[Reg]bool           // the registers of tensors that consts have
	dying          map[*ir.Op][]*ir.Value // see findDying
}

// regionState is what is known about the region being compiled.
type regionState struct {
	outer   *regionState
	blocks  map[*ir.Block]int
	dst     []Reg
	onStack *bool // set when a stack allocation lives in the scope
}

// Reg returns the register of a value.
func (c *Compiler) Reg(v *ir.Value) Reg {
	r, ok := c.regs[v]
	if !ok {
		if IsWord(v.Type()) {
			r = c.NewWord()
		} else {
			r = c.NewObject()
		}
		c.regs[v] = r
		if c.poisonable[v] {
			c.poisonRegs[r] = true
		}
	}
	return r
}

// Word returns the index in Frame.W of a value that is a word.
func (c *Compiler) Word(v *ir.Value) int { return c.Reg(v).Word() }

// Object returns the index in Frame.O of a value that is an object.
func (c *Compiler) Object(v *ir.Value) int { return c.Reg(v).Object() }

// Words returns the indices in Frame.W of values that are words.
func (c *Compiler) Words(vs ir.Operands) []int {
	out := make([]int, len(vs))
	for i := range vs {
		out[i] = c.Word(vs[i].Value())
	}
	return out
}

// NewWord returns a fresh word register.
func (c *Compiler) NewWord() Reg {
	c.words++
	return Reg(c.words - 1)
}

// NewObject returns a fresh object register.
func (c *Compiler) NewObject() Reg {
	c.objects++
	return ^Reg(c.objects - 1)
}

// Regs returns the registers of values.
func (c *Compiler) Regs(vs []*ir.Value) []Reg {
	out := make([]Reg, len(vs))
	for i, v := range vs {
		out[i] = c.Reg(v)
	}
	return out
}

// Program returns the program that the function belongs to.
func (c *Compiler) Program() *Program { return c.program }

// Unsupported is the error that an operation can't be executed.
func Unsupported(op *ir.Op, why string) error {
	if why != "" {
		why = ": " + why
	}
	return op.Errorf("can't be executed%s", why)
}

// Code is a compiled region.
type Code struct {
	op     *ir.Op
	blocks []codeBlock
	scoped bool // stack allocations end with the region
}

type codeBlock struct {
	steps []Step
	at    *ir.Op // what a finding about the block as a whole is about
}

const leave = -1

// Region compiles a region. When it is left by a terminator that passes its
// operands on, these are moved to dst, one register for each, of which some may
// be [Discard]. Regions of operations with TraitAutomaticAllocationScope end the
// stack allocations made in them.
func (c *Compiler) Region(r *ir.Region, dst []Reg) (*Code, error) {
	st := &regionState{outer: c.region, dst: dst}
	code := &Code{op: r.Op()}
	if c.region != nil {
		st.onStack = c.region.onStack
	}
	if r.Op().Has(ir.TraitAutomaticAllocationScope) {
		st.onStack = &code.scoped
	}
	c.region = st
	defer func() { c.region = st.outer }()
	if r.NumBlocks() > 1 {
		st.blocks = map[*ir.Block]int{}
		i := 0
		for b := range r.Blocks() {
			st.blocks[b] = i
			i++
		}
	}
	for b := range r.Blocks() {
		steps, err := c.block(b)
		if err != nil {
			return nil, err
		}
		at := r.Op()
		if st.blocks != nil {
			at = b.Terminator()
		}
		code.blocks = append(code.blocks, codeBlock{steps, at})
	}
	return code, nil
}

func (c *Compiler) block(b *ir.Block) ([]Step, error) {
	steps := make([]Step, 0, 8)
	if c.nest == nil {
		c.findDying(b, b.Region().Op() == c.function && b == b.Region().Entry())
	}
	for op := range b.Ops() {
		s, err := c.op(op)
		s = c.accounted(op, c.traced(op, c.checked(op, s)))
		if err != nil {
			return nil, err
		}
		if s != nil {
			steps = append(steps, s)
		}
	}
	return steps, nil
}

func (c *Compiler) op(op *ir.Op) (Step, error) {
	if m, ok := Executable.Of(op); ok {
		return m(c, op)
	}
	if m, ok := Elementwise.Of(op); ok {
		return c.Elementwise(op, m)
	}
	if op.Has(ir.TraitConstantLike) {
		if d, ok := ir.ConstantOf(op.Result(0)).(*ir.DenseElementsAttr); ok {
			if err := CheckConstantSize(op, d.Type); err != nil {
				return nil, err
			}
		}
		v := constantOf(op)
		if a, ok := ir.ConstantOf(op.Result(0)).(*ir.DenseResourceAttr); ok {
			t, err := c.program.Resource(op, a)
			if err != nil {
				return nil, err
			}
			v = t.Share()
		}
		if v != nil {
			c.Constant(op.Result(0), v)
			return nil, nil
		}
	}
	if op.NumSuccessors() == 0 && interfaces.IsRegionTerminator(op) {
		return c.Leave(op.Operands()), nil
	}
	if interfaces.Structured.Has(op) {
		return c.structured(op)
	}
	if s := c.unknown(op); s != nil {
		return s, nil
	}
	return nil, Unsupported(op, "")
}

// constantOf returns the word (a uint64) or object of a constant operation, or
// nil.
func constantOf(op *ir.Op) any {
	a := ir.ConstantOf(op.Result(0))
	if d, ok := a.(*ir.DenseElementsAttr); ok {
		return TensorOf(d).Share()
	}
	v, _ := NumberOf(a)
	return v
}

// maxConstant is how many elements a constant that is executed may have. What is written out
// has fewer; one value for all elements can be that of any number of them.
const maxConstant = 1 << 31

// CheckConstantSize returns the error that a constant of a type has more elements than fit into memory; nil if it hasn't.
func CheckConstantSize(op *ir.Op, t ir.Type) error {
	sizes, _ := ir.ShapeOf(t)
	if n, ok := ir.NumElements(sizes); !ok || n > maxConstant {
		return op.Errorf("can't be executed: the constant has more elements than fit into memory")
	}
	return nil
}

// ErrElided tells that the contents of a constant are nowhere.
var ErrElided = errors.New("its contents are not in the program")

// ElidedError is the error that a program can't be executed because the contents of a
// constant are nowhere.
type ElidedError struct{ *ir.Diagnostic }

// Unwrap returns the diagnostic.
func (e *ElidedError) Unwrap() error { return e.Diagnostic }

// Resource returns the elements of a constant that has only a key for its contents, on
// behalf of an operation.
func (p *Program) Resource(op *ir.Op, a *ir.DenseResourceAttr) (*Tensor, error) {
	err := ErrElided
	if p.Contents != nil {
		var t *Tensor
		if t, err = p.Contents(a.Type, a.Key); err == nil {
			return t, nil
		}
	}
	d := op.Errorf("can't be executed: dense_resource<%s>: %v", a.Key, err)
	if errors.Is(err, ErrElided) {
		return nil, &ElidedError{d}
	}
	return nil, d
}

// NumberOf returns the word (a uint64) or object of an attribute that is a number,
// and whether it is one.
func NumberOf(a ir.Attribute) (any, bool) {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		if w, ok := WordOf(a); ok {
			return w, true
		}
		v := new(big.Int).Set(a.BigInt())
		return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(Width(a.Type)))), true
	case *ir.FloatAttr:
		if w, ok := WordOf(a); ok {
			return w, true
		}
		return WideFloat{a.Lo, a.Hi}, true
	}
	return nil, false
}

// Constant makes a value's register hold a word (a uint64) or object from the
// beginning. Tensors must be shared.
func (c *Compiler) Constant(v *ir.Value, x any) {
	r := c.Reg(v)
	c.consts = append(c.consts, constant{r, x})
	if ir.IsTensor(v.Type()) {
		c.constants[r] = true
	}
}

type constant struct {
	reg   Reg
	value any
}

// Leave returns the step of a terminator that leaves the region being compiled
// with the given operands.
func (c *Compiler) Leave(operands ir.Operands) Step {
	dst := c.region.dst
	if len(dst) < len(operands) {
		operands = operands[:len(dst)]
	}
	move := c.Move(operands, dst[:len(operands)])
	if c.region.blocks == nil {
		return move
	}
	return func(f *Frame) error {
		f.next = leave
		if move != nil {
			return move(f)
		}
		return nil
	}
}

// Goto returns the step that goes to a block of the region being compiled with
// the given operands as its last arguments.
func (c *Compiler) Goto(b *ir.Block, operands ir.Operands) Step {
	args := b.Args()
	move := c.Move(operands, c.Regs(args[len(args)-len(operands):]))
	next := c.region.blocks[b]
	if move == nil {
		return func(f *Frame) error {
			f.next = next
			return nil
		}
	}
	return func(f *Frame) error {
		f.next = next
		return move(f)
	}
}

// Run executes the region.
func (code *Code) Run(f *Frame) error {
	if code.scoped {
		mark := len(f.M.stack)
		err := code.run(f)
		f.M.unwind(mark, code.op.Loc())
		return err
	}
	return code.run(f)
}

func (code *Code) run(f *Frame) error {
	for b := 0; ; {
		steps := code.blocks[b].steps
		m := f.M
		if m.Steps += int64(len(steps)) + 1; m.Steps > m.until {
			if err := m.Charge(code.blocks[b].at, 0); err != nil {
				return err
			}
		}
		for _, s := range steps {
			if err := s(f); err != nil {
				return err
			}
		}
		if len(code.blocks) == 1 {
			return nil
		}
		if b = f.next; b == leave {
			return nil
		}
	}
}

// Move returns the step that moves operands to registers, all at once; nil if
// there is nothing to move. Tensors that remain in use where they come from are
// marked as shared.
func (c *Compiler) Move(operands ir.Operands, dst []Reg) Step {
	src := make([]Reg, len(operands))
	share := make([]bool, len(operands))
	for i := range operands {
		v := operands[i].Value()
		src[i] = c.Reg(v)
		share[i] = holdsTensor(v.Type()) && !c.LastUse(&operands[i])
	}
	return c.move(src, dst, share)
}

func holdsTensor(t ir.Type) bool { return ir.IsTensor(t) || ir.IsVector(t) }

func (c *Compiler) move(src, dst []Reg, share []bool) Step {
	type pair struct{ from, to int }
	var words, objects []pair
	poison := false // whether a word can be poison
	var shared []int
	for i, s := range src {
		if dst[i] == Discard {
			continue
		}
		if s.IsWord() {
			if s != dst[i] {
				words = append(words, pair{s.Word(), dst[i].Word()})
				poison = poison || c.canPoison(s) || c.canPoison(dst[i])
			}
			continue
		}
		if share[i] {
			shared = append(shared, s.Object())
		}
		if s != dst[i] {
			objects = append(objects, pair{s.Object(), dst[i].Object()})
		}
	}
	// A register that is overwritten before it is read is saved first.
	order := func(ps []pair, fresh func() int) []pair {
		var before []pair
		for i := range ps {
			for j := range i {
				if ps[j].to == ps[i].from {
					t := fresh()
					before = append(before, pair{ps[i].from, t})
					ps[i].from = t
					break
				}
			}
		}
		return append(before, ps...)
	}
	words = order(words, func() int { return c.NewWord().Word() })
	objects = order(objects, func() int { return c.NewObject().Object() })
	switch {
	case len(words) == 0 && len(objects) == 0 && len(shared) == 0:
		return nil
	case len(words) == 1 && len(objects) == 0 && !poison:
		p := words[0]
		return func(f *Frame) error {
			f.W[p.to] = f.W[p.from]
			return nil
		}
	}
	return func(f *Frame) error {
		for _, o := range shared {
			if t, ok := f.O[o].(*Tensor); ok {
				t.shared = true
			}
		}
		for _, p := range words {
			f.W[p.to] = f.W[p.from]
		}
		if poison {
			for _, p := range words {
				f.P[p.to] = f.P[p.from]
			}
		}
		for _, p := range objects {
			f.O[p.to] = f.O[p.from]
		}
		return nil
	}
}

// Forward returns the step that makes result i stand for operand j.
func (c *Compiler) Forward(op *ir.Op, j, i int) Step {
	s := c.Move(op.Operands()[j:j+1], []Reg{c.Reg(op.Result(i))})
	if s == nil {
		return Nop
	}
	return s
}

// Nop does nothing.
func Nop(*Frame) error { return nil }

// LastUse tells whether nothing uses the operand's value after this use, whatever
// path the execution takes, so that the operation may take the value over.
func (c *Compiler) LastUse(u *ir.Use) bool {
	v := u.Value()
	last, ok := c.lastUses[v]
	if !ok {
		if b := v.ParentBlock(); b != nil {
			last = lastUses(b, v.Uses())
		}
		c.lastUses[v] = last
	}
	return slices.Contains(last, u)
}

// lastUses returns the uses in a block after which there is none of the others:
// one, or one for each of several regions of which just one is executed. It
// returns nothing where a use may be executed more than once, or where a use is
// in other blocks. O(uses x nesting depth).
func lastUses(b *ir.Block, uses []*ir.Use) []*ir.Use {
	var group []*ir.Use // the uses in the last operation that has any
	var at *ir.Op
	for _, u := range uses {
		a := b.AncestorIn(u.Owner())
		switch {
		case a == nil:
			return nil
		case at == a:
			group = append(group, u)
		case at == nil || at.IsBefore(a):
			group, at = append(group[:0], u), a
		}
	}
	if at == nil {
		return nil
	}
	for _, u := range group {
		if u.Owner() == at {
			if len(group) == 1 {
				return group
			}
			return nil
		}
	}
	m, ok := interfaces.RegionBranch.Of(at)
	if !ok {
		return nil
	}
	var last []*ir.Use
	for _, r := range at.Regions() {
		var inside []*ir.Use
		for _, u := range group {
			if r.AncestorIn(u.Owner()) != nil {
				inside = append(inside, u)
			}
		}
		if len(inside) == 0 {
			continue
		}
		if r.NumBlocks() > 1 {
			return nil
		}
		for _, s := range m.Successors(at, interfaces.RegionPoint{Region: r}) {
			if s.Region != nil {
				return nil
			}
		}
		last = append(last, lastUses(r.Entry(), inside)...)
	}
	return last
}

// Take returns how an operation gets the tensor of an operand in order to change
// it: the tensor itself if nothing else needs it, else a copy.
func (c *Compiler) Take(u *ir.Use) func(f *Frame) *Tensor {
	r := c.Object(u.Value())
	// The limit is looked at when the next step is counted, or at the end.
	clone := func(f *Frame, t *Tensor) *Tensor {
		f.M.Steps += t.Elements()
		return t.Clone()
	}
	if !c.LastUse(u) {
		return func(f *Frame) *Tensor { return clone(f, f.O[r].(*Tensor)) }
	}
	return func(f *Frame) *Tensor {
		t := f.O[r].(*Tensor)
		if t.shared {
			return clone(f, t)
		}
		return t
	}
}

// OnStack notes that the operation being compiled allocates on the stack.
func (c *Compiler) OnStack() {
	if c.region.onStack != nil {
		*c.region.onStack = true
	}
}

// Sizes returns a function that computes a mixed list of constants and index
// values.
func (c *Compiler) Sizes(list []shapes.OpFoldResult) func(f *Frame) []int64 {
	consts := make([]int64, len(list))
	type dyn struct{ at, reg int }
	var dyns []dyn
	for i, r := range list {
		if r.Value != nil {
			dyns = append(dyns, dyn{i, c.Word(r.Value)})
		} else {
			consts[i] = r.Const
		}
	}
	if len(dyns) == 0 {
		return func(*Frame) []int64 { return consts }
	}
	return func(f *Frame) []int64 {
		out := append([]int64(nil), consts...)
		for _, d := range dyns {
			out[d.at] = int64(f.W[d.reg])
		}
		return out
	}
}

// Shape is Sizes for the dimensions of a type, of which the dynamic ones are the
// given index values in order.
func (c *Compiler) Shape(shape []int64, dynamic ir.Operands) func(f *Frame) []int64 {
	return c.Sizes(shapes.Mixed(shape, dynamic.Values()))
}

// Function is a compiled function.
type Function struct {
	// Op is the operation that defines it.
	Op *ir.Op

	program        *Program
	code           *Code
	words, objects int
	args, results  []Reg
	consts         []constant
	constBytes     int64 // of the tensors among them
	free           []*Frame
}

// Type returns the function's type.
func (fn *Function) Type() *ir.FunctionType {
	m, _ := interfaces.Function.Of(fn.Op)
	if m == nil {
		return nil
	}
	return m.Type(fn.Op)
}

// Compile makes the function ready; calling it does, too. The error says which
// operation can't be executed.
func (fn *Function) Compile() error {
	if fn.code != nil {
		return nil
	}
	name, _ := ir.SymbolName(fn.Op)
	entry := fn.Op.BodyBlock(0)
	if entry == nil {
		return ir.Errorf(fn.Op.Loc(), "function @%s has no body", name)
	}
	c := &Compiler{program: fn.program, function: fn.Op, regs: map[*ir.Value]Reg{}, lastUses: map[*ir.Value][]*ir.Use{}, dying: map[*ir.Op][]*ir.Value{}, constants: map[Reg]bool{},
		poisonable: possiblePoison(fn.Op), poisonRegs: map[Reg]bool{}}
	args := c.Regs(entry.Args())
	var results []Reg
	for _, t := range fn.Type().Results {
		if IsWord(t) {
			results = append(results, c.NewWord())
		} else {
			results = append(results, c.NewObject())
		}
	}
	code, err := c.Region(fn.Op.RegionAt(0), results)
	if err != nil {
		return err
	}
	fn.code, fn.args, fn.results, fn.words, fn.objects, fn.consts = code, args, results, c.words, c.objects, c.consts
	for _, k := range fn.consts {
		if t, ok := k.value.(*Tensor); ok && c.constants[k.reg] {
			fn.constBytes += t.bytes()
		}
	}
	return nil
}

func (fn *Function) frame(m *Machine) *Frame {
	if n := len(fn.free); n > 0 {
		f := fn.free[n-1]
		fn.free = fn.free[:n-1]
		f.M = m
		return f
	}
	f := &Frame{W: make([]uint64, fn.words), O: make([]any, fn.objects), P: make([]bool, fn.words), M: m}
	for _, k := range fn.consts {
		if k.reg.IsWord() {
			f.W[k.reg.Word()] = k.value.(uint64)
		} else {
			f.O[k.reg.Object()] = k.value
		}
	}
	return f
}

func (fn *Function) release(f *Frame) {
	clear(f.O)
	for _, k := range fn.consts {
		if !k.reg.IsWord() {
			f.O[k.reg.Object()] = k.value
		}
	}
	fn.free = append(fn.free, f)
}

// Values are the arguments or results of a function: words or objects by the
// types' nature.
type Values struct {
	W []uint64
	O []any
}

// Call executes the function. Words and objects of args and results stand at the
// position of their argument or result. If take is set, tensors are removed from args, so
// that they needn't be kept when the function doesn't need them any more.
func (fn *Function) Call(m *Machine, args Values, take bool) (Values, error) {
	if err := fn.Compile(); err != nil {
		return Values{}, err
	}
	f := fn.frame(m)
	for i, r := range fn.args {
		if r.IsWord() {
			f.W[r.Word()] = args.W[i]
		} else {
			f.O[r.Object()] = args.O[i]
			if t, ok := args.O[i].(*Tensor); ok {
				if take {
					args.O[i] = nil
					m.tensors += t.bytes()
				} else if !slices.Contains(m.arguments, t.Store) {
					m.held += t.bytes()
					m.arguments = append(m.arguments, t.Store)
				}
			}
		}
	}
	if err := m.enter(f, fn); err != nil {
		return Values{}, err
	}
	if err := fn.code.Run(f); err != nil {
		return Values{}, err
	}
	if err := m.finishAll(); err != nil {
		return Values{}, err
	}
	// Copies of tensors are counted as they are made, and may be the last thing that is done.
	if m.Steps > m.MaxSteps {
		if err := m.Charge(fn.Op, 0); err != nil {
			return Values{}, err
		}
	}
	m.exit()
	out := Values{make([]uint64, len(fn.results)), make([]any, len(fn.results))}
	for i, r := range fn.results {
		if r.IsWord() {
			out.W[i] = f.W[r.Word()]
		} else {
			out.O[i] = f.O[r.Object()]
		}
	}
	fn.release(f)
	return out, nil
}

// Call is the model of direct calls: of operations that implement interfaces.Call
// with a symbol.
func Call(c *Compiler, op *ir.Op) (Step, error) {
	m, _ := interfaces.Call.Of(op)
	if m == nil {
		return nil, Unsupported(op, "")
	}
	ref, value := m.Callee(op)
	start, n := m.Args(op)
	operands := op.Operands()[start : start+n]
	var callee func(f *Frame) *Function
	if ref != nil {
		target := ir.LookupSymbol(op, ref)
		if target == nil {
			return nil, op.Errorf("calls @%s, which is not defined", ref.Leaf())
		}
		if ext := c.program.declared(target); ext != nil {
			return c.external(op, ref.Leaf(), operands, false, ext), nil
		}
		fn := c.program.Function(target)
		callee = func(*Frame) *Function { return fn }
	} else {
		r := c.Object(value)
		callee = func(f *Frame) *Function { return f.O[r].(*Function) }
	}
	// The arguments are collected in registers of the caller, so that what remains in
	// use there is marked as shared.
	src := make([]Reg, n)
	tmp := make([]Reg, n)
	for i := range operands {
		src[i] = c.Reg(operands[i].Value())
		tmp[i] = src[i]
		if !src[i].IsWord() {
			tmp[i] = c.NewObject()
		}
	}
	move := c.Move(operands, tmp)
	if move == nil {
		move = Nop
	}
	results := c.Regs(op.Results().Values())
	return func(f *Frame) error {
		fn := callee(f)
		if fn.code == nil {
			if err := fn.Compile(); err != nil {
				return err
			}
		}
		m := f.M
		if m.depth++; m.depth > m.MaxDepth {
			return Findf(StepLimit, op, "calls are nested more than %d deep", m.MaxDepth)
		}
		if err := move(f); err != nil {
			return err
		}
		g := fn.frame(m)
		for i, r := range fn.args {
			if r.IsWord() {
				g.W[r.Word()] = f.W[tmp[i].Word()]
			} else {
				g.O[r.Object()] = f.O[tmp[i].Object()]
				f.O[tmp[i].Object()] = nil
			}
		}
		if err := m.enter(g, fn); err != nil {
			return err
		}
		if err := fn.code.Run(g); err != nil {
			return err
		}
		m.exit()
		m.depth--
		for i, r := range fn.results {
			if r.IsWord() {
				f.W[results[i].Word()] = g.W[r.Word()]
			} else {
				f.O[results[i].Object()] = g.O[r.Object()]
			}
		}
		fn.release(g)
		return nil
	}, nil
}

// MoveRegs returns the step that moves registers to others of their kind, all at
// once, where the values are not needed in their old place any more.
func (c *Compiler) MoveRegs(src, dst []Reg) Step {
	s := c.move(append([]Reg(nil), src...), dst, make([]bool, len(src)))
	if s == nil {
		return Nop
	}
	return s
}

// MoveTo is [Compiler.Move] of operands to the registers of values; it never
// returns nil.
func (c *Compiler) MoveTo(operands ir.Operands, dst []*ir.Value) Step {
	s := c.Move(operands, c.Regs(dst))
	if s == nil {
		return Nop
	}
	return s
}

// Trips returns the number of iterations of a loop from lower up to (not
// including) upper. The step of op must be positive, and the first number that isn't below upper must be one of the counter's type, which has width bits: else there
// is an error, since what a loop is lowered to counts on and compares.
func Trips(op *ir.Op, lower, upper, step int64, width int) (int64, error) {
	switch {
	case step <= 0:
		return 0, Findf(Undefined, op, "a loop has the step %d, which is not positive", step)
	case lower >= upper:
		return 0, nil
	}
	before := (uint64(upper) - uint64(lower) - 1) / uint64(step)
	if last := lower + int64(before*uint64(step)); last > int64(math.MaxInt64)>>(64-width)-step {
		return 0, Findf(Undefined, op, "the counter of a loop passes the end of its type: %d is below %d, and %d more is no signed number of %d bits", last, upper, step, width)
	}
	return int64(min(before, math.MaxInt64-1)) + 1, nil
}

// Alias makes a value be kept in the register r.
func (c *Compiler) Alias(v *ir.Value, r Reg) { c.regs[v] = r }
