package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/shapes"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// A finding is a path that executions can take: there must be numbers for which all its conditions hold at once. What
// comparisons, counts of loops and computations say about numbers, formulas know in part only. So numbers are tried.

// term is what is known about a number with an identity: how many bits it has, and what it is computed of; by nothing if it
// may be any number.
type term struct {
	bits int
	of   func(n *numbers) (int64, bool)
}

// fact tells, given numbers, whether a variable holds; false if they don't tell.
type fact func(n *numbers) (holds, ok bool)

// numbers gives numbers that may be anything values.
type numbers struct {
	a  *analysis
	at map[int64]int64 // by identity; booleans by booleanID
	// asked are the identities that were asked for, constants the known numbers.
	asked, constants map[int64]bool
	// computed are the numbers that others were computed of, which may be used several times each.
	computed map[int64]computed
}

type computed struct {
	number int64
	ok     bool
}

// numbersOf returns the numbers where some have the given values, by their identities, and others are 0.
func (a *analysis) numbersOf(at map[int64]int64) *numbers {
	return &numbers{a, at, map[int64]bool{}, map[int64]bool{}, map[int64]computed{}}
}

// value returns what a value is; false if it isn't a number of which that is known.
func (n *numbers) value(v kernel.Value) (int64, bool) {
	switch {
	case v.Kind == kernel.Integer:
		n.constants[v.Number] = true
		return v.Number, true
	case v.Kind != kernel.Number:
		return 0, false
	}
	t, ok := n.a.terms[v.Number]
	switch {
	case t.of == nil && n.a.determinedBy(v) != nil:
		return 0, false
	case n.a.IsSize(v):
	case !ok:
		return 0, false
	case t.of != nil:
		x, found := n.computed[v.Number]
		if !found && n.a.computing > maxComputed {
			return 0, false
		}
		if !found {
			n.a.computing++
			x.number, x.ok = t.of(n)
			n.computed[v.Number] = x
		}
		return x.number, x.ok
	}
	return n.ask(v.Number), true
}

// ask returns the value of a number that may be anything.
func (n *numbers) ask(id int64) int64 {
	n.asked[id] = true
	return n.at[id]
}

// The identity of a boolean that may be anything is negative.
func booleanID(variable int32) int64 { return -1 - int64(variable) }

// holds tells whether a condition holds; false if numbers don't tell. It always asks for the same ones.
func (n *numbers) holds(c kernel.Lit) (holds, ok bool) {
	variables := n.a.f.variablesWithin(maxCondition, c)
	if variables == nil && c > kernel.Yes {
		return false, false
	}
	m, ok := model{}, true
	for _, x := range variables {
		told := false
		switch f := n.a.facts[x]; {
		case f != nil:
			m[x], told = f(n)
		case n.a.determined[kernel.Identity(kernel.TruthOf(kernel.Lit(x)<<1))] == nil:
			m[x], told = n.ask(booleanID(x)) != 0, true
		}
		ok = ok && told
	}
	return ok && n.a.f.in(m).holds(c), ok
}

// maxCondition limits the nodes of the conditions that numbers are tried for.
const maxCondition = 64

// chosen notes that a number is v where c holds, else w.
func (a *analysis) chosen(out kernel.Value, c kernel.Lit, v, w kernel.Value) {
	if !a.unroll {
		return
	}
	a.terms[out.Number] = term{64, func(n *numbers) (int64, bool) {
		x, ok := n.value(v)
		y, ok2 := n.value(w)
		holds, known := n.holds(c)
		if !holds {
			x, ok = y, ok2
		}
		return x, ok && known
	}}
}

func (n *numbers) values(vs []kernel.Value) ([]int64, bool) {
	out := make([]int64, len(vs))
	for i, v := range vs {
		x, ok := n.value(v)
		if !ok {
			return nil, false
		}
		out[i] = x
	}
	return out, true
}

// constantsOf notes the known numbers in an expression, and their negations: an expression that is compared with zero may add them.
func (n *numbers) constantsOf(e *ir.AffineExpr) {
	e.Walk(func(e *ir.AffineExpr) {
		if e.Kind == ir.AffineConst {
			n.constants[e.Value], n.constants[-e.Value] = true, true
		}
	})
}

// know keeps what a variable says about numbers, if a path is to be shown.
func (a *analysis) know(l kernel.Lit, f fact) {
	if a.unroll {
		a.facts[l.Node()] = f
	}
}

