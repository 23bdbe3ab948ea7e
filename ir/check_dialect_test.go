package ir_test

import (
	"fmt"
	"slices"
	"testing"

	"freehold/ir"
)

var (
	checkedA = ir.NewInterface[int]("A")
	checkedB = ir.NewInterface[int]("B")
)

// op returns a definition that says nothing but its name and models.
func op(name string, models ...ir.Model) *ir.OpDef {
	return &ir.OpDef{ID: ir.NewOpID(name), Models: models}
}

func TestCheckDialect(t *testing.T) {
	var any ir.TypeConstraint
	d := &ir.Dialect{
		Name:   "my",
		Models: []ir.Model{checkedA.Model(1), {}, checkedA.Model(2)},
		Types:  []*ir.TypeDef{{Mnemonic: "t", Models: []ir.Model{checkedB.Model(1), checkedB.Model(1)}}, {Mnemonic: "t"}, {}},
		Ops: func() []*ir.OpDef {
			return []*ir.OpDef{
				op("my.a", checkedA.Model(1), checkedB.Model(1), checkedA.Model(2)), op("my.a"), op("zzz.foo"), op("my."), op("my"), {},
				{
					ID:        ir.NewOpID("my.b"),
					Operands:  []ir.OperandDef{{Name: "x", Type: any, Segments: "sizes"}, ir.Operand("x", any), ir.Operand("", any)},
					Results:   []ir.ResultDef{ir.Result("r", any), ir.Result("r", any)},
					Attrs:     []ir.AttrDef{{Name: "n"}, {Name: "n"}},
					Traits:    ir.TraitAttrSizedOperandSegments | ir.TraitAttrSizedResultSegments | ir.TraitConstantLike,
					TypeRules: []ir.TypeRule{{Same: []string{"x", "y"}, Summary: "x is like y"}, {From: "x", To: "z", Transform: func(t ir.Type) ir.Type { return t }}, {Summary: "all is well"}},
				},
				{
					ID:        ir.NewOpID("my.good"),
					Operands:  []ir.OperandDef{ir.Operand("x", any)},
					Results:   []ir.ResultDef{ir.Result("r", any)},
					TypeRules: []ir.TypeRule{{Same: []string{"$x", "r"}}, {Check: func(*ir.Op) bool { return true }}},
				},
			}
		},
	}
	var got []string
	for _, err := range ir.CheckDialect(d) {
		got = append(got, err.Error())
	}
	want := []string{
		`dialect "my": model 1 is of no interface`,
		`dialect "my": A is implemented twice`,
		`type "my.t": B is implemented twice`,
		`type "my.t": it is defined twice`,
		`type "my.": a name is empty`,
		`operation "my.a": A is implemented twice`,
		`operation "my.a": it is defined twice`,
		`operation "zzz.foo": the name doesn't start with that of its dialect, "my"`,
		`operation "my.": the name doesn't start with that of its dialect, "my"`,
		`operation "my": the name doesn't start with that of its dialect, "my"`,
		`dialect "my": operation 5: it has no identity`,
		`operation "my.b": operand "x": the attribute "sizes" with the sizes of its lists is not declared`,
		`operation "my.b": two operands are called "x"`,
		`operation "my.b": two results are called "r"`,
		`operation "my.b": two attributes are called "n"`,
		`operation "my.b": the attribute "operandSegmentSizes" with the sizes of groups is not declared`,
		`operation "my.b": the attribute "resultSegmentSizes" with the sizes of groups is not declared`,
		`operation "my.b": a constant must have no operands, one result, and an attribute that is its value`,
		`operation "my.b": a type rule is about "y", which is not declared (x is like y)`,
		`operation "my.b": a type rule is about "z", which is not declared ()`,
		`operation "my.b": a type rule demands nothing (all is well)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if got := ir.CheckDialect(&ir.Dialect{Name: "my.own"}); len(got) != 1 || got[0].Error() != `dialect "my.own": the name must be a word without dots` {
		t.Error(got)
	}
}

// Contradictions that registering and loading see in passing are errors of the program, as a pass is that
// is registered twice.
func TestRegistrationPanics(t *testing.T) {
	a, b := checkedA.Model(1), checkedB.Model(1)
	mine := op("my.a", a)
	dialect := func() *ir.Dialect {
		return &ir.Dialect{Name: "my", Types: []*ir.TypeDef{{Mnemonic: "t", Models: []ir.Model{a}}}, Ops: func() []*ir.OpDef { return []*ir.OpDef{mine} }}
	}
	for want, register := range map[string]func(){
		`ir: two dialects are called "my"`: func() { ir.NewContext(dialect(), dialect()) },
		`ir: operation "zzz.foo" is defined in dialect "my"`: func() {
			ir.NewContext(&ir.Dialect{Name: "my", Ops: func() []*ir.OpDef { return []*ir.OpDef{op("zzz.foo")} }}).OpNames()
		},
		`ir: operation "my.a" is defined twice`: func() {
			ir.NewContext(&ir.Dialect{Name: "my", Ops: func() []*ir.OpDef { return []*ir.OpDef{op("my.a"), op("my.a")} }}).OpNames()
		},
		`ir: "my.b" implements A twice`: func() {
			ir.NewContext(&ir.Dialect{Name: "my", Ops: func() []*ir.OpDef { return []*ir.OpDef{op("my.b", a, b, a)} }}).OpNames()
		},
		`ir: "my.t" implements B twice`: func() {
			ir.NewContext(&ir.Dialect{Name: "my", Types: []*ir.TypeDef{{Mnemonic: "t", Models: []ir.Model{b, b}}}})
		},
		`ir: a model of B is attached to "my.a" twice`: func() {
			c := ir.NewContext(dialect())
			c.Attach(mine.ID, b)
			c.Attach(mine.ID, b)
		},
		`ir: operation "other.a" is not registered in this context`: func() { ir.NewContext(dialect()).Attach(ir.NewOpID("other.a"), b) },
		`ir: operation "my.b" is not registered in this context`: func() {
			c := ir.NewContext(dialect())
			c.Attach(ir.NewOpID("my.b"), b)
			c.OpNames()
		},
		`ir: a model of B is attached to "!my.t" twice`: func() {
			c := ir.NewContext(dialect())
			c.AttachToType("my", "t", b)
			c.AttachToType("my", "t", a, b)
		},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			}()
			register()
		}()
	}

	// A dialect may be registered again, and a model take the place of the definition's.
	d := dialect()
	c := ir.NewContext(d, d)
	c.Register(d)
	c.Attach(mine.ID, checkedA.Model(2))
	c.AttachToType("my", "t", checkedA.Model(2))
	if n, ok := checkedA.OfName(c.OpNameOf(mine.ID)); n != 2 || !ok {
		t.Errorf("the attached model is %d", n)
	}
}
