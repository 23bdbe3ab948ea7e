package gpu

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Kernels, and the modules that hold them.
var (
	// Module is gpu.module, which holds what is compiled for a device.
	Module = ir.NewOpID("gpu.module")
	// ModuleEnd ends a module up to LLVM 19, where it is left out in text.
	ModuleEnd = ir.NewOpID("gpu.module_end")
	// Func is gpu.func, a function for a device; a kernel can be launched.
	Func = ir.NewOpID("gpu.func")
	// Return returns from one.
	Return = ir.NewOpID("gpu.return")
)

const (
	kernelAttr       = "gpu.kernel"
	containerAttr    = "gpu.container_module"
	attributionsAttr = "workgroup_attributions"
	workgroupAttrs   = "workgroup_attrib_attrs"
	knownClusterAttr = "known_cluster_size"
	privateAttrs     = "private_attrib_attrs"
	handlerAttr      = "offloadingHandler"
	targetsAttr      = "targets"
)

func moduleDef() *ir.OpDef {
	// Since LLVM 20, nothing ends a module, and its syntax is a declarative one, which has other blanks.
	later := module(" @name<handler> [targets] {").With(ir.OpDef{Traits: ir.TraitNoTerminator | ir.TraitNoRegionArguments})
	return module(" @name <handler> [targets]  {").With(ir.OpDef{
		ImplicitTerminator: ModuleEnd,
		Revisions:          []ir.Revision{{Since: 20, Def: later}},
	})
}

// module is what all versions of gpu.module have in common. The form shows where blanks are printed.
func module(form string) *ir.OpDef {
	return &ir.OpDef{
		ID: Module,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: targetsAttr, Type: constraint.ArrayAttr, Optional: true},
			{Name: handlerAttr, Type: constraint.AnyAttr, Optional: true},
		},
		Regions: []ir.RegionDef{{Name: "bodyRegion", Sized: 1}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitSymbolTable | ir.TraitSymbol | ir.TraitSingleBlock,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseModule, Print: printModule(form)}),
		},
	}
}

// parseModule reads @name <handler> [targets] attributes {...} {...}.
func parseModule(p *asm.Parser, s *ir.OpState) error {
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, p.Context().StringAttr(name))
	if p.Optional("<") {
		if _, err := p.AttrInto(s, handlerAttr, nil); err != nil {
			return err
		}
		if err := p.Expect(">"); err != nil {
			return err
		}
	}
	if p.At("[") {
		if _, err := p.AttrInto(s, targetsAttr, nil); err != nil {
			return err
		}
	}
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	if err := p.TerminatedRegion(s, nil); err != nil {
		return err
	}
	if r := s.Regions[len(s.Regions)-1]; r.Empty() {
		r.AddBlock()
	}
	return nil
}

// printModule prints blanks as in the form.
func printModule(form string) func(p *asm.Printer, op *ir.Op) {
	_, rest, _ := strings.Cut(form, "@name")
	beforeHandler, rest, _ := strings.Cut(rest, "<handler>")
	beforeTargets, rest, _ := strings.Cut(rest, "[targets]")
	behindTargets := strings.TrimSuffix(rest, " {")
	return func(p *asm.Printer, op *ir.Op) {
		p.Text(" ")
		name, _ := ir.SymbolName(op)
		p.SymbolName(name)
		if a := op.Attr(handlerAttr); a != nil {
			p.Text(beforeHandler + "<")
			p.Attr(a)
			p.Text(">")
		}
		if a := op.Attr(targetsAttr); a != nil {
			p.Text(beforeTargets)
			p.Attr(a)
			p.Text(behindTargets)
		}
		p.OptionalAttrDictWithKeyword(p.AllAttrs(op), ir.SymbolNameAttr, handlerAttr, targetsAttr)
		p.Text(" ")
		p.Region(op.RegionAt(0), false, op.Has(ir.TraitNoTerminator), false)
	}
}

func moduleEndDef() *ir.OpDef {
	return &ir.OpDef{ID: ModuleEnd, Traits: ir.TraitTerminator, Parents: []*ir.OpID{Module}, Format: "attr-dict"}
}

func funcDef() *ir.OpDef {
	threes := constraint.DenseI32Array
	threes.Summary = "i32 dense array attribute with 3 elements (if present)"
	threes.Match = func(a ir.Attribute) bool { d, ok := a.(*ir.DenseArrayAttr); return ok && d.Len() == 3 }
	return &ir.OpDef{
		ID: Func,
		Attrs: []ir.AttrDef{
			{Name: interfaces.FunctionTypeAttr, Type: constraint.FunctionType},
			{Name: interfaces.ArgAttrs, Type: constraint.DictArray, Optional: true},
			{Name: interfaces.ResAttrs, Type: constraint.DictArray, Optional: true},
			{Name: workgroupAttrs, Type: constraint.DictArray, Optional: true},
			{Name: privateAttrs, Type: constraint.DictArray, Optional: true},
			{Name: "known_block_size", Type: threes, Optional: true},
			{Name: "known_grid_size", Type: threes, Optional: true},
		},
		Later:   []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{{Name: knownClusterAttr, Type: threes, Optional: true}}, Discardable: []string{knownClusterAttr}}},
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitAffineScope | ir.TraitAutomaticAllocationScope | ir.TraitSymbol,
		Parents: []*ir.OpID{Module},
		Verify:  verifyFunc,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseFunc, Print: printFunc}),
		},
	}
}