// number returns a new number of a type, which is computed by of, or may be any if that is nil.
func (a *analysis) number(t ir.Type, of func(n *numbers) (int64, bool)) kernel.Value {
	v := a.Fresh(kernel.Number)
	if bits := bitsOf(t); a.unroll && bits <= 64 {
		a.terms[v.Number] = term{bits, of}
	}
	return v
}

func bitsOf(t ir.Type) int {
	if t, ok := t.(*ir.IntegerType); ok {
		return t.Width
	}
	return 64 // of an index
}

// defined notes how v, a result of op, is computed.
func (a *analysis) defined(fr *kernel.Frame, op *ir.Op, v kernel.Value, t ir.Type) kernel.Value {
	if !a.unroll || op.Def().Fold == nil {
		return v
	}
	operands := a.GetAll(fr, op.Operands())
	of := func(n *numbers) (int64, bool) {
		known := make([]ir.Attribute, len(operands))
		xs, ok := n.values(operands)
		for i, x := range xs {
			known[i] = op.Context().IntegerAttr(op.Operand(i).Type(), x)
		}
		if !ok {
			return 0, false
		}
		out := ir.Evaluate(op, known)
		if len(out) != 1 {
			return 0, false
		}
		c, ok := out[0].(*ir.IntegerAttr)
		if !ok || c.Big != nil {
			return 0, false
		}
		return c.Value, true
	}
	switch bits := bitsOf(t); {
	case v.Kind == kernel.Boolean:
		a.know(v.Truth, func(n *numbers) (bool, bool) {
			x, ok := of(n)
			return x != 0, ok
		})
	case v.Kind == kernel.Number && bits <= 64:
		a.terms[v.Number] = term{bits, of}
	}
	return v
}

// compared keeps that a variable holds just if a comparison of two numbers has one of some outcomes.
func (a *analysis) compared(l kernel.Lit, o kernel.Order, some kernel.Outcomes, x, y kernel.Value) {
	a.comparedTo(kernel.TruthOf(l), kernel.Identity(x), kernel.Identity(y))
	if o == kernel.Floating {
		return
	}
	a.know(l, func(n *numbers) (bool, bool) {
		both, ok := n.values([]kernel.Value{x, y})
		return ok && o.Outcome(both[0], both[1])&some != 0, ok
	})
}

// trip is an iteration of a loop over numbers.
type trip struct{ lower, step, count int64 }

// iterations returns how a loop counts in each of its dimensions, given numbers; nil if nothing is known about that.
func (a *analysis) iterations(fr *kernel.Frame, op *ir.Op) func(n *numbers) ([]trip, bool) {
	dims := 1
	var lowers, uppers, steps []kernel.Value
	mixed := func(bounds []shapes.OpFoldResult) (out []kernel.Value) {
		for _, b := range bounds {
			if b.Value == nil {
				out = append(out, kernel.Constant(b.Const))
			} else {
				out = append(out, a.Get(fr, b.Value))
			}
		}
		return out
	}
	var lowerMap, upperMap *ir.AffineMap
	unsigned := false
	switch {
	case op.Is(scf.For):
		o := scf.ForOp{Op: op}
		unsigned = o.Unsigned()
		lowers, uppers, steps = []kernel.Value{a.Get(fr, o.LowerBound())}, []kernel.Value{a.Get(fr, o.UpperBound())}, []kernel.Value{a.Get(fr, o.Step())}
	case op.Is(scf.Parallel):
		o := scf.ParallelOp{Op: op}
		lowers, uppers, steps = a.GetAll(fr, o.LowerBounds()), a.GetAll(fr, o.UpperBounds()), a.GetAll(fr, o.Steps())
	case op.Is(scf.Forall):
		o := scf.ForallOp{Op: op}
		lowers, uppers, steps = mixed(o.LowerBounds()), mixed(o.UpperBounds()), mixed(o.Steps())
	case op.Is(affine.For):
		o := affine.ForOp{Op: op}
		lowerMap, upperMap = o.LowerMap(), o.UpperMap()
		lowers, uppers, steps = a.GetAll(fr, o.LowerOperands()), a.GetAll(fr, o.UpperOperands()), []kernel.Value{kernel.Constant(o.Step())}
	default:
		return nil
	}
	dims = len(steps)
	return func(n *numbers) ([]trip, bool) {
		l, ok := n.values(lowers)
		u, ok2 := n.values(uppers)
		s, ok3 := n.values(steps)
		if !ok || !ok2 || !ok3 {
			return nil, false
		}
		if lowerMap != nil {
			l, ok = lowerMap.Eval(l)
			u, ok2 = upperMap.Eval(u)
			if !ok || !ok2 {
				return nil, false
			}
			l, u = []int64{slices.Max(l)}, []int64{slices.Min(u)}
		}
		out := make([]trip, dims)
		for i := range out {
			if s[i] <= 0 || unsigned && min(l[i], u[i]) < 0 {
				return nil, false
			}
			// Where the number after the last one is beyond the largest, the path is one of an execution that counts iterations first.
			out[i] = trip{lower: l[i], step: s[i]}
			if l[i] < u[i] {
				out[i].count = int64(min(rounds(l[i], u[i], s[i]), maxIterations))
			}
		}
		return out, true
	}
}

