package testd

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// resource is what effects are on that name test_resource.
var resource = &interfaces.Resource{Name: "<Test>"}

// SideEffect has the effects that its attribute "effects" lists, as dictionaries
// with the effect's name.
var SideEffect = ir.NewOpID("test.side_effect_op")

func sideEffectDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      SideEffect,
		Results: []ir.ResultDef{ir.Result("result", constraint.AnyType)},
		Models:  []ir.Model{interfaces.MemoryEffects.Model(listedEffects)},
	}
}

var effectKinds = map[string]interfaces.EffectKind{
	"read": interfaces.Read, "write": interfaces.Write, "allocate": interfaces.Allocate, "free": interfaces.Free,
}

func listedEffects(op *ir.Op) []interfaces.Effect {
	list, _ := op.Attr("effects").(*ir.ArrayAttr)
	if list == nil {
		return nil
	}
	var out []interfaces.Effect
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
		e := interfaces.Effect{Kind: kind}
		if d.Get("on_result") != nil {
			e = interfaces.OnResult(kind, 0)
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

func effectsResultDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      EffectsResult,
		Results: []ir.ResultDef{ir.Result("", constraint.I32)},
		Models:  []ir.Model{interfaces.FixedEffects(interfaces.OnResult(interfaces.Allocate, 0))},
	}
}
