package naive

import (
	"math/big"

	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// iterate calls fn for lower, lower+step, ... below upper, as signed numbers. The first that isn't below must be one of w bits, too.
func (f *frame) iterate(op *ir.Op, lower, upper, step *big.Int, w int, fn func(i *big.Int)) {
	if step.Sign() <= 0 {
		f.wrong(op, Unspecified, "a step that is not positive")
	}
	if lower.Cmp(upper) < 0 {
		distance := new(big.Int).Sub(upper, lower)
		over := new(big.Int).Mod(new(big.Int).Neg(distance), step)
		if end := new(big.Int).Add(upper, over); signed(wrap(new(big.Int).Set(end), w), w).Cmp(end) != 0 {
			f.wrong(op, Unspecified, "a counter that passes the end of its type")
		}
	}
	for i := new(big.Int).Set(lower); i.Cmp(upper) < 0; i = new(big.Int).Add(i, step) {
		if f.steps--; f.steps < 0 {
			panic(ErrSteps)
		}
		fn(i)
	}
}

// nest calls fn for all points of several dimensions, the last one fastest.
func (f *frame) nest(op *ir.Op, lower, upper, step []int64, fn func(ivs []any)) {
	var walk func(ivs []any)
	walk = func(ivs []any) {
		d := len(ivs)
		if d == len(lower) {
			fn(ivs)
			return
		}
		f.iterate(op, big.NewInt(lower[d]), big.NewInt(upper[d]), big.NewInt(step[d]), 64, func(i *big.Int) {
			walk(append(append([]any(nil), ivs...), wrap(new(big.Int).Set(i), 64)))
		})
	}
	walk(nil)
}

func loopOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"func.call": func(f *frame, op *ir.Op) {
			m, _ := interfaces.Call.Of(op)
			ref, _ := m.Callee(op)
			args := f.all(op)
			defined := func(values []any) []any {
				for _, v := range values {
					if v == (Undefined{}) {
						f.wrong(op, Uninitialized, "an undefined number is passed to a function, or returned")
					}
				}
				return values
			}
			f.setAll(op, defined(f.call(ir.LookupSymbol(op, ref), defined(args))))
		},
		"ub.poison": func(f *frame, op *ir.Op) {
			t := op.Result(0).Type()
			if shape, ok := ir.ShapeOf(t); ok && ir.IsShaped(t) {
				f.set(op, 0, undefined(ir.ElementType(t), shape))
				return
			}
			f.set(op, 0, Undefined{})
		},
		"llvm.unreachable": func(f *frame, op *ir.Op) { f.wrong(op, Unspecified, "control gets where it must not") },
		"cf.assert": func(f *frame, op *ir.Op) {
			if f.integer(op, 0).Sign() == 0 {
				f.wrong(op, Assertion, "an assertion fails")
			}
		},
		"linalg.index": func(f *frame, op *ir.Op) {
			f.set(op, 0, big.NewInt(f.index[len(f.index)-1][attrInt(op, "dim")]))
		},
		"scf.for": func(f *frame, op *ir.Op) {
			w := width(op.Operand(0).Type())
			bound := func(i int) *big.Int { return signed(f.integer(op, i), w) }
			carried := f.all(op)[3:]
			f.iterate(op, bound(0), bound(1), bound(2), w, func(i *big.Int) {
				carried = f.region(op.RegionAt(0), append([]any{wrap(new(big.Int).Set(i), w)}, carried...))
			})
			f.setAll(op, carried)
		},
		"scf.if": func(f *frame, op *ir.Op) {
			k := 0
			if f.integer(op, 0).Sign() == 0 {
				k = 1
			}
			if r := op.RegionAt(k); !r.Empty() {
				f.setAll(op, f.region(r, nil))
			}
		},
		"scf.while": func(f *frame, op *ir.Op) {
			args := f.all(op)
			for {
				out := f.region(op.RegionAt(0), args)
				if f.defined(op, out[0]).Sign() == 0 {
					f.setAll(op, out[1:])
					return
				}
				args = f.region(op.RegionAt(1), out[1:])
			}
		},
		"scf.execute_region": func(f *frame, op *ir.Op) { f.setAll(op, f.region(op.RegionAt(0), nil)) },
		"scf.index_switch": func(f *frame, op *ir.Op) {
			k := 0
			for i, v := range interfaces.StaticInts(op, "cases") {
				if v == f.number(op, op.Operand(0)) {
					k = i + 1
					break
				}
			}
			f.setAll(op, f.region(op.RegionAt(k), nil))
		},
		// The reductions of a parallel loop take place when its body ends.
		"scf.parallel": func(f *frame, op *ir.Op) {
			o := scf.ParallelOp{Op: op}
			totals := []any{}
			for _, u := range o.Inits() {
				totals = append(totals, f.get(u.Value()))
			}
			f.nest(op, f.numbers(op, o.LowerBounds().Values()), f.numbers(op, o.UpperBounds().Values()), f.numbers(op, o.Steps().Values()), func(ivs []any) {
				yields := f.region(op.RegionAt(0), ivs)
				reduce := op.BodyBlock(0).Last()
				for i := range totals {
					totals[i] = f.region(reduce.RegionAt(i), []any{totals[i], yields[i]})[0]
				}
			})
			f.setAll(op, totals)
		},
		// The iterations run one after the other, and insert into what they share.
		"scf.forall": func(f *frame, op *ir.Op) {
			o := scf.ForallOp{Op: op}
			args := o.OutputArgs()
			for i, u := range o.Outputs() {
				f.values[args[i]] = f.get(u.Value())
			}
			f.nest(op, f.mixed(op, o.LowerBounds()), f.mixed(op, o.UpperBounds()), f.mixed(op, o.Steps()), func(ivs []any) {
				f.region(op.RegionAt(0), ivs)
			})
			for i, a := range args {
				f.set(op, i, f.values[a])
			}
		},
		"scf.forall.in_parallel": func(f *frame, op *ir.Op) {
			for insert := range op.BodyBlock(0).Ops() {
				dst := insert.Operand(1)
				f.values[dst] = f.inserted(insert)
			}
		},
	}
}
