package certificate

import (
	"fmt"
	"strings"

	"freehold/dialect/memref"
	"freehold/ir"
)

// cut is a loop of which one iteration is executed: from a head at which everything that the
// loop changes is what the certificate says.
type cut struct {
	v    *verifier
	fr   *frame
	op   *ir.Op // to speak of
	name string
	c    *Loop
	in   edge // into the loop
	head edge
	// before is the number of the objects and elements that there are before the loop.
	before, cells int
	// own are the loop's own objects, by the number of the value that names them; trees are
	// the pointers that each value may be, and where the choice between them is a variable.
	own   map[int]int
	trees map[int][]int32
	// frozen are the conditions from before the loop that the certificate speaks of.
	frozen map[string]lit
}

// moment is the state that a condition of a loop is about: at the head, when the loop is
// entered, or when control goes back to the head.
type moment struct {
	values []value
	live   table[lit]
	// names returns the condition that value k points to an object that value j is the first
	// to point to; nil at the head and on entry.
	names func(k, j int) lit
	// lives returns the condition that own object j lives.
	lives func(j int) lit
}

// loop executes a loop from the edge into it.
func (w *walk) loop(it Item, in edge) {
	v, fr := w.v, w.fr
	name := w.name(it)
	l := v.c.Loops[name]
	if l == nil {
		l = &Loop{}
	}
	if l.Unroll {
		w.unroll(it, in)
		return
	}
	base := fr.base
	fr.base = v.f.and(base, in.cond)
	c := &cut{v: v, fr: fr, op: w.op, name: name, c: l, in: in, own: map[int]int{}, trees: map[int][]int32{}, frozen: map[string]lit{}}
	fr.cond = yes
	c.open()
	back, exits := w.iteration(it, c.head)
	if next, again := v.merge(back); again && v.err == nil {
		fr.cond = next.cond
		c.close(next)
	}
	for i := range exits {
		exits[i].cond = v.f.and(in.cond, exits[i].cond)
	}
	w.push(exits)
	fr.base = base
}

func (c *cut) refuse(format string, args ...any) {
	c.v.refuse(c.op, "loop %s: %s", c.name, fmt.Sprintf(format, args...))
}

// open makes the state at the head, after it has checked that it is that of the entry.
func (c *cut) open() {
	v := c.v
	c.head = edge{cond: yes, st: c.in.st, values: append([]value(nil), c.in.values...)}
	named := map[int][]int32{} // what values may point to, other than own objects
	for k := range c.in.values {
		for _, t := range c.c.carried(k).To {
			if tree, ok := c.tree(t); ok {
				named[k] = append(named[k], tree)
			}
		}
	}
	for _, s := range c.c.Lives {
		c.object(s.Object)
	}
	c.before, c.cells = len(v.objects), v.cells
	lives := map[int]lit{}
	var naming []lit
	for k, x := range c.in.values {
		r := c.c.carried(k)
		h := &c.head.values[k]
		switch {
		case r.Number && x.kind != pointer:
			*h = v.fresh(number)
		case r.Address, x.kind == derived:
			*h = v.fresh(derived)
		case x.kind == number || x.kind == integer:
			*h = v.fresh(number)
		case x.kind == boolean && (r.Free || r.Is != ""):
			*h = v.fresh(boolean)
		case x.kind == pointer && len(r.To) > 0:
			c.trees[k] = named[k]
			var choices []int32
			for _, t := range r.To {
				var j int
				if n, _ := fmt.Sscanf(t, "own:%d", &j); n == 0 {
					choices = append(choices, named[k][0])
					named[k] = named[k][1:]
					continue
				}
				if _, exists := c.own[j]; j == k && !exists {
					c.own[k] = v.newObject(fmt.Sprintf("own%s@%d", c.name, k), object{kind: heap, op: c.op})
				}
				o, exists := c.own[j]
				if !exists {
					c.refuse("value %d is to point to what value %d doesn't name", k, j)
					return
				}
				choices = append(choices, v.tree(choice{leaf: true, object: o}))
			}
			h.tree = choices[len(choices)-1]
			for i := len(choices) - 2; i >= 0; i-- {
				h.tree = v.decide(v.f.variable(), choices[i], h.tree)
			}
			if o, ok := c.own[k]; ok {
				if lives[k] = yes; r.Free {
					lives[k] = v.f.variable()
				}
				lives[k] = v.f.and(v.pointsTo(*h, o), lives[k])
			}
			for j := range k {
				if o, ok := c.own[j]; ok {
					naming = append(naming, v.f.and(v.pointsTo(*h, o), v.pointsTo(c.head.values[j], o).not()).not())
				}
			}
		}
		if h.kind == pointer {
			h.partial = h.partial || r.View
			if r.Part {
				h.part = yes
			}
			if r.Shifted {
				h.shift = anyShift
			}
		}
	}
	for k, o := range c.own {
		c.head.st.live = c.head.st.live.set(o, lives[k])
	}
	for _, s := range c.c.Lives {
		if s.Is == "" {
			o, _ := c.object(s.Object)
			c.head.st.live = c.head.st.live.set(o, v.f.variable())
		}
	}
	now := &moment{values: c.head.values, live: c.head.st.live}
	for k := range c.in.values {
		if is := c.c.carried(k).Is; is != "" {
			c.head.values[k] = truthOf(c.condition(is, now))
		}
	}
	for _, s := range c.c.Lives {
		if s.Is != "" {
			o, _ := c.object(s.Object)
			c.head.st.live = c.head.st.live.set(o, c.condition(s.Is, now))
		}
	}
	now.live = c.head.st.live
	for _, o := range c.own {
		v.objects[o].born = c.head.st.live
	}
	for _, s := range c.c.Cells {
		o, _ := c.object(s.Object)
		for i := range v.objects[o].size {
			var x *value
			if s.Address {
				y := v.fresh(derived)
				x = &y
			}
			c.head.st.memory = c.head.st.memory.set(v.objects[o].cells+i, x)
		}
	}
	c.compare(c.in, &moment{values: c.in.values, live: c.in.st.live}, "on entry")
	for _, l := range naming {
		v.assume(c.fr, l)
	}
	for _, s := range c.c.Holds {
		v.assume(c.fr, c.condition(s, now))
	}
}

