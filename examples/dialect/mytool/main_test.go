package main

import (
	"bytes"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/interp"
	"freehold/ir"
)

// opt runs the tool on a program and returns what it prints, and its messages.
func opt(t *testing.T, program string, args ...string) (out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	driver.Main(tool(), args, driver.Streams{In: strings.NewReader(program), Out: &stdout, Err: &stderr})
	return stdout.String(), stderr.String()
}

func TestTool(t *testing.T) {
	const clamps = `func.func @f(%t: tensor<4xi32>, %limit: i32) -> tensor<4xi32> {
  %0 = sat.clamp %t, %limit : tensor<4xi32>
  %1 = sat.clamp %0, %limit : tensor<4xi32>
  return %1 : tensor<4xi32>
}
`
	const bufferize = "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
	for _, test := range []struct {
		name, program string
		args          []string
		out, messages string // parts of what is printed
	}{
		{"syntax", clamps, nil, "%1 = sat.clamp %0, %arg1 : tensor<4xi32>", ""},
		{"verifier", `func.func @f(%t: tensor<i32>, %l: i32) { %0 = sat.clamp %t, %l : tensor<i32> return }`, nil, "",
			"'sat.clamp' op expects a tensor with dimensions"},
		{"pattern", clamps, []string{"--canonicalize"}, "%0 = sat.clamp %arg0, %arg1 : tensor<4xi32>\n    return %0", ""},
		{"fold", `func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %l = arith.constant 2147483647 : i32
  %0 = sat.clamp %t, %l : tensor<4xi32>
  return %0 : tensor<4xi32>
}`, []string{"--canonicalize"}, "return %arg0", ""},
		{"bufferization", clamps, []string{"--canonicalize", bufferize},
			"sat.clamp_buffer %arg0, %arg1 : memref<4xi32>\n    return %arg0 : memref<4xi32>", ""},
		{"pass", clamps, []string{"--annotate-cost"}, "attributes {mytool.cost = 8 : i64}", ""},
		{"option", clamps, []string{"--annotate-cost=attribute=work.done"}, "attributes {work.done = 8 : i64}", ""},
		{"statistics", clamps, []string{"--annotate-cost", "--mlir-pass-statistics"}, "", "(S) 2 counted"},
		{"attached models", `func.func @f(%a: memref<3x5xf32>, %b: memref<3x5xf32>) {
  memref.copy %a, %b : memref<3x5xf32> to memref<3x5xf32>
  return
}`, []string{"--annotate-cost"}, "mytool.cost = 15 : i64", ""},
		{"help", "", []string{"--help"}, "Write to each function how many elements", ""},
		{"version", "", []string{"--version"}, "mytool 1.0", ""},
	} {
		out, messages := opt(t, test.program, test.args...)
		if !strings.Contains(out, test.out) || !strings.Contains(messages, test.messages) || test.messages == "" && messages != "" {
			t.Errorf("%s: prints\n%s\n%s", test.name, out, messages)
		}
	}
}

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
