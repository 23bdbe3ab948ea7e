package ir

import (
	"hash/maphash"
	"slices"
)

// HashType returns a number that is equal for equal types.
func HashType(t Type) uint32 {
	if t == nil {
		return 0
	}
	return t.uniqHeader().id
}

// HashAttr returns a number that is equal for equal attributes.
func HashAttr(a Attribute) uint32 {
	if a == nil {
		return 0
	}
	return a.uniqHeader().id
}

var hashSeed = maphash.MakeSeed()

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// ShapeHash is a hash of an operation without its operands, regions and
// location. It is equal for operations that satisfy [SameShape].
func ShapeHash(o *Op) uint64 {
	h := mix(uint64(len(o.Operands())), maphash.Comparable(hashSeed, o.name))
	for i, a := range o.Props() {
		if a != nil {
			h = mix(h, uint64(i)<<32|uint64(HashAttr(a)))
		}
	}
	for _, a := range o.DiscardableAttrs() {
		h = mix(h, uint64(HashAttr(a.Value)))
	}
	for i := range o.Results() {
		h = mix(h, uint64(HashType(o.Results()[i].typ)))
	}
	return h
}

// SameShape tells whether two operations have the same name, attributes, result
// types and numbers of operands, regions and successors.
func SameShape(a, b *Op) bool {
	if a.name != b.name || len(a.Operands()) != len(b.Operands()) || len(a.Results()) != len(b.Results()) ||
		a.NumRegions() != b.NumRegions() || a.NumSuccessors() != b.NumSuccessors() || a.PropertiesDict() != b.PropertiesDict() {
		return false
	}
	for i := range max(len(a.Props()), len(b.Props())) {
		if a.Prop(i) != b.Prop(i) {
			return false
		}
	}
	for i := range a.Results() {
		if a.Results()[i].typ != b.Results()[i].typ {
			return false
		}
	}
	return slices.Equal(a.DiscardableAttrs(), b.DiscardableAttrs())
}

// OpHash is a hash of an operation without its regions and location, which is
// equal for operations that satisfy [EquivalentOps].
func OpHash(o *Op) uint64 {
	h := ShapeHash(o)
	if o.Has(TraitCommutative) {
		sum := uint64(0)
		for i := range o.Operands() {
			sum += maphash.Comparable(hashSeed, o.Operands()[i].value)
		}
		return mix(h, sum)
	}
	for i := range o.Operands() {
		h = mix(h, maphash.Comparable(hashSeed, o.Operands()[i].value))
	}
	return h
}

// CaptureHash adds up hashes of the values from outside that the operations in an operation's blocks use: it is often these alone by which
// loops differ. It is equal for operations that satisfy [EquivalentOps], and changes when other values are used in the blocks.
func CaptureHash(o *Op) (sum uint64) {
	for _, r := range o.Regions() {
		for b := range r.Blocks() {
			for x := range b.Ops() {
				for i := range x.Operands() {
					if v := x.Operands()[i].value; v.ParentBlock() == nil || v.ParentBlock().ParentOp() != o {
						sum += maphash.Comparable(hashSeed, v)
					}
				}
			}
		}
	}
	return sum
}

// EquivalentOps tells whether two operations compute the same: they have the same
// shape, the same operands (in any order if they are commutative), and equivalent
// regions.
func EquivalentOps(a, b *Op) bool {
	if a.NumRegions() == 0 {
		return equivalent(a, b, nil)
	}
	return equivalent(a, b, NewMapping())
}

// equivalent compares operations; m maps values and blocks inside of a's root to
// those inside of b's, and is nil if there can't be any.
func equivalent(a, b *Op, m *Mapping) bool {
	if !SameShape(a, b) {
		return false
	}
	if a.Has(TraitCommutative) {
		if !sameOperandSets(a, b, m) {
			return false
		}
	} else {
		for i := range a.Operands() {
			v := a.Operands()[i].value
			if m != nil {
				v = m.Value(v)
			}
			if v != b.Operands()[i].value {
				return false
			}
		}
	}
	if m == nil {
		for i := range a.NumSuccessors() {
			if a.Successor(i) != b.Successor(i) {
				return false
			}
		}
		return true
	}
	for i := range a.Results() {
		m.Map(&a.Results()[i], &b.Results()[i])
	}
	for i := range a.NumSuccessors() {
		if m.Block(a.Successor(i)) != b.Successor(i) {
			return false
		}
	}
	for i, r := range a.Regions() {
		if !equivalentRegions(r, b.RegionAt(i), m) {
			return false
		}
	}
	return true
}

func sameOperandSets(a, b *Op, m *Mapping) bool {
	var used [16]bool
	n := len(a.Operands())
	if n > len(used) {
		return false
	}
next:
	for i := range a.Operands() {
		v := a.Operands()[i].value
		if m != nil {
			v = m.Value(v)
		}
		for j := range n {
			if !used[j] && b.Operands()[j].value == v {
				used[j] = true
				continue next
			}
		}
		return false
	}
	return true
}

func equivalentRegions(r, s *Region, m *Mapping) bool {
	if r.size != s.size {
		return false
	}
	for x, y := r.first, s.first; x != nil; x, y = x.next, y.next {
		if len(x.args) != len(y.args) {
			return false
		}
		for i := range x.args {
			if x.args[i].typ != y.args[i].typ {
				return false
			}
			m.Map(x.args[i], y.args[i])
		}
		m.MapBlock(x, y)
	}
	for x, y := r.first, s.first; x != nil; x, y = x.next, y.next {
		o, p := x.first, y.first
		for ; o != nil && p != nil; o, p = o.next, p.next {
			if !equivalent(o, p, m) {
				return false
			}
		}
		if o != nil || p != nil {
			return false
		}
	}
	return true
}
