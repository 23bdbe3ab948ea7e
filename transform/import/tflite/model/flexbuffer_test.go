package model_test

import (
	"encoding/hex"
	"maps"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// Options by names as the library of the flatbuffers project writes them, in each width, and as this project's tests do. What is no number is left out.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		bytes string
		want  map[string]float64
	}{
		{"", nil},
		{"610062006300030706050301030101fd046804062401", map[string]float64{"a": 1, "b": 1, "c": -3}},
		{"54006666745f6c656e67746800020e0d020001000200070000020405062501", map[string]float64{"T": 7, "fft_length": 512}},
		{"6269670068756765006c0001026e6567006e6d73007300047465787400061e1b1714110e000000000a0000000000000001000000000000" +
			"000600000000000000701101000000000000f2052a01000000450000000000000090eefeffffffffff333333333333e33f5000000000000000060740060f14362701",
			map[string]float64{"big": 70000, "huge": 5000000000, "neg": -70000, "nms": 0.6}},
		{"00000100002401", map[string]float64{}},
		{hex.EncodeToString(tflitegen.Flexbuffer(map[string]float64{"x": -7, "scale": 0.25})), map[string]float64{"x": -7, "scale": 0.25}},
	} {
		data, _ := hex.DecodeString(tt.bytes)
		got, err := (&model.Operator{CustomOptions: data}).Numbers()
		if err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.bytes, got, err, tt.want)
		}
		for n := 1; n < len(data); n++ {
			// A part may happen to be a map, but nothing outside of it is read.
			(&model.Operator{CustomOptions: data[:n]}).Numbers()
			(&model.Operator{CustomOptions: data[n:]}).Numbers()
		}
	}
	for _, damaged := range []string{"01", "040401", "ff2401", "00000100032401", "0900010000ff2403"} {
		data, _ := hex.DecodeString(damaged)
		if got, err := (&model.Operator{CustomOptions: data}).Numbers(); err == nil {
			t.Errorf("%s is read as %v", damaged, got)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add(tflitegen.Flexbuffer(map[string]float64{"x": -7, "scale": 0.25}))
	f.Fuzz(func(_ *testing.T, data []byte) { (&model.Operator{CustomOptions: data}).Numbers() })
}
