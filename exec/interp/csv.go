package interp

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// readNumbers returns the value of type t whose elements are the numbers of a text, in row-major order, whatever its shape: separated by
// commas, spaces or ends of lines. If one size of t is dynamic, it is what the count of the numbers makes of it.
func readNumbers(text string, t ir.Type) (Value, error) {
	p := literalParser{text: text, elem: ir.ElementType(t)}
	var words []uint64
	var objects []any
	for p.skip(); p.pos < len(p.text); p.skip() {
		word := p.word()
		if word == "" {
			return Value{}, fmt.Errorf("%q is no number", p.text[p.pos:p.pos+1])
		}
		w, o, err := p.element(word)
		if err != nil {
			return Value{}, fmt.Errorf("number %d: %w", len(words)+1, err)
		}
		words, objects = append(words, w), append(objects, o)
	}
	if !ir.IsShaped(t) {
		if len(words) != 1 {
			return Value{}, fmt.Errorf("there are %d numbers, and one is needed", len(words))
		}
		return Value{Type: t, Word: words[0], Object: objects[0]}, nil
	}
	sizes, err := sizesFor(t, int64(len(words)))
	if err != nil {
		return Value{}, err
	}
	return p.tensor(t, sizes, words, objects), nil
}

// sizesFor returns the sizes of a type with so many elements.
func sizesFor(t ir.Type, elements int64) ([]int64, error) {
	shape, ranked := ir.ShapeOf(t)
	if !ranked {
		return []int64{elements}, nil
	}
	sizes, known, dynamic := append([]int64(nil), shape...), int64(1), -1
	for d, n := range shape {
		switch {
		case n != ir.Dynamic && n != 0 && known > maxElements/n:
			return nil, fmt.Errorf("a value of type '%s' is too large", t)
		case n != ir.Dynamic:
			known *= n
		case dynamic >= 0:
			return nil, fmt.Errorf("numbers in order don't tell the sizes of '%s', of which several are dynamic", t)
		default:
			dynamic = d
		}
	}
	switch {
	case dynamic < 0 && known != elements:
		return nil, fmt.Errorf("there are %d numbers, and '%s' has %d elements", elements, t, known)
	case dynamic < 0:
		return sizes, nil
	case known == 0 && elements == 0:
		sizes[dynamic] = 0
	case known == 0 || elements%known != 0:
		return nil, fmt.Errorf("there are %d numbers, and '%s' has a multiple of %d", elements, t, known)
	default:
		sizes[dynamic] = elements / known
	}
	return sizes, nil
}

// isText tells whether a file looks like text.
func isText(data []byte) bool {
	return len(data) > 0 && strings.IndexFunc(string(data[:min(len(data), 512)]), func(r rune) bool {
		return r != '\t' && r != '\n' && r != '\r' && (r < ' ' || r > '~')
	}) < 0
}
