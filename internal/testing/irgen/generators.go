package irgen

// Generator is a kind of random program.
type Generator struct {
	Name string
	// Generate returns a module of about size operations whose function @main is to be
	// executed.
	Generate func(choose Chooser, size int) string
	// Sizes gives the sizes of dynamic dimensions of arguments, by their number; nil if
	// there are none.
	Sizes func(rank int) []int64
	// Idle tells that @main does nothing: what a program is there for isn't executed.
	Idle bool
	// Mutants tells that programs may be invalid, or do anything.
	Mutants bool
	// Odd tells that some programs have operations that only the engine knows.
	Odd bool
	// Lower is the pipeline after which programs can be executed; empty if they can as they are. Those that it refuses aren't executed.
	Lower string
	// Private tells that functions besides @main are executed, too, as callers may call them.
	Private bool
	// Named tells that programs are only for pipelines that are meant for them: passes alone don't know all that they need to.
	Named bool
}

// Generators lists the kinds of programs.
var Generators = []Generator{
	{Name: "tensors", Generate: Tensors, Sizes: dynamicSizes},
	{Name: "buffers", Generate: func(choose Chooser, size int) string { return Buffers(choose, BufferKnobs{Size: size}) }},
	{Name: "blocks", Generate: func(choose Chooser, size int) string {
		return Buffers(choose, BufferKnobs{Size: size, Loops: true, Switches: true})
	}},
	{Name: "affine", Generate: Affine},
	{Name: "views", Generate: Views},
	{Name: "limits", Generate: TensorLimits, Sizes: dynamicSizes},
	{Name: "rare", Generate: Rare, Idle: true},
	{Name: "loops", Generate: Loops},
	{Name: "calls", Generate: Calls, Private: true},
	{Name: "corners", Generate: Corners, Odd: true},
	{Name: "kept", Generate: Kept, Odd: true, Named: true, Private: true},
	{Name: "scalars", Generate: Scalars, Odd: true},
	{Name: "accesses", Generate: Accesses, Odd: true},
	{Name: "algebra", Generate: Algebra, Odd: true},
	{Name: "lanes", Generate: Lanes, Odd: true},
	{Name: "freed", Generate: Freed, Odd: true},
	{Name: "imported", Generate: Imported, Odd: true, Lower: "builtin.module(chlo-to-stablehlo,stablehlo-to-linalg,func.func(tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg," +
		"tosa-to-arith{include-apply-rescale=true},tosa-to-tensor,tosa-to-scf))"},
}

// dynamicSizes are the sizes that programs of [Tensors] know dynamic dimensions to
// have.
func dynamicSizes(rank int) []int64 {
	if rank == 1 {
		return []int64{4}
	}
	return []int64{2, 3}
}
