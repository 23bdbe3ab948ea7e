package tile

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Obstacle returns the operation because of which a tensor has to be there as a whole, and what about it; nil if there is none. Then the tensor could be computed in tiles,
// but not so that less is needed. Linear in the uses of the tensor.
func Obstacle(v *ir.Value) (op *ir.Op, why string) {
	maker := v.DefiningOp()
	if maker == nil {
		return nil, ""
	}
	if _, ranked := ir.ShapeOf(v.Type()); !ranked {
		return maker, "makes a tensor whose rank isn't known"
	}
	if !interfaces.RegionBranch.Has(maker) {
		if maker.NumResults() > 1 {
			return maker, "has several results, so that it isn't computed in tiles"
		}
		if !isPlace(v) && !isTiled(maker) {
			return maker, "isn't computed in tiles"
		}
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		user := u.Owner()
		for user.Parent() != nil && interfaces.Structured.Has(user.Parent()) {
			user = user.Parent()
		}
		switch {
		case user.Has(ir.TraitTerminator):
			return user, "needs all of it"
		case interfaces.Structured.Has(user) && user.NumResults() == 1 && !readsRows(user, v):
			return user, "needs all of it at once"
		}
	}
	return nil, ""
}

// isTiled tells whether an operation can be computed row by row.
func isTiled(op *ir.Op) bool {
	for _, dim := range dimensions(op) {
		if nodeOf(op, dim) != nil {
			return true
		}
	}
	return false
}

// readsRows tells whether an operation can read a tensor row by row, or has it for a destination whose contents don't matter.
func readsRows(op *ir.Op, v *ir.Value) bool {
	for _, dim := range dimensions(op) {
		n := nodeOf(op, dim)
		if n == nil {
			continue
		}
		for _, r := range n.reads {
			if r.value == v {
				return true
			}
		}
		for i, place := range n.place {
			if place && op.Operand(i) == v {
				return true
			}
		}
	}
	return false
}
