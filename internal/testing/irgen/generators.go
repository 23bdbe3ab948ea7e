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
	{Name: "calls", Generate: Calls},
	{Name: "corners", Generate: Corners, Odd: true},
	{Name: "kept", Generate: Kept, Odd: true, Named: true},
}

// dynamicSizes are the sizes that programs of [Tensors] know dynamic dimensions to
// have.
func dynamicSizes(rank int) []int64 {
	if rank == 1 {
		return []int64{4}
	}
	return []int64{2, 3}
}