// functionType returns the type of a function.
func functionType(fn *ir.Op) *ir.FunctionType {
	return fn.Attr(interfaces.FunctionTypeAttr).(*ir.TypeAttr).Type.(*ir.FunctionType)
}

func verifyFunc(op *ir.Op) error {
	t := functionType(op)
	if isKernel(op) && len(t.Results) > 0 {
		return op.Errorf("expected void return type for kernel function")
	}
	entry := op.RegionAt(0).Entry()
	if entry == nil {
		return op.Errorf("expected body with at least one block")
	}
	if n := len(t.Inputs) + attributions(op); entry.NumArgs() < n {
		return op.Errorf("expected at least %d arguments to body region", n)
	}
	for i, in := range t.Inputs {
		if got := entry.Arg(i).Type(); got != in {
			return op.Errorf("expected body region argument #%d to be of type '%s', got '%s'", i, in, got)
		}
	}
	for _, a := range entry.Args()[len(t.Inputs):] {
		if _, ok := a.Type().(*ir.MemRefType); !ok {
			return op.Errorf("expected memref type in attribution")
		}
	}
	return nil
}

// isKernel tells whether a function can be launched.
func isKernel(fn *ir.Op) bool { _, ok := fn.Attr(kernelAttr).(*ir.UnitAttr); return ok }

// attributions returns how many buffers of a function or launch belong to a group of threads. Those of each thread come after them.
func attributions(op *ir.Op) int {
	if n, ok := op.Attr(attributionsAttr).(*ir.IntegerAttr); ok && n.Value > 0 {
		return int(n.Value)
	}
	return 0
}

// parseFunc reads @name(args) -> results workgroup(...) private(...) kernel attributes {...} {...}.
func parseFunc(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))
	pos := p.Pos()
	args, err := p.Signature(s)
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0].Name == "" {
		return p.Errorf(pos, "gpu.func requires named arguments")
	}
	if args, err = parseAttributions(p, s, args, workgroupAttrs, privateAttrs); err != nil {
		return err
	}
	if p.OptionalKeyword("kernel") {
		s.SetAttr(kernelAttr, ir.Unit)
	}
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	return p.Region(s.AddRegion(), args)
}

// parseAttributions reads workgroup(...) and private(...), buffers that an operation makes, and appends them to the arguments. Their
// attributes become those of that name; without a name, they can't have any.
func parseAttributions(p *asm.Parser, s *ir.OpState, args []asm.Argument, workgroup, private string) ([]asm.Argument, error) {
	c := p.Context()
	for i, word := range []string{"workgroup", "private"} {
		attrs := []string{workgroup, private}[i]
		var buffers []asm.Argument
		if p.OptionalKeyword(word) {
			var err error
			if buffers, err = p.Arguments(asm.Paren, true, attrs != ""); err != nil {
				return nil, err
			}
		}
		if i == 0 {
			s.SetAttr(attributionsAttr, c.IntegerAttr(ir.I64, int64(len(buffers))))
		}
		dicts, any := make([]ir.Attribute, len(buffers)), false
		for j, b := range buffers {
			dicts[j] = c.DictAttr()
			if b.Attrs != nil {
				dicts[j], any = b.Attrs, true
			}
		}
		if any {
			s.SetAttr(attrs, c.ArrayAttr(dicts...))
		}
		args = append(args, buffers...)
	}
	return args, nil
}

// printAttributions writes workgroup(...) and private(...).
func printAttributions(p *asm.Printer, op *ir.Op, buffers []*ir.Value, workgroup, private string) {
	n := min(attributions(op), len(buffers))
	for i, part := range [][]*ir.Value{buffers[:n], buffers[n:]} {
		if len(part) == 0 {
			continue
		}
		p.Text([]string{" workgroup(", " private("}[i])
		dicts, _ := op.Attr([]string{workgroup, private}[i]).(*ir.ArrayAttr)
		for j, b := range part {
			if j > 0 {
				p.Text(", ")
			}
			p.Operand(b)
			p.Text(" : ")
			p.Type(b.Type())
			if dicts != nil && j < len(dicts.Elems) {
				p.OptionalAttrDict(dicts.Elems[j].(*ir.DictAttr).Entries)
			}
		}
		p.Text(")")
	}
}

func printFunc(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	name, _ := ir.SymbolName(op)
	p.SymbolName(name)
	p.Signature(op)
	printAttributions(p, op, op.RegionAt(0).Entry().Args()[len(functionType(op).Inputs):], workgroupAttrs, privateAttrs)
	if isKernel(op) {
		p.Text(" kernel")
	}
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op), ir.SymbolNameAttr, interfaces.FunctionTypeAttr, interfaces.ArgAttrs, interfaces.ResAttrs,
		workgroupAttrs, privateAttrs, attributionsAttr, kernelAttr)
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
}

func returnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Return,
		Operands: []ir.OperandDef{ir.VariadicOperand("operands", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Parents:  []*ir.OpID{Func},
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Verify: func(op *ir.Op) error {
			results := functionType(op.Parent()).Results
			if len(results) != op.NumOperands() {
				return op.Errorf("expected %d result operands", len(results)).
					WithNote(op.Parent().Loc(), "return type declared here")
			}
			for i, t := range results {
				if got := op.Operand(i).Type(); got != t {
					return op.Errorf("unexpected type `'%s'' for operand #%d", got, i)
				}
			}
			return nil
		},
	}
}
