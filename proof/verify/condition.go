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
		l, ok = c.moving(entry, &moment{values: c.in.Values, live: c.in.St.Live})
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
	var k int
	if of, ok := strings.CutPrefix(name, "live:"); ok {
		o, known := c.object(of)
		for j, own := range c.own {
			if known && own == o && now.lives != nil {
				return now.lives(j), true
			}
		}
		return now.live.Get(o), known
	}
	if n, _ := fmt.Sscanf(name, "c%d", &k); n == 0 || k < 0 || k >= len(now.values) {
		return kernel.No, false
	}
	x := now.values[k]
	_, to, points := strings.Cut(name, "=")
	if !points {
		return x.Truth, x.Kind == kernel.Boolean
	}
	o, known := c.object(to)
	if !known || x.Kind != kernel.Pointer {
		return kernel.No, false
	}
	for j, own := range c.own {
		if own == o && now.names != nil {
			return now.names(k, j), true
		}
	}
	return c.v.PointsTo(x, o), true
}
