package engine

import (
	"path"
	"strings"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
	"freehold/transform/import/tflite/model"
)

// Source is a program as text.
type Source struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// longestConstant is how many elements, and how many bytes of a resource, are kept of the constants of a file that isn't text: a person has to
// find the program between them.
const longestConstant = 64

// Read returns the program of a file: a text as it is, also if it is wrong; a program in bytecode and a model of TensorFlow Lite as text, without the elements of
// long constants.
func (e *Engine) Read(name string, file []byte) (*Source, error) {
	if !bytecode.Is(file) && !model.Is(file) {
		return &Source{name, strings.ToValidUTF8(string(file), "\uFFFD")}, nil
	}
	_, p, err := e.tool.Open(file, name, driver.Choice{}, true)
	if err != nil {
		return nil, err
	}
	text, err := p.Text(asm.PrintOptions{ElideElementsLargerThan: longestConstant, ElideResourcesLargerThan: longestConstant})
	if err != nil {
		return nil, err
	}
	return &Source{strings.TrimSuffix(name, path.Ext(name)) + ".mlir", string(text)}, nil
}
