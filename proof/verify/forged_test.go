package verify_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/certificate"
	"freehold/proof/verify"
)

const loopProgram = `func.func @f(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}`

const blocksProgram = `func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head
^head:
  cf.cond_br %c, ^head, ^end
^end:
  memref.dealloc %a : memref<4xf32>
  return
}`

const ownerProgram = `func.func private @g(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @g(%a) : (memref<4xf32>) -> ()
  return
}`

const borrowerProgram = `func.func private @g(%m: memref<4xf32>) {
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @g(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}`

// lifeProgram frees a buffer twice: the second boolean tells whether it lives, the first one is what it was.
const lifeProgram = `func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %true, %c = %true) -> (i1, i1) {
    %gone = arith.xori %b, %true : i1
    scf.if %gone {
      memref.dealloc %a : memref<4xf32>
    }
    scf.if %c {
      memref.dealloc %a : memref<4xf32>
    }
    scf.yield %false, %false : i1, i1
  }
  scf.if %r#1 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}`

// countedProgram frees a buffer in the first iteration, or after the loop if there was none.
const countedProgram = `func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.dealloc %a : memref<4xf32>
    }
  }
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}`

// Certificates that somebody made up to be believed. The first of the lines with want empty
// shows that the rest would do.
func TestForged(t *testing.T) {
	rightLoop := "function @f\nloop 4\ncarries 0 to own:0 entry:0\nlives new3 is !c0=own4@0\n"
	tryForged(t, map[string]forged{
		"a loop":                  {loopProgram, rightLoop, ""},
		"nothing about the loop":  {loopProgram, "function @f\n", "loop: value 0 after an iteration"},
		"only what comes later":   {loopProgram, "function @f\nloop 4\ncarries 0 to own:0\nlives new3 is !c0=own4@0\n", "value 0 on entry"},
		"only what is first":      {loopProgram, "function @f\nloop 4\ncarries 0 to entry:0\nlives new3 is !c0=new3\n", "the life of new3 on entry"},
		"a life too long":         {loopProgram, "function @f\nloop 4\ncarries 0 to own:0 entry:0\nlives new3 is true\n", "the life of new3 after an iteration"},
		"what never holds":        {loopProgram, rightLoop + "holds false\n", "condition 0 on entry"},
		"what holds at first":     {loopProgram, rightLoop + "holds c0=new3\n", "condition 0 after an iteration"},
		"what the loop makes":     {loopProgram, rightLoop + "holds !live:new6\n", "there is no object new6"},
		"a value of the loop":     {loopProgram, rightLoop + "holds 6:0=new3\n", "means nothing"},
		"a loop without a count":  {loopProgram, "function @f\nunroll 4\n", "it isn't known how often the loop runs"},
		"a buffer that is number": {loopProgram, "function @f\nloop 4\ncarries 0 number\n", "value 0 after an iteration"},
		"a buffer as an address":  {loopProgram, "function @f\nloop 4\ncarries 0 address\n", "nothing is known about a buffer or boolean that is passed"},
		"proofs of nothing":       {loopProgram, rightLoop + "proof 1000\nlemma 1\n", "there are proofs of something else"},

		"a loop that counts":         {countedProgram, "function @f\nloop 4\ncounts\ncarries 0 free\nlives new3 is !c0\n", ""},
		"a loop that doesn't count":  {countedProgram, "function @f\nloop 4\nlives new3 free\n", "double free"},
		"always the first iteration": {countedProgram, "function @f\nloop 4\ncounts\nlives new3 is !c0\n", "value 0 after an iteration"},
		"what counts is a number":    {countedProgram, "function @f\nloop 4\ncounts\ncarries 0 number\nlives new3 free\n", "it isn't known how the loop counts"},
		"a life that counts wrongly": {countedProgram, "function @f\nloop 4\ncounts\ncarries 0 free\nlives new3 is c0\n", "the life of new3 on entry"},
		"a loop that counts in parallel": {"func.func @f(%n: index) {\n  %c1 = arith.constant 1 : index\n  scf.parallel (%i) = (%c1) to (%n) step (%c1) {\n  }\n  return\n}",
			"function @f\nloop 2\ncounts\ncarries 0 free\n", "it isn't known how the loop counts"},

		"blocks":              {blocksProgram, "function @f\nblocks 0.0 0 (1) 2\n", ""},
		"no order":            {blocksProgram, "function @f\n", "there is no order of its blocks"},
		"no loop":             {blocksProgram, "function @f\nblocks 0.0 0 1 2\n", "control doesn't follow the order of its blocks"},
		"the end at first":    {blocksProgram, "function @f\nblocks 0.0 0 2 (1)\n", "control doesn't follow the order of its blocks"},
		"without the end":     {blocksProgram, "function @f\nblocks 0.0 0 (1)\n", "control doesn't follow the order of its blocks"},
		"blocks from nowhere": {blocksProgram, "function @f\nblocks 0.0 0 (1) 2 9\n", "there is no order of its blocks"},
		"an empty loop":       {blocksProgram, "function @f\nblocks 0.0 0 (1 2)\n", ""},

		"an owner":              {ownerProgram, "function @g\nowns 0\nfunction @f\n", ""},
		"an owner is followed":  {ownerProgram, "function @g\nfollowed\nfunction @f\n", ""},
		"no owner":              {ownerProgram, "function @g\nfunction @f\n", "invalid free"},
		"an owner by a boolean": {ownerProgram, "function @g\nowns 0 if 0\nfunction @f\n", "rules for @g that it can't have"},
		"a public function":     {ownerProgram, "function @g\nowns 0\nfunction @f\nfollowed\n", "rules for @f that it can't have"},
		"functions in a row":    {ownerProgram, "function @f\nfunction @g\nowns 0\n", "the certificate is about @f here"},
		"a function less":       {ownerProgram, "function @f\n", "is about 1 functions, not 2"},
		"an owner that isn't":   {borrowerProgram, "function @g\nowns 0\nfunction @f\n", "it leaves a buffer behind"},
		"mentioned": {ownerProgram + "\nfunc.func @h() {\n  %p = func.constant @g : (memref<4xf32>) -> ()\n  return\n}",
			"function @g\nowns 0\nfunction @f\nfunction @h\n", "it mentions @g, which has rules of its own"},
		"without an end": {"func.func private @g() {\n  call @g() : () -> ()\n  call @g() : () -> ()\n  return\n}\nfunc.func @f() {\n  call @g() : () -> ()\n  return\n}",
			"function @g\nfollowed\nfunction @f\n", "the call can't be followed"},
		"returned twice": {"func.func @f() -> (memref<4xf32>, memref<4xf32>) {\n  %a = memref.alloc() : memref<4xf32>\n  return %a, %a : memref<4xf32>, memref<4xf32>\n}",
			"function @f\n", "results 0 and 1 may be the same"},
		"a part": {"func.func @f() -> memref<2xf32> {\n  %a = memref.alloc() : memref<4xf32>\n  %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32>\n  return %v : memref<2xf32>\n}",
			"function @f\n", "result 0 may be a part"},
		"unknown operations": {"func.func @f(%n: i32) {\n  %a = \"x.number\"(%n) : (i32) -> i32\n  %b = \"x.number\"(%a) : (i32) -> i1\n  return\n}", "function @f\n", ""},
		"an unknown end":     {"func.func @f() {\n  \"x.end\"() : () -> ()\n}", "function @f\n", "there is no rule for where it passes control to"},
		"an unknown operation on a buffer": {"func.func @f(%m: memref<4xf32>) {\n  \"x.use\"(%m) : (memref<4xf32>) -> ()\n  return\n}", "function @f\n",
			"there is no rule for what it does with buffers"},
		"a life as it was": {lifeProgram, "function @f\nloop 6\ncarries 0 is live:new5\ncarries 1 free\nlives new5 is c1\n", "double free"},
		"not always":       {"func.func @f(%c: i1) -> i1 {\n  return %c : i1\n}", "function @f\nalways 0 true\n", "result 0 differs"},
	})
}

// forged is a certificate that is refused for a reason, or holds.
type forged struct{ program, lines, want string }

func tryForged(t *testing.T, all map[string]forged) {
	for name, x := range all {
		ctx := ir.NewContext(dialect.All()...)
		ctx.AllowUnregistered = true
		m, err := asm.Parse(ctx, []byte(x.program), "f.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := certificate.Parse("freehold certificate 1\nprogram " + verify.Digest(m) + "\n" + x.lines)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		err = verify.Program(m, c, 1)
		if got := err != nil; got != (x.want != "") || got && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}
