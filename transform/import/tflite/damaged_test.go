package tflite_test

import (
	"slices"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// seeds are models of several operators each, of all kinds.
func seeds() [][]byte {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i8 := func(shape ...int64) model.Tensor { return with(tensor(model.Int8, shape...), 1, -3) }
	conv := []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}
	return [][]byte{
		counting(),
		single("CONV_2D", conv, i8(1, 2, 2, 2), i8(1, 2, 2, 3), model.Tensor{Type: model.Int8, Shape: []int64{2, 1, 1, 3}, Data: make([]byte, 6), Scale: []float32{1, 2}, ZeroPoint: []int64{0, 0}}),
		single("DEPTHWISE_CONV_2D", conv, f(1, 2, 2, 3), f(1, 2, 2, 3), constant(f(1, 1, 1, 3), floats(1, 2, 3)), constant(f(3), floats(1, 2, 3))),
		single("FULLY_CONNECTED", nil, i8(1, 2), i8(1, 3), constant(with(tensor(model.Int8, 2, 3), 1, 0), make([]byte, 6))),
		single("STRIDED_SLICE", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2, 2), f(2, 4), indices(9, 1), indices(2, 4), indices(1, 2)),
		single("SOFTMAX", []tflitegen.Option{{Field: 0, Value: float32(1)}}, with(tensor(model.Int8, 1, 3), 1.0/256, -128), i8(1, 3)),
		single("MEAN", nil, i8(1), i8(1, 4), indices(1)),
		single("RESIZE_BILINEAR", []tflitegen.Option{{Field: 3, Value: true}}, f(1, 1, 4, 1), f(1, 1, 2, 1), indices(1, 4)),
		single("SPACE_TO_BATCH_ND", nil, f(2, 2, 1), f(1, 3, 1), indices(2), constant(tensor(model.Int32, 1, 2), int32s(1, 0))),
		single("GATHER", []tflitegen.Option{{Field: 0, Value: int32(1)}, {Field: 1, Value: int32(1)}}, f(2, 1), f(2, 3), tensor(model.Int32, 2, 1)),
		single("LOG_SOFTMAX", nil, with(tensor(model.Int8, 1, 3), 16.0/256, 127), i8(1, 3)),
		single("ONE_HOT", nil, f(2, 3), tensor(model.Int32, 2), scalar(3), f(), f()),
		single("RANGE", nil, f(3), f(), f(), f()),
		single("SCATTER_ND", nil, f(2, 2), tensor(model.Int32, 1, 1), f(1, 2), indices(2, 2)),
		single("SPARSE_TO_DENSE", nil, f(2, 2), tensor(model.Int32, 2, 2), indices(2, 2), f(2), f()),
		single("UNSORTED_SEGMENT_MAX", nil, f(2, 2), f(3, 2), tensor(model.Int32, 3), scalar(2)),
		single("REVERSE_SEQUENCE", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2, 3), f(2, 3), tensor(model.Int32, 2)),
		single("MATRIX_SET_DIAG", nil, f(2, 3), f(2, 3), f(2)),
		single("BUCKETIZE", []tflitegen.Option{{Field: 0, Value: []float32{0, 1}}}, tensor(model.Int32, 2), f(2)),
		single("LOCAL_RESPONSE_NORMALIZATION", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(1, 1, 1, 3), f(1, 1, 1, 3)),
		tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(2, 4), scalar(2), f(2, 2), tensor(model.Int32, 2, 2)}, Inputs: []int32{0}, Outputs: []int32{2, 3},
			Operators: []tflitegen.Operator{{Code: "TOPK_V2", Inputs: []int32{0, 1}, Outputs: []int32{2, 3}}}}),
		scaledLayer{batches: 1, steps: 2, depth: 2, cells: 2, outputs: 1, coupled: true, peepholes: true, projected: true, normed: true, intermediates: 5}.model(),
		operator("NON_MAX_SUPPRESSION_V5", nil, []model.Tensor{tensor(model.Int32, 2), f(2), tensor(model.Int32)}, f(3, 4), f(3), scalar(2), constant(f(), floats(0.5)),
			constant(f(), floats(0.25)), constant(f(), floats(0.5))),
		single("REDUCE_WINDOW", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2), f(5), f(), constant(tensor(model.Int64, 1), int64s(2)),
			constant(tensor(model.Int64, 1), int64s(2)), constant(tensor(model.Int64, 1), int64s(2))),
		single("STABLEHLO_PAD", []tflitegen.Option{{Field: 0, Value: []int64{1}}, {Field: 1, Value: []int64{-1}}, {Field: 2, Value: []int64{1}}}, f(5), f(3), f()),
		pools("MaxPoolingWithArgmax2D", []int64{1, 2, 2, 2, 2, 0}, []model.Tensor{f(1, 1, 2, 1), f(1, 1, 2, 1)}, f(1, 2, 3, 1)),
		pools("MaxUnpooling2D", []int64{1, 2, 2, 2, 2, 0}, []model.Tensor{f(1, 2, 4, 1)}, f(1, 1, 2, 1), f(1, 1, 2, 1)),
		landmarks(map[string]float64{"left_rotation_idx": 0, "right_rotation_idx": 1, "output_width": 8, "output_height": 4, "scale_x": 1.5, "scale_y": 2}, []int64{0, 1, 2}),
		choice([]int32{1, 2}),
		scattered("STABLEHLO_ADD"),
		single("STABLEHLO_GATHER", []tflitegen.Option{{Field: 0, Value: []int64{1}}, {Field: 1, Value: []int64{0}}, {Field: 2, Value: []int64{0, 1}}, {Field: 3, Value: int64(1)},
			{Field: 4, Value: []int64{1, 2}}}, f(2, 2), f(2, 3), tensor(model.Int32, 2, 2)),
		single("CONCATENATION", []tflitegen.Option{{Field: 0, Value: int32(-1)}}, f(2, 3), f(2, 1), f(2, 2)),
		single("BATCH_MATMUL", nil, f(1, 2, 2), f(1, 2, 2), f(2, 2)),
		single("TRANSPOSE_CONV", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}}, f(1, 1, 4, 1), indices(1, 1, 4, 1), constant(f(1, 1, 2, 1), floats(1, 10)), f(1, 1, 2, 1)),
	}
}

// No model that is cut off, or in which a byte is another one, crashes the importer, and what is imported is valid.
func TestDamaged(t *testing.T) {
	session := driver.Freehold().NewSession()
	for i, file := range seeds() {
		for n := i; n < len(file); n += 13 {
			for _, x := range []byte{0, 2, 0xff} {
				damaged := slices.Clone(file)
				damaged[n] = x
				importing(t, session, damaged)
			}
			importing(t, session, file[:n])
			if t.Failed() {
				return
			}
		}
	}
}
