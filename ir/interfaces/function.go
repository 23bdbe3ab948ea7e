package interfaces

import (
	"strings"

	"freehold/ir"
)

// VerifyFunction checks what every function-like operation promises: that
// attributes of arguments and results have the prefix of a dialect, and that the entry
// block's arguments are those of the function's type. It is for the Verify of definitions
// that implement [Function]; [VerifyDeclaration] checks more.
func VerifyFunction(fn *ir.Op) error {
	m, ok := Function.Of(fn)
	if !ok {
		return nil
	}
	body := fn.RegionAt(0)
	t := m.Type(fn)
	if err := verifyDicts(fn, ArgAttrs, "argument", "arguments", len(t.Inputs), argHook(fn)); err != nil {
		return err
	}
	if err := verifyDicts(fn, ResAttrs, "result", "results", len(t.Results), resHook(fn)); err != nil {
		return err
	}
	entry := body.Entry()
	if entry == nil {
		return nil
	}
	if entry.NumArgs() != len(t.Inputs) {
		return fn.Errorf("entry block must have %d arguments to match function signature", len(t.Inputs))
	}
	for i, in := range t.Inputs {
		if got := entry.Arg(i).Type(); got != in {
			return fn.Errorf("type of entry block argument #%d('%s') must match the type of the corresponding argument in function signature('%s')", i, got, in)
		}
	}
	return nil
}

// VerifyDeclaration is [VerifyFunction] for functions that are declarations if they have no
// body: these aren't public.
func VerifyDeclaration(fn *ir.Op) error {
	if fn.RegionAt(0).Empty() && ir.IsPublic(fn) {
		return fn.Errorf("symbol declaration cannot have public visibility")
	}
	return VerifyFunction(fn)
}

func argHook(fn *ir.Op) func(d *ir.Dialect, i int, a ir.NamedAttr) error {
	return func(d *ir.Dialect, i int, a ir.NamedAttr) error {
		if d.VerifyArgAttr == nil {
			return nil
		}
		return d.VerifyArgAttr(fn, 0, i, a)
	}
}

func resHook(fn *ir.Op) func(d *ir.Dialect, i int, a ir.NamedAttr) error {
	return func(d *ir.Dialect, i int, a ir.NamedAttr) error {
		if d.VerifyResAttr == nil {
			return nil
		}
		return d.VerifyResAttr(fn, i, a)
	}
}

func verifyDicts(fn *ir.Op, list, what, plural string, n int, hook func(*ir.Dialect, int, ir.NamedAttr) error) error {
	a := fn.Attr(list)
	if a == nil {
		return nil
	}
	arr, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	if len(arr.Elems) != n {
		of := "function " + plural
		return fn.Errorf("expects %s attribute array to have the same number of elements as the number of %s, got %d, but expected %d", what, of, len(arr.Elems), n)
	}
	for i, e := range arr.Elems {
		d, ok := e.(*ir.DictAttr)
		if !ok {
			return fn.Errorf("expects %s attribute dictionary to be a DictionaryAttr, but got `%s`", what, e)
		}
		for _, entry := range d.Entries {
			prefix, _, ok := strings.Cut(entry.Name, ".")
			if !ok {
				return fn.Errorf("%s may only have dialect attributes", plural)
			}
			if dialect := fn.Context().Dialect(prefix); dialect != nil {
				if err := hook(dialect, i, entry); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
