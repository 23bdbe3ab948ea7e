package explain

import (
	"fmt"
	"strings"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// argument is an argument of a function.
type argument struct {
	function string
	number   int
}

// keepsInSource notes the arguments of which the program says itself that they may not be written; of others, the pipeline says it.
func (t *tracer) keepsInSource(fn *ir.Op) {
	if !interfaces.Function.Has(fn) || fn.BodyBlock(0) == nil {
		return
	}
	name, _ := ir.SymbolName(fn)
	for i := range fn.BodyBlock(0).NumArgs() {
		if isFalse(interfaces.ArgAttr(fn, i, bufferization.WritableAttr)) {
			t.keeps[argument{name, i}] = true
		}
	}
}

func isFalse(a ir.Attribute) bool {
	w, ok := a.(*ir.IntegerAttr)
	return ok && w.Value == 0
}

// argumentAdvice returns what would let an argument be written.
func (t *tracer) argumentAdvice(arg *ir.Value) []Advice {
	fn := interfaces.OwnerOf(arg)
	name, _ := ir.SymbolName(fn)
	called := ""
	if p := t.place(arg).Name; strings.HasPrefix(p, "%") {
		called = " " + p
	}
	switch {
	case t.keeps[argument{name, arg.Index()}]:
		return []Advice{{Kind: "attribute", Text: fmt.Sprintf("drop `%s = false` from the argument%s, if callers don't need its old contents", bufferization.WritableAttr, called),
			change: change{kind: setWritable, op: fn.Loc(), index: arg.Index()}}}
	case !isFalse(interfaces.ArgAttr(fn, arg.Index(), bufferization.WritableAttr)):
		return []Advice{{Kind: "option", Name: "bufferize-function-boundaries", Text: "bufferize functions with their arguments, which may then be written"}}
	}
	writable := Advice{Kind: "attribute", Text: fmt.Sprintf("say `%s = true` of the argument%s, if callers don't need its old contents", bufferization.WritableAttr, called),
		change: change{kind: setWritable, op: fn.Loc(), index: arg.Index()}}
	if n := resultFrom(fn, arg); n >= 0 {
		return []Advice{
			{Kind: "attribute", Text: fmt.Sprintf("say `tf.aliasing_output = %d : i32` of the argument%s, if callers give its buffer away for result %d", n, called, n),
				change: change{kind: donate, op: fn.Loc(), index: arg.Index(), result: n}},
			writable,
			{Kind: "drop", Text: fmt.Sprintf("compile with `--arguments overwrite --drop-equivalent-results`, if callers may find result %d in the argument", n)},
		}
	}
	return []Advice{writable}
}

// resultFrom returns the number of the result that an argument becomes, changed in place; -1 if there is none.
func resultFrom(fn *ir.Op, arg *ir.Value) int {
	ret := interfaces.UniqueTerminator(fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
	if ret == nil {
		return -1
	}
	for i, v := range ret.Operands().Values() {
		if v.Type() == arg.Type() && startOf(v) == arg {
			return i
		}
	}
	return -1
}

// startOf returns the tensor that another one is made of in place, by operations that overwrite it, loops and branches; the tensor itself if it isn't one alone. It takes
// time linear in the number of those.
func startOf(v *ir.Value) *ir.Value {
	sources := analysis.Sources(v, func(x *ir.Value) []*ir.Value {
		from, known := analysis.PassedTo(x)
		if u := interfaces.TiedInit(x); !known && u != nil {
			from = []*ir.Value{u.Value()}
		}
		return from
	})
	if len(sources) != 1 {
		return v
	}
	return sources[0]
}
