package gpu

import (
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Launches of kernels.
var (
	// Launch is gpu.launch, which executes its region by many threads.
	Launch = ir.NewOpID("gpu.launch")
	// Terminator ends it.
	Terminator = ir.NewOpID("gpu.terminator")
	// LaunchFunc is gpu.launch_func, which executes a kernel by many threads.
	LaunchFunc = ir.NewOpID("gpu.launch_func")
)

// The groups of operands of a launch.
const (
	launchSizes  = 1 // of the grid, and of its blocks
	clusterSizes = launchSizes + 6
	sharedMemory = clusterSizes + 3
	// kernelOperands are what a [LaunchFunc] passes on to the kernel.
	kernelOperands = sharedMemory + 1
)

// The arguments of the region of a launch: indices of blocks and threads, sizes of the grid and of blocks, indices and sizes of
// clusters, if there are any, and buffers.
const (
	launchArgs  = 12
	clusterArgs = 6
)

// Names of what a launch becomes a kernel of. LLVM 22 has them.
const (
	launchModule   = "module"
	launchFunction = "function"
)

// dimensionOperands are three operands for each of the things, of which those of clusters are optional.
func dimensionOperands(t ir.TypeConstraint) []ir.OperandDef {
	var out []ir.OperandDef
	for _, what := range []string{"gridSize", "blockSize", "clusterSize"} {
		for _, d := range []string{"X", "Y", "Z"} {
			o := ir.Operand(what+d, t)
			if what == "clusterSize" {
				o.Arity = ir.Optional
			}
			out = append(out, o)
		}
	}
	return out
}

func launchDef() *ir.OpDef {
	segments := ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}
	d := &ir.OpDef{
		ID: Launch,
		Operands: append(append([]ir.OperandDef{dependencies}, dimensionOperands(constraint.Index)...),
			ir.OptionalOperand("dynamicSharedMemorySize", constraint.I32)),
		Results:       []ir.ResultDef{token},
		Attrs:         []ir.AttrDef{segments},
		Regions:       []ir.RegionDef{{Name: "body"}},
		Traits:        ir.TraitAffineScope | ir.TraitAutomaticAllocationScope | ir.TraitAttrSizedOperandSegments | ir.TraitRecursiveMemoryEffects,
		VerifyRegions: verifyLaunch,
		Models: []ir.Model{
			asyncModel,
			asm.Assembly.Model(asm.OpAssembly{Parse: parseLaunch, Print: printLaunch, Says: hasIndices}),
			rewrite.Patterns(rewrite.Pattern{Name: "FoldLaunchArguments", Rewrite: onlyIndices}),
		},
	}
	return d.With(ir.OpDef{Revisions: []ir.Revision{{Since: 22, Def: d.With(ir.OpDef{Attrs: []ir.AttrDef{segments,
		{Name: launchModule, Type: constraint.SymbolRef, Optional: true}, {Name: launchFunction, Type: constraint.SymbolRef, Optional: true}}})}}})
}

// hasIndices tells whether a launch has the arguments of its region that the short form names, which one that isn't verified may lack.
func hasIndices(op *ir.Op) bool {
	return !op.RegionAt(0).Empty() && op.RegionAt(0).Entry().NumArgs() >= indexArgs(op)
}

// onlyIndices replaces indices of blocks and threads by 0 where there is just one of them.
func onlyIndices(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.RegionAt(0).Empty() {
		return false
	}
	var zero *ir.Value
	entry := op.RegionAt(0).Entry()
	for i := range clusterSizes - launchSizes {
		n, known := ir.ConstantInt(op.OperandGroup(launchSizes + i).At(0))
		if index := entry.Arg(i); known && n == 1 && index.HasUses() {
			if zero == nil {
				r.SetStart(entry)
				r.Loc = op.Loc()
				zero = arith.ConstantIndex(r.Builder, 0)
			}
			r.ReplaceUses(index, zero)
		}
	}
	return zero != nil
}

// hasClusters tells whether a launch says how large clusters are.
func hasClusters(op *ir.Op) bool { return len(op.OperandGroup(clusterSizes)) > 0 }

// indexArgs returns how many arguments of the region are indices and sizes.
func indexArgs(op *ir.Op) int {
	if hasClusters(op) {
		return launchArgs + clusterArgs
	}
	return launchArgs
}

