package main

import (
	"maps"

	"freehold/transform/import/tflite/model"
)

// operators make random models of an operator. Those with a state are apart: LiteRT.js has no variables.
var operators = map[string]func(g *generator) *single{}

func init() {
	for _, family := range []map[string]func(g *generator) *single{elementwise, comparisons, contractions, reductions, movements, indexed, boxes} {
		maps.Copy(operators, family)
	}
}

// all are the types of elements that any operator moves.
var all = []model.Type{model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool}

// activation returns an activation that is fused.
func (g *generator) activation() int8 {
	return int8(pick(g, model.NoActivation, model.NoActivation, model.Relu, model.Relu6, model.ReluN1To1))
}
