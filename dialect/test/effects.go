package testd

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/constraint"
)

// resource is what effects are on that name test_resource.
var resource = &iface.Resource{Name: "<Test>"}

// SideEffect has the effects that its attribute "effects" lists, as dictionaries
// with the effect's name.
var SideEffect = ir.NewOpID("test.side_effect_op")

var sideEffectDef = &ir.OpDef{
	ID:      SideEffect,
	Results: []ir.ResultDef{ir.Result("result", constraint.AnyType)},
	Models:  []ir.Model{iface.MemoryEffects.Model(listedEffects)},
}

var effectKinds = map[string]iface.EffectKind{
	"read": iface.Read, "write": iface.Write, "allocate": iface.Allocate, "free": iface.Free,
}

func listedEffects(op *ir.Op) []iface.Effect {
	list, _ := op.Attr("effects").(*ir.ArrayAttr)
	if list == nil {
		return nil
	}
	var out []iface.Effect
	for _, a := range list.Elems {
		d, ok := a.(*ir.DictAttr)
		if !ok {
			continue
		}
		name, ok := d.Get("effect").(*ir.StringAttr)
		if !ok {
			continue
		}
		kind, ok := effectKinds[name.Value]
		if !ok {
			continue
		}
		e := iface.Effect{Kind: kind}
		if d.Get("on_result") != nil {
			e = iface.OnResult(kind, 0)
		}
		if d.Get("test_resource") != nil {
			e.Resource = resource
		}
		out = append(out, e)
	}
	return out
}

// EffectsResult allocates its result.
var EffectsResult = ir.NewOpID("test.test_effects_result")

var effectsResultDef = &ir.OpDef{
	ID:      EffectsResult,
	Results: []ir.ResultDef{ir.Result("", constraint.I32)},
	Models:  []ir.Model{iface.FixedEffects(iface.OnResult(iface.Allocate, 0))},
}
