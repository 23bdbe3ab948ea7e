package interp

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
)

// Resources returns the contents that a document gives for constants: those of its blobs,
// by their keys, without their alignments.
func Resources(doc *asm.Document) map[string][]byte {
	if doc.Resources == nil {
		return nil
	}
	out := map[string][]byte{}
	for _, g := range doc.Resources.Dialect {
		for _, r := range g.Entries {
			if r.Kind == asm.BlobResource {
				out[r.Key] = r.Blob
			}
		}
	}
	return out
}

// Contents returns what gives an execution the contents of constants.
func (o *Options) Contents(t ir.Type, key string) (*exec.Tensor, error) {
	shape, ranked := ir.ShapeOf(t)
	elem := ir.ElementType(t)
	if data, ok := o.Resources[key]; ok && ranked {
		return exec.TensorOfBytes(elem, shape, data)
	}
	if o.Elided == nil {
		return nil, exec.ErrElided
	}
	if !ranked || !ir.IsStaticShape(shape) {
		return nil, fmt.Errorf("its type is not supported")
	}
	// The same whatever it is called and wherever it stands: a pass may make a buffer of
	// the tensor.
	h := fnv.New64a()
	fmt.Fprint(h, key, shape, elem)
	rnd := rand.New(rand.NewPCG(*o.Elided, h.Sum64()))
	v, err := Random(t, shape, rnd)
	if err != nil || !exec.IsWord(elem) || !ir.IsIntOrIndex(elem) {
		return v.Tensor, err
	}
	for i := range v.Tensor.Elements() {
		v.Tensor.SetWord(i, rnd.Uint64N(2)) // which may be a position wherever there are some
	}
	return v.Tensor, nil
}
