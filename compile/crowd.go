package compile

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/tile"
)

// crowd returns a diagnostic at the operation at which an attempt needs most, with what is alive there as notes, while it is still tensors.
func (f *fitter) crowd(a *trial) *ir.Diagnostic {
	o := f.Options
	o.fitting = a.fitting
	module := ir.CloneDetached(f.normal.ordered.module)
	if a.tiles {
		module = ir.CloneDetached(f.normal.tiled)
	}
	if manager, err := f.Registry.ParsePipeline(pipeline(o.onTensors())); err == nil {
		run := pass.Runner{Text: func([]byte) {}}
		f.out.remember(manager, f.orderingIn(manager))
		// Without what fails here, compilation would have failed before.
		_ = run.Run(manager, module)
	}
	out := module.Errorf("")
	var most int64
	_ = schedule.Visit(module, func(g *schedule.Graph) (int64, error) {
		peak, at := g.PeakAsWritten()
		if at < 0 || peak <= most {
			return peak, nil
		}
		most = peak
		out = g.Ops[min(at, len(g.Ops)-1)].Errorf("")
		alive := g.Alive(at)
		slices.SortStableFunc(alive, func(x, y schedule.Alive) int { return cmp.Compare(y.Bytes, x.Bytes) })
		for _, x := range alive[:min(len(alive), mostNamed)] {
			out = out.WithNote(x.Tensor.Loc(), "%s makes a %s that is alive then", nameOf(x.Tensor), describe(x))
			if op, why := tile.Obstacle(x.Tensor); op != nil {
				out = out.WithNote(op.Loc(), "'%s' %s", op.Name(), why)
			}
		}
		return peak, nil
	})
	return out
}

// mostNamed bounds how many tensors are named.
const mostNamed = 5

// describe says how large a tensor is, or of which type it is if that isn't known.
func describe(x schedule.Alive) string {
	if shape, ranked := ir.ShapeOf(x.Tensor.Type()); ranked && ir.IsStaticShape(shape) {
		return "tensor of " + footprint.Bytes(x.Bytes)
	}
	return x.Tensor.Type().String()
}

func nameOf(v *ir.Value) string {
	if op := v.DefiningOp(); op != nil {
		return "'" + op.Name() + "'"
	}
	return "the block"
}

// onTensors returns the steps between those that all ways share and bufferization.
func (o Options) onTensors() []Step {
	_, steps := o.splitSteps()
	i := slices.IndexFunc(steps, func(s Step) bool { return s.Name == "bufferize" })
	return steps[:max(i, 0)]
}
