// Package interfaces declares what operations can promise to analyses and passes.
// Each interface is a variable whose models are attached to operation
// definitions; each file states the contract of one.
package interfaces

import "freehold/ir"

// EffectKind is a kind of memory effect.
type EffectKind uint8

// The memory effects.
const (
	Read EffectKind = iota
	Write
	Allocate
	Free
)

// Resource is what an effect is on. Resources are compared by address.
type Resource struct{ Name string }

// The resources.
var (
	DefaultResource                  = &Resource{"<Default>"}
	AutomaticAllocationScopeResource = &Resource{"AutomaticAllocationScope"}
)

// Effect is one memory effect of an operation: on an operand ([OnOperand]), on a result
// ([OnResult]), or else on the resource at large. It names the value by its place, so
// that the effects of most operations are a list that is made once.
type Effect struct {
	Kind EffectKind
	// place is 0 for the resource at large, 1 + i for operand i, -1 - i for result i.
	place int32
	// Resource is DefaultResource if nil.
	Resource *Resource
}

// OnOperand returns the effect of the kind on operand i.
func OnOperand(kind EffectKind, i int) Effect { return Effect{Kind: kind, place: int32(1 + i)} }

// OnResult returns the effect of the kind on result i.
func OnResult(kind EffectKind, i int) Effect { return Effect{Kind: kind, place: int32(-1 - i)} }

// In returns the effect as one on the resource.
func (e Effect) In(r *Resource) Effect {
	e.Resource = r
	return e
}

// AllocatesMemRef tells whether the effect is the allocation of a memref that is a result of op,
// whose effect it must be, on the heap or elsewhere.
func (e Effect) AllocatesMemRef(op *ir.Op) bool {
	return e.Kind == Allocate && e.IsOnResult() && ir.IsMemRef(e.Value(op).Type())
}

// Value returns the operand or result of op that the effect is on; nil if it is on the
// resource at large. op must be the operation whose effect it is.
func (e Effect) Value(op *ir.Op) *ir.Value {
	switch {
	case e.place > 0:
		return op.Operand(int(e.place - 1))
	case e.place < 0:
		return op.Result(int(-1 - e.place))
	}
	return nil
}

// IsOnOperand tells whether the effect is on an operand.
func (e Effect) IsOnOperand() bool { return e.place > 0 }

// IsOn tells whether the effect is on operand i, whatever others are the same value.
func (e Effect) IsOn(i int) bool { return e.place == int32(1+i) }

// IsOnResult tells whether the effect is on a result.
func (e Effect) IsOnResult() bool { return e.place < 0 }

// On returns the effect's resource.
func (e Effect) On() *Resource {
	if e.Resource == nil {
		return DefaultResource
	}
	return e.Resource
}

// EffectsModel lists the operation's own memory effects (not those of nested
// operations). An empty list means that it has none. The list belongs to the model, and
// must not be changed.
type EffectsModel func(op *ir.Op) []Effect

// FixedEffects is the model of operations that always have the same effects.
func FixedEffects(effects ...Effect) ir.Model {
	return MemoryEffects.Model(func(*ir.Op) []Effect { return effects })
}

// MemoryEffects is implemented by operations whose memory effects are known.
// Operations with TraitPure or TraitNoMemoryEffect need no model.
var MemoryEffects = ir.NewInterface[EffectsModel]("MemoryEffectOpInterface")

// AccessesOperands is implemented by operations of which it is known without a list of their effects what kind these are: they read or write each operand that is a
// memref, and do nothing else with memory. So they neither allocate nor free anything, whatever it takes to tell what they read.
var AccessesOperands = ir.NewInterface[struct{}]("AccessesOperands")

// EffectsOf returns the operation's own effects, and whether they are known: by a
// model, or by a trait. For an operation that only has TraitRecursiveMemoryEffects
// the list is empty and known; ask for the nested operations' effects too.
func EffectsOf(op *ir.Op) (effects []Effect, known bool) {
	if m, ok := MemoryEffects.Of(op); ok {
		return m(op), true
	}
	t := op.Def().Traits
	return nil, t&(ir.TraitPure|ir.TraitNoMemoryEffect|ir.TraitRecursiveMemoryEffects) != 0
}

// RecursiveEffectsSince is implemented by operations that have just the effects of their regions since a version of LLVM
// later than 19, and of which nothing is declared before: it is that version.
var RecursiveEffectsSince = ir.NewInterface[uint32]("RecursiveEffectsSince")

// EffectsIn is [EffectsOf] as a version of LLVM declares effects.
func EffectsIn(op *ir.Op, llvm uint32) (effects []Effect, known bool) {
	effects, known = EffectsOf(op)
	if since, ok := RecursiveEffectsSince.Of(op); ok && !known {
		known = llvm >= since
	}
	return effects, known
}