// knowIteration keeps that the variable again tells whether a loop goes on after k iterations, and returns the variables of
// the loop in the iteration after these.
func (a *analysis) knowIteration(fr *kernel.Frame, op *ir.Op, again kernel.Lit, k int64) {
	counts := a.iterations(fr, op)
	if counts == nil {
		return
	}
	a.know(again, func(n *numbers) (bool, bool) {
		dims, ok := counts(n)
		all := int64(1)
		for _, d := range dims {
			if d.count == 0 {
				return false, ok
			}
			all = min(all*min(d.count, 1<<20), 1<<20)
		}
		return k < all, ok
	})
}

// inIteration returns the variable of a loop with one in its iteration number k.
func (a *analysis) inIteration(fr *kernel.Frame, op *ir.Op, k int64) (*ir.Value, kernel.Value) {
	counts := a.iterations(fr, op)
	var v *ir.Value
	switch {
	case op.Is(scf.For):
		v = scf.ForOp{Op: op}.InductionVar()
	case op.Is(affine.For):
		v = affine.ForOp{Op: op}.InductionVar()
	default:
		return nil, kernel.Value{}
	}
	if v.Type() == ir.Type(ir.I1) {
		return nil, kernel.Value{}
	}
	return v, a.number(v.Type(), func(n *numbers) (int64, bool) {
		dims, ok := counts(n)
		if !ok {
			return 0, false
		}
		return dims[0].lower + k*dims[0].step, true
	})
}

// knowSet keeps when numbers are in the set of an affine.if.
func (a *analysis) knowSet(fr *kernel.Frame, op *ir.Op) {
	set, operands := affine.IfOp{Op: op}.Set(), a.GetAll(fr, op.Operands())
	if set == nil {
		return
	}
	a.know(models.InSet(a.Machine, fr, op), func(n *numbers) (bool, bool) {
		xs, ok := n.values(operands)
		if !ok {
			return false, false
		}
		for i, e := range set.Constraints {
			n.constantsOf(e)
			x, ok := e.Eval(xs[:set.Dims], xs[set.Dims:])
			if !ok {
				return false, false
			}
			if x < 0 || set.Eq[i] && x != 0 {
				return false, true
			}
		}
		return true, true
	})
}

// maxTried limits the numbers that are tried for a few variables, maxComputed how many others are computed of them for all of a function, and maxWitnesses how often
// formulas are asked with what these tell, for one violation and for all of a function.
const (
	maxTried        = 1 << 11
	maxComputed     = 1 << 19
	maxWitnesses    = 64
	maxAllWitnesses = 1 << 10
)

// witness returns a model in which a formula holds, as certainly does, and with numbers for which all is true that the model says
// of them; nil if none is found.
func (a *analysis) witness(l kernel.Lit) (m model, by *ir.Op) {
	if a.computing > maxComputed {
		return nil, a.fn // nobody would compute what its numbers are
	}
	defer func() {
		if a.computing > maxComputed {
			m, by = nil, a.fn
		}
	}()
	given := min(maxWitnesses, maxAllWitnesses-a.asking)
	left := given
	defer func() { a.asking += given - max(left, 0) }()
	return a.witnessOf(l, &left)
}

