package tflite

import "freehold/transform/import/tflite/model"

// variable is a buffer that keeps its contents between executions.
type variable struct{ name string }

// isHandle tells whether a tensor stands for a variable.
func isHandle(t *model.Tensor) bool { return t.Type == model.Resource }

// called tells which subgraphs others call.
func (im *importer) called() map[int]bool { return map[int]bool{} }
