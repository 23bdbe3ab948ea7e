package tflite_test

import (
	"strings"
	"testing"

	"freehold/transform/import/tflite/model"
)

// Of a stream of sound, what an execution makes depends on those before.
func TestStreams(t *testing.T) {
	i16 := func(shape ...int64) model.Tensor { return tensor(model.Int16, shape...) }
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i8 := func(zero int64, shape ...int64) model.Tensor { return with(tensor(model.Int8, shape...), 0.5, zero) }
	truth := tensor(model.Bool)
	for _, tt := range []struct {
		name          string
		file          []byte
		arg           string
		first, second string
	}{
		{"two samples later", custom("SignalDelay", map[string]float64{"delay_length": 2}, []model.Tensor{i16(3)}, i16(3)), "[1,2,3]", "0 0 1", "2 3 1"},
		{"longer than a frame", custom("SignalDelay", map[string]float64{"delay_length": 5}, []model.Tensor{i16(1, 3)}, i16(1, 3)), "[[1,2,3]]", "0 0 0", "0 0 1"},
		{"at once", custom("SignalDelay", map[string]float64{"delay_length": 0}, []model.Tensor{i16(2)}, i16(2)), "[1,2]", "1 2", "1 2"},
		{"frames that overlap", custom("SignalFramer", map[string]float64{"frame_size": 4, "frame_step": 2, "prefill": 1}, []model.Tensor{i16(2, 4), truth}, i16(4)),
			"[1,2,3,4]", "0 0 1 2 1 2 3 4|true", "3 4 1 2 1 2 3 4|true"},
		{"frames that aren't complete yet", custom("SignalFramer", map[string]float64{"frame_size": 3, "frame_step": 2, "prefill": 0}, []model.Tensor{i16(1, 3), truth}, i16(2)),
			"[1,2]", "0 0 1|false", "1 2 1|true"},
		{"frames without overlap", custom("SignalFramer", map[string]float64{"frame_size": 2, "frame_step": 2, "prefill": 0}, []model.Tensor{i16(2, 1, 2), truth}, i16(2, 2)),
			"[[1,2],[3,4]]", "1 2 3 4|true", "1 2 3 4|true"},
		{"sums where frames overlap", custom("SignalOverlapAdd", map[string]float64{"frame_step": 2}, []model.Tensor{i16(4)}, i16(2, 3)), "[[1,2,3],[10,20,30]]", "1 2 13 20", "31 2 13 20"},
		{"sums within limits", custom("SignalOverlapAdd", map[string]float64{"frame_step": 1}, []model.Tensor{i16(2)}, i16(2, 2)), "[[1,32000],[1000,5]]", "1 32767", "6 32767"},
		{"sums of numbers", custom("SignalOverlapAdd", map[string]float64{"frame_step": 1}, []model.Tensor{f(2, 1)}, f(2, 1, 2)), "[[[0.5,1]],[[0.25,2]]]", "0.5 0.25", "1.5 2.25"},
		{"frames with their neighbours", custom("SignalStacker", map[string]float64{"num_channels": 2, "stacker_left_context": 1, "stacker_right_context": 1, "stacker_step": 2},
			[]model.Tensor{i16(6), truth}, i16(2)), "[5,6]", "5 6 5 6 0 0|false", "5 6 5 6 5 6|true"},
		{"the last inputs", custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 1}, []model.Tensor{i8(7, 1, 3, 1, 2)}, i8(7, 1, 1, 1, 2)), "[[[[1,2]]]]",
			"7 7 7 7 1 2", "7 7 1 2 1 2"},
		{"the last inputs, with a period", custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 2}, []model.Tensor{i8(0, 1, 2, 1, 1), truth}, i8(0, 1, 1, 1, 1)), "[[[[3]]]]",
			"0 3|false", "3 3|true"},
		{"as many as older models keep", custom("CIRCULAR_BUFFER", nil, []model.Tensor{i8(0, 1, 5, 1, 1)}, i8(0, 1, 1, 1, 1)), "[[[[3]]]]", "0 0 0 0 3", "0 0 0 3 3"},
		{"the last input", custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 1}, []model.Tensor{i8(0, 1, 1, 2, 1), truth}, i8(0, 1, 1, 2, 1)), "[[[[3],[4]]]]", "3 4|true", "3 4|true"},
	} {
		execute(t, tt.file, tt.arg)
		first, second := both(t, tt.file, tt.arg)
		if got := strings.Join(first, "|"); got != tt.first {
			t.Errorf("%s: it is %s, and should be %s", tt.name, got, tt.first)
		}
		if got := strings.Join(second, "|"); got != tt.second {
			t.Errorf("%s: then it is %s, and should be %s", tt.name, got, tt.second)
		}
	}
	for _, tt := range []struct {
		file []byte
		want string
	}{
		{custom("SignalFramer", map[string]float64{"frame_size": 2, "frame_step": 3, "prefill": 0}, []model.Tensor{i16(1, 2), truth}, i16(3)), `the option "frame_step" of SignalFramer is 3`},
		{custom("SignalFramer", map[string]float64{"frame_size": 2, "frame_step": 2, "prefill": 0}, []model.Tensor{i16(1, 2), truth}, i16(3)), "the sizes of the tensors of SignalFramer don't go together"},
		{custom("SignalDelay", map[string]float64{"delay_length": 2}, []model.Tensor{f(3)}, f(3)), "SignalDelay from FLOAT32 to FLOAT32 isn't supported"},
		{custom("SignalOverlapAdd", map[string]float64{"frame_step": 1}, []model.Tensor{i16(2)}, i16(2)), "the sizes of the tensors of SignalOverlapAdd don't go together"},
		{custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 3}, []model.Tensor{i8(0, 1, 2, 1, 1)}, i8(0, 1, 1, 1, 1)), "ends an execution before its end, but for every 3-th one"},
		{custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 0}, []model.Tensor{i8(0, 1, 2, 1, 1)}, i8(0, 1, 1, 1, 1)), "but for every 2-th one"},
		{custom("CIRCULAR_BUFFER", nil, []model.Tensor{i8(0, 1, 3, 2, 96), truth}, i8(0, 1, 1, 2, 96)), `CIRCULAR_BUFFER has no option "cycles_max"`},
		{custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 1.5}, []model.Tensor{i8(0, 1, 2, 1, 1)}, i8(0, 1, 1, 1, 1)), `the option "cycles_max" of CIRCULAR_BUFFER is 1.5`},
		{custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 1}, []model.Tensor{i8(0, 1, 2, 1, 1)}, i8(0, 1, 2, 1, 1)), "the sizes of the tensors of CIRCULAR_BUFFER don't go together"},
		{custom("CIRCULAR_BUFFER", map[string]float64{"cycles_max": 1}, []model.Tensor{i16(1, 2, 1, 1)}, i16(1, 1, 1, 1)), "CIRCULAR_BUFFER from INT16 to INT16 isn't supported"},
	} {
		if got := message(t, tt.file); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
}