func verifyLaunch(op *ir.Op) error {
	n, r := indexArgs(op), op.RegionAt(0)
	if r.Empty() {
		return nil
	}
	if r.Entry().NumArgs() < n+attributions(op) {
		return op.Errorf("unexpected number of region arguments")
	}
	for _, a := range r.Entry().Args()[n:] {
		if _, ok := a.Type().(*ir.MemRefType); !ok {
			return op.Errorf("expected memref type in attribution")
		}
	}
	for b := r.Entry(); b != nil; b = b.Next() {
		if t := b.Terminator(); t != nil && t.NumSuccessors() == 0 && !t.Is(Terminator) {
			return t.PlainErrorf("expected '%s' or a terminator with successors", Terminator).
				WithNote(op.Loc(), "in '%s' body region", Launch)
		}
	}
	return nil
}

// parseLaunch reads async [%t] clusters(...) in (...) blocks(...) in (...) threads(...) in (...) and what may follow, and the region.
func parseLaunch(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	if p.OptionalKeyword("async") {
		if len(p.ResultNames()) == 0 {
			return p.Errorf(pos, "needs to be named when marked 'async'")
		}
		s.Types = append(s.Types, tokenType.Buildable(p.Context()))
	}
	before, err := p.Operands(asm.OptionalSquare)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, tokenType.Buildable(p.Context()), before...); err != nil {
		return err
	}
	var ids, sizes, clusters, clusterIDs []asm.Argument
	var values, clusterValues []asm.Unresolved
	for _, word := range []string{"clusters", "blocks", "threads"} {
		cluster := word == "clusters"
		if cluster && !p.OptionalKeyword(word) {
			continue
		}
		if !cluster {
			if err := p.Keyword(word); err != nil {
				return err
			}
		}
		i, n, v, err := parseDimensions(p)
		if err != nil {
			return err
		}
		if cluster {
			clusterIDs, clusters, clusterValues = i, n, v
		} else {
			ids, sizes, values = append(ids, i...), append(sizes, n...), append(values, v...)
		}
	}
	args := append(append(append(ids, sizes...), clusterIDs...), clusters...)
	for i := range args {
		args[i].Type = ir.Index
	}
	if err := p.ResolveInto(s, ir.Index, append(values, clusterValues...)...); err != nil {
		return err
	}
	shared := 0
	if p.OptionalKeyword("dynamic_shared_memory_size") {
		size, err := p.Operand()
		if err != nil {
			return err
		}
		if err := p.ResolveInto(s, ir.I32, size); err != nil {
			return err
		}
		shared = 1
	}
	for _, name := range []string{launchModule, launchFunction} {
		if s.Name.Def().AttrIndex(name) < 0 || !p.OptionalKeyword(name) {
			continue
		}
		if err := p.Expect("("); err != nil {
			return err
		}
		if _, err := p.AttrInto(s, name, nil); err != nil {
			return err
		}
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if args, err = parseAttributions(p, s, args, "", ""); err != nil {
		return err
	}
	n := len(clusterValues) / 3
	s.SetAttr(ir.OperandSegmentsAttr, p.Context().Segments(len(before), 1, 1, 1, 1, 1, 1, n, n, n, shared))
	if err := p.Region(s.AddRegion(), args); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

// parseDimensions reads (%x, %y, %z) in (%a = %n, %b = %m, %c = %l): where a thread is, and of how many.
func parseDimensions(p *asm.Parser) (ids, sizes []asm.Argument, values []asm.Unresolved, err error) {
	err = parseThree(p, func() error {
		a, err := p.Argument(false, false)
		ids = append(ids, a)
		return err
	})
	if err != nil {
		return
	}
	if err = p.Keyword("in"); err != nil {
		return
	}
	err = parseThree(p, func() error {
		a, v, err := p.Assignment()
		sizes, values = append(sizes, a), append(values, v)
		return err
	})
	return
}

// parseThree reads three of something in parentheses, with commas between them.
func parseThree(p *asm.Parser, each func() error) error {
	if err := p.Expect("("); err != nil {
		return err
	}
	for i := range 3 {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return err
			}
		}
		if err := each(); err != nil {
			return err
		}
	}
	return p.Expect(")")
}