// made tells whether the loop made the object.
func (c *cut) made(o int) bool { return o >= c.before && c.v.objects[o].kind == heap }

// compare checks that the state of an edge to the head is one that the head allows.
func (c *cut) compare(e edge, now *moment, when string) {
	v := c.v
	for k, x := range e.values {
		r, h := c.c.carried(k), c.head.values[k]
		bad := yes
		switch {
		case h.kind == derived, h.kind == number && !x.address():
			bad = no
		case h.kind != x.kind:
		case h.kind == boolean && r.Free:
			bad = no
		case h.kind == boolean && r.Is != "":
			bad = v.f.iff(x.truth, c.condition(r.Is, now)).not()
		case h.kind == boolean:
			bad = v.f.iff(x.truth, h.truth).not()
		case h.kind == pointer && (!x.partial || h.partial) && (x.shift == h.shift || h.shift == anyShift):
			trees := c.trees[k]
			if len(r.To) == 0 {
				trees = []int32{h.tree}
			}
			bad = v.f.or(c.elsewhere(x, k, trees), v.f.and(x.part, h.part.not()))
		}
		c.require(bad, "value %d %s", k, when)
	}
	said := map[int]bool{}
	for _, s := range c.c.Lives {
		o, _ := c.object(s.Object)
		said[o] = true
		if s.Is != "" {
			c.require(v.f.iff(e.st.live.get(o), c.condition(s.Is, now)).not(), "the life of %s %s", s.Object, when)
		}
	}
	c.head.st.live.compare(e.st.live, func(o int, x, y lit) {
		if o < c.before && !said[o] {
			c.require(v.f.iff(x, y).not(), "the life of object %d %s", o, when)
		}
	})
	c.head.st.memory.compare(e.st.memory, func(i int, x, y *value) {
		if i < c.cells && (x != nil && x.kind != derived && (y == nil || *x != *y) || x == nil && y != nil && y.address()) {
			c.refuse("the contents of a buffer %s", when)
		}
	})
	for i, s := range c.c.Holds {
		c.require(c.condition(s, now).not(), "condition %d %s", i, when)
	}
}

// require checks that bad doesn't hold where the edge is.
func (c *cut) require(bad lit, format string, args ...any) {
	c.v.require(c.fr, c.op, bad, "loop "+c.name+": "+format, args...)
}

// elsewhere returns the condition that a pointer is none of the trees, and, if value k may
// point to what the loop made, doesn't point to that.
func (c *cut) elsewhere(x value, k int, trees []int32) lit {
	_, own := c.own[k]
	for _, t := range c.c.carried(k).To {
		own = own || t[0] == 'o'
	}
	out := c.v.where(x.tree, func(n int32) (bool, bool) {
		for _, t := range trees {
			if n == t {
				return true, false
			}
		}
		leaf := c.v.choices[n]
		return leaf.leaf, leaf.leaf && !(own && c.made(leaf.object))
	})
	for _, n := range trees {
		for _, t := range c.v.targets(value{kind: pointer, tree: n}) {
			if out != no {
				out = c.v.f.and(out, c.v.f.and(t.guard, c.v.pointsTo(x, t.object)).not())
			}
		}
	}
	return out
}

