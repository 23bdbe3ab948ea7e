package check

import (
	"fmt"
	"slices"
	"strings"

	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/verify"
)

// Certify is [Module], and returns a certificate of what it proved if the program is safe; err
// says why there is none. It takes about twice as long.
func Certify(root *ir.Op, o Options) (r *Report, c *certificate.Certificate, err error) {
	p := newProgram(o)
	p.certify = true
	if r = p.check(root); !r.Safe() {
		return r, nil, root.Errorf("not certified: it isn't proved")
	}
	c = &certificate.Certificate{}
	if !o.Unbound {
		c.Program = verify.Digest(root)
	}
	var fns []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if isFunction(op) {
			if p.contracts[op] != nil {
				fns = append(fns, op)
			}
			return false
		}
		return true
	})
	errs := make([]error, len(fns))
	c.Functions = make([]*certificate.Function, len(fns))
	parallel.For(len(fns), o.Threads, func() func(int) {
		f := newFormulas()
		return func(i int) { c.Functions[i], errs[i] = p.certifyFunction(fns[i], f) }
	})
	for _, e := range errs {
		if e != nil {
			return r, nil, e
		}
	}
	return r, c, verify.Complete(root, c, o.Threads, lemmas)
}

// certifyFunction returns what a certificate says about a function, but for lemmas.
func (p *program) certifyFunction(fn *ir.Op, f *formulas) (*certificate.Function, error) {
	c := p.contracts[fn]
	name, _ := ir.SymbolName(fn)
	out := writing{c.summary()}
	out.Name, out.Followed, out.Any, out.Blocks, out.Follow, out.Loops = name, c.expand, false, map[string][]certificate.Item{}, map[string]bool{}, map[string]*certificate.Loop{}
	if c.expand {
		out.Owns, out.Gives, out.Same, out.Backed = map[int]int{}, map[int]int{}, map[[2]int]bool{}, map[certificate.Backing]bool{}
		out.order(fn, false)
		return out.Function, nil
	}
	m, _ := interfaces.Function.Of(fn)
	out.Same = c.sameBuffers(m.Type(fn).Results)
	w := p.results[fn].written
	if c.recursive {
		// Its rules may have been found later.
		a, open, ok := p.prove(fn, f)
		if !ok || len(open) > 0 {
			return nil, fn.Errorf("not certified: it can't be proved again")
		}
		w = a.proof
	}
	out.order(fn, w.apart)
	out.Follow, out.Gathers, out.Loops = w.follow, w.gathered, w.loops
	return out.Function, w.err
}

// sameBuffers returns the pairs of results, of types, that may be the same buffer: those that were found, which are few of many, or all.
func (c *contract) sameBuffers(types []ir.Type) map[[2]int]bool {
	out := map[[2]int]bool{}
	add := func(j, i int) {
		if ir.IsMemRef(types[i]) && ir.IsMemRef(types[j]) {
			out[[2]int{j, i}] = true
		}
	}
	if c.same != nil {
		for pair, is := range c.same {
			if is {
				add(pair[0], pair[1])
			}
		}
		return out
	}
	for i := range types {
		for j := range i {
			add(j, i)
		}
	}
	return out
}

// written is what a certificate says about how a function was followed.
type written struct {
	apart    bool
	follow   map[string]bool
	gathered map[string]certificate.Gathering
	loops    map[string]*certificate.Loop
	err      error
}

// write notes what a certificate says about how the function was followed, if one is to be made.
func (a *analysis) write() {
	if a.notes == nil || len(a.unjudged) > 0 {
		return
	}
	out := &written{apart: a.apart, follow: a.notes.follow, gathered: a.notes.gathered, loops: map[string]*certificate.Loop{}}
	for name := range a.notes.unrolled {
		out.loops[name] = &certificate.Loop{Unroll: true}
	}
	a.keepNeeded()
	for name, l := range a.notes.loops {
		if _, known := out.loops[name]; known {
			continue
		}
		t, err := a.translate(&l)
		if err != nil {
			out.err = a.fn.Errorf("not certified: loop %s: %s", name, err)
		}
		if t.Counts = a.notes.counting[name]; t.Counts || len(t.Carried)+len(t.Lives)+len(t.Cells)+len(t.Keeps)+len(t.Holds) > 0 {
			out.loops[name] = t
		}
	}
	a.proof = out
}

