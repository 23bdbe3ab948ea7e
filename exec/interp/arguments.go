package interp

import (
	"errors"
	"math/rand/v2"
	"strings"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Texts are arguments for a function as a user writes them.
type Texts struct {
	// Values are written as for Parse, from the first argument on.
	Values []string
	// Random makes up arguments that aren't given.
	Random bool
	// Seed is that of random numbers. Each argument has a sequence of its own, whatever the
	// others are.
	Seed uint64
	// Limit is how many bytes all arguments may take.
	Limit int64
}

// Arguments returns the arguments of a function that the texts stand for. The error, an
// *ir.Diagnostic or a *[TooLargeError], tells why there are none.
func (x Texts) Arguments(fn *ir.Op) ([]Value, error) {
	m, ok := interfaces.Function.Of(fn)
	if !ok {
		return nil, fn.PlainErrorf("'%s' is not a function", fn.Name())
	}
	inputs := m.Type(fn).Inputs
	if given := len(x.Values); given > len(inputs) || given < len(inputs) && !x.Random {
		sym, _ := ir.SymbolName(fn)
		s := "s"
		if len(inputs) == 1 {
			s = ""
		}
		return nil, &ArityError{ir.Errorf(fn.Loc(), "function @%s takes %d argument%s, got %d", sym, len(inputs), s, given), given < len(inputs)}
	}
	if err := tooLarge(fn, x.need(inputs), x.Limit); err != nil {
		return nil, err
	}
	values := make([]Value, len(inputs))
	for i, t := range inputs {
		text := "random"
		if i < len(x.Values) {
			text = x.Values[i]
		} else if v, is, err := Arena(fn, i, values, x.Limit); err != nil {
			return nil, err
		} else if is {
			values[i] = v
			continue
		}
		v, err := Parse(fn.Context(), text, t, rand.New(rand.NewPCG(x.Seed, uint64(i))))
		if err != nil {
			var diag *ir.Diagnostic
			if errors.As(err, &diag) {
				err = errors.New(diag.Message)
			}
			return nil, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "argument %d: %v", i, err)
		}
		values[i] = v
	}
	return values, nil
}

// need returns how many bytes the arguments take that are made up.
func (x Texts) need(inputs []ir.Type) (need int64) {
	for i, t := range inputs {
		var sizes []int64
		if i < len(x.Values) {
			if sizes = sizesIn(x.Values[i]); sizes == nil && strings.ContainsAny(x.Values[i], "[@<") {
				continue // what is given is there already
			}
		}
		if n := argumentBytes(t, sizes); n > 0 {
			need = max(need+n, n) // the most there is, if it is more
		}
	}
	return need
}

// ArityError is about too many or too few arguments.
type ArityError struct {
	*ir.Diagnostic
	// TooFew tells that some are missing.
	TooFew bool
}

// Unwrap returns the diagnostic.
func (e *ArityError) Unwrap() error { return e.Diagnostic }