func printLaunch(p *asm.Printer, op *ir.Op) {
	if (AsyncOp{op}).Token() != nil {
		p.Text(" async")
	}
	if tokens := (AsyncOp{op}).Dependencies().Values(); len(tokens) > 0 {
		p.Text(" [")
		p.Operands(tokens)
		p.Text("]")
	}
	args := op.RegionAt(0).Entry().Args()
	buffers := args[launchArgs:]
	if hasClusters(op) {
		printDimensions(p, " clusters(", args[launchArgs:], args[launchArgs+3:], op, clusterSizes)
		buffers = buffers[clusterArgs:]
	}
	printDimensions(p, " blocks(", args, args[6:], op, launchSizes)
	printDimensions(p, " threads(", args[3:], args[9:], op, launchSizes+3)
	if size := op.OperandGroup(sharedMemory); len(size) > 0 {
		p.Text(" dynamic_shared_memory_size ")
		p.Operand(size.At(0))
	}
	for _, name := range []string{launchModule, launchFunction} {
		if a := op.Attr(name); a != nil && op.OpName().Def().AttrIndex(name) >= 0 {
			p.Text(" " + name + "(")
			p.Attr(a)
			p.Text(")")
		}
	}
	printAttributions(p, op, buffers, "", "")
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
	elided := []string{ir.OperandSegmentsAttr, attributionsAttr}
	if op.OpName().Def().AttrIndex(launchModule) >= 0 {
		elided = append(elided, launchModule, launchFunction)
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
}

// printDimensions writes what parseDimensions reads; the values are those of the group and the next two.
func printDimensions(p *asm.Printer, open string, ids, sizes []*ir.Value, op *ir.Op, group int) {
	p.Text(open)
	p.Operands(ids[:3])
	p.Text(") in ")
	p.Assignments(sizes[:3], []*ir.Value{op.OperandGroup(group).At(0), op.OperandGroup(group + 1).At(0), op.OperandGroup(group + 2).At(0)})
}

func terminatorDef() *ir.OpDef {
	return &ir.OpDef{ID: Terminator, Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator, Parents: []*ir.OpID{Launch}, Format: "attr-dict"}
}

// sizeType is what sizes of a launched kernel are.
var sizeType = ir.TypeConstraint{
	Summary: "index, i32, or i64",
	Match: func(t ir.Type) bool {
		return t == ir.Type(ir.Index) || t == ir.Type(ir.I32) || t == ir.Type(ir.I64)
	},
}

func launchFuncDef() *ir.OpDef {
	return &ir.OpDef{
		ID: LaunchFunc,
		Operands: append(append([]ir.OperandDef{dependencies}, dimensionOperands(sizeType)...),
			ir.OptionalOperand("dynamicSharedMemorySize", constraint.I32), ir.VariadicOperand("kernelOperands", constraint.AnyType),
			ir.OptionalOperand("asyncObject", constraint.AnyType)),
		Results: []ir.ResultDef{token},
		Attrs: []ir.AttrDef{{Name: "kernel", Type: constraint.SymbolRef},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Traits: ir.TraitAttrSizedOperandSegments,
		TypeRules: []ir.TypeRule{
			{Same: []string{"gridSizeX", "gridSizeY", "gridSizeZ", "blockSizeX", "blockSizeY", "blockSizeZ"},
				Summary: "all of {gridSizeX, gridSizeY, gridSizeZ, blockSizeX, blockSizeY, blockSizeZ} have same type"},
		},
		Format: asyncFormat + " (`<` $asyncObject^ `:` type($asyncObject) `>`)? $kernel " +
			"( `clusters` `in` ` ` `(` $clusterSizeX^ `,` $clusterSizeY `,` $clusterSizeZ `)` )? " +
			"`blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` " +
			"`threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` " +
			"custom<LaunchDimType>(type($gridSizeX), ref($clusterSizeX), type($clusterSizeX), type($clusterSizeY), type($clusterSizeZ)) " +
			"(`dynamic_shared_memory_size` $dynamicSharedMemorySize^)? custom<LaunchFuncOperands>($kernelOperands, type($kernelOperands)) attr-dict",
		Verify:           verifyLaunchFunc,
		VerifySymbolUses: verifyKernel,
		Models: []ir.Model{
			asyncModel,
			// A kernel reads and writes the buffers that it is given, and has no way to keep or to free them.
			interfaces.MemoryEffects.Model(kernelEffects),
		},
	}
}

// kernelEffects are those on the buffers among a kernel's operands.
func kernelEffects(op *ir.Op) []interfaces.Effect {
	effects := []interfaces.Effect{{Kind: interfaces.Read}, {Kind: interfaces.Write}}
	start, n := op.OperandGroupRange(kernelOperands)
	for i := start; i < start+n; i++ {
		if ir.IsMemRef(op.Operand(i).Type()) {
			effects = append(effects, interfaces.OnOperand(interfaces.Read, i), interfaces.OnOperand(interfaces.Write, i))
		}
	}
	return effects
}

// launchDimType is the type of all sizes: index, unless it is spelled.
var launchDimType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		t := ir.Type(ir.Index)
		if p.Optional(":") {
			var err error
			if t, err = p.Type(); err != nil {
				return err
			}
		}
		s.SetTypes(args[0].Name, []ir.Type{t})
		if len(s.OperandsOf(args[1].Name)) > 0 {
			for _, a := range args[2:] {
				s.SetTypes(a.Name, []ir.Type{t})
			}
		}
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		if t := op.OperandGroup(launchSizes).At(0).Type(); t != ir.Type(ir.Index) {
			p.Text(": ")
			p.Type(t)
		}
	},
}

