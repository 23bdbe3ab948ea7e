package main

import (
	"strings"
	"testing"

	"freehold/driver"
	"freehold/driver/scripttest"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// The scripts of the tool's packages run it: go test ./mytool -run Scripts/sat -update puts
// what it prints into those of sat.
var commands = map[string]scripttest.Command{"mytool": run}

func TestMain(m *testing.M) { scripttest.Main(m, commands) }

func TestScripts(t *testing.T) { scripttest.Run(t, "..", commands) }

// The definitions of the tool's dialects are sound.
func TestDialects(t *testing.T) { scripttest.Dialects(t, tool().Dialects...) }

// The operations of sat execute, on tensors and, bufferized, on buffers.
func TestExecution(t *testing.T) {
	p, s := parse(t, `func.func @f() -> tensor<3xi32> {
  %t = arith.constant dense<[5, -7, 100]> : tensor<3xi32>
  %l = arith.constant 6 : i32
  %0 = sat.clamp %t, %l : tensor<3xi32>
  return %0 : tensor<3xi32>
}`)
	execute(t, p, s, "5, -7, 6")
	bufferize(t, p)
	execute(t, p, s, "5, -7, 6")
}

// Sets of bits are found again in their buffers, and all of these are freed, as the check proves as well.
func TestSets(t *testing.T) {
	p, s := parse(t, `func.func @f() -> vector<3xi1> {
  %c3 = arith.constant 3 : index
  %c70 = arith.constant 70 : index
  %0 = bits.empty : !bits.set<100>
  %1 = bits.insert %c70 into %0 : !bits.set<100>
  %2 = bits.insert %c3 into %1 : !bits.set<100>
  %3 = bits.contains %1, %c3 : !bits.set<100>
  %4 = bits.contains %2, %c3 : !bits.set<100>
  %5 = bits.contains %2, %c70 : !bits.set<100>
  %6 = vector.from_elements %3, %4, %5 : vector<3xi1>
  return %6 : vector<3xi1>
}`)
	bufferize(t, p)
	execute(t, p, s, "[false, true, true]")
	if r := check.Module(p.Module, check.Options{}); !r.Safe() {
		t.Error(r.Findings, r.Unjudged)
	}
}

// The check judges programs with operations of sat by the rules that these state: one that was deallocated is right, and
// there is a certificate; one that frees nothing, and one that frees too early, are wrong.
func TestCheck(t *testing.T) {
	p, _ := parse(t, `func.func @f(%l: i32) -> i32 {
  %i = arith.constant 1 : index
  %t = arith.constant dense<[5, -7, 100]> : tensor<3xi32>
  %0 = sat.clamp %t, %l : tensor<3xi32>
  %1 = tensor.extract %0[%i] : tensor<3xi32>
  return %1 : i32
}`)
	bufferize(t, p)
	r, proof, err := check.Certify(p.Module, check.Options{})
	if !r.Safe() || err != nil {
		t.Fatal(r.Findings, r.Unjudged, err)
	}
	if err := verify.Program(p.Module, proof, 0); err != nil {
		t.Error(err)
	}

	for _, test := range []struct{ free, want string }{
		{"", "leak: the buffer allocated here is not freed"},
		{"memref.dealloc %m : memref<3xi32>", "use after free: the buffer was freed before"},
	} {
		p, _ := parse(t, `func.func @f(%l: i32) {
  %m = memref.alloc() : memref<3xi32>
  `+test.free+`
  sat.clamp_buffer %m, %l : memref<3xi32>
  return
}`)
		r := check.Module(p.Module, check.Options{})
		if len(r.Findings) != 1 || r.Findings[0].Diagnostic.Message != test.want {
			t.Errorf("%v, %v; want %s", r.Findings, r.Unjudged, test.want)
		}
	}
}

func parse(t *testing.T, text string) (*driver.Program, *driver.Session) {
	t.Helper()
	s := tool().NewSession()
	p, err := s.Parse([]byte(text), "f.mlir")
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

func bufferize(t *testing.T, p *driver.Program) {
	t.Helper()
	const pipeline = "builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline)"
	if err := p.Run(pipeline); err != nil {
		t.Fatal(err)
	}
}

// execute executes @f, whose only result must contain the text.
func execute(t *testing.T, p *driver.Program, s *driver.Session, want string) {
	t.Helper()
	fn := ir.LookupSymbol(p.Module, s.Context.SymbolRef("f"))
	res, err := interp.Run(p.Module, fn, nil, interp.Options{})
	if err != nil || len(res.Values) != 1 || !strings.Contains(res.Values[0].Text(), want) {
		t.Errorf("%v, %v; want %s", res, err, want)
	}
	if err == nil && len(res.Findings) > 0 {
		t.Errorf("findings: %v", res.Findings)
	}
}
