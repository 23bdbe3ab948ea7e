package oneshot_test

import (
	"errors"
	"testing"

	"freehold/ir"
	"freehold/transform/bufferize/oneshot"
)

const stuff = `
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %a = tensor.insert %x into %c[%i] : tensor<4xf32>
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  bufferization.dealloc_tensor %b : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %a, %r : tensor<4xf32>, f32
}`

// Functions of the options replace what bufferization does without them.
func TestOptionFunctions(t *testing.T) {
	identity := func(tensor ir.Type, space ir.Attribute, fn *ir.Op) ir.Type {
		r := tensor.(*ir.RankedTensorType)
		return fn.Context().MemRefOf(r.Shape, r.Elem, nil, space)
	}
	refused := errors.New("refused")
	for _, c := range []struct {
		name string
		set  func(o *oneshot.Options)
		has  string // an operation that there is
		not  string // one that there isn't
		err  string
	}{
		{"defaults", func(*oneshot.Options) {}, "memref.dealloc", "tensor.insert", ""},
		{"filter", func(o *oneshot.Options) {
			o.AllowUnknownOps = true
			o.Filter = func(op *ir.Op) bool { return op.Name() != "tensor.insert" }
		}, "tensor.insert", "tensor.extract", ""},
		{"no deallocation", func(o *oneshot.Options) {
			o.Dealloc = func(*ir.Builder, *ir.Value) error { return nil }
		}, "memref.alloc", "memref.dealloc", ""},
		{"allocation fails", func(o *oneshot.Options) {
			o.Alloc = func(*ir.Builder, *ir.MemRefType, []*ir.Value) (*ir.Value, error) { return nil, refused }
		}, "", "", "refused"},
		{"copy", func(o *oneshot.Options) {
			o.Copy = func(*ir.Builder, *ir.Value, *ir.Value) error { return nil }
		}, "memref.alloc", "memref.copy", ""},
		{"no memory space", func(o *oneshot.Options) {
			o.MemorySpace = func(ir.Type) (ir.Attribute, bool) { return nil, false }
		}, "", "", "could not infer memory space"},
		{"types of functions", func(o *oneshot.Options) {
			o.ConvertFunctionType = identity
		}, "memref.dealloc", "memref.cast", ""},
		{"analysis", func(o *oneshot.Options) {
			o.Analysis = func(*ir.Op, *oneshot.Options) (*oneshot.Plan, error) { return oneshot.NewPlan(), nil }
		}, "memref.store", "memref.copy", ""},
		{"analysis fails", func(o *oneshot.Options) {
			o.Analysis = func(*ir.Op, *oneshot.Options) (*oneshot.Plan, error) { return nil, refused }
		}, "", "", "refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, o := parse(t, stuff), boundaries()
			c.set(o)
			err := oneshot.Run(m, o)
			if c.err != "" {
				var ds ir.Diagnostics
				switch {
				case err == nil:
					t.Fatal("no error")
				case errors.As(err, &ds):
					err = ds[0]
				}
				var d *ir.Diagnostic
				if text := err.Error(); errors.As(err, &d) && d.Message != c.err && text != c.err {
					t.Errorf("the error is %s", d.Message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(m); err != nil {
				t.Fatal(err)
			}
			if len(find(m, c.has)) == 0 {
				t.Errorf("there is no %s", c.has)
			}
			if len(find(m, c.not)) > 0 {
				t.Errorf("there is a %s", c.not)
			}
		})
	}
}

// Where nothing determines the layout of a tensor, a function may.
func TestConvertUnknownType(t *testing.T) {
	const src = `
func.func @f(%i: index) -> f32 {
  %t = "lib.make"() : () -> tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r : f32
}`
	m, o := parse(t, src), oneshot.DefaultOptions()
	o.AllowUnknownOps = true
	want := m.Context().MemRefOf([]int64{4}, ir.F32, nil, m.Context().I64Attr(3))
	o.ConvertUnknownType = func(*ir.Value, ir.Attribute) ir.Type { return want }
	if err := oneshot.Run(m, o); err != nil {
		t.Fatal(err)
	}
	if got := find(m, "memref.load")[0].Operand(0).Type(); got != ir.Type(want) {
		t.Errorf("the type is %s", got)
	}
}
