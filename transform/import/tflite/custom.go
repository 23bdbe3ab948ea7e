package tflite

import "strings"

// custom says what is known about operators that aren't built in, and what can be done about them.
var custom = []struct {
	// name is that of an operator, or what the names of several begin with, if it ends in *.
	name, help string
}{
	{"Signal*", sound}, {"AudioMicrofrontend", sound}, {"MicroFrontend", sound}, {"AudioSpectrogram", sound}, {"Mfcc", sound},
	{"TFLite_Detection_PostProcess", "it chooses among the boxes that a network found, and what is before it can be a model by itself"},
	{"Flex*", "it is an operation of TensorFlow, and no longer there in a model that is converted without tf.lite.OpsSet.SELECT_TF_OPS"},
	{"ethos-u", "the model was compiled for an Ethos-U by Vela: the one that Vela was given is read"},
	{"edgetpu-custom-op", "the model was compiled for an Edge TPU: the one that its compiler was given is read"},
	{"XC_*", "the model was compiled for a processor of XMOS: the one that its compiler was given is read"},
}

const sound = "it makes features of sound, and the network that takes them can be a model by itself"

// customHelp returns what is said of an operator that isn't built in, or "".
func customHelp(name string) string {
	for _, c := range custom {
		if prefix, several := strings.CutSuffix(c.name, "*"); name == c.name || several && strings.HasPrefix(name, prefix) {
			return ": " + c.help
		}
	}
	return ""
}
