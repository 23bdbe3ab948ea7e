package tflite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/memory/footprint"
)

// shared is where models of others are, if they are there.
var shared = filepath.Join("..", "..", "..", "..", "shared", "models", "tflite")

// Models of one operator on 16 bits give what TensorFlow Lite Micro's kernels gave, element by element.
func TestGolden(t *testing.T) {
	models, _ := filepath.Glob(filepath.Join(shared, "seanet", "*.tflite"))
	if len(models) == 0 {
		t.Skip("the models aren't there")
	}
	for _, path := range models {
		name := strings.TrimSuffix(path, ".tflite")
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		inputs, _ := filepath.Glob(name + "_input*.csv")
		golden, _ := filepath.Glob(name + "_golden*.csv")
		if len(golden) != 1 {
			t.Fatalf("%s has %d outputs", path, len(golden))
		}
		var args []string
		for _, i := range inputs {
			args = append(args, "@"+i)
		}
		text, err := os.ReadFile(golden[0])
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return r != '-' && (r < '0' || r > '9') }), " ")
		if got := execute(t, file, args...); got[0] != want {
			t.Errorf("%s gives other numbers", filepath.Base(path))
		}
	}
}

// Networks need no more memory than TensorFlow Lite Micro's plan of their tensors. The ceilings may only fall.
func TestNetworks(t *testing.T) {
	for _, m := range []struct {
		file string
		peak int64
	}{
		{"kws_ref_model.tflite", 16_000},
		{"pretrainedResnet_quant.tflite", 49_152},
		{"keyword_scrambled_8bit.tflite", 160},
	} {
		file, err := os.ReadFile(filepath.Join(shared, m.file))
		if err != nil {
			t.Skip("the models aren't there")
		}
		p, err := driver.Freehold().NewSession().Parse(file, m.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run((compile.Options{}).Pipeline()); err != nil {
			t.Fatal(err)
		}
		sum := footprint.Analyze(p.Module).Summarize()
		if peak := footprint.Analyze(p.Module).Largest().Peak(); peak.Bytes > m.peak || peak.Bytes == 0 || sum.Copies > 0 {
			t.Errorf("%s: the peak is %s, and there are %d copies", m.file, peak, sum.Copies)
		}
	}
}

// Networks fit into 60 % of TensorFlow Lite Micro's plan, by tiles.
func TestLimits(t *testing.T) {
	for _, m := range []struct {
		file  string
		limit int64
	}{
		{"kws_ref_model.tflite", 9_600},
		{"pretrainedResnet_quant.tflite", 29_491},
	} {
		file, err := os.ReadFile(filepath.Join(shared, m.file))
		if err != nil {
			t.Skip("the models aren't there")
		}
		s := driver.Freehold().NewSession()
		p, err := s.Parse(file, m.file)
		if err != nil {
			t.Fatal(err)
		}
		c := compile.Compiler{Options: compile.Options{MaxMemory: m.limit, ExtraWork: 0.15}, Registry: s.Passes}
		if _, err := c.Compile(p.Module); err != nil {
			t.Fatal(err)
		}
		if peak := footprint.Analyze(p.Module).Largest().Peak(); peak.Bytes > m.limit || peak.Bytes == 0 {
			t.Errorf("%s: the peak is %s", m.file, peak)
		}
	}
}
