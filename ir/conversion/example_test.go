package conversion_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// A program on i64 becomes one on i32: a type converter says so, a pattern rewrites
// operations given converted operands, and functions get other signatures. What can't be
// converted stays, since the conversion is partial, and gets casts.
func ExamplePartial() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i64) -> i64 {
  %y = arith.addi %x, %x : i64
  %z = arith.muli %y, %y : i64
  return %z : i64
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	types := conversion.NewTypeConverter()
	types.AddOneToOne(func(t ir.Type) ir.Type {
		if t == ir.I64 {
			return ir.I32
		}
		return t
	})
	cast := func(b *ir.Builder, t ir.Type, inputs []*ir.Value, _ ir.Location) *ir.Value {
		return builtin.NewUnrealizedConversionCast(b, []ir.Type{t}, inputs...).Result(0)
	}
	types.AddMaterialization(conversion.SourceMaterialization, cast)
	types.AddMaterialization(conversion.TargetMaterialization, cast)
	add := conversion.Pattern(rewrite.Pattern{Root: arith.AddI}, types, func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
		r.Replace(op, arith.New(r.Builder, arith.AddI, operands.Values()...))
		return true
	})
	target := conversion.NewTarget()
	target.Dynamic(func(op *ir.Op) conversion.Legality { return conversion.Legalized(types.IsLegalOp(op)) }, arith.AddI)
	if err := conversion.Partial(module, target, rewrite.NewPatternSet(c, []rewrite.Pattern{add}), conversion.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i64) -> i64 {
	//     %0 = builtin.unrealized_conversion_cast %arg0 : i64 to i32
	//     %1 = arith.addi %0, %0 : i32
	//     %2 = builtin.unrealized_conversion_cast %1 : i32 to i64
	//     %3 = arith.muli %2, %2 : i64
	//     return %3 : i64
	//   }
	// }
}