// writing is what a certificate says about a function, while it is written.
type writing struct{ *certificate.Function }

// order writes down in which order blocks are followed.
func (w writing) order(fn *ir.Op, apart bool) {
	numbers := map[*ir.Op]int(nil)
	fn.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			if r.NumBlocks() < 2 {
				continue
			}
			if numbers == nil {
				numbers = numberOps(fn)
			}
			g := newBlockFlow(r)
			w.Blocks[fmt.Sprintf("%d.%d", numbers[op], r.Index())] = g.items(g.order, apart)
		}
		return true
	})
}

// keepNeeded drops the clauses of the loops' invariants that the proof doesn't need: it starts
// with none, and where that isn't enough adds one that the counterexample contradicts.
func (a *analysis) keepNeeded() {
	full := map[*loop][]clause{}
	for _, lp := range a.loops {
		full[lp] = slices.Clone(lp.invariant)
		lp.invariant, lp.axioms = nil, nil
	}
	var goals []kernel.Lit
	for _, v := range a.violations {
		goals = append(goals, v.cond)
	}
	for len(goals) > 0 {
		goal := goals[len(goals)-1]
		goals = goals[:len(goals)-1]
		var mentioned []kernel.Lit
		for {
			seen := map[*loop]bool{}
			m, ok := a.satisfyWith(seen, mentioned, goal)
			if m == nil || !ok {
				break
			}
			e := a.f.in(m)
			best, of := -1, (*loop)(nil)
			for _, lp := range a.loops {
				for k, c := range full[lp] {
					if seen[lp] && (best < 0 || lp.weight(c) < of.weight(full[of][best])) && e.holds(lp.entry) && !e.holds(a.at(c, atHead, lp)) {
						best, of = k, lp
					}
				}
			}
			if of == nil && mentioned != nil {
				break
			}
			if of == nil {
				// What the goal says nothing about may matter as well.
				for _, lp := range a.loops {
					mentioned = append(mentioned, lp.entry)
					for _, c := range full[lp] {
						mentioned = append(mentioned, a.at(c, atHead, lp))
					}
				}
				continue
			}
			c := full[of][best]
			full[of] = slices.Delete(full[of], best, best+1)
			of.invariant, of.axioms = append(of.invariant, c), nil
			goals = append(goals, a.f.And(of.entry, a.at(c, atEntry, of).Not()), a.f.And(of.back, a.at(c, atNext, of).Not()))
		}
	}
}

// weight tells which of several clauses is better in a certificate: short ones that are about
// what the loop changes.
func (lp *loop) weight(c clause) int {
	n := len(c)
	for _, x := range c {
		if lp.atoms[x.atom].kind == frozen {
			n += 4
		}
	}
	return n
}

