// Transformer prints a decoder of the Llama family as an MLIR program on tensors:
// layers of attention (with rotary position embedding and a causal mask) and of a
// gated feed-forward network (SwiGLU), each on normalised input (RMSNorm) and added
// to it. It shows how programs are built with freehold's Go API, and makes
// programs of any size to bufferize:
//
//	go run ./examples/transformer > transformer.mlir
//	freehold run --random transformer.mlir
//	go run ./examples/transformer -layers 32 -dim 4096 -heads 32 -seq 2048 -ffn 11008 |
//	    freehold compile -
//
// The function takes the embedded tokens and the weights, and returns the
// normalised output of the last layer.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	"freehold/dialect"
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/linalg"
	dmath "freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// config is the size of a model.
type config struct {
	layers, dim, heads, seq, ffn int64
}

func (c config) check() error {
	switch {
	case c.layers < 1 || c.dim < 1 || c.heads < 1 || c.seq < 1 || c.ffn < 1:
		return fmt.Errorf("all sizes must be positive")
	case c.dim%c.heads != 0 || c.dim/c.heads%2 != 0:
		return fmt.Errorf("the size of a head, dim/heads, must be an even number")
	}
	return nil
}

func main() {
	var c config
	flag.Int64Var(&c.layers, "layers", 2, "number of layers")
	flag.Int64Var(&c.dim, "dim", 32, "size of the embedding")
	flag.Int64Var(&c.heads, "heads", 4, "number of attention heads")
	flag.Int64Var(&c.seq, "seq", 16, "number of tokens")
	flag.Int64Var(&c.ffn, "ffn", 64, "size of the feed-forward network's hidden layer")
	flag.Parse()
	if err := c.check(); err != nil {
		fmt.Fprintln(os.Stderr, "transformer:", err)
		os.Exit(1)
	}
	module := build(c)
	if err := ir.Verify(module); err != nil {
		fmt.Fprintln(os.Stderr, "transformer:", err)
		os.Exit(1)
	}
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{}))
}

// model builds the operations of a model.
type model struct {
	config
	*ir.Builder
	zero *ir.Value
}

// weights are the weights of a layer.
type weights struct {
	attnNorm, wq, wk, wv, wo, ffnNorm, gate, up, down *ir.Value
}

// build returns a module with the function @transformer.
func build(c config) *ir.Op {
	ctx := ir.NewContext(dialect.All()...)
	m := &model{config: c, Builder: ir.NewBuilder(ctx)}
	module := builtin.NewModule(m.Builder)

	vector, square := m.tensor(c.dim), m.tensor(c.dim, c.dim)
	layer := []ir.Type{vector, square, square, square, square, vector, m.tensor(c.dim, c.ffn), m.tensor(c.dim, c.ffn), m.tensor(c.ffn, c.dim)}
	inputs := []ir.Type{m.tensor(c.seq, c.dim)}
	for range c.layers {
		inputs = append(inputs, layer...)
	}
	inputs = append(inputs, vector)

	fn := funcd.New(m.Builder, "transformer", ctx.Function(inputs, inputs[:1]))
	module.BodyBlock(0).Append(fn)
	entry := funcd.AddEntryBlock(fn)
	m.SetEnd(entry)
	m.zero = arith.ConstantFloat(m.Builder, ir.F32, 0)
	args := entry.Args()
	x, args := args[0], args[1:]
	for range c.layers {
		w := args[:len(layer)]
		x = m.layer(x, weights{w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]})
		args = args[len(layer):]
	}
	funcd.NewReturn(m.Builder, m.rmsNorm(x, args[0]))
	return module
}

// layer adds attention and the feed-forward network to x.
func (m *model) layer(x *ir.Value, w weights) *ir.Value {
	x = m.add(x, m.attention(m.rmsNorm(x, w.attnNorm), w))
	return m.add(x, m.feedForward(m.rmsNorm(x, w.ffnNorm), w))
}

// rmsNorm divides each row by the root of the mean of its squares, and multiplies
// it by the scale.
func (m *model) rmsNorm(x, scale *ir.Value) *ir.Value {
	b := m.Builder
	n := arith.ConstantFloat(b, ir.F32, float64(m.dim))
	epsilon := arith.ConstantFloat(b, ir.F32, 1e-5)
	squares := m.generic("ij,i", "pr", []*ir.Value{x}, m.zeros(m.seq), func(v []*ir.Value) *ir.Value {
		return arith.New(b, arith.AddF, v[1], arith.New(b, arith.MulF, v[0], v[0]))
	})
	return m.generic("ij,i,j,ij", "pp", []*ir.Value{x, squares, scale}, m.empty(m.seq, m.dim), func(v []*ir.Value) *ir.Value {
		mean := arith.New(b, arith.DivF, v[1], n)
		root := dmath.New(b, dmath.Rsqrt, arith.New(b, arith.AddF, mean, epsilon))
		return arith.New(b, arith.MulF, arith.New(b, arith.MulF, v[0], root), v[2])
	})
}

