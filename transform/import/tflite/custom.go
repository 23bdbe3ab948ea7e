package tflite

import (
	"encoding/binary"
	"math"
	"strings"

	"freehold/transform/import/tflite/model"
)

// customKernels are the operators that are imported though they aren't built in, by their names.
func customKernels() map[string]kernelDef {
	return map[string]kernelDef{
		"SignalWindow":                        {2, 2, 1, signalWindow},
		"SignalFftAutoScale":                  {1, 1, 2, signalAutoScale},
		"SignalRfft":                          {1, 1, 1, signalTransform(false)},
		"SignalIrfft":                         {1, 1, 1, signalTransform(true)},
		"SignalEnergy":                        {1, 1, 1, signalEnergy},
		"SignalFilterBank":                    {6, 6, 1, filterBank},
		"SignalFilterBankSquareRoot":          {2, 2, 1, filterBankRoot},
		"SignalFilterBankSpectralSubtraction": {1, 1, 2, spectralSubtraction},
		"SignalPCAN":                          {3, 3, 1, gainControl},
		"SignalFilterBankLog":                 {1, 1, 1, filterBankLog},
		"SignalDelay":                         {1, 1, 1, signalDelay},
		"SignalFramer":                        {1, 1, 2, signalFramer},
		"SignalOverlapAdd":                    {1, 1, 1, signalOverlapAdd},
		"SignalStacker":                       {1, 1, 2, signalStacker},
		"CIRCULAR_BUFFER":                     {1, 1, -1, circularBuffer},
		detectionName:                         {3, 3, 4, detectionPostProcess},
		"Convolution2DTransposeBias":          {3, 3, 1, transposeConvBias},
		"MaxPoolingWithArgmax2D":              {1, 1, 2, maxPoolPlaces},
		"MaxUnpooling2D":                      {2, 2, 1, maxUnpool},
		"Landmarks2TransformMatrix":           {1, 1, 1, landmarksMatrix},
		"TransformLandmarks":                  {2, 2, 1, transformLandmarks},
		"TransformTensorBilinear":             {2, 2, 1, transformTensor},
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

// structure returns the first n numbers of 32 bits of the options of an operator that isn't built in, which are a structure of C.
func (k *kernel) structure(n int) ([]int64, error) {
	o := k.op.CustomOptions
	if len(o) < 4*n {
		return nil, k.errorf("the options of %s can't be read: they are %d bytes, and not %d", k.code, len(o), 4*n)
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(int32(binary.LittleEndian.Uint32(o[4*i:])))
	}
	return out, nil
}

// structurePadding returns the padding that a number of a structure stands for.
func (k *kernel) structurePadding(n int64) (model.Padding, error) {
	const same, valid = 1, 2
	switch n {
	case same:
		return model.Same, nil
	case valid:
		return model.Valid, nil
	}
	return 0, k.errorf("%s has no padding that is known", k.code)
}

// help is what can be done about an operator, or about several, whose names begin with name if it ends in *.
type help struct{ name, text string }

// customHelp is what is known about operators that aren't built in, and can't be imported.
var customHelp = []help{
	{"Signal*", sound}, {"AudioMicrofrontend", sound}, {"MicroFrontend", sound}, {"AudioSpectrogram", sound}, {"Mfcc", sound},
	{"Flex*", "it is an operation of TensorFlow, and no longer there in a model that is converted without tf.lite.OpsSet.SELECT_TF_OPS"},
	{"ethos-u", "the model was compiled for an Ethos-U by Vela: the one that Vela was given is read"},
	{"edgetpu-custom-op", "the model was compiled for an Edge TPU: the one that its compiler was given is read"},
	{"XC_*", "the model was compiled for a processor of XMOS: the one that its compiler was given is read"},
}

// builtinHelp is what is known about operators that are built in, and can't be imported.
var builtinHelp = []help{
	{"HASHTABLE*", texts}, {"LSH_PROJECTION", texts}, {"SKIP_GRAM", texts},
	{"RANDOM_*", random}, {"MULTINOMIAL", random},
	{"DELEGATE", "a part of the model was compiled for a device: the model that its compiler was given is read"},
	{"STABLEHLO_*", "it is an operation of StableHLO: freehold reads a model that is exported as StableHLO, or converted to TensorFlow Lite's own operators"},
}

const (
	sound  = "it makes features of sound, and the network that takes them can be a model by itself"
	texts  = "what it looks up or makes of texts are numbers, and the network that takes them can be a model by itself"
	random = "its numbers differ from execution to execution; a model that has them as an argument is read"
)

// helpOf returns what is said of an operator, or "".
func helpOf(list []help, name string) string {
	for _, h := range list {
		if prefix, several := strings.CutSuffix(h.name, "*"); name == h.name || several && strings.HasPrefix(name, prefix) {
			return ": " + h.text
		}
	}
	return ""
}
