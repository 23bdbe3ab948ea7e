package certificate

import (
	"crypto/sha256"
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/func"
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/asm"
)

// Digest returns what binds a certificate to a program: the SHA-256 of its text.
func Digest(root *ir.Op) string {
	return fmt.Sprintf("%x", sha256.Sum256(asm.Print(root, asm.PrintOptions{AssumeVerified: true})))
}

// Verify checks that c proves that root, which must be valid, handles memory right. It
// returns nil, or says what isn't shown. threads is the number of functions verified at the
// same time; 0 is as many as there are processors. It takes time linear in the program and the
// certificate for straight code; a lemma may take time linear in the conditions of its function.
func Verify(root *ir.Op, c *Certificate, threads int) error {
	if Digest(root) != c.Program {
		return root.Errorf("the certificate is for another program")
	}
	return verify(root, c, threads, nil)
}

// Question is whether a condition can't hold.
type Question struct {
	f *formulas
	// Goal is the condition; Assumptions are conditions that hold. A condition is the number
	// of a node, negative if it is negated; 0 is one that holds.
	Goal        int
	Assumptions []int
}

// Operands returns the nodes of which node n is the conjunction; ok is false if it is a
// variable.
func (q *Question) Operands(n int) (a, b int, ok bool) {
	g := q.f.gates[n]
	return external(g.a), external(g.b), g.a != isVariable
}

func external(l lit) int {
	if l&1 != 0 {
		return -int(l.node())
	}
	return int(l.node())
}

// Complete verifies c, which is for root, and asks prove where lemmas are missing: it returns
// them, or false if there are none. They are added to c.
func Complete(root *ir.Op, c *Certificate, threads int, prove func(*Question) ([][]int, bool)) error {
	for _, f := range c.Functions {
		f.Proofs = nil
	}
	return verify(root, c, threads, prove)
}

