package index

import (
	"freehold/exec"
	"freehold/ir"
)

// elementwise returns how an operation computes its result. An index has 64 bits.
func elementwise(op string) exec.ScalarModel {
	switch op {
	case "index.add":
		return always(exec.Add(64))
	case "index.sub":
		return always(exec.Sub(64))
	case "index.mul":
		return always(exec.Mul(64))
	case "index.divs":
		return always(exec.DivS(64))
	case "index.divu":
		return always(exec.DivU(64))
	case "index.ceildivs":
		return always(exec.CeilDivS(64))
	case "index.ceildivu":
		return always(exec.CeilDivU(64))
	case "index.floordivs":
		return always(exec.FloorDivS(64))
	case "index.rems":
		return always(exec.RemS(64))
	case "index.remu":
		return always(exec.RemU(64))
	case "index.maxs":
		return always(exec.MaxS(64))
	case "index.maxu":
		return always(exec.MaxU(64))
	case "index.mins":
		return always(exec.MinS(64))
	case "index.minu":
		return always(exec.MinU(64))
	case "index.shl":
		return always(exec.Shl(64))
	case "index.shrs":
		return always(exec.ShrS(64))
	case "index.shru":
		return always(exec.ShrU(64))
	case "index.and":
		return always(exec.And(64))
	case "index.or":
		return always(exec.Or(64))
	case "index.xor":
		return always(exec.Xor(64))
	case "index.casts", "index.castu":
		bySign := op == "index.casts"
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			return exec.Resize(exec.Width(in[0]), exec.Width(out), bySign), true
		}
	case "index.cmp":
		return func(op *ir.Op, _ []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			p, ok := op.Attr("pred").(*ir.EnumAttr)
			if !ok || p.Value > uint64(exec.UGE) {
				return exec.Scalar{}, false
			}
			// The numbers of the predicates are the same.
			return exec.Compare(exec.Predicate(p.Value), 64), true
		}
	}
	return nil
}

func always(s exec.Scalar) exec.ScalarModel {
	return func(*ir.Op, []ir.Type, ir.Type) (exec.Scalar, bool) { return s, true }
}

func execute(op string) exec.Model {
	if op != "index.sizeof" {
		return nil
	}
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		c.Constant(op.Result(0), uint64(64))
		return nil, nil
	}
}
