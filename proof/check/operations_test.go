package check

import (
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/semantics"
)

// withoutRules are the operations of the dialects in scope that have no rule.
var withoutRules = map[string]string{
	"affine.dma_start memref.dma_start affine.dma_wait memref.dma_wait":                                                                                "the copy goes on after the operation",
	"bufferization.alloc_tensor bufferization.dealloc_tensor bufferization.materialize_in_destination bufferization.to_memref bufferization.to_tensor": "tensors",
	"linalg.winograd_filter_transform linalg.winograd_input_transform linalg.winograd_output_transform":                                                "tensors",
	"shape.from_extent_tensor shape.to_extent_tensor shape.value_of shape.value_as_shape shape.with_shape":                                             "tensors",
	"shape.func shape.function_library shape.return":                                                                                                   "shape functions, which are inlined first",
	"linalg.contract linalg.elementwise":                                                                                                               "linalg.generic is read for them",
	"ub.unreachable":                                                                                                                                   "control never comes there",
	"vector.warp_execute_on_lane_0":                                                                                                                    "what its region returns is distributed over threads",
}

// onTensors are the dialects whose operations need no rules: they are about tensors, which are bufferized before buffers are
// judged.
var onTensors = strings.Fields("tensor tosa")

// Each operation of the dialects in scope has a rule, or a reason to have none, and each
// rule is for an operation.
func TestRulesAreComplete(t *testing.T) {
	excused := map[string]bool{}
	for names := range withoutRules {
		for _, name := range strings.Fields(names) {
			excused[name] = true
		}
	}
	scope := strings.Fields("affine arith bufferization builtin cf complex deallocation func index linalg math memref scf shape ub vector")
	all := map[string]bool{}
	for _, op := range ir.NewContext(dialect.All()...).OpNames() {
		name := op.String()
		all[name] = true
		_, states := semantics.Stated.OfName(op)
		switch known := opRules()[name] != nil; {
		case known && states:
			t.Errorf("%s states a rule, but has one in the table", name)
		case known && slices.Contains(onTensors, op.Dialect().Name):
			t.Errorf("%s has a rule, but is about tensors", name)
		case known && excused[name]:
			t.Errorf("%s has a rule after all", name)
		case !known && !states && !excused[name] && slices.Contains(scope, op.Dialect().Name):
			t.Errorf("%s has no rule", name)
		}
	}
	for name := range opRules() {
		if !all[name] {
			t.Errorf("there is a rule for %s, which doesn't exist", name)
		}
	}
	for name := range excused {
		if !all[name] {
			t.Errorf("%s doesn't exist", name)
		}
	}
}

// Where the effects of an operation are the same for all instances, they are those of its
// rule.
func TestRulesHaveTheEffects(t *testing.T) {
	compared := 0
	for _, op := range ir.NewContext(dialect.All()...).OpNames() {
		r := opRules()[op.String()]
		if r == nil {
			continue
		}
		m, ok := interfaces.MemoryEffects.OfName(op)
		if !ok {
			if r.reads != nil || r.writes != nil || r.destination || r.does == allocates || r.does == reserves {
				t.Errorf("%s: a rule about memory, but no effects", op)
			}
			continue
		}
		effects, fixed := fixedEffects(m)
		if !fixed {
			continue
		}
		compared++
		var reads, writes []int
		var allocated, onStack, freed bool
		for _, e := range effects {
			for i := range 4 {
				switch e {
				case interfaces.OnOperand(interfaces.Read, i):
					reads = append(reads, i)
				case interfaces.OnOperand(interfaces.Write, i):
					writes = append(writes, i)
				}
			}
			allocated = allocated || e == interfaces.OnResult(interfaces.Allocate, 0)
			onStack = onStack || e == interfaces.OnResult(interfaces.Allocate, 0).In(interfaces.AutomaticAllocationScopeResource)
			freed = freed || e.Kind == interfaces.Free
		}
		if !slices.Equal(reads, r.reads) || !slices.Equal(writes, r.writes) {
			t.Errorf("%s: reads %v and writes %v, but the rule says: %s", op, reads, writes, r)
		}
		// A reallocation is a rule of its own.
		if freed != (r.does == frees) || (allocated && !freed) != (r.does == allocates) || onStack != (r.does == reserves) {
			t.Errorf("%s: allocates %t, on the stack %t, frees %t, but the rule says: %s", op, allocated, onStack, freed, r)
		}
	}
	if compared < 15 {
		t.Errorf("only %d operations have fixed effects", compared)
	}
}

// fixedEffects returns the effects that a model gives without looking at the operation.
func fixedEffects(m interfaces.EffectsModel) (effects []interfaces.Effect, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return m((*ir.Op)(nil)), true
}
