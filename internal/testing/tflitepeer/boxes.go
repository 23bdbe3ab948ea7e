package main

import (
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// boxes are operators that choose among boxes.
var boxes = map[string]func(g *generator) *single{
	"NON_MAX_SUPPRESSION_V4": suppression,
	"NON_MAX_SUPPRESSION_V5": func(g *generator) *single {
		c := suppression(g)
		c.in = append(c.in, number32(pick(g, float32(0), 0.3, 0.5, 1)))
		c.out = []model.Tensor{c.out[0], plain(model.Float32, c.out[0].Shape...), c.out[1]}
		return c
	},
}

// number32 is a constant number in single precision.
func number32(x float32) model.Tensor {
	return model.Tensor{Type: model.Float32, Shape: []int64{}, Data: floats(x)}
}

func suppression(g *generator) *single {
	n, most := g.between(1, 8), g.between(1, 6)
	c := of(plain(model.Int32, most), plain(model.Float32, n, 4), plain(model.Float32, n), scalar(most), number32(pick(g, float32(0.1), 0.3, 0.5)), number32(pick(g, float32(0), 0.5)))
	c.out = append(c.out, plain(model.Int32))
	c.arguments[0] = corners(g, n)
	return c
}

// corners are boxes between 0 and 1, two opposite corners of each.
func corners(g *generator, n int64) []byte {
	data := []byte{}
	for range n {
		c := [4]float32{g.Float32(), g.Float32(), g.Float32(), g.Float32()}
		if g.chance(16) {
			c[2] = c[0] // without an area
		}
		data = append(data, floats(c[:]...)...)
	}
	return data
}

// detection is TFLite_Detection_PostProcess.
func detection(g *generator) *single {
	n, classes, background := g.between(1, 8), g.between(1, 4), g.between(0, 1)
	kept, each, regular := g.between(1, 5), int64(1), g.chance(2) // of more classes, the regular form leaves the rest as it was
	if !regular {
		each = g.between(1, 3)
	}
	c := of(plain(model.Float32, 1, kept*each, 4), plain(model.Float32, 1, n, 4), plain(model.Float32, 1, n, classes+background), plain(model.Float32, n, 4))
	if g.chance(3) {
		for i := range c.in {
			c.in[i] = scaled(plain(model.Uint8, c.in[i].Shape...), pick(g, float32(1.0/256), 1.0/64), g.between(0, 128))
		}
		c.in[2] = g.constant(c.in[2])
	} else {
		c.in[2].Data = corners(g, n)
	}
	c.out = append(c.out, plain(model.Float32, 1, kept*each), plain(model.Float32, 1, kept*each), plain(model.Float32, 1))
	c.operator.Custom = "TFLite_Detection_PostProcess"
	options := map[string]float64{"max_detections": float64(kept), "max_classes_per_detection": float64(each), "num_classes": float64(classes),
		"nms_score_threshold": 0.25, "nms_iou_threshold": pick(g, 0.3, 0.5), "y_scale": 10, "x_scale": 10, "h_scale": 5, "w_scale": 5}
	if regular {
		options["use_regular_nms"] = 1
	}
	if g.chance(2) {
		options["detections_per_class"] = float64(g.between(1, 3))
	}
	c.operator.CustomOptions = tflitegen.Flexbuffer(options)
	return c
}
