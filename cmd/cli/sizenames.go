package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"freehold/compile"
	"freehold/dialect/tensor"
	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
)

// sizeFlags are the flags for sizes that are known only when a program runs.
type sizeFlags struct{ given []string }

func (o *sizeFlags) declare(f *pflag.FlagSet) {
	f.StringArrayVar(&o.given, "size", nil, "take a size that isn't known to be a number: `name=number`, such as n=128 or x[0]=128 for the argument %n, or dimension 0 of %x")
}

// sizeNames are the names that sizes have in a program, and what is given of them.
type sizeNames struct {
	arguments map[string][]string // of functions, by name
	values    map[string]string   // of what is in a line and column
	// dimensions are of the arguments of functions, by the names of values that are them: one size has one name.
	dimensions map[string][]string
	types      map[string][]ir.Type // of what has a name, in all functions
	given      map[string]int64
}

// names finds the names in a program. It fails if a size is given that there can't be.
func (o *sizeFlags) names(in *input) (*sizeNames, error) {
	n := &sizeNames{map[string][]string{}, map[string]string{}, map[string][]string{}, map[string][]ir.Type{}, map[string]int64{}}
	source := asm.NewSourceNames(sourceOf(in.name, in.text()))
	type key struct{ function, name string }
	places := map[key][]string{}
	function := ""
	named := func(v *ir.Value, loc ir.Location) {
		if p, ok := ir.SourcePos(loc); ok {
			at := fmt.Sprintf("n@%d:%d", p.Line, p.Col)
			name := nameOfSize(source, v, at)
			n.types[name] = append(n.types[name], v.Type())
			if dim := n.dimension(v, function); dim != "" {
				n.values[at], n.dimensions[name] = dim, append(n.dimensions[name], dim)
				return
			}
			n.values[at] = name
			places[key{function, name}] = append(places[key{function, name}], at)
		}
	}
	in.module.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 1 {
			named(op.Result(0), op.Loc())
		}
		if interfaces.Function.Has(op) {
			function, _ = ir.SymbolName(op)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for i, v := range b.Args() {
					if interfaces.Function.Has(op) && b.IsEntry() {
						name := nameOfSize(source, v, fmt.Sprintf("arg%d", i))
						n.arguments[function] = append(n.arguments[function], name)
						n.types[name] = append(n.types[name], v.Type())
						places[key{function, name}] = append(places[key{function, name}], "")
					} else {
						named(v, v.Loc())
					}
				}
			}
		}
		return true
	})
	// Two of a function, such as the variables of two loops, may have one name. The place tells them apart.
	for k, all := range places {
		for _, at := range all {
			if len(all) > 1 && at != "" && at != k.name {
				n.values[at] = k.name + strings.TrimPrefix(at, "n")
			}
		}
	}
	return n, n.give(o.given)
}

// dimension returns the name of the dimension of an argument of a function that a value is; "" if it is none.
func (n *sizeNames) dimension(v *ir.Value, function string) string {
	op := v.DefiningOp()
	dim := tensor.DimOp{Op: op}
	if op == nil || !op.Is(tensor.Dim) || !dim.Source().IsBlockArg() {
		return ""
	}
	of := dim.Source()
	if b := of.ArgOwner(); !interfaces.Function.Has(b.ParentOp()) || !b.IsEntry() {
		return ""
	}
	k, ok := dim.ConstantIndex()
	if list := n.arguments[function]; ok && of.Index() < len(list) {
		return fmt.Sprintf("%s[%d]", list[of.Index()], k)
	}
	return ""
}

// nameOfSize returns the name of a value in the program, if that is no number.
func nameOfSize(source *asm.SourceNames, v *ir.Value, otherwise string) string {
	name := strings.TrimPrefix(source.Value(v), "%")
	if name == "" || strings.Trim(name, "0123456789#") == "" {
		return otherwise
	}
	return name
}

// give takes what is given as name=number.
func (n *sizeNames) give(texts []string) error {
	for _, text := range texts {
		name, number, _ := strings.Cut(text, "=")
		value, err := strconv.ParseInt(number, 10, 64)
		if name = strings.TrimPrefix(name, "%"); err != nil || value < 0 || name == "" {
			return fmt.Errorf("--size is a name and a number, such as n=128, not %q", text)
		}
		if base, _, _ := strings.Cut(name, "["); !slices.Contains(n.all(), base) && !strings.Contains(base, "@") {
			return n.noSize(name)
		}
		if err := n.check(name); err != nil {
			return err
		}
		n.given[name] = value
		for _, dim := range n.dimensions[name] {
			n.given[dim] = value
		}
	}
	return nil
}

// maxListedSizes is how many sizes an error lists.
const maxListedSizes = 8

