package tflite_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// detectionOptions are the options of TFLite_Detection_PostProcess, with others in the place of some.
func detectionOptions(others map[string]float64) map[string]float64 {
	out := map[string]float64{"max_detections": 3, "max_classes_per_detection": 1, "num_classes": 2, "nms_score_threshold": 0.25, "nms_iou_threshold": 0.5,
		"y_scale": 1, "x_scale": 1, "h_scale": 1, "w_scale": 1, "use_regular_nms": 0}
	maps.Copy(out, others)
	return out
}

// Of four boxes the second one overlaps the first, which is likelier, and the last one isn't likely enough. One box is of the second class.
func TestDetection(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	anchors := constant(f(4, 4), floats(1, 1, 2, 2, 1, 1.25, 2, 2, 5, 5, 2, 4, 9, 9, 1, 1))
	boxes := "[[[0,0,0,0],[0,0,0,0],[0.5,0,0,0],[0,0,0,0]]]"
	const found = "0 0 2 2 5 3 7 7 0 0 0 0|0 1 0|0.875 0.5 0|2"
	for _, tt := range []struct {
		name    string
		options map[string]float64
		out     []model.Tensor
		scores  string
		want    string
	}{
		{"a class for the background", nil, []model.Tensor{f(1, 3, 4), f(1, 3), f(1, 3), f(1)}, "[[[1,0.875,0],[1,0.75,0.5],[1,0.25,0.5],[1,0.125,0]]]", found},
		{"outputs whose sizes the file leaves out", nil, []model.Tensor{f(), f(), f(), f()}, "[[[1,0.875,0],[1,0.75,0.5],[1,0.25,0.5],[1,0.125,0]]]", found},
		{"two classes of each", map[string]float64{"max_classes_per_detection": 2, "max_detections": 2}, []model.Tensor{f(1, 4, 4), f(1, 4), f(1, 4), f(1)},
			"[[[1,0.875,0.5],[1,0.75,0.5],[1,0.25,0.5],[1,0.125,0]]]", "0 0 2 2 0 0 2 2 5 3 7 7 5 3 7 7|0 1 1 0|0.875 0.5 0.5 0.25|2"},
		{"each class by itself", map[string]float64{"use_regular_nms": 1}, []model.Tensor{f(1, 3, 4), f(1, 3), f(1, 3), f(1)},
			"[[[1,0.875,0],[1,0.75,0.5],[1,0.25,0.5],[1,0.125,0]]]", "0 0 2 2 0 0.25 2 2.25 5 3 7 7|0 1 1|0.875 0.5 0.5|3"},
		{"one box of each class", map[string]float64{"use_regular_nms": 1, "detections_per_class": 1}, []model.Tensor{f(1, 3, 4), f(1, 3), f(1, 3), f(1)},
			"[[[1,0.875,0],[1,0.75,0.5],[1,0.25,0.625],[1,0.125,0]]]", "0 0 2 2 5 3 7 7 0 0 0 0|0 1 0|0.875 0.625 0|2"},
		{"more may overlap", map[string]float64{"nms_iou_threshold": 0.9}, []model.Tensor{f(1, 3, 4), f(1, 3), f(1, 3), f(1)},
			"[[[1,0.875,0],[1,0.75,0.5],[1,0.25,0.5],[1,0.125,0]]]", "0 0 2 2 0 0.25 2 2.25 5 3 7 7|0 0 1|0.875 0.75 0.5|3"},
	} {
		file := custom("TFLite_Detection_PostProcess", detectionOptions(tt.options), tt.out, f(1, 4, 4), f(1, 4, 3), anchors)
		if got := execute(t, file, boxes, tt.scores); strings.Join(got, "|") != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, strings.Split(tt.want, "|"))
		}
	}
}

