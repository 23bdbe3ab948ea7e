package verify

import (
	"fmt"
	"strings"

	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// condition returns what a condition of the certificate says at a moment.
func (c *cut) condition(text string, now *moment) kernel.Lit {
	x := certificate.ParseCondition(text)
	if x == nil {
		c.refuse("%q is no condition", text)
		return kernel.No
	}
	return c.truth(x, now)
}

func (c *cut) truth(x *certificate.Condition, now *moment) kernel.Lit {
	switch x.Op {
	case '!':
		return c.truth(x.Args[0], now).Not()
	case '&':
		return c.v.F.And(c.truth(x.Args[0], now), c.truth(x.Args[1], now))
	case '|':
		return c.v.F.Or(c.truth(x.Args[0], now), c.truth(x.Args[1], now))
	}
	return c.atom(x.Name, now)
}

// atom returns what a name means at a moment.
func (c *cut) atom(name string, now *moment) kernel.Lit {
	if l, ok := c.moving(name, now); ok {
		return l
	}
	// What else it means was decided before the loop.
	if l, ok := c.frozen[name]; ok {
		return l
	}
	l, ok := kernel.Yes, true
	if entry, of := strings.CutPrefix(name, "entry:"); of {
		l, ok = c.moving(entry, &c.in)
	} else if of, to, points := strings.Cut(name, "="); points {
		x, known := c.v.ValueNamed(c.fr, of)
		o, exists := c.object(to)
		if ok = known && exists && x.Kind == kernel.Pointer; ok {
			l = c.v.PointsTo(x, o)
		}
	} else if x, known := c.v.ValueNamed(c.fr, name); known && x.Kind == kernel.Boolean {
		l = x.Truth
	} else if ok = name == "true" || name == "false"; name == "false" {
		l = kernel.No
	}
	if !ok {
		c.refuse("%q means nothing", name)
	}
	c.frozen[name] = l
	return l
}

// moving returns what a name means at a moment, if that may be something else at another.
func (c *cut) moving(name string, now *moment) (kernel.Lit, bool) {
	if of, ok := strings.CutPrefix(name, "live:"); ok {
		o, known := c.object(of)
		return now.St.Live.Get(now.object(o)), known
	}
	var k int
	if n, _ := fmt.Sscanf(name, "c%d", &k); n == 0 || k < 0 || k >= len(now.Values) {
		return kernel.No, false
	}
	x := now.Values[k]
	_, to, points := strings.Cut(name, "=")
	if !points {
		return x.Truth, x.Kind == kernel.Boolean
	}
	o, known := c.object(to)
	if !known || x.Kind != kernel.Pointer {
		return kernel.No, false
	}
	return c.v.PointsTo(x, now.object(o)), true
}

// object returns the object of a name.
func (c *cut) object(name string) (int, bool) {
	if o, ok := c.v.Named[name]; ok {
		return o, true
	}
	if global, ok := strings.CutPrefix(name, "global:"); ok {
		return c.v.Global(c.op, global), true
	}
	if name == "null" {
		return c.v.Nothing(), true
	}
	c.refuse("there is no object %s", name)
	return c.v.NewObject("", kernel.Object{Kind: kernel.Heap}), false
}

// pointer returns a pointer from before the loop.
func (c *cut) pointer(text string) kernel.Value {
	x := certificate.ParsePointer(text)
	if x == nil {
		c.refuse("%q is no pointer", text)
		return c.v.PointTo(c.v.Nothing())
	}
	return c.tree(x)
}

func (c *cut) tree(x *certificate.Pointer) kernel.Value {
	v := c.v
	if x.If != nil {
		return v.Choose(c.truth(x.If, &c.in), c.tree(x.Then), c.tree(x.Else))
	}
	var k int
	p, ok := v.ValueNamed(c.fr, x.Name)
	if n, _ := fmt.Sscanf(x.Name, "entry:%d", &k); n == 1 && k >= 0 && k < len(c.in.Values) {
		p, ok = c.in.Values[k], true
	}
	if !ok || p.Kind != kernel.Pointer {
		o, _ := c.object(x.Name)
		p = v.PointTo(o)
	}
	for _, step := range x.Path {
		at := v.Choices[p.Tree]
		if at.Leaf {
			c.refuse("there is no pointer %s?%s", x.Name, x.Path)
		} else if p.Tree = at.Els; step == 't' {
			p.Tree = at.Then
		}
	}
	return kernel.Value{Kind: kernel.Pointer, Tree: p.Tree}
}
