package tflite

import (
	"math"
	"strings"
)

// customKernels are the operators that are imported though they aren't built in, by their names.
func customKernels() map[string]kernelDef {
	return map[string]kernelDef{
		"SignalWindow":                        {2, 2, 1, signalWindow},
		"SignalFftAutoScale":                  {1, 1, 2, signalAutoScale},
		"SignalRfft":                          {1, 1, 1, signalTransform},
		"SignalEnergy":                        {1, 1, 1, signalEnergy},
		"SignalFilterBank":                    {6, 6, 1, filterBank},
		"SignalFilterBankSquareRoot":          {2, 2, 1, filterBankRoot},
		"SignalFilterBankSpectralSubtraction": {1, 1, 2, spectralSubtraction},
		"SignalPCAN":                          {3, 3, 1, gainControl},
		"SignalFilterBankLog":                 {1, 1, 1, filterBankLog},
		detectionName:                         {3, 3, 4, detectionPostProcess},
	}
}

// whole returns an option of an operator that isn't built in, which is an integer within limits.
func (k *kernel) whole(name string, low, high int64) (int64, error) {
	options, err := k.op.Numbers()
	if err != nil {
		return 0, k.errorf("the options of %s can't be read: %v", k.code, err)
	}
	x, ok := options[name]
	switch {
	case !ok:
		return 0, k.errorf("%s has no option %q", k.code, name)
	case x != math.Trunc(x) || x < float64(low) || x > float64(high):
		return 0, k.errorf("the option %q of %s is %g, which is not an integer from %d to %d", name, k.code, x, low, high)
	}
	return int64(x), nil
}

// custom says what is known about operators that aren't built in, and what can be done about them.
var custom = []struct {
	// name is that of an operator, or what the names of several begin with, if it ends in *.
	name, help string
}{
	{"Signal*", sound}, {"AudioMicrofrontend", sound}, {"MicroFrontend", sound}, {"AudioSpectrogram", sound}, {"Mfcc", sound},
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