// translate returns what a certificate says about a loop.
func (a *analysis) translate(l *notedLoop) (*certificate.Loop, error) {
	t := &translation{analysis: a, notedLoop: l, truths: map[kernel.Lit]string{}}
	out := &certificate.Loop{Carried: map[int]*certificate.Carried{}}
	g := &l.s.guess
	own := func(k int) string { return fmt.Sprintf("own%s@%d", l.name, g.named(k)) }
	for k, v := range l.in.Values {
		entry, c := l.entry[k], &certificate.Carried{}
		switch {
		case v.Kind != entry.Kind, k >= len(l.in.Values)-len(l.s.kept) && v.Kind != kernel.Boolean:
			c.Number, c.Address = v.Kind != kernel.Derived, v.Kind == kernel.Derived
		case v.Kind == kernel.Boolean && l.s.changed[k]:
			if j := g.tells[k]; j >= 0 {
				c.Is = fmt.Sprintf("c%d=%s | entry:c%d", j, own(j), k)
			} else {
				c.Free = true
			}
		case v.Kind == kernel.Pointer:
			c.Part, c.View, c.Shifted = v.Part != entry.Part, v.Window != entry.Window, v.Shift != entry.Shift
			switch {
			case l.s.changed[k] && g.follows[k] >= 0:
				c.To = []string{fmt.Sprint("own:", g.follows[k]), fmt.Sprint("entry:", k)}
				out.Holds = append(out.Holds, fmt.Sprintf("c%d=%s | !c%d=%s", k, own(k), g.follows[k], own(k)))
			case !l.s.changed[k] || g.entry[k] && !g.varies(l.s, k):
			case g.varies(l.s, k):
				if l.s.own[k] {
					c.To = append(c.To, fmt.Sprint("own:", k))
				}
				for i := len(g.from[k]) - 1; i > 0; i-- {
					c.To = append(c.To, t.tree(g.from[k][i]))
				}
				c.To = append(c.To, fmt.Sprint("entry:", k))
				out.Holds = append(out.Holds, t.together(k)...)
			default:
				for _, o := range sortedKeys(l.s.outer[k]) {
					c.To = append(c.To, t.name(o))
				}
				for j := 0; j <= k; j++ {
					if l.s.own[k] && l.s.own[j] && l.s.changed[j] && g.follows[j] < 0 {
						c.To = append(c.To, fmt.Sprint("own:", j))
					}
				}
			}
			c.Free = l.s.changed[k] && l.s.own[k] && !g.live[k] && g.follows[k] < 0
		}
		if c.Number || c.Address || c.Free || c.Is != "" || len(c.To) > 0 || c.Part || c.View || c.Shifted {
			out.Carried[k] = c
		}
	}
	for _, o := range sortedKeys(l.s.lives) {
		life := certificate.Life{Object: t.name(o)}
		if e, guessed := g.ends[o]; guessed {
			life.Is = fmt.Sprintf("entry:live:%s & !(c%d=%s & entry:c%d=%s", life.Object, e.pointer, own(e.pointer), e.pointer, life.Object)
			if e.boolean != none {
				life.Is += fmt.Sprint(" & entry:c", e.boolean)
			}
			life.Is += ")"
		}
		out.Lives = append(out.Lives, life)
	}
	for _, c := range l.s.kept {
		o := a.objectOf(c)
		out.Keeps = append(out.Keeps, certificate.Element{Object: t.name(o), Number: c - a.Objects[o].Cells})
	}
	written := map[int]bool{}
	for _, c := range sortedKeys(l.s.cells) {
		o := a.objectOf(c)
		written[o] = written[o] || l.s.cells[c]
	}
	for _, o := range sortedKeys(written) {
		out.Cells = append(out.Cells, certificate.Cells{Object: t.name(o), Address: written[o]})
	}
	for _, c := range l.lp.invariant {
		var parts []string
		for _, x := range c {
			s := t.atom(x.atom)
			if x.negated {
				s = "!" + s
			}
			parts = append(parts, s)
		}
		slices.Sort(parts)
		out.Holds = append(out.Holds, strings.Join(slices.Compact(parts), " | "))
	}
	return out, t.err
}

// translation names what a certificate says about a loop.
type translation struct {
	*analysis
	*notedLoop
	truths map[kernel.Lit]string // of booleans from before the loop
	err    error
}

func (t *translation) fail(what string) string {
	t.err = fmt.Errorf("there is no name for %s", what)
	return "?"
}

func (t *translation) name(o int) string {
	if s := t.nameOf(o); s != "" {
		return s
	}
	return t.fail("an object")
}

// tree returns the name of a pointer from before the loop.
func (t *translation) tree(n int32) string {
	for k, v := range t.in.Values {
		if v.Kind == kernel.Pointer && v.Tree == n {
			return fmt.Sprint("entry:", k)
		}
	}
	if d := t.Choices[n]; d.Leaf {
		return t.name(d.Object)
	}
	best := ""
	note := func(s string) {
		if best == "" || len(s) < len(best) || len(s) == len(best) && s < best {
			best = s
		}
	}
	t.notes.before(t.notedLoop, func(v *ir.Value, x kernel.Value) {
		if x.Kind == kernel.Pointer {
			if path, ok := t.pathTo(x.Tree, n, map[int32]bool{}); ok {
				note(t.value(v) + path)
			}
		}
	})
	for k, v := range t.in.Values {
		if path, ok := t.pathTo(v.Tree, n, map[int32]bool{}); ok && v.Kind == kernel.Pointer {
			note(fmt.Sprint("entry:", k, path))
		}
	}
	if d := t.Choices[n]; best == "" {
		return "{" + strings.ReplaceAll(t.formula(d.Cond), " ", "") + ";" + t.tree(d.Then) + ";" + t.tree(d.Els) + "}"
	}
	if at := strings.IndexAny(best, "te"); at >= 0 && !strings.HasPrefix(best, "entry:") {
		best = best[:at] + "?" + best[at:]
	} else if at := strings.IndexAny(strings.TrimPrefix(best, "entry:"), "te"); at >= 0 {
		at += len("entry:")
		best = best[:at] + "?" + best[at:]
	}
	return best
}