// Boxes and anchors of 8 bits stand for numbers, as scores do.
func TestDetectionOfScaledNumbers(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	u8 := func(scale float32, zero int64, shape ...int64) model.Tensor {
		return with(tensor(model.Uint8, shape...), scale, zero)
	}
	options := detectionOptions(map[string]float64{"max_detections": 1, "num_classes": 1})
	file := custom("TFLite_Detection_PostProcess", options, []model.Tensor{f(1, 1, 4), f(1, 1), f(1, 1), f(1)},
		u8(0.5, 128, 1, 2, 4), u8(1.0/256, 0, 1, 2, 1), constant(u8(0.25, 0, 2, 4), int8s(4, 4, 8, 8, 20, 20, 8, 8)))
	got := execute(t, file, "[[[128,128,128,128],[129,128,128,128]]]", "[[[100],[200]]]")
	if want := []string{"5 4 7 6", "0", "0.78125", "1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDetectionRefused(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	outs := []model.Tensor{f(1, 3, 4), f(1, 3), f(1, 3), f(1)}
	for _, tt := range []struct {
		options map[string]float64
		boxes   model.Tensor
		want    string
	}{
		{map[string]float64{"use_regular_nms": 1, "detections_per_class": 0}, f(1, 4, 4), `the option "detections_per_class" of TFLite_Detection_PostProcess is 0, which is not an integer from 1 to 1048576`},
		{map[string]float64{"h_scale": 0}, f(1, 4, 4), `the option "h_scale" of TFLite_Detection_PostProcess is 0, and has to be more than 0`},
		{map[string]float64{"max_detections": 0.5}, f(1, 4, 4), `the option "max_detections" of TFLite_Detection_PostProcess is 0.5, which is not an integer from 1 to 1048576`},
		{nil, f(1, 5, 4), "the sizes of the tensors of TFLite_Detection_PostProcess don't go together"},
		{map[string]float64{"max_detections": 4}, f(1, 4, 4), "the sizes of the tensors of TFLite_Detection_PostProcess don't go together"},
		{nil, with(tensor(model.Uint8, 1, 4, 4), 1, 0), "TFLite_Detection_PostProcess from UINT8, FLOAT32, FLOAT32 to FLOAT32, FLOAT32, FLOAT32, FLOAT32 isn't supported"},
	} {
		file := custom("TFLite_Detection_PostProcess", detectionOptions(tt.options), slices.Clone(outs), tt.boxes, f(1, 4, 3), f(4, 4))
		if got := message(t, file); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
	damaged := tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(1, 4, 4), f(1, 4, 3), f(4, 4), f(), f(), f(), f()}, Inputs: []int32{0, 1, 2},
		Operators: []tflitegen.Operator{{Code: "CUSTOM", Custom: "TFLite_Detection_PostProcess", CustomOptions: []byte{7}, Inputs: []int32{0, 1, 2}, Outputs: []int32{3, 4, 5, 6}}}})
	if got := message(t, damaged); !strings.Contains(got, "the options of TFLite_Detection_PostProcess can't be read") {
		t.Errorf("it says %q", got)
	}
}

// Of four boxes, whose corners come in any order, the third one overlaps the second, which is likelier, and the last one isn't likely enough.
func TestSuppression(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i32 := func(shape ...int64) model.Tensor { return tensor(model.Int32, shape...) }
	number := func(x float32) model.Tensor { return constant(f(), floats(x)) }
	in := []model.Tensor{f(4, 4), f(4), scalar(3), number(0.5), number(0.25)}
	boxes, scores := "[[0,0,1,1],[5,5,7,7],[7,7,5,5.5],[9,9,8,8]]", "[0.5,0.875,0.75,0.25]"
	if got := strings.Join(execute(t, operator("NON_MAX_SUPPRESSION_V4", nil, []model.Tensor{i32(3), i32()}, in...), boxes, scores), "|"); got != "1 0 0|2" {
		t.Errorf("it is %s", got)
	}
	five := operator("NON_MAX_SUPPRESSION_V5", nil, []model.Tensor{i32(3), f(3), i32()}, append(in, number(0))...)
	if got := strings.Join(execute(t, five, boxes, scores), "|"); got != "1 0 0|0.875 0.5 0|2" {
		t.Errorf("it is %s", got)
	}
	// The third box overlaps the second one by 3/4, which lowers its score.
	in[3] = number(0.9)
	soft := operator("NON_MAX_SUPPRESSION_V5", nil, []model.Tensor{i32(3), f(3), i32()}, append(in[:5:5], number(0.5))...)
	want := fmt.Sprintf("1 0 2|0.875 0.5 %v|3", float32(0.75)*float32(math.Exp(-0.75*0.75)))
	if got := strings.Join(execute(t, soft, boxes, scores), "|"); got != want {
		t.Errorf("it is %s, and should be %s", got, want)
	}
	// What has no area overlaps nothing, not even itself: the kernel chooses it again and again.
	for _, sigma := range []float32{0, 0.5} {
		five := operator("NON_MAX_SUPPRESSION_V5", nil, []model.Tensor{i32(3), f(3), i32()}, append(in[:5:5], number(sigma))...)
		if got := strings.Join(execute(t, five, "[[0,0,1,1],[5,5,7,7],[7,7,7,9],[9,9,8,8]]", scores), "|"); got != "1 2 2|0.875 0.75 0.75|3" {
			t.Errorf("with %g it is %s", sigma, got)
		}
	}
}