func (a *analysis) witnessOf(l kernel.Lit, left *int) (model, *ir.Op) {
	m, by := a.certainly(l)
	if m == nil {
		return nil, by
	}
	for _, related := range a.related(a.f.variables(l)) {
		all := a.possibleTruths(related)
		if slices.ContainsFunc(all, func(at map[int32]kernel.Lit) bool {
			for n, l := range at {
				if m[n] != (l == kernel.Yes) {
					return false
				}
			}
			return true
		}) {
			continue
		}
		for _, at := range all {
			with := a.f.substitute(l, at)
			if with == kernel.No {
				continue
			}
			if *left--; *left < 0 {
				break
			}
			if m, _ := a.witnessOf(with, left); m != nil {
				for n, l := range at {
					m[n] = l == kernel.Yes
				}
				return m, nil
			}
		}
		return nil, a.fn
	}
	return m, nil
}

// relation is variables that say something about the same numbers.
type relation struct {
	variables []int32
	numbers   map[int64]bool
	constants map[int64]bool
}

// related returns those of the variables that say something about numbers, those together that do about the same ones.
func (a *analysis) related(variables []int32) (out []relation) {
	for _, v := range variables {
		f := a.facts[v]
		if f == nil {
			continue
		}
		n := a.numbersOf(nil)
		if _, ok := f(n); !ok && len(n.asked) == 0 {
			continue
		}
		r := relation{[]int32{v}, n.asked, n.constants}
		out = slices.DeleteFunc(out, func(other relation) bool {
			for id := range other.numbers {
				if r.numbers[id] {
					r.variables = append(r.variables, other.variables...)
					r.numbers, r.constants = union(r.numbers, other.numbers), union(r.constants, other.constants)
					return true
				}
			}
			return false
		})
		out = append(out, r)
	}
	return out
}

// possibleTruths returns which variables of a relation hold for each of the numbers that are tried. What numbers don't tell is
// left out; if some tell all, only these count.
func (a *analysis) possibleTruths(r relation) (out []map[int32]kernel.Lit) {
	ids := make([]int64, 0, len(r.numbers))
	for id := range r.numbers {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	slices.Sort(r.variables)
	asked := fmt.Sprint(r.variables)
	if all, ok := a.tried[asked]; ok {
		return all
	}
	defer func() { a.tried[asked] = out }()
	candidates := make([][]int64, len(ids))
	total := 1
	for i, id := range ids {
		candidates[i] = a.candidatesOf(id, r.constants)
		total = min(total*len(candidates[i]), maxTried+1)
	}
	complete := 0
	seen := map[string]bool{}
	random := uint64(1)
	for t := range min(total, maxTried) {
		values := make(map[int64]int64, len(ids))
		rest := t
		for i, id := range ids {
			k := rest % len(candidates[i])
			rest /= len(candidates[i])
			if total > maxTried {
				random = random*6364136223846793005 + 1442695040888963407
				k = int(random>>33) % len(candidates[i])
			}
			values[id] = candidates[i][k]
		}
		n := a.numbersOf(values)
		at, key := map[int32]kernel.Lit{}, make([]byte, len(r.variables), len(r.variables)+len(ids))
		for _, id := range ids {
			if id < 0 {
				at[int32(-1-id)] = kernel.LitOf(values[id] != 0)
				key = append(key, byte(values[id]))
			}
		}
		for i, v := range r.variables {
			if holds, ok := a.facts[v](n); ok {
				at[v], key[i] = kernel.LitOf(holds), 1
				if holds {
					key[i] = 2
				}
			}
		}
		if !seen[string(key)] && len(at) >= complete {
			seen[string(key)] = true
			if out = append(out, at); len(at) > complete {
				complete, out = len(at), []map[int32]kernel.Lit{at}
			}
		}
	}
	return out
}

// candidatesOf returns the numbers to try for a number: small ones, those beside known ones, and the ends.
func (a *analysis) candidatesOf(id int64, known map[int64]bool) []int64 {
	if id < 0 {
		return []int64{0, 1}
	}
	least, greatest := int64(0), int64(math.MaxInt64)
	if !a.IsSize(kernel.Value{Kind: kernel.Number, Number: id}) {
		bits := a.terms[id].bits
		least, greatest = int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	}
	all := map[int64]bool{least: true, greatest: true}
	for _, x := range []int64{0, 1, 2, 3, -1} {
		all[x] = true
	}
	for x := range known {
		all[x-1], all[x], all[x+1] = true, true, true
	}
	out := make([]int64, 0, len(all))
	for x := range all {
		if x >= least && x <= greatest {
			out = append(out, x)
		}
	}
	size := func(x int64) uint64 { return uint64(max(x, -x-1)) }
	slices.SortFunc(out, func(x, y int64) int { return cmp.Or(cmp.Compare(size(x), size(y)), cmp.Compare(x, y)) })
	return out
}