// attention is the output projection of all heads.
func (m *model) attention(x *ir.Value, w weights) *ir.Value {
	b := m.Builder
	head := m.dim / m.heads
	q := m.rotate(m.split(m.matmul(x, w.wq)))
	k := m.rotate(m.split(m.matmul(x, w.wk)))
	v := m.split(m.matmul(x, w.wv))

	scale := arith.ConstantFloat(b, ir.F32, 1/math.Sqrt(float64(head)))
	least := arith.ConstantFloat(b, ir.F32, math.Inf(-1))
	products := m.generic("hid,hjd,hij", "pprp", []*ir.Value{q, k}, m.zeros(m.heads, m.seq, m.seq), func(v []*ir.Value) *ir.Value {
		return arith.New(b, arith.AddF, v[2], arith.New(b, arith.MulF, v[0], v[1]))
	})
	// No token sees those after it.
	scores := m.generic("hij", "ppp", nil, products, func(v []*ir.Value) *ir.Value {
		visible := arith.NewCmpI(b, arith.ULE, m.index(2), m.index(1))
		return arith.NewSelect(b, visible, arith.New(b, arith.MulF, v[0], scale), least)
	})
	greatest := m.generic("hij,hi", "ppr", []*ir.Value{scores}, m.fill(least, m.heads, m.seq), func(v []*ir.Value) *ir.Value {
		return arith.New(b, arith.MaximumF, v[1], v[0])
	})
	exps := m.generic("hi,hij", "ppp", []*ir.Value{greatest}, scores, func(v []*ir.Value) *ir.Value {
		return dmath.New(b, dmath.Exp, arith.New(b, arith.SubF, v[1], v[0]))
	})
	sums := m.generic("hij,hi", "ppr", []*ir.Value{exps}, m.zeros(m.heads, m.seq), func(v []*ir.Value) *ir.Value {
		return arith.New(b, arith.AddF, v[1], v[0])
	})
	probabilities := m.generic("hi,hij", "ppp", []*ir.Value{sums}, exps, func(v []*ir.Value) *ir.Value {
		return arith.New(b, arith.DivF, v[1], v[0])
	})
	mixed := linalg.NewNamed(b, linalg.BatchMatmul, []*ir.Value{probabilities, v},
		[]*ir.Value{m.zeros(m.heads, m.seq, head)}).Result(0)
	return m.matmul(m.join(mixed), w.wo)
}

// feedForward is (silu(x gate) * x up) down.
func (m *model) feedForward(x *ir.Value, w weights) *ir.Value {
	b := m.Builder
	one := arith.ConstantFloat(b, ir.F32, 1)
	gate, up := m.matmul(x, w.gate), m.matmul(x, w.up)
	hidden := m.generic("ij,ij", "pp", []*ir.Value{up}, gate, func(v []*ir.Value) *ir.Value {
		e := dmath.New(b, dmath.Exp, arith.New(b, arith.NegF, v[1]))
		silu := arith.New(b, arith.DivF, v[1], arith.New(b, arith.AddF, one, e))
		return arith.New(b, arith.MulF, silu, v[0])
	})
	return m.matmul(hidden, w.down)
}

// split turns seq x dim into heads x seq x head.
func (m *model) split(x *ir.Value) *ir.Value {
	head := m.dim / m.heads
	parts := tensor.NewExpandShape(m.Builder, m.tensor(m.seq, m.heads, head), x, [][]int64{{0}, {1, 2}},
		[]shapes.OpFoldResult{shapes.ConstSize(m.seq), shapes.ConstSize(m.heads), shapes.ConstSize(head)})
	return m.transpose(parts, m.empty(m.heads, m.seq, head))
}

// join is the inverse of split.
func (m *model) join(x *ir.Value) *ir.Value {
	parts := m.transpose(x, m.empty(m.seq, m.heads, m.dim/m.heads))
	return tensor.NewCollapseShape(m.Builder, parts, [][]int64{{0}, {1, 2}})
}

// transpose swaps the first two dimensions.
func (m *model) transpose(x, init *ir.Value) *ir.Value {
	return linalg.NewTranspose(m.Builder, x, init, []int64{1, 0, 2}).Result(0)
}

