package sparsetensor

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// earlierUntil is the version up to which the keys are read: mlir-opt of LLVM 19 is tested to
// refuse them, so opt does unless an earlier version is asked for.
const earlierUntil = 17

// earlierKeys are the keys of encodings up to LLVM 16, and where their values go.
var earlierKeys = map[string]int{"dimLevelType": levelsParam, "dimOrdering": mapParam,
	"pointerBitWidth": posWidthParam, "indexBitWidth": crdWidthParam}

// earlierProperties are the suffixes by which levels up to LLVM 16 say their properties.
var earlierProperties = map[string]string{"nu": nonunique, "no": nonordered}

// parseEarlier reads the value of a key of LLVM 16 into the parameters.
func parseEarlier(p *asm.Parser, key string, params []ir.Attribute) error {
	c, pos := p.Context(), p.Pos()
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
		if !ok || !m.Map.IsPermutation() {
			return p.Errorf(pos, "expected a permutation affine map for dimension ordering")
		}
		params[mapParam] = m
	default:
		if msg := badValue(param, v); msg != "" {
			return p.Errorf(pos, "%s", msg)
		}
		params[param] = c.I64Attr(v.(*ir.IntegerAttr).Value)
	}
	return nil
}

// earlierLevel returns the level that LLVM 16 spells so, such as "compressed-nu-no"; it
// reports whether there is one.
func earlierLevel(s *ir.StringAttr) (Level, bool) {
	if s == nil {
		return "", false
	}
	parts := strings.Split(s.Value, "-")
	if parts[0] != compressed && parts[0] != singleton && s.Value != dense {
		return "", false
	}
	has := map[string]bool{}
	for _, suffix := range parts[1:] {
		name, ok := earlierProperties[suffix]
		if !ok || has[name] {
			return "", false
		}
		has[name] = true
	}
	var props []string
	for _, name := range properties {
		if has[name] {
			props = append(props, name)
		}
	}
	return spellLevel(parts[0], props), true
}