// noSize is the error that nothing has a name, with those that there are.
func (n *sizeNames) noSize(name string) error {
	open := n.open()
	base, _, _ := strings.Cut(name, "[")
	meant := cmp.Or(pass.Meant("", name, open), pass.Meant("", base, open))
	switch {
	case len(open) == 0:
		return fmt.Errorf("no size is called %s: the types of this program tell all sizes", name)
	case meant != "":
		return fmt.Errorf("no size is called %s%s", name, meant)
	case len(open) > maxListedSizes:
		return fmt.Errorf("no size is called %s; freehold peak shows those that there are", name)
	}
	return fmt.Errorf("no size is called %s; there are %s", name, strings.Join(open, ", "))
}

// open lists the sizes that a program leaves open: those in the types of arguments, and numbers of the type index that have a name. Where no type leaves
// one open there is none.
func (n *sizeNames) open() []string {
	var dims, numbers []string
	for name, types := range n.types {
		for _, t := range types {
			switch {
			case ir.IsShaped(t):
				if dynamic := sizesOf(name, t); len(dynamic) > 0 {
					dims = append(dims, dynamic...)
				}
			case t == ir.Type(ir.Index) && !strings.Contains(name, "@"):
				numbers = append(numbers, name)
			}
		}
	}
	if len(dims) == 0 {
		return nil
	}
	arguments := map[string]bool{}
	for _, list := range n.arguments {
		for _, name := range list {
			arguments[name] = true
		}
	}
	out := slices.DeleteFunc(dims, func(dim string) bool {
		base, _, _ := strings.Cut(dim, "[")
		return !arguments[base]
	})
	out = append(out, numbers...)
	slices.Sort(out)
	return slices.Compact(out)
}

// check returns an error if what has a name is known, and has no such size.
func (n *sizeNames) check(name string) error {
	base, _, _ := strings.Cut(name, "[")
	types := n.types[base]
	if len(types) == 0 {
		return nil
	}
	for _, t := range types {
		if _, ranked := ir.ShapeOf(t); slices.Contains(sizesOf(base, t), name) || ir.IsShaped(t) && !ranked || !ir.IsShaped(t) && !ir.IsIntOrIndex(t) && !ir.IsFloat(t) {
			return nil // of what isn't known, any may be
		}
	}
	t := types[0]
	what := fmt.Sprintf("no size is called %s: %%%s has the type %s", name, base, t)
	switch sizes := sizesOf(base, t); {
	case !ir.IsShaped(t):
		return errors.New(what)
	case len(sizes) == 0:
		return fmt.Errorf("%s, which tells all of its sizes", what)
	default:
		return fmt.Errorf("%s, of which these are open: %s", what, strings.Join(sizes, ", "))
	}
}

// sizesOf returns the names of the sizes of a value that its type leaves open: the dimensions of a tensor, and a number itself.
func sizesOf(name string, t ir.Type) (sizes []string) {
	if ir.IsIntOrIndex(t) {
		return []string{name}
	}
	shape, _ := ir.ShapeOf(t)
	for k, d := range shape {
		if d == ir.Dynamic {
			sizes = append(sizes, fmt.Sprintf("%s[%d]", name, k))
		}
	}
	return sizes
}

// all lists the names.
func (n *sizeNames) all() []string {
	var out []string
	for _, list := range n.arguments {
		out = append(out, list...)
	}
	out = append(out, slices.Sorted(maps.Keys(n.dimensions))...)
	return append(out, slices.Sorted(maps.Values(n.values))...)
}

// unnamed are the names that sizes have without a program's: an argument, or what is in a line and column.
var unnamed = lazyregexp.New(`^(?:arg(\d+)|n@\d+:\d+)`)

// in returns how sizes of a function are shown.
func (n *sizeNames) in(function string) func(footprint.Size) footprint.Size {
	arguments := n.arguments[function]
	return func(s footprint.Size) footprint.Size {
		if s.IsStatic() {
			return s
		}
		return s.Rename(func(size string) string {
			return unnamed().ReplaceAllStringFunc(size, func(text string) string {
				if k, err := strconv.Atoi(strings.TrimPrefix(text, "arg")); err == nil && k < len(arguments) {
					return arguments[k]
				}
				if name := n.values[text]; name != "" {
					return name
				}
				return text
			})
		}).Given(n.given)
	}
}

// summary returns a summary in the names of the program.
func (n *sizeNames) summary(s footprint.Summary) footprint.Summary {
	by := n.in(s.Function)
	if len(n.arguments) == 1 { // else it is a sum over several functions
		s.Copied = by(s.Copied)
	}
	return s.Each(by)
}

// comparison returns a row in the names of the program.
func (n *sizeNames) comparison(x compile.Comparison) compile.Comparison {
	x.Summary = n.summary(x.Summary)
	return x
}

// result changes what a summary prints of a result to the names of the program.
func (n *sizeNames) result(res *compile.Result) {
	res.Before, res.After, res.Reference = n.summary(res.Before), n.summary(res.After), n.comparison(res.Reference)
	for i, x := range res.Others {
		res.Others[i] = n.comparison(x)
	}
	for i := range res.Attempts {
		res.Attempts[i].Peak = n.in(res.Attempts[i].Function)(res.Attempts[i].Peak)
	}
	if len(n.arguments) == 1 {
		res.CopiedBytes = n.in(res.After.Function)(res.CopiedBytes)
	}
}