func verify(root *ir.Op, c *Certificate, threads int, prove func(*Question) ([][]int, bool)) error {
	m := &module{contracts: map[*ir.Op]*Function{}, tables: map[*ir.Op]*ir.SymbolTable{}}
	fns, err := m.functions(root, c)
	if err != nil {
		return err
	}
	errs := make([]error, len(fns))
	parallel.For(len(fns), threads, func() func(int) {
		return func(i int) {
			if c := m.contracts[fns[i]]; !c.Followed {
				v := newVerifier(m, fns[i], c)
				v.prove = prove
				v.function()
				if v.err == nil && prove == nil && v.proofs < len(c.Proofs) {
					v.refuse(fns[i], "there are proofs of something else")
				}
				errs[i] = v.err
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// module is what the verifiers of functions share.
type module struct {
	contracts map[*ir.Op]*Function
	tables    map[*ir.Op]*ir.SymbolTable
}

func (m *module) lookup(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	if t := m.tables[ir.SymbolTableOp(from)]; t != nil {
		return t.LookupRef(ref)
	}
	return ir.LookupSymbol(from, ref)
}

// order returns the order of the blocks of a region of a function.
func (m *module) order(fn *ir.Op, region string) []Item { return m.contracts[fn].Blocks[region] }

func isFunction(op *ir.Op) bool { return op.Is(funcd.Func) }

// functions returns the functions with bodies, in the order of the program, which must be that
// of the certificate. Those with rules of their own must be private, and mentioned by nothing
// but calls.
func (m *module) functions(root *ir.Op, c *Certificate) (fns []*ir.Op, err error) {
	root.Walk(func(op *ir.Op) bool {
		if op.Has(ir.TraitSymbolTable) {
			m.tables[op] = ir.NewSymbolTable(op)
		}
		switch {
		case err != nil || op.Is(builtin.Module):
		case op.Is(memref.Global):
			return false
		case isFunction(op):
			if !op.RegionAt(0).Empty() {
				fns = append(fns, op)
			}
			return false
		default:
			_, other := iface.Function.Of(op)
			empty := !other && (op.NumOperands() == 0 && op.NumResults() == 0 || iface.IsMemoryEffectFree(op))
			for _, r := range op.Regions() {
				empty = empty && r.Empty()
			}
			for i := range op.NumResults() {
				empty = empty && !ir.IsMemRef(op.Result(i).Type())
			}
			if !empty {
				err = op.Errorf("not certified: it is in no function")
			}
			return false
		}
		return err == nil
	})
	if err == nil && len(fns) != len(c.Functions) {
		err = root.Errorf("the certificate is about %d functions, not %d", len(c.Functions), len(fns))
	}
	if err != nil {
		return nil, err
	}
	special := false
	for i, op := range fns {
		x := c.Functions[i]
		m.contracts[op] = x
		special = special || x.Followed || len(x.Owns)+len(x.Gives)+len(x.Parts)+len(x.Shifted) > 0
		if name, _ := ir.SymbolName(op); name != x.Name {
			return nil, op.Errorf("the certificate is about @%s here", x.Name)
		}
		if !x.fits(op) || (x.Followed || len(x.Owns)+len(x.Gives) > 0) && !ir.IsPrivate(op) {
			return nil, op.Errorf("the certificate has rules for @%s that it can't have", x.Name)
		}
	}
	if special {
		root.Walk(func(op *ir.Op) bool {
			if _, call := iface.Call.Of(op); !call {
				ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
					if x := m.contracts[m.lookup(op, ref)]; x != nil && (x.Followed || len(x.Owns)+len(x.Gives)+len(x.Parts)+len(x.Shifted) > 0) {
						err = op.Errorf("it mentions @%s, which has rules of its own", x.Name)
					}
				})
			}
			return err == nil
		})
	}
	return fns, err
}

// fits tells whether the rules of ownership are about buffers and booleans of the function.
func (c *Function) fits(op *ir.Op) bool {
	m, _ := iface.Function.Of(op)
	ok := true
	check := func(types []ir.Type, i, by int) {
		ok = ok && i >= 0 && i < len(types) && ir.IsMemRef(types[i]) && (by < 0 || by < len(types) && types[by] == ir.Type(ir.I1))
	}
	for i, by := range c.Owns {
		check(m.Type(op).Inputs, i, by)
	}
	for i, by := range c.Gives {
		check(m.Type(op).Results, i, by)
		ok = ok && by >= 0
	}
	return ok && !c.Any
}

// verifier is the verification of one function.
type verifier struct {
	m  *module
	fn *ir.Op
	c  *Function
	f  *formulas
	// proofs are how many of the certificate's proofs were used; prove finds others.
	proofs int
	prove  func(*Question) ([][]int, bool)
	err    error // why the certificate is refused

	objects    []*object
	named      map[string]int
	sites      map[site]int // the objects of what reserves the same memory each time
	cells      int          // of buffers that are followed
	choices    []choice
	trees      map[choice]int32
	targetsOf  map[int32][]target
	compared   map[[2]int32]lit
	addresses  map[[2]int]lit
	identities int64
	numbered   map[string]value // computations
	shifts     map[string]int64
	numbers    map[*ir.Op]*numbers
	assumed    []lit
}

// site is an operation in a frame.
type site struct {
	path string
	op   *ir.Op
}

func newVerifier(m *module, fn *ir.Op, c *Function) *verifier {
	return &verifier{m: m, fn: fn, c: c, f: newFormulas(), named: map[string]int{}, sites: map[site]int{}, trees: map[choice]int32{},
		targetsOf: map[int32][]target{}, compared: map[[2]int32]lit{}, addresses: map[[2]int]lit{}, numbered: map[string]value{},
		shifts: map[string]int64{}, numbers: map[*ir.Op]*numbers{}}
}

// refuse notes that the certificate doesn't show that the operation is right.
func (v *verifier) refuse(op *ir.Op, format string, args ...any) {
	if v.err == nil {
		v.err = op.Errorf("not certified: "+format, args...)
	}
}

// require checks that bad can't hold here: that it can't is seen at once, or follows by unit
// propagation, or the certificate's next proof shows it.
func (v *verifier) require(fr *frame, op *ir.Op, bad lit, format string, args ...any) {
	if bad = v.f.and(v.here(fr), bad); bad == no || v.err != nil || v.f.refutes(bad, nil) {
		return
	}
	if v.prove != nil {
		q := &Question{f: v.f, Goal: external(bad)}
		for _, l := range v.assumed {
			q.Assumptions = append(q.Assumptions, external(l))
		}
		if lemmas, ok := v.prove(q); ok {
			v.c.Proofs = append(v.c.Proofs, lemmas)
		}
	}
	if v.proofs == len(v.c.Proofs) || !v.f.refutes(bad, v.c.Proofs[v.proofs]) {
		v.refuse(op, format, args...)
	}
	v.proofs++
}

// assume makes l hold here, from now on.
func (v *verifier) assume(fr *frame, l lit) {
	l = v.f.and(v.here(fr), l.not()).not()
	if v.assumed = append(v.assumed, l); !v.f.propagate(l) {
		v.refuse(v.fn, "what is assumed contradicts itself")
	}
}

// get returns what is known about a value.
func (v *verifier) get(fr *frame, x *ir.Value) value {
	out, ok := fr.values[x]
	if !ok {
		v.refuse(fr.fn, "a value is used that isn't known")
	}
	return out
}

func (v *verifier) getAll(fr *frame, xs ir.Operands) []value {
	out := make([]value, len(xs))
	for i := range xs {
		out[i] = v.get(fr, xs.At(i))
	}
	return out
}

// truth returns the condition that an i1 is.
func (v *verifier) truth(fr *frame, x *ir.Value) lit {
	if out := v.get(fr, x); out.kind == boolean {
		return out.truth
	}
	return v.f.variable()
}

// set gives a number a value of which nothing is known.
func (v *verifier) set(fr *frame, x *ir.Value) {
	switch t := x.Type(); {
	case ir.IsMemRef(t):
		v.refuse(fr.fn, "nothing is known about a buffer")
	case t == ir.Type(ir.I1):
		fr.values[x] = v.fresh(boolean)
	default:
		fr.values[x] = v.fresh(number)
	}
}

// bind gives a value what control passes.
func (v *verifier) bind(fr *frame, x *ir.Value, to value) {
	if ir.IsMemRef(x.Type()) && to.kind != pointer {
		v.refuse(fr.fn, "nothing is known about a buffer that is passed")
	}
	fr.values[x] = to
}

// follows tells whether the certificate says to follow a call.
func (v *verifier) follows(fr *frame, op *ir.Op) bool {
	return len(v.c.Follow) > 0 && v.c.Follow[v.opName(fr, op)]
}