// together returns the conditions by which argument k goes with its partner.
func (t *translation) together(k int) (out []string) {
	g := &t.s.guess
	p := g.partners[k]
	for i := range p.of {
		with := ""
		for _, x := range t.Targets(t.pointer(g.from[p.with][i])) {
			with += fmt.Sprintf(" | c%d=%s", p.with, t.name(x.Object))
		}
		for _, x := range t.Targets(t.pointer(g.from[k][i])) {
			out = append(out, fmt.Sprintf("!c%d=%s%s", k, t.name(x.Object), with))
		}
	}
	return out
}

// pathTo returns the choices that lead to a part of a pointer.
func (t *translation) pathTo(tree, part int32, seen map[int32]bool) (path string, ok bool) {
	d := t.Choices[tree]
	switch {
	case tree == part:
		return "", true
	case d.Leaf || seen[tree]:
		return "", false
	}
	seen[tree] = true
	if path, ok = t.pathTo(d.Then, part, seen); ok {
		return "t" + path, true
	}
	path, ok = t.pathTo(d.Els, part, seen)
	return "e" + path, ok
}

// value returns the name of a value.
func (t *translation) value(v *ir.Value) string { return t.notes.valueName(t.fr, v) }

// atom returns the name of an atom of the invariant.
func (t *translation) atom(n int) string {
	x := &t.lp.atoms[n]
	switch x.kind {
	case holds:
		return fmt.Sprint("c", x.argument)
	case points:
		return fmt.Sprintf("c%d=%s", x.argument, t.name(x.object))
	case lives:
		return "live:" + t.name(x.object)
	}
	for i, y := range t.lp.atoms {
		switch {
		case y.kind == frozen:
		case y.init == x.head:
			return "entry:" + t.atom(i)
		case y.kind == points && y.exists == n:
			return "entry:live:" + t.name(y.object)
		}
	}
	return t.formula(x.head)
}

// formula returns a formula about what was known before the loop.
func (t *translation) formula(l kernel.Lit) string {
	if len(t.truths) == 0 {
		t.nameTruths()
	}
	if s := t.truths[l]; s != "" {
		return s
	}
	if s := t.truths[l.Not()]; s != "" {
		return "!" + s
	}
	a, b, ok := t.f.Operands(l.Node())
	if !ok {
		return t.fail("a condition")
	}
	s := "(" + t.formula(a) + " & " + t.formula(b) + ")"
	if l.Negated() {
		s = "!" + s
	}
	if len(s) > 1<<12 {
		return t.fail("a long condition")
	}
	t.truths[l] = s
	return s
}

// nameTruths names the conditions that were known before the loop: values, where pointers point to, and what lives.
func (t *translation) nameTruths() {
	t.truths[kernel.Yes], t.truths[kernel.No] = "true", "false"
	note := func(l kernel.Lit, s string) {
		if old := t.truths[l]; l > kernel.Yes && (old == "" || s < old) {
			t.truths[l] = s
		}
	}
	t.notes.before(t.notedLoop, func(v *ir.Value, x kernel.Value) {
		if x.Kind == kernel.Boolean {
			note(x.Truth, t.value(v))
		}
		for _, y := range t.Targets(x) {
			if name := t.nameOf(y.Object); name != "" {
				note(y.Guard, t.value(v)+"="+name)
			}
		}
	})
	for o := range t.first {
		if name := t.nameOf(o); name != "" {
			note(t.in.St.Live.Get(o), "entry:live:"+name)
		}
	}
}
