package verify

import (
	"fmt"
	"strings"

	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

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

// tree returns a pointer of the certificate; nothing for an own object.
func (c *cut) tree(text string) (int32, bool) {
	x := certificate.ParsePointer(text)
	if x == nil {
		c.refuse("%q is no pointer", text)
		return 0, false
	}
	if _, own := certificate.Own(text); own {
		return 0, false
	}
	return c.pointer(x).Tree, true
}

func (c *cut) pointer(x *certificate.Pointer) kernel.Value {
	v := c.v
	if x.If != nil {
		return v.Choose(c.truth(x.If, &moment{values: c.in.Values, live: c.in.St.Live}), c.pointer(x.Then), c.pointer(x.Else))
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