// launchOperands are args(%a : f32, ...), what a kernel is called with.
var launchOperands = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		var values []asm.Unresolved
		var types []ir.Type
		if p.OptionalKeyword("args") {
			err := p.List(asm.Paren, func() error {
				v, err := p.Operand()
				if err != nil {
					return err
				}
				t, err := p.ColonType()
				values, types = append(values, v), append(types, t)
				return err
			})
			if err != nil {
				return err
			}
		}
		s.SetOperands(args[0].Name, values)
		s.SetTypes(args[1].Name, types)
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		values := op.OperandGroup(args[0].Index)
		if len(values) == 0 {
			return
		}
		p.Text("args(")
		for i, v := range values.Values() {
			if i > 0 {
				p.Text(", ")
			}
			p.Operand(v)
			p.Text(" : ")
			p.Type(v.Type())
		}
		p.Text(")")
	},
}

// kernelOf returns the reference to what is launched: a module, and a function in it.
func kernelOf(op *ir.Op) *ir.SymbolRefAttr { return op.Attr("kernel").(*ir.SymbolRefAttr) }

func verifyLaunchFunc(op *ir.Op) error {
	around := op.Parent()
	for around != nil && !around.Is(builtin.Module) {
		around = around.Parent()
	}
	if around == nil {
		return op.Errorf("expected to belong to 'builtin.module'")
	}
	if _, ok := around.Attr(containerAttr).(*ir.UnitAttr); !ok {
		return op.Errorf("expected the closest surrounding module to have the '%s' attribute", containerAttr)
	}
	return nil
}

// verifyKernel looks the kernel up, which may be that of a module that was compiled.
func verifyKernel(op *ir.Op, tables *ir.SymbolTables) error {
	ref := kernelOf(op)
	container := tables.Lookup(op, op.Context().SymbolRef(ref.Root))
	switch {
	case container == nil:
		return op.Errorf("kernel container '%s' is undefined", ref.Root)
	case !container.Registered():
		return nil
	case !container.Is(Module):
		return op.Errorf("kernel module '%s' is undefined", ref.Root)
	}
	fn := tables.Lookup(op, ref)
	if fn == nil {
		return op.Errorf("kernel function '%s' is undefined", ref)
	}
	if !isKernel(fn) {
		return op.Errorf("kernel function is missing the '%s' attribute", kernelAttr)
	}
	if !fn.Is(Func) {
		return nil
	}
	actual, inputs := op.OperandGroup(kernelOperands), functionType(fn).Inputs
	if len(actual) != len(inputs) {
		return op.Errorf("got %d kernel operands but expected %d", len(actual), len(inputs))
	}
	for i, t := range inputs {
		if actual.At(i).Type() != t {
			return op.Errorf("type of function argument %d does not match", i)
		}
	}
	return nil
}
