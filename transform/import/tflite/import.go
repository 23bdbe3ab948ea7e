package tflite

import (
	"fmt"
	"strconv"

	"freehold/dialect/builtin"
	"freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/import/tflite/model"
)

// importer makes a module of a model.
type importer struct {
	ctx   *ir.Context
	file  string
	model *model.Model
	// b stands at the end of the module between functions.
	b       *ir.Builder
	module  *ir.Op
	symbols map[string]bool
	// functions are the names of the subgraphs' functions.
	functions []string
	// globals are the names of the buffers of variables.
	globals   map[variableKey]variable
	resources map[string]bool
	blobs     []asm.Resource
	// lines is how many operators came before the subgraph.
	lines int
	// tables is how many elements the tables have that operators were given.
	tables int
}

// Import reads a model and makes a module of it. name stands for the file in locations, whose line is the number of an
// operator, as in [model.Listing]; around them are the names of the tensors. Constants that aren't small are resources, whose contents
// are parts of data, which must not change. It takes time and memory linear in the size of the file. An error is an
// *[ir.Diagnostic] that names the operator or tensor in question.
func Import(ctx *ir.Context, data []byte, name string) (*asm.Document, error) {
	m, err := model.Read(data)
	if err != nil {
		return nil, ir.Errorf(ir.FileLineCol(name, 0, 0), "this model of TensorFlow Lite can't be read: %v", err)
	}
	b := ir.NewBuilder(ctx)
	im := &importer{ctx: ctx, file: name, model: m, b: b, module: builtin.NewModule(b),
		symbols: map[string]bool{}, globals: map[variableKey]variable{}, resources: map[string]bool{}}
	called := im.called()
	for i, g := range m.Subgraphs {
		unknownRows(g)
		im.functions = append(im.functions, im.symbol(g.Name, defaultName(i)))
	}
	for i, g := range m.Subgraphs {
		b.SetEnd(im.module.BodyBlock(0))
		if err := im.subgraph(i, g, called[i]); err != nil {
			return nil, err
		}
		im.lines += len(g.Operators)
	}
	doc := &asm.Document{Module: im.module}
	if len(im.blobs) > 0 {
		doc.Resources = &asm.Resources{Dialect: []asm.ResourceGroup{{Name: "builtin", Entries: im.blobs}}}
	}
	return doc, nil
}

func defaultName(i int) string {
	if i == 0 {
		return "main"
	}
	return "subgraph" + strconv.Itoa(i)
}

// symbol returns a name for a symbol that no other one has.
func (im *importer) symbol(wanted, otherwise string) string {
	if wanted == "" {
		wanted = otherwise
	}
	name := wanted
	for i := 1; im.symbols[name]; i++ {
		name = wanted + "_" + strconv.Itoa(i)
	}
	im.symbols[name] = true
	return name
}

// function is a subgraph that becomes a function.
type function struct {
	*importer
	name  string
	graph *model.Subgraph
	op    *ir.Op
	entry *ir.Block
	// values are what the tensors are so far.
	values []*ir.Value
	// constants are the constants at the start of the function, and last the last of them.
	constants map[ir.Attribute]*ir.Value
	last      *ir.Op
	// handles are the names of the variables that tensors stand for.
	handles map[int]string
}

// subgraph adds the function of a subgraph to the module.
func (im *importer) subgraph(i int, g *model.Subgraph, private bool) error {
	f := &function{importer: im, name: im.functions[i], graph: g, values: make([]*ir.Value, len(g.Tensors)),
		constants: map[ir.Attribute]*ir.Value{}, handles: map[int]string{}}
	for _, o := range g.Operators {
		if o.Custom == detectionName {
			detectionOutputs(g, o)
		}
	}
	ins, err := f.types(g.Inputs)
	if err != nil {
		return err
	}
	outs, err := f.types(g.Outputs)
	if err != nil {
		return err
	}
	b := im.b
	b.Loc = im.ctx.NameLoc(f.name, ir.Unknown)
	f.op = b.Insert(funcd.New(b, f.name, im.ctx.Function(ins, outs)))
	if private {
		f.op.SetAttr(ir.SymbolVisibilityAttr, im.ctx.StringAttr("private"))
	}
	f.entry = funcd.Body(f.op).AddBlock()
	for k, n := range g.Inputs {
		v := f.entry.AddArg(ins[k], f.named(n, ir.Unknown))
		if f.values[n] == nil {
			f.values[n] = v
		}
	}
	b.SetEnd(f.entry)
	for n, o := range g.Operators {
		if err := f.operator(n, o); err != nil {
			return err
		}
	}
	b.Loc = f.op.Loc()
	results := make([]*ir.Value, len(g.Outputs))
	for k, n := range g.Outputs {
		if results[k], err = f.value(n); err != nil {
			return err
		}
	}
	funcd.NewReturn(b, results...)
	return nil
}

// types returns the types of tensors.
func (f *function) types(tensors []int) ([]ir.Type, error) {
	out := make([]ir.Type, len(tensors))
	for i, n := range tensors {
		t, err := f.typeOf(n)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// named puts the name of a tensor around a location.
func (f *function) named(tensor int, loc ir.Location) ir.Location {
	name := f.graph.Tensors[tensor].Name
	if name == "" {
		name = f.graph.ShortName(tensor)
	}
	return f.ctx.NameLoc(name, loc)
}

// value returns what a tensor is at this point of the program.
func (f *function) value(tensor int) (*ir.Value, error) {
	if v := f.values[tensor]; v != nil {
		return v, nil
	}
	t := f.graph.Tensors[tensor]
	if t.Data == nil && !isEmpty(t) || hasUnknownRows(t) {
		return nil, f.errorf("tensor %s is read before anything makes it", f.describe(tensor))
	}
	a, err := f.contents(tensor)
	if err != nil {
		return nil, err
	}
	loc := f.b.Loc
	f.b.Loc = f.named(tensor, ir.Unknown)
	v := f.constant(a)
	f.b.Loc = loc
	f.values[tensor] = v
	return v, nil
}

// describe names a tensor in a message.
func (f *function) describe(tensor int) string {
	if name := f.graph.Tensors[tensor].Name; name != "" {
		return fmt.Sprintf("%d, %q,", tensor, name)
	}
	return strconv.Itoa(tensor)
}

// errorf returns an error at the operator that is being imported.
func (f *function) errorf(format string, args ...any) error {
	return ir.Errorf(f.b.Loc, format, args...)
}
