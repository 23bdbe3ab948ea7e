package main

import (
	"strings"
	"testing"

	"freehold/golden"
	"freehold/interp"
	"freehold/ir"
)

// The scripts of the tool's packages run it: go test ./mytool -run Scripts/sat -update puts
// what it prints into those of sat.
func TestMain(m *testing.M) { golden.Main(m, map[string]func(){"mytool": main}) }

func TestScripts(t *testing.T) { golden.Run(t, "..") }

// The operations of sat execute, on tensors and, bufferized, on buffers.
func TestExecution(t *testing.T) {
	s := tool().NewSession()
	p, err := s.Parse([]byte(`func.func @f() -> tensor<3xi32> {
  %t = arith.constant dense<[5, -7, 100]> : tensor<3xi32>
  %l = arith.constant 6 : i32
  %0 = sat.clamp %t, %l : tensor<3xi32>
  return %0 : tensor<3xi32>
}`), "f.mlir")
	if err != nil {
		t.Fatal(err)
	}
	run := func(when string) {
		t.Helper()
		fn := ir.LookupSymbol(p.Module, s.Context.SymbolRef("f"))
		res, err := interp.Run(p.Module, fn, nil, interp.Options{})
		if err != nil || len(res.Values) != 1 || !strings.Contains(res.Values[0].Text(), "5, -7, 6") {
			t.Errorf("%s: %v, %v", when, res, err)
		}
	}
	run("on tensors")
	const pipeline = "builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline)"
	if err := p.Run(pipeline); err != nil {
		t.Fatal(err)
	}
	run("on buffers")
}
