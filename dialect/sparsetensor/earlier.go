package sparsetensor

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// earlierUntil is the version up to which the keys are read: mlir-opt of LLVM 19 is tested to
// refuse them, so opt does unless an earlier version is asked for.
const earlierUntil = 17

// higherOrdering is the key of LLVM 15 and 16 for the map whose results "dimOrdering" brings into their order.
const higherOrdering = "higherOrdering"

// earlierKeys are the keys of encodings up to LLVM 16, and of LLVM 17, and where their values go.
var earlierKeys = map[string]int{"dimLevelType": levelsParam, "dimOrdering": mapParam, higherOrdering: mapParam,
	"pointerBitWidth": posWidthParam, "indexBitWidth": crdWidthParam, "slice": slicesParam,
	"lvlTypes": levelsParam, "dimToLvl": mapParam, "dimSlices": slicesParam}

// formatsUntil is the version up to which maps from dimensions to levels have the names that earlierFormats has.
const formatsUntil = 18

// earlierFormats are the names of formats that have another one today.
var earlierFormats = map[string]string{"compressed-hi": looseCompressed, "block2_4": structured + "[2, 4]"}

// earlierProperties are the suffixes by which levels up to LLVM 17 say their properties.
var earlierProperties = map[string]string{"nu": nonunique, "no": nonordered}

// parseEarlier reads the value of a key of LLVM 17 or before into the parameters.
func parseEarlier(p *asm.Parser, key string, params []ir.Attribute) error {
	c, pos := p.Context(), p.Pos()
	if earlierKeys[key] == slicesParam {
		var list []ir.Attribute
		err := p.List(asm.Square, func() error {
			a, err := parseSlice(p)
			list = append(list, a)
			return err
		})
		params[slicesParam] = c.ArrayAttr(list...)
		return err
	}
	v, err := p.Attr(nil)
	if err != nil {
		return err
	}
	switch param := earlierKeys[key]; param {
	case levelsParam:
		list, ok := v.(*ir.ArrayAttr)
		if !ok {
			return p.Errorf(pos, "expected an array for dimension level types")
		}
		levels := make([]ir.Attribute, len(list.Elems))
		for i, e := range list.Elems {
			s, _ := e.(*ir.StringAttr)
			l, ok := earlierLevel(s)
			if !ok {
				return p.Errorf(pos, "unexpected dimension level type: %s", e)
			}
			levels[i] = c.StringAttr(string(l))
		}
		params[levelsParam] = c.ArrayAttr(levels...)
		if params[mapParam] == ir.Attribute(ir.Unit) {
			params[mapParam] = c.AffineMapAttr(c.IdentityMap(len(levels)))
		}
	case mapParam:
		m, ok := v.(*ir.AffineMapAttr)
		if !ok || key == "dimOrdering" && !m.Map.IsPermutation() {
			return p.Errorf(pos, "expected a permutation affine map for dimension ordering")
		}
		order, layout := v, params[mapParam]
		if key == higherOrdering {
			order, layout = layout, order
		}
		params[mapParam] = ordered(c, order, layout)
	default:
		if msg := badValue(param, v); msg != "" {
			return p.Errorf(pos, "%s", msg)
		}
		params[param] = c.I64Attr(v.(*ir.IntegerAttr).Value)
	}
	return nil
}

// ordered returns the map whose results are those of one in the order that a permutation gives them. Where there is only
// one of the two, or they don't fit, it returns that, or the order.
func ordered(c *ir.Context, order, layout ir.Attribute) ir.Attribute {
	o, ok := order.(*ir.AffineMapAttr)
	if !ok {
		return layout
	}
	l, ok := layout.(*ir.AffineMapAttr)
	if !ok || o.Map.Dims != len(l.Map.Results) || !o.Map.IsPermutation() {
		return order
	}
	results := make([]*ir.AffineExpr, len(o.Map.Results))
	for i, r := range o.Map.Results {
		results[i] = l.Map.Results[r.Value]
	}
	return c.AffineMapAttr(c.AffineMap(l.Map.Dims, l.Map.Syms, results...))
}

// earlierLevel returns the level that LLVM 17 or before spells so, such as "compressed-nu-no"; it
// reports whether there is one.
func earlierLevel(s *ir.StringAttr) (Level, bool) {
	if s == nil {
		return "", false
	}
	name, has := s.Value, map[string]bool{}
	for i := strings.LastIndex(name, "-"); i > 0; i = strings.LastIndex(name, "-") {
		property := earlierProperties[name[i+1:]]
		if property == "" {
			break
		}
		if has[property] {
			return "", false
		}
		name, has[property] = name[:i], true
	}
	if today, ok := earlierFormats[name]; ok {
		name = today
	}
	switch l := Level(name); {
	case l.is(compressed), l.is(looseCompressed), l.is(singleton):
	case name == dense && len(has) == 0, l.is(structured) && len(has) == 0:
	default:
		return "", false
	}
	var props []string
	for _, name := range properties {
		if has[name] {
			props = append(props, name)
		}
	}
	return spellLevel(name, props), true
}
