package vhlo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// Version is a version of StableHLO, for which an artifact is written.
type Version struct{ Major, Minor, Patch int }

// Oldest is the first version that has artifacts, and Current the last one that is known here.
var Oldest, Current = Version{0, 9, 0}, Version{1, 21, 0}

// ParseVersion reads 1.0.0, or current. It is an error if there are no artifacts of the version.
func ParseVersion(s string) (Version, error) {
	if s == "current" {
		return Current, nil
	}
	var v Version
	for i, part := range strings.SplitN(s, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 1<<16 {
			return v, fmt.Errorf("%s is no version of StableHLO, such as 1.0.0", s)
		}
		*[]*int{&v.Major, &v.Minor, &v.Patch}[i] = n
	}
	if strings.Count(s, ".") != 2 || v.before(Oldest) || Current.before(v) {
		return v, fmt.Errorf("there are no artifacts for StableHLO %s, but for %s to %s", s, Oldest, Current)
	}
	return v, nil
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

func (v Version) before(w Version) bool {
	return slices.Compare([]int{v.Major, v.Minor, v.Patch}, []int{w.Major, w.Minor, w.Patch}) < 0
}

// Producer is the name under which an artifact of the version is written.
func (v Version) Producer() string { return "StableHLO_v" + v.String() }

// Bytecode is the version of MLIR's bytecode that readers of the version know.
func (v Version) Bytecode() int {
	switch {
	case v.before(Version{0, 10, 0}):
		return 0
	case v.before(Version{0, 14, 0}):
		return 1
	case v.before(Version{0, 15, 0}):
		return 4
	}
	return 6
}

// introduced is the version that has an operation first. The others are there from the beginning.
var introduced = map[*ir.OpID]Version{
	stablehlo.CollectiveBroadcast: {0, 16, 0}, stablehlo.Composite: {0, 19, 0}, stablehlo.Tan: {1, 4, 0}, stablehlo.AsyncStart: {1, 15, 0}, stablehlo.AsyncDone: {1, 15, 0},
}

// secondSince is the version that has the second version of an operation, if that isn't the one that has accuracies of results.
var secondSince = map[*ir.OpID]Version{
	stablehlo.DynamicConv: {0, 20, 0}, stablehlo.Gather: {1, 1, 0}, stablehlo.DynamicGather: {1, 1, 0}, stablehlo.Scatter: {1, 1, 0},
	stablehlo.AllGather: {1, 5, 0}, stablehlo.AllReduce: {1, 5, 0}, stablehlo.AllToAll: {1, 5, 0}, stablehlo.DotGeneral: {1, 6, 0}, stablehlo.Exponential: {1, 9, 0},
	stablehlo.Send: {1, 12, 0}, stablehlo.Recv: {1, 12, 0}, stablehlo.Composite: {1, 14, 0}, stablehlo.CustomCall: {1, 18, 0}, stablehlo.CollectiveBroadcast: {1, 20, 0},
}

// typesSince is the version that has a type first. The others are there from the beginning.
var typesSince = map[string]Version{
	"f8E4M3FNUZ_v1": {0, 10, 0}, "f8E5M2FNUZ_v1": {0, 10, 0}, "f8E4M3B11FNUZ_v1": {0, 11, 0}, "quant_per_axis_v1": {0, 18, 0}, "i2_v1": {1, 2, 0}, "ui2_v1": {1, 2, 0},
	"none_v1": {1, 6, 0}, "tf31_v1": {1, 6, 0}, "f8E4M3_v1": {1, 7, 0}, "f8E3M4_v1": {1, 7, 0}, "f4E2M1FN_v1": {1, 8, 0}, "f6E2M3FN_v1": {1, 8, 0},
	"f6E3M2FN_v1": {1, 8, 0}, "f8E8M0FNU_v1": {1, 8, 0}, "buffer_v1": {1, 13, 0}, "future_v1": {1, 15, 0},
}

// since is the version that has the second version of an operation.
func since(id *ir.OpID) Version {
	if v, ok := secondSince[id]; ok {
		return v
	}
	return Version{1, 10, 0}
}

// least is the first version of StableHLO that has all that a version of an operation says.
func least(op *ir.Op, version int) Version {
	v := introduced[op.ID()]
	need := func(w Version) {
		if v.before(w) {
			v = w
		}
	}
	if version > 1 {
		need(since(op.ID()))
	}
	if _, ok := op.Attr("backend_config").(*ir.DictAttr); ok {
		need(Version{1, 3, 0})
	}
	if promotes(op) {
		need(Version{0, 17, 0})
	}
	return v
}

// promotes tells whether an operation that combines elements does so in a type other than theirs.
func promotes(op *ir.Op) bool {
	if !slices.Contains([]*ir.OpID{stablehlo.AllReduce, stablehlo.Reduce, stablehlo.ReduceScatter, stablehlo.ReduceWindow, stablehlo.Scatter}, op.ID()) {
		return false
	}
	args := op.RegionAt(0).Entry().Args()
	return len(args) > 0 && op.NumOperands() > 0 && ir.ElementType(args[0].Type()) != ir.ElementType(op.Operand(0).Type())
}
