package interp_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/ir"
)

// notExecuted lists the operations without a way to execute them, with the reason.
// Dialects that are not listed execute all their operations.
var notExecuted = map[string]string{
	"async":                         "work that goes on at the same time is only described",
	"check.expect_almost_eq_const":  "--stablehlo-to-linalg makes a constant of the expectation before anything is executed",
	"check.expect_eq_const":         "--stablehlo-to-linalg makes a constant of the expectation before anything is executed",
	"chlo":                          "--stablehlo-to-linalg makes other operations of it before anything is executed",
	"gpu":                           "memory of another device is only described, and what happens to it when isn't known",
	"llvm":                          "its memory has addresses and no types, which checked memory does not have",
	"quant":                         "--lower-quant makes other operations of it before anything is executed",
	"stablehlo":                     "--stablehlo-to-linalg makes other operations of it before anything is executed",
	"tosa":                          "--lower-tosa makes other operations of it before anything is executed",
	"transform":                     "scripts are interpreted by --transform-interpreter, and are no part of the program",
	"linalg.contract":               "linalg.generic is read for it",
	"linalg.elementwise":            "linalg.generic is read for it",
	"ml_program.global_load_graph":  "operations of graphs have no order but that of tokens",
	"ml_program.global_store_graph": "operations of graphs have no order but that of tokens",
	"ml_program.token":              "operations of graphs have no order but that of tokens",
	"sdy":                           "--stablehlo-to-linalg makes one device's program of it before anything is executed",
	"sparse_tensor":                 "sparse tensors are described, not computed with",
	"vhlo":                          "it is there in files only, and what is read is stablehlo",
	"vector.reshape":                "no description says which element goes where",
	"vector.type_cast":              "memory of vectors is kept apart from memory of their elements",
	"vector.warp_execute_on_lane_0": "only the threads of a GPU that run at the same time give it a meaning",
}

// TestCoverage keeps the list of operations that can't be executed.
func TestCoverage(t *testing.T) {
	found := map[string]bool{}
	for _, n := range ir.NewContext(dialect.All()...).OpNames() {
		if exec.Covers(n) {
			continue
		}
		name := n.String()
		found[name] = true
		prefix, _, _ := strings.Cut(name, ".")
		if prefix == "test" {
			continue // operations with regions that mean nothing
		}
		if notExecuted[name] == "" && notExecuted[prefix] == "" {
			t.Errorf("%s can't be executed, and no reason is listed", name)
		}
	}
	for name := range notExecuted {
		if strings.Contains(name, ".") && !found[name] {
			t.Errorf("%s can be executed, but is listed as if it couldn't", name)
		}
	}
}
