package certificate

import (
	"fmt"
	"strings"
	"unicode"

	"freehold/iface"
	"freehold/ir"
)

// condition returns what a condition of a loop says at a moment. Conditions are made of true,
// false, !, &, |, parentheses, and names:
//
//	c3          value 3 that the loop carries, a boolean, holds
//	c3=NAME     value 3 points to the object
//	live:NAME   the object lives
//	entry:...   the same when the loop was entered
//	12:0        the boolean that is result 0 of operation 12, from before the loop
//	12:0=NAME   the memref that is result 0 of operation 12 points to the object
func (c *cut) condition(text string, now *moment) lit {
	p := &parser{c: c, now: now, rest: text}
	l := p.or()
	if strings.TrimSpace(p.rest) != "" {
		c.refuse("%q is no condition", text)
	}
	return l
}

type parser struct {
	c    *cut
	now  *moment
	rest string
}

// accept skips a word, if it comes next.
func (p *parser) accept(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), word)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) or() lit {
	l := p.and()
	for p.accept("|") {
		l = p.c.v.f.or(l, p.and())
	}
	return l
}

func (p *parser) and() lit {
	l := p.not()
	for p.accept("&") {
		l = p.c.v.f.and(l, p.not())
	}
	return l
}

func (p *parser) not() lit {
	switch {
	case p.c.v.err != nil:
		return no
	case p.accept("!"):
		return p.not().not()
	case p.accept("("):
		l := p.or()
		if !p.accept(")") {
			p.c.refuse("a parenthesis isn't closed")
		}
		return l
	}
	p.rest = strings.TrimLeft(p.rest, " ")
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./^:=@+", r)
	})
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	return p.c.atom(name, p.now)
}

// atom returns what a name means at a moment.
func (c *cut) atom(name string, now *moment) lit {
	if l, ok := c.moving(name, now); ok {
		return l
	}
	// What else it means was decided before the loop.
	if l, ok := c.frozen[name]; ok {
		return l
	}
	l, ok := yes, true
	if entry, of := strings.CutPrefix(name, "entry:"); of {
		l, ok = c.moving(entry, &moment{values: c.in.values, live: c.in.st.live})
	} else if of, to, points := strings.Cut(name, "="); points {
		x, known := c.v.valueNamed(c.fr, of)
		o, exists := c.object(to)
		if ok = known && exists && x.kind == pointer; ok {
			l = c.v.pointsTo(x, o)
		}
	} else if x, known := c.v.valueNamed(c.fr, name); known && x.kind == boolean {
		l = x.truth
	} else if ok = name == "true" || name == "false"; name == "false" {
		l = no
	}
	if !ok {
		c.refuse("%q means nothing", name)
	}
	c.frozen[name] = l
	return l
}

// moving returns what a name means at a moment, if that may be something else at another.
func (c *cut) moving(name string, now *moment) (lit, bool) {
	var k int
	if of, ok := strings.CutPrefix(name, "live:"); ok {
		o, known := c.object(of)
		for j, own := range c.own {
			if known && own == o && now.lives != nil {
				return now.lives(j), true
			}
		}
		return now.live.get(o), known
	}
	if n, _ := fmt.Sscanf(name, "c%d", &k); n == 0 || k < 0 || k >= len(now.values) {
		return no, false
	}
	x := now.values[k]
	_, to, points := strings.Cut(name, "=")
	if !points {
		return x.truth, x.kind == boolean
	}
	o, known := c.object(to)
	if !known || x.kind != pointer {
		return no, false
	}
	for j, own := range c.own {
		if own == o && now.names != nil {
			return now.names(k, j), true
		}
	}
	return c.v.pointsTo(x, o), true
}

// numbers are those of the operations of a function, in the order of the program.
type numbers struct {
	of  map[*ir.Op]int
	ops []*ir.Op
}

// number returns the numbers of the operations of the function that a frame is about.
func (v *verifier) number(fr *frame) *numbers {
	n := v.numbers[fr.fn]
	if n == nil {
		n = &numbers{of: map[*ir.Op]int{}}
		fr.fn.Walk(func(op *ir.Op) bool {
			n.of[op] = len(n.ops)
			n.ops = append(n.ops, op)
			return true
		})
		v.numbers[fr.fn] = n
	}
	return n
}

// opName returns the name of an operation: its number in its function, after those of the
// calls that lead there.
func (v *verifier) opName(fr *frame, op *ir.Op) string {
	return fmt.Sprint(fr.path, v.number(fr).of[op])
}

// objectName returns the name of the object that is result i of an operation.
func (v *verifier) objectName(fr *frame, op *ir.Op, i int) string {
	if len(v.c.Loops) == 0 {
		return ""
	}
	name := fr.path + fmt.Sprint("new", v.number(fr).of[op])
	if _, call := iface.Call.Of(op); call {
		name += fmt.Sprint(".", i)
	}
	return name
}

// opNamed returns the operation of a name with a prefix; nil if there is none in this frame.
func (v *verifier) opNamed(fr *frame, name, prefix string) *ir.Op {
	var n int
	rest, ok := strings.CutPrefix(name, fr.path+prefix)
	if got, _ := fmt.Sscanf(rest, "%d", &n); !ok || got == 0 || n < 0 || n >= len(v.number(fr).ops) || fmt.Sprint(n) != rest {
		return nil
	}
	return v.number(fr).ops[n]
}

// regionName returns the name of a region: that of its operation, and its number.
func (v *verifier) regionName(fr *frame, r *ir.Region) string {
	return fmt.Sprintf("%d.%d", v.number(fr).of[r.Op()], r.Index())
}

// valueNamed returns what is known about the value of a name: OP:RESULT, or
// OP.REGION^BLOCK:ARGUMENT.
func (v *verifier) valueNamed(fr *frame, name string) (value, bool) {
	text, ok := strings.CutPrefix(name, fr.path)
	var op, region, block, i int
	ok = ok && !strings.Contains(text, "-")
	of := v.number(fr)
	if n, _ := fmt.Sscanf(text, "%d.%d^%d:%d", &op, &region, &block, &i); n == 4 && ok && op < len(of.ops) && region < of.ops[op].NumRegions() {
		for b := range of.ops[op].RegionAt(region).Blocks() {
			if block == 0 && i < b.NumArgs() {
				x, known := fr.values[b.Arg(i)]
				return x, known
			}
			block--
		}
	}
	if n, _ := fmt.Sscanf(text, "%d:%d", &op, &i); n == 2 && ok && op < len(of.ops) && i < of.ops[op].NumResults() {
		x, known := fr.values[of.ops[op].Result(i)]
		return x, known
	}
	return value{}, false
}