// close checks that the head allows the state in which control goes back to it, and that
// nothing gets lost.
func (c *cut) close(next edge) {
	v := c.v
	// points[k] are the objects made by the loop that value k points to.
	points := make([][]target, len(next.values))
	for k, x := range next.values {
		for _, t := range v.targets(x) {
			if c.made(t.object) {
				points[k] = append(points[k], t)
				if len(c.trees[k]) < len(c.c.carried(k).To) && v.holdsAddresses(next.st, x) {
					c.refuse("it carries a buffer with addresses")
				}
			}
			if o := v.objects[t.object]; o.kind == stack && c.head.st.live.get(t.object) != next.st.live.get(t.object) {
				c.refuse("it carries a buffer on the stack that ends in the loop")
			}
		}
	}
	same := func(i, j int) lit {
		out := no
		for _, s := range points[i] {
			for _, t := range points[j] {
				if s.object == t.object {
					out = v.f.or(out, v.f.and(s.guard, t.guard))
				}
			}
		}
		return out
	}
	now := &moment{values: next.values, live: next.st.live}
	now.names = func(k, j int) lit {
		out := no
		for _, t := range points[k] {
			out = v.f.or(out, t.guard)
		}
		for i := range j {
			out = v.f.and(out, same(k, i).not())
		}
		if j < k {
			out = v.f.and(out, same(k, j))
		}
		return out
	}
	now.lives = func(j int) lit {
		out := no
		for _, t := range points[j] {
			out = v.f.or(out, v.f.and(t.guard, next.st.live.get(t.object)))
		}
		return v.f.and(now.names(j, j), out)
	}
	for k := range next.values {
		r := c.c.carried(k)
		for j := 0; j <= k && len(points[k]) > 0 && len(r.To) > 0; j++ {
			may := false
			for _, t := range r.To {
				may = may || t == fmt.Sprint("own:", j)
			}
			if !may {
				c.require(now.names(k, j), "value %d points to what value %d names", k, j)
			}
		}
		if _, ok := c.own[k]; ok && !r.Free {
			c.require(v.f.and(now.names(k, k), now.lives(k).not()), "what value %d names lives", k)
		}
	}
	c.compare(next, now, "after an iteration")
	for o := c.before; o < len(v.objects); o++ {
		if !c.made(o) {
			continue
		}
		lost := next.st.live.get(o)
		for _, x := range next.values {
			if lost != no && x.kind == pointer {
				lost = v.f.and(lost, v.pointsTo(x, o).not())
			}
		}
		c.require(lost, "an object is lost")
	}
}

// object returns the object of a name. A buffer on the stack that the loop reserves is the
// same one in each iteration.
func (c *cut) object(name string) (int, bool) {
	if o, ok := c.v.named[name]; ok {
		return o, true
	}
	if global, ok := strings.CutPrefix(name, "global:"); ok {
		return c.v.global(c.op, global), true
	}
	if op := c.v.opNamed(c.fr, name, "new"); op != nil && op.Is(memref.Alloca) {
		return c.v.once(c.fr, op), true
	}
	c.refuse("there is no object %s", name)
	return 0, false
}

// tree returns the pointer of a name: what a value is on entry, or an object, or what a value
// of the program is; nothing for an own object. After a question mark follow the choices that
// lead to a part of the pointer: t where the condition holds, e otherwise. {CONDITION;A;B} is
// pointer A where the condition holds, else B.
func (c *cut) tree(name string) (int32, bool) {
	if inner, ok := strings.CutPrefix(name, "{"); ok && strings.HasSuffix(inner, "}") {
		parts := []string{""}
		depth := 0
		for _, r := range strings.TrimSuffix(inner, "}") {
			switch r {
			case '{':
				depth++
			case '}':
				depth--
			}
			if r == ';' && depth == 0 {
				parts = append(parts, "")
			} else {
				parts[len(parts)-1] += string(r)
			}
		}
		if len(parts) != 3 {
			c.refuse("%q is no pointer", name)
			return 0, false
		}
		then, ok := c.tree(parts[1])
		els, ok2 := c.tree(parts[2])
		cond := c.condition(parts[0], &moment{values: c.in.values, live: c.in.st.live})
		return c.v.choose(cond, value{kind: pointer, tree: then}, value{kind: pointer, tree: els}).tree, ok && ok2
	}
	name, path, _ := strings.Cut(name, "?")
	tree, ok := c.root(name)
	for _, step := range path {
		switch x := c.v.choices[tree]; {
		case x.leaf:
			c.refuse("there is no pointer %s?%s", name, path)
		case step == 't':
			tree = x.then
		default:
			tree = x.els
		}
	}
	return tree, ok
}

func (c *cut) root(name string) (int32, bool) {
	v := c.v
	var k int
	if n, _ := fmt.Sscanf(name, "own:%d", &k); n == 1 {
		return 0, false
	}
	if n, _ := fmt.Sscanf(name, "entry:%d", &k); n == 1 && k >= 0 && k < len(c.in.values) && c.in.values[k].kind == pointer {
		return c.in.values[k].tree, true
	}
	if x, ok := v.valueNamed(c.fr, name); ok && x.kind == pointer {
		return x.tree, true
	}
	o, _ := c.object(name)
	return v.tree(choice{leaf: true, object: o}), true
}
