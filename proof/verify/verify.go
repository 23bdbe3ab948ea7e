// Package verify is a proof checker: it checks the verification conditions of programs, given their loop invariants and lemmas in a
// certificate. These say that on every path each allocation is freed exactly once, and not used afterwards. It runs the machine of
// package kernel, as package check does that finds proofs, but executes each operation once, from a state that the
// certificate gives for the heads of loops, and checks that what must not happen contradicts the
// conditions under which it would, by unit propagation and the certificate's lemmas. It guesses and searches
// for nothing. docs/certificate.md has the rules of inference.
package verify

import (
	"crypto/sha256"
	"fmt"

	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// Digest returns what binds a certificate to a program: the SHA-256 of its text.
func Digest(root *ir.Op) string {
	return fmt.Sprintf("%x", sha256.Sum256(asm.Print(root, asm.PrintOptions{AssumeVerified: true})))
}

// Program checks that c proves that root, which must be valid, handles memory right. It
// returns nil, or says what isn't shown. threads is the number of functions verified at the
// same time; 0 is as many as there are processors. It takes time linear in the program and the
// certificate for straight code; a lemma may take time linear in the conditions of its function.
func Program(root *ir.Op, c *certificate.Certificate, threads int) error {
	if Digest(root) != c.Program {
		return root.Errorf("the certificate is for another program")
	}
	return verify(root, c, threads, nil)
}

// Unbound is [Program] without a look at what binds the certificate to a program, for who knows that it was made for this one.
func Unbound(root *ir.Op, c *certificate.Certificate, threads int) error {
	return verify(root, c, threads, nil)
}

// Prover returns lemmas that show that a condition can't hold, given what is known of the formulas; false if there are none.
type Prover func(f *kernel.Formulas, bad kernel.Lit) (lemmas [][]int, ok bool)

// Complete verifies c, which is for root, and asks prove where lemmas are missing: it returns
// them, or false if there are none. They are added to c.
func Complete(root *ir.Op, c *certificate.Certificate, threads int, prove Prover) error {
	for _, f := range c.Functions {
		f.Proofs = map[int][][]int{}
	}
	return verify(root, c, threads, prove)
}

func verify(root *ir.Op, c *certificate.Certificate, threads int, prove Prover) error {
	m := &module{contracts: map[*ir.Op]*certificate.Function{}, tables: map[*ir.Op]*ir.SymbolTable{}, lent: map[*ir.Op]map[int]bool{}}
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
				if v.Err == nil && v.proofs < len(c.Proofs) {
					v.Refuse(fns[i], "there are proofs of something else")
				}
				errs[i] = v.Err
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
	contracts map[*ir.Op]*certificate.Function
	tables    map[*ir.Op]*ir.SymbolTable
	// lent are the results of functions that callers, who may be anybody, don't free.
	lent map[*ir.Op]map[int]bool
}

func (m *module) lookup(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	if t := m.tables[ir.SymbolTableOp(from)]; t != nil {
		return t.LookupRef(ref)
	}
	return ir.LookupSymbol(from, ref)
}

// functions returns the functions with bodies, in the order of the program, which must be that
// of the certificate. Those with rules of their own must be private, and mentioned by nothing
// but calls.
func (m *module) functions(root *ir.Op, c *certificate.Certificate) (fns []*ir.Op, err error) {
	root.Walk(func(op *ir.Op) bool {
		if op.Has(ir.TraitSymbolTable) {
			m.tables[op] = ir.NewSymbolTable(op)
		}
		switch {
		case err != nil || models.IsModule(op):
		case models.IsGlobal(op):
			return false
		case models.IsFunction(op):
			if !op.RegionAt(0).Empty() {
				fns = append(fns, op)
			}
			return false
		default:
			_, other := interfaces.Function.Of(op)
			empty := !other && (op.NumOperands() == 0 && op.NumResults() == 0 || interfaces.IsMemoryEffectFree(op))
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
	own := false
	for i, op := range fns {
		x := c.Functions[i]
		m.contracts[op] = x
		own = own || x.HasRules()
		if name, _ := ir.SymbolName(op); name != x.Name {
			return nil, op.Errorf("the certificate is about @%s here", x.Name)
		}
		m.lent[op] = lentResults(op)
		own = own || len(m.lent[op]) > 0
		if !fits(x, op) || (x.Followed || len(x.Owns)+len(x.Gives) > 0 || m.givesParts(op) && !models.HasOwners(resultTypes(op))) && !ir.IsPrivate(op) {
			return nil, op.Errorf("the certificate has rules for @%s that it can't have", x.Name)
		}
	}
	root.Walk(func(op *ir.Op) bool {
		if !models.IsCall(op) {
			ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
				fn := m.lookup(op, ref)
				if x := m.contracts[fn]; x != nil && (x.HasRules() || len(m.lent[fn]) > 0) {
					err = op.Errorf("it mentions @%s, which has rules of its own", x.Name)
				}
			})
		}
		return own && err == nil
	})
	return fns, err
}

// fits tells whether the rules of ownership are about buffers, owners and booleans of the function.
func fits(c *certificate.Function, op *ir.Op) bool {
	m, _ := interfaces.Function.Of(op)
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
	results := m.Type(op).Results
	for b := range c.Backed {
		ok = ok && b.Result < len(results) && ir.IsMemRef(results[b.Result]) && (b.Owner == 0 || b.Owner <= len(results) && models.IsOwner(results[b.Owner-1]))
	}
	return ok && !c.Any && (len(c.Owns)+len(c.Gives) == 0 || !models.HasOwners(results))
}

// lentResults returns the results that the signature of a public function says are lent; owners, where there are any, say it better.
func lentResults(fn *ir.Op) map[int]bool {
	out := map[int]bool{}
	for i, t := range resultTypes(fn) {
		if ir.IsMemRef(t) && interfaces.LendsResult(fn, i) && !ir.IsPrivate(fn) && !models.HasOwners(resultTypes(fn)) {
			out[i] = true
		}
	}
	return out
}

// givesParts tells whether callers of a function may have to free what may be a part of an allocation.
func (m *module) givesParts(fn *ir.Op) bool {
	for i := range m.contracts[fn].Parts {
		if !m.lent[fn][i] {
			return true
		}
	}
	return false
}

func resultTypes(fn *ir.Op) []ir.Type {
	m, _ := interfaces.Function.Of(fn)
	return m.Type(fn).Results
}

// verifier is the verification of one function.
type verifier struct {
	*kernel.Machine
	m  *module
	fn *ir.Op
	c  *certificate.Function
	// demands are how many there were, and proofs how many of the certificate's proofs were used; prove finds others.
	demands int
	proofs  int
	loops   int // that were cut
	prove   Prover
	// within is the number of the first object of the innermost loop.
	within int
}

func newVerifier(m *module, fn *ir.Op, c *certificate.Function) *verifier {
	v := &verifier{Machine: kernel.NewMachine(kernel.NewFormulas(), &models.Dialects), m: m, fn: fn, c: c}
	v.Unknown = func(fr *kernel.Frame, _ *ir.Value) (out kernel.Value) {
		v.Refuse(fr.Fn, "a value is used that isn't known")
		return out
	}
	v.Demand = func(fr *kernel.Frame, op *ir.Op, d kernel.Demand, _ int, bad kernel.Lit) {
		v.require(fr, op, bad, "%s", d)
	}
	v.Require, v.Regions, v.Naming = v.require, v.anyTimes, len(c.Loops) > 0
	return v
}

// near limits the conditions that a demand is shown by without a proof, so that demands cost no more where more is assumed.
const near = 256

// require checks that bad can't hold here: that it can't is seen at once, or follows by unit propagation through conditions near it, or the
// certificate's proof for this demand shows it.
func (v *verifier) require(fr *kernel.Frame, op *ir.Op, bad kernel.Lit, format string, args ...any) {
	if bad = v.F.And(v.Here(fr), bad); bad == kernel.No || v.Err != nil {
		return
	}
	v.demands++
	lemmas, listed := v.c.Proofs[v.demands]
	if !listed {
		if v.F.Refutes(near, bad, nil) {
			return
		}
		if v.prove != nil {
			if lemmas, listed = v.prove(v.F, bad); listed {
				v.c.Proofs[v.demands] = lemmas
			}
		}
	}
	if !listed || !v.shown(bad, lemmas) {
		v.Refuse(op, format, args...)
	}
	v.proofs++
}

// shown tells whether lemmas show that bad can't hold, by ever more conditions.
func (v *verifier) shown(bad kernel.Lit, lemmas [][]int) bool {
	for limit := near; ; limit *= 4 {
		if shown := v.F.Refutes(limit, bad, lemmas); shown || limit > v.F.Len() {
			return shown
		}
	}
}

// assume makes l hold here, from now on.
func (v *verifier) assume(fr *kernel.Frame, l kernel.Lit) {
	l = v.F.And(v.Here(fr), l.Not()).Not()
	if !v.F.Propagate(l) {
		v.Refuse(v.fn, "what is assumed contradicts itself")
	}
}
