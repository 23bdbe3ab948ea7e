package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// called tells which subgraphs others call.
func (im *importer) called() map[int]bool {
	out := map[int]bool{}
	for _, g := range im.model.Subgraphs {
		for _, o := range g.Operators {
			for _, callee := range o.Subgraphs() {
				out[callee] = true
			}
		}
	}
	return out
}

// call calls a subgraph with some values and returns what it returns, which must have the types of the outputs.
func (k *kernel) call(subgraph int, args []*ir.Value, results []ir.Type) ([]*ir.Value, error) {
	if subgraph < 0 || subgraph >= len(k.model.Subgraphs) {
		return nil, k.errorf("%s calls subgraph %d, of %d", k.code, subgraph, len(k.model.Subgraphs))
	}
	callee := &function{importer: k.importer, graph: k.model.Subgraphs[subgraph]}
	ins, err := callee.types(callee.graph.Inputs)
	if err != nil {
		return nil, err
	}
	outs, err := callee.types(callee.graph.Outputs)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(ins, ir.TypesOf(args)) || !slices.Equal(outs, results) {
		return nil, k.errorf("%s calls subgraph %d, @%s, whose tensors have other types", k.code, subgraph, k.functions[subgraph])
	}
	return funcd.NewCall(k.b, k.functions[subgraph], results, args...).Results().Values(), nil
}

// arguments returns the values of the inputs from one on, and the types of the outputs.
func (k *kernel) arguments(from int) (args []*ir.Value, results []ir.Type, err error) {
	for i := from; i < len(k.in); i++ {
		v, err := k.value(i)
		if err != nil {
			return nil, nil, err
		}
		args = append(args, v)
	}
	for i := range k.out {
		results = append(results, k.resultType(i))
	}
	return args, results, nil
}

// truth reads the one element of a tensor of truth values.
func (k *kernel) truth(v *ir.Value) (*ir.Value, error) {
	t := v.Type().(*ir.RankedTensorType)
	if t.Elem != ir.Type(ir.I1) || ir.ElementCount(t.Shape) != 1 {
		return nil, k.errorf("the condition of %s is '%s', and no single truth value", k.code, t)
	}
	var at []*ir.Value
	for range t.Shape {
		at = append(at, k.index(0))
	}
	return k.at(v, at...), nil
}

// ifKernel is IF.
func ifKernel(k *kernel) error {
	args, results, err := k.arguments(1)
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	cond, err := k.truth(v)
	if err != nil {
		return err
	}
	branch := func(field int) func(*ir.Builder) []*ir.Value {
		return func(*ir.Builder) []*ir.Value {
			values, callErr := k.call(k.op.Options.Int(field), args, results)
			if callErr != nil {
				err = callErr
			}
			return values
		}
	}
	op := scf.NewIf(k.b, cond, results, branch(0), branch(1))
	for i := range k.out {
		k.result(i, op.Result(i))
	}
	return err
}

// caseKernel is STABLEHLO_CASE: one of several subgraphs, by a number; the last one for a number that none has.
func caseKernel(k *kernel) error {
	args, results, err := k.arguments(1)
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	branches := k.op.Subgraphs()
	if k.in[0].Type != model.Int32 || ir.ElementCount(k.in[0].Shape) != 1 || len(branches) == 0 {
		return k.malformed()
	}
	// Compilation takes more than linear time in how many there are. No network has as many.
	const most = 256
	if len(branches) > most {
		return k.errorf("%s of more than %d subgraphs isn't supported", k.code, most)
	}
	number := k.at(k.reshape(v, nil))
	call := func(n int) []*ir.Value {
		values, callErr := k.call(branches[n], args, results)
		if callErr != nil && err == nil {
			err = callErr
		}
		return values
	}
	var cases []int64
	for n := range len(branches) - 1 {
		cases = append(cases, int64(n))
	}
	op := scf.NewIndexSwitch(k.b, k.toIndex(number), cases, results, func(_ *ir.Builder, n int) []*ir.Value {
		if n < 0 {
			n = len(branches) - 1
		}
		return call(n)
	})
	for i := range k.out {
		k.result(i, op.Result(i))
	}
	return err
}

// whileKernel is WHILE.
func whileKernel(k *kernel) error {
	args, results, err := k.arguments(0)
	if err != nil {
		return err
	}
	if !slices.Equal(ir.TypesOf(args), results) {
		return k.malformed()
	}
	cond := k.op.Options.Int(0)
	if cond < 0 || cond >= len(k.model.Subgraphs) || len(k.model.Subgraphs[cond].Outputs) != 1 {
		return k.errorf("WHILE has no condition in subgraph %d", cond)
	}
	callee := &function{importer: k.importer, graph: k.model.Subgraphs[cond]}
	condTypes, err := callee.types(callee.graph.Outputs)
	if err != nil {
		return err
	}
	op := scf.NewWhile(k.b, results, args)
	k.b.SetEnd(op.Before())
	goOn, err := k.call(cond, op.Before().Args(), condTypes)
	if err != nil {
		return err
	}
	c, err := k.truth(goOn[0])
	if err != nil {
		return err
	}
	scf.NewCondition(k.b, c, op.Before().Args()...)
	k.b.SetEnd(op.After())
	values, err := k.call(k.op.Options.Int(1), op.After().Args(), results)
	if err != nil {
		return err
	}
	scf.NewYield(k.b, values...)
	k.b.SetAfter(op.Op)
	for i := range k.out {
		k.result(i, op.Result(i))
	}
	return nil
}

// callOnce is CALL_ONCE: the subgraph that gives variables their first contents, which a flag says has been called.
func callOnce(k *kernel) error {
	subgraph := k.op.Options.Int(0)
	t := k.ctx.MemRef(nil, ir.I1)
	key := variableKey{tensor: -2, shared: k.code, subgraph: string(rune(subgraph))}
	v, ok := k.globals[key]
	if !ok {
		v = variable{k.symbol("initialized", ""), t}
		k.globals[key] = v
		k.global(v.name, t, k.ctx.Bool(false))
	}
	flag := memref.NewGetGlobal(k.b, t, v.name)
	done := memref.NewLoad(k.b, flag)
	var err error
	scf.NewIf(k.b, k.cmp(arith.EQ, done, k.int(ir.I1, 0)), nil, func(*ir.Builder) []*ir.Value {
		_, err = k.call(subgraph, nil, nil)
		memref.NewStore(k.b, k.int(ir.I1, 1), flag)
		return nil
	}, nil)
	return err
}

// composite is STABLEHLO_COMPOSITE: an operation by a name, which a subgraph defines.
func composite(k *kernel) error {
	args, results, err := k.arguments(0)
	if err != nil {
		return err
	}
	values, err := k.call(k.op.Options.Int(1), args, results)
	if err != nil {
		return err
	}
	for i, v := range values {
		k.result(i, v)
	}
	return nil
}
