package irgen

// Generator is a kind of random program.
type Generator struct {
	Name string
	// Generate returns a module of about size operations whose function @main is to be
	// executed.
	Generate func(choose Chooser, size int) string
}

// Generators lists the kinds of programs.
var Generators = []Generator{
	{"tensors", Tensors},
	{"buffers", func(choose Chooser, size int) string { return Buffers(choose, BufferKnobs{Size: size}) }},
	{"blocks", func(choose Chooser, size int) string {
		return Buffers(choose, BufferKnobs{Size: size, Loops: true, Switches: true})
	}},
	{"affine", Affine},
}
