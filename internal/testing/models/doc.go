// Package models writes programs in the shape of neural networks as front ends hand them over:
// structured operations on tensors, with small sizes. Tests measure what memory they need
// after compilation, since there it shows whether a rule about buffers is missing.
package models

// Model is a network.
type Model struct {
	// Name is a word that tells which.
	Name string
	// Source returns the text of a program with a function @main.
	Source func() string
}

// All returns the networks.
func All() []Model {
	return []Model{
		{"resnet-nhwc", func() string { return resnet(nhwc) }},
		{"resnet-nchw", func() string { return resnet(nchw) }},
		{"mobilenet", mobilenet},
		{"unet-slices", func() string { return unet(false) }},
		{"unet-concat", func() string { return unet(true) }},
		{"wavenet", wavenet},
		{"attention", attention},
		{"decoder", func() string { return decoder("") }},
		{"decoder-strided", func() string {
			return decoder("affine_map<(d0, d1, d2, d3)[s0, s1, s2, s3, s4] -> (d0 * s1 + d1 * s2 + d2 * s3 + d3 * s4 + s0)>")
		}},
		{"gru", gru},
		{"lstm-while", lstm},
		{"training", training},
		{"experts", experts},
		{"quantized", quantized},
		{"bytewise", bytewise},
		{"gpt2", gpt2},
		{"flash", flash},
		{"encoder", func() string { return encoder(16, 4, 8) }},
		{"squeeze", func() string { return squeeze(16, 4) }},
		{"power", power},
		{"stacked", stacked},
		{"switched", switched},
		{"beams", beams},
		{"layers", layers},
		{"bidirectional", bidirectional},
		{"generation", generation},
		{"diffusion", diffusion},
		{"pyramid", pyramid},
		{"suppression", suppression},
		{"shuffled", shuffled},
		{"growing", growing},
		{"whole", whole},
		{"upsampled", upsampled},
		{"translation", translation},
		{"spoken", spoken},
		{"windows", windows},
		{"graph", graph},
		{"routed", routed},
		{"listened", listened},
		{"normalized", normalized},
		{"mamba", func() string { return mamba(8, 16, 4) }},
	}
}
