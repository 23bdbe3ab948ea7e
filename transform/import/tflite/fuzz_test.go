package tflite_test

import (
	"errors"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// importing reads a model, whatever it is; it may be refused, but nothing may crash.
func importing(t *testing.T, s *driver.Session, file []byte) {
	_, err := s.Parse(file, "model.tflite")
	var crash *ir.CrashError
	if errors.As(err, &crash) {
		t.Errorf("%q: %v\n%s", file, crash, crash.Stack)
	}
}

func FuzzImport(f *testing.F) {
	image := model.Tensor{Name: "image", Type: model.Int8, Shape: []int64{1, 2, 2, 3}, Scale: []float32{1}, ZeroPoint: []int64{-3}}
	filter := model.Tensor{Name: "filter", Type: model.Int8, Shape: []int64{2, 1, 1, 3}, Data: make([]byte, 6), Scale: []float32{1, 2}, ZeroPoint: []int64{0, 0}}
	out := model.Tensor{Name: "out", Type: model.Int8, Shape: []int64{1, 2, 2, 2}, Scale: []float32{1}, ZeroPoint: []int64{0}}
	for _, code := range []string{"CONV_2D", "SOFTMAX", "TRANSPOSE", "IF", "READ_VARIABLE", "STRIDED_SLICE", "LOG_SOFTMAX", "SCATTER_ND", "RANGE", "WHERE", "LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "RFFT2D", "NON_MAX_SUPPRESSION_V4", "DENSIFY"} {
		f.Add(tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{image, filter, out}, Inputs: []int32{0}, Outputs: []int32{2},
			Operators: []tflitegen.Operator{{Code: code, Inputs: []int32{0, 1, -1}, Outputs: []int32{2}, Options: []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}}}}))
	}
	for name, options := range map[string]map[string]float64{"SignalRfft": {"fft_length": 8}, "SignalPCAN": {"snr_shift": 3},
		"TFLite_Detection_PostProcess": {"max_detections": 1, "max_classes_per_detection": 1, "num_classes": 1, "y_scale": 1, "x_scale": 1, "h_scale": 1, "w_scale": 1}} {
		f.Add(tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{image, filter, out}, Inputs: []int32{0}, Outputs: []int32{2},
			Operators: []tflitegen.Operator{{Code: "CUSTOM", Custom: name, CustomOptions: tflitegen.Flexbuffer(options), Inputs: []int32{0, 1, 1}, Outputs: []int32{2}}}}))
	}
	// One session for all: to make one takes longer than to read a small model.
	session := driver.Freehold().NewSession()
	f.Fuzz(func(t *testing.T, file []byte) { importing(t, session, file) })
}
