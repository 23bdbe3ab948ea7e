package tflite

import (
	"freehold/dialect/tensor"
	"freehold/ir"
)

// reshape gives the elements of a tensor another shape with as many elements.
func (f *function) reshape(v *ir.Value, shape []int64) *ir.Value {
	return tensor.NewStaticReshape(f.b, v, shape)
}

// reshapeKernel is RESHAPE and what else only changes the shape. The sizes in the file decide, as in TensorFlow Lite Micro.
func reshapeKernel(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != out.Type {
		return k.unsupported()
	}
	if ir.ElementCount(in.Shape) != ir.ElementCount(out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err == nil {
		k.result(0, k.reshape(v, out.Shape))
	}
	return err
}