// rotate turns each pair of elements, one from either half of a head, by an angle
// that is proportional to the position.
func (m *model) rotate(x *ir.Value) *ir.Value {
	b := m.Builder
	half := m.dim / m.heads / 2
	slice := func(offset int64) shapes.Slice {
		consts := func(v ...int64) (out []shapes.OpFoldResult) {
			for _, n := range v {
				out = append(out, shapes.ConstSize(n))
			}
			return out
		}
		return shapes.Slice{Offsets: consts(0, 0, offset), Sizes: consts(m.heads, m.seq, half), Strides: consts(1, 1, 1)}
	}
	lo, hi := tensor.NewExtractSlice(b, nil, x, slice(0)), tensor.NewExtractSlice(b, nil, x, slice(half))
	// The angle at position s for pair j is s * 10000^(-j/half).
	rate := arith.ConstantFloat(b, ir.F32, -math.Log(10000)/float64(half))
	turn := func(first, second *ir.Value, sign *ir.OpID) *ir.Value {
		return m.generic("hsj,hsj,hsj", "ppp", []*ir.Value{first, second}, m.empty(m.heads, m.seq, half), func(v []*ir.Value) *ir.Value {
			position, pair := m.number(m.index(1)), m.number(m.index(2))
			frequency := dmath.New(b, dmath.Exp, arith.New(b, arith.MulF, pair, rate))
			angle := arith.New(b, arith.MulF, position, frequency)
			return arith.New(b, sign, arith.New(b, arith.MulF, v[0], dmath.New(b, dmath.Cos, angle)),
				arith.New(b, arith.MulF, v[1], dmath.New(b, dmath.Sin, angle)))
		})
	}
	newLo, newHi := turn(lo, hi, arith.SubF), turn(hi, lo, arith.AddF)
	out := tensor.NewInsertSlice(b, newLo, m.empty(m.heads, m.seq, 2*half), slice(0))
	return tensor.NewInsertSlice(b, newHi, out, slice(half))
}

// number converts an index to a floating-point number.
func (m *model) number(v *ir.Value) *ir.Value {
	i := arith.NewCast(m.Builder, arith.IndexCast, ir.I64, v)
	return arith.NewCast(m.Builder, arith.SIToFP, ir.F32, i)
}

// index returns the index of an iteration dimension in the body of a generic.
func (m *model) index(dim int64) *ir.Value {
	return m.CreateOp(linalg.Index, nil, nil, ir.NamedAttr{Name: "dim", Value: m.Context().I64Attr(dim)}).Result(0)
}

func (m *model) add(x, y *ir.Value) *ir.Value {
	return linalg.NewNamed(m.Builder, linalg.Add, []*ir.Value{x, y}, []*ir.Value{m.emptyLike(x)}).Result(0)
}

func (m *model) matmul(x, y *ir.Value) *ir.Value {
	rows, _ := ir.ShapeOf(x.Type())
	columns, _ := ir.ShapeOf(y.Type())
	return linalg.NewNamed(m.Builder, linalg.Matmul, []*ir.Value{x, y}, []*ir.Value{m.zeros(rows[0], columns[1])}).Result(0)
}

func (m *model) tensor(sizes ...int64) *ir.RankedTensorType {
	return m.Context().RankedTensor(sizes, ir.F32)
}

func (m *model) empty(sizes ...int64) *ir.Value {
	return tensor.NewEmptyOf(m.Builder, m.tensor(sizes...), nil)
}

func (m *model) emptyLike(x *ir.Value) *ir.Value {
	return tensor.NewEmptyOf(m.Builder, x.Type(), nil)
}

func (m *model) fill(v *ir.Value, sizes ...int64) *ir.Value {
	return linalg.NewFill(m.Builder, v, m.empty(sizes...)).Result(0)
}

func (m *model) zeros(sizes ...int64) *ir.Value { return m.fill(m.zero, sizes...) }

// generic creates a linalg.generic. The subscripts name the dimensions of each
// input and of the init, as in "ij,j,ij"; dimensions are numbered in the order in
// which they appear. The kinds are p for parallel and r for reduction.
func (m *model) generic(subscripts, kinds string, inputs []*ir.Value, init *ir.Value, body func(v []*ir.Value) *ir.Value) *ir.Value {
	c := m.Context()
	dims := map[rune]int{}
	lists := [][]*ir.AffineExpr{nil}
	for _, r := range subscripts {
		if r == ',' {
			lists = append(lists, nil)
			continue
		}
		if _, ok := dims[r]; !ok {
			dims[r] = len(dims)
		}
		lists[len(lists)-1] = append(lists[len(lists)-1], c.AffineDim(dims[r]))
	}
	maps := make([]*ir.AffineMap, len(lists))
	for i, l := range lists {
		maps[i] = c.AffineMap(len(dims), 0, l...)
	}
	iterators := make([]interfaces.Iterator, len(kinds))
	for i, k := range kinds {
		if k == 'r' {
			iterators[i] = interfaces.Reduction
		}
	}
	return linalg.NewGeneric(m.Builder, inputs, []*ir.Value{init}, maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{body(args)}
	}).Result(0)
}