// IsMemoryEffectFree tells whether the operation, with everything in its
// regions, is known to have no memory effect.
func IsMemoryEffectFree(op *ir.Op) bool {
	if m, ok := MemoryEffects.Of(op); ok {
		if len(m(op)) != 0 {
			return false
		}
		if !op.Has(ir.TraitRecursiveMemoryEffects) {
			return true
		}
	} else if !op.Has(ir.TraitRecursiveMemoryEffects) {
		return op.Def().Traits&(ir.TraitPure|ir.TraitNoMemoryEffect) != 0
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if !IsMemoryEffectFree(o) {
					return false
				}
			}
		}
	}
	return true
}

// HasEffect tells whether the operation itself has an effect of the kind on the
// value.
func HasEffect(op *ir.Op, kind EffectKind, v *ir.Value) bool {
	if kind >= Allocate && AccessesOperands.Has(op) {
		return false
	}
	effects, _ := EffectsOf(op)
	for _, e := range effects {
		if e.Kind == kind && e.Value(op) == v {
			return true
		}
	}
	return false
}

// MayWrite tells whether the user of a value may write what the value stands for: its effects aren't known, or one of them is a write to that operand, or to something
// that isn't named.
func MayWrite(u *ir.Use) bool {
	op := u.Owner()
	effects, known := EffectsOf(op)
	for _, e := range effects {
		if e.Kind == Write && (e.IsOn(u.Index()) || e.Value(op) == nil) {
			return true
		}
	}
	return !known
}

// Speculatable tells whether an operation may be executed where it wasn't.
type Speculatability uint8

// The answers of a ConditionallySpeculatable model.
const (
	NotSpeculatable Speculatability = iota
	AlwaysSpeculatable
	RecursivelySpeculatable
)

// ConditionallySpeculatable is implemented by operations whose speculatability
// depends on their operands, such as divisions.
var ConditionallySpeculatable = ir.NewInterface[func(op *ir.Op) Speculatability]("ConditionallySpeculatable")

// IsSpeculatable tells whether executing the operation where it wasn't executed
// has no undefined behaviour and no effect beyond its own.
func IsSpeculatable(op *ir.Op) bool {
	s := NotSpeculatable
	if m, ok := ConditionallySpeculatable.Of(op); ok {
		s = m(op)
	} else if op.Has(ir.TraitRecursivelySpeculatable) {
		s = RecursivelySpeculatable
	} else if op.Def().Traits&(ir.TraitPure|ir.TraitSpeculatable) != 0 {
		s = AlwaysSpeculatable
	}
	if s != RecursivelySpeculatable {
		return s == AlwaysSpeculatable
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if !IsSpeculatable(o) {
					return false
				}
			}
		}
	}
	return true
}

// IsPure tells whether the operation is speculatable and has no memory effect.
func IsPure(op *ir.Op) bool { return IsSpeculatable(op) && IsMemoryEffectFree(op) }

// WouldBeTriviallyDead tells whether the operation could be erased if its results
// had no uses: it is no terminator and no symbol, and its effects are reads, or
// allocations and writes of its own results.
func WouldBeTriviallyDead(op *ir.Op) bool {
	if op.Def().Traits&(ir.TraitTerminator|ir.TraitSymbol) != 0 || !op.Registered() {
		return false
	}
	return !writesDestination(op) && onlyDeadEffects(op)
}

// writesDestination tells whether a buffer is among the destinations of the operation. For
// most operations on buffers this is all that needs to be known, and costs the least.
func writesDestination(op *ir.Op) bool {
	m, ok := DestinationStyle.Of(op)
	if !ok {
		return false
	}
	start, n := m(op)
	for i := range n {
		if _, buffer := op.Operand(start + i).Type().(*ir.MemRefType); buffer {
			return true
		}
	}
	return false
}

func onlyDeadEffects(op *ir.Op) bool {
	m, hasModel := MemoryEffects.Of(op)
	if hasModel {
		effects := m(op)
		for _, e := range effects {
			switch e.Kind {
			case Read:
			case Allocate:
				if !e.IsOnResult() {
					return false
				}
			case Write:
				if !e.IsOnResult() || !allocates(effects, e.place) {
					return false
				}
			default:
				return false
			}
		}
	}
	if op.Has(ir.TraitRecursiveMemoryEffects) {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for o := range b.Ops() {
					if o.Has(ir.TraitTerminator) && o.NumSuccessors() == 0 && !hasForeignEffects(o) {
						continue
					}
					if !onlyDeadEffects(o) {
						return false
					}
				}
			}
		}
		return true
	}
	return hasModel || op.Def().Traits&(ir.TraitPure|ir.TraitNoMemoryEffect) != 0
}

func hasForeignEffects(op *ir.Op) bool {
	effects, known := EffectsOf(op)
	return !known || len(effects) > 0
}

func allocates(effects []Effect, place int32) bool {
	for _, e := range effects {
		if e.Kind == Allocate && e.place == place {
			return true
		}
	}
	return false
}

// IsTriviallyDead tells whether the operation has no uses and can be erased.
func IsTriviallyDead(op *ir.Op) bool { return !op.HasUses() && WouldBeTriviallyDead(op) }
