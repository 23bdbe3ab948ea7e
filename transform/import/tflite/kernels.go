package tflite

// kernels are the operators that are imported, by their names in the schema.
var kernels map[string]kernelDef

func init() {
	kernels = map[string]kernelDef{
		"CONV_2D":           {2, 3, 1, conv2D},
		"DEPTHWISE_CONV_2D": {2, 3, 1, depthwiseConv2D},
		"TRANSPOSE_CONV":    {3, 4, 1, transposeConv},
		"FULLY_CONNECTED":   {2, 3, 1, fullyConnected},
		"AVERAGE_POOL_2D":   {1, 1, 1, pool(true)},
		"MAX_POOL_2D":       {1, 1, 1, pool(false)},
		"RESHAPE":           {1, 2, 1, reshapeKernel},
		"SOFTMAX":           {1, 1, 1, softmax},
	}
}
