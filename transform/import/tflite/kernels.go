package tflite

import (
	gomath "math"
	"sync"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// kernels are the operators that are imported, by their names: those of the schema, and custom ones. They are made when the first model is read.
var kernels struct {
	making          sync.Once
	builtin, custom map[string]kernelDef
}

func makeKernels() {
	kernels.custom = customKernels()
	kernels.builtin = map[string]kernelDef{
		"CONV_2D":           {2, 3, 1, conv2D},
		"DEPTHWISE_CONV_2D": {2, 3, 1, depthwiseConv2D},
		"CONV_3D":           {2, 3, 1, conv3D},
		"TRANSPOSE_CONV":    {3, 4, 1, transposeConv},
		"FULLY_CONNECTED":   {2, 3, 1, fullyConnected},
		"AVERAGE_POOL_2D":   {1, 1, 1, pool((*kernel).averagePooling)},
		"MAX_POOL_2D":       {1, 1, 1, pool((*kernel).maxPooling)},
		"L2_POOL_2D":        {1, 1, 1, pool((*kernel).l2Pooling)},
		"SOFTMAX":           {1, 1, 1, softmax},

		"ADD":                {2, 2, 1, pairwise{plain(arith.AddF), plain(arith.AddI), sum(arith.AddI), 0}.build},
		"SUB":                {2, 2, 1, pairwise{plain(arith.SubF), plain(arith.SubI), sum(arith.SubI), 0}.build},
		"MUL":                {2, 2, 1, pairwise{plain(arith.MulF), plain(arith.MulI), product, 0}.build},
		"DIV":                {2, 2, 1, pairwise{plain(arith.DivF), plain(arith.DivSI), quotient, 0}.build},
		"POW":                {2, 2, 1, pairwise{plain(math.PowF), plain(math.IPowI), nil, -1}.build},
		"FLOOR_DIV":          {2, 2, 1, narrow(plain(arith.FloorDivSI), pairwise{floorDiv, plain(arith.FloorDivSI), nil, -1}.build)},
		"FLOOR_MOD":          {2, 2, 1, narrow(floorMod(arith.RemSI), pairwise{floorMod(arith.RemF), floorMod(arith.RemSI), nil, -1}.build)},
		"SQUARED_DIFFERENCE": {2, 2, 1, pairwise{squareOfDifference(arith.SubF, arith.MulF), squareOfDifference(arith.SubI, arith.MulI), squaredDifference, -1}.build},
		"MAXIMUM":            {2, 2, 1, extreme(true)},
		"MINIMUM":            {2, 2, 1, extreme(false)},
		"ADD_N":              {1, -1, 1, addN},
		"ATAN2":              {2, 2, 1, pairwise{plain(math.Atan2), nil, nil, -1}.build},
		"BITWISE_XOR":        {2, 2, 1, bitwise(xor)},
		"RIGHT_SHIFT":        {2, 2, 1, bitwise(rightShift)},

		"RELU":         {1, 1, 1, relu(model.Relu)},
		"RELU6":        {1, 1, 1, relu(model.Relu6)},
		"RELU_N1_TO_1": {1, 1, 1, relu(model.ReluN1To1)},
		"RELU_0_TO_1":  {1, 1, 1, reluZeroToOne},
		"LEAKY_RELU":   {1, 1, 1, leakyRelu},
		"PRELU":        {2, 2, 1, prelu},
		"LOGISTIC":     {1, 1, 1, sigmoidal(false)},
		"TANH":         {1, 1, 1, sigmoidal(true)},
		"HARD_SWISH":   {1, 1, 1, hardSwish},
		"ELU":          {1, 1, 1, unaryFloat(elu, eluTable)},
		"GELU":         {1, 1, 1, gelu},
		"EXP":          {1, 1, 1, unaryFloat(mathOp(math.Exp), single(gomath.Exp))},
		"LOG":          {1, 1, 1, unaryFloat(mathOp(math.Log), nil)},
		"SIN":          {1, 1, 1, unaryFloat(mathOp(math.Sin), nil)},
		"COS":          {1, 1, 1, unaryFloat(mathOp(math.Cos), nil)},
		"SQRT":         {1, 1, 1, unaryFloat(mathOp(math.Sqrt), nil)},
		"RSQRT":        {1, 1, 1, rsqrt},
		"SQUARE":       {1, 1, 1, unaryFloat(func(k *kernel, x *ir.Value) *ir.Value { return k.op2(arith.MulF, x, x) }, nil)},
		"FLOOR":        {1, 1, 1, unaryFloat(mathOp(math.Floor), nil)},
		"CEIL":         {1, 1, 1, unaryFloat(mathOp(math.Ceil), nil)},
		"ROUND":        {1, 1, 1, unaryFloat(roundEven, nil)},
		"ABS":          {1, 1, 1, absolute},
		"SIGN":         {1, 1, 1, sign},
		"NEG":          {1, 1, 1, signed(arith.NegF, func(k *kernel, x *ir.Value) *ir.Value { return k.sub(k.int(x.Type(), 0), x) })},

		"QUANTIZE":   {1, 1, 1, quantize},
		"DEQUANTIZE": {1, 1, 1, dequantize},
		"FAKE_QUANT": {1, 1, 1, fakeQuantize},
		"CAST":       {1, 1, 1, castKernel},

		"RESHAPE":       {1, 2, 1, reshapeKernel},
		"SQUEEZE":       {1, 1, 1, reshapeKernel},
		"EXPAND_DIMS":   {2, 2, 1, reshapeKernel},
		"CONCATENATION": {1, -1, 1, concatenation},
		"PACK":          {1, -1, 1, pack},
		"UNPACK":        {1, 1, -1, unpack},
		"SPLIT":         {2, 2, -1, split},
		"SPLIT_V":       {3, 3, -1, splitV},
		"SLICE":         {3, 3, 1, sliceKernel},
		"STRIDED_SLICE": {4, 4, 1, stridedSlice},
		"PAD":           {2, 2, 1, pad},
		"PADV2":         {3, 3, 1, pad},

		"MIRROR_PAD": {2, 2, 1, mirrorPad},

		"TRANSPOSE":               {2, 2, 1, transpose},
		"DEPTH_TO_SPACE":          {1, 1, 1, depthToSpace(true)},
		"SPACE_TO_DEPTH":          {1, 1, 1, depthToSpace(false)},
		"BATCH_TO_SPACE_ND":       {3, 3, 1, batchToSpace},
		"SPACE_TO_BATCH_ND":       {3, 3, 1, spaceToBatch},
		"REVERSE_V2":              {2, 2, 1, reverse},
		"TILE":                    {2, 2, 1, tile},
		"BROADCAST_ARGS":          {2, 2, 1, broadcastArgs},
		"BROADCAST_TO":            {2, 2, 1, broadcastTo},
		"FILL":                    {2, 2, 1, fill},
		"ZEROS_LIKE":              {1, 1, 1, zerosLike},
		"SHAPE":                   {1, 1, 1, shapeKernel},
		"RANK":                    {1, 1, 1, rankKernel},
		"RANGE":                   {3, 3, 1, rangeKernel},
		"ONE_HOT":                 {4, 4, 1, oneHot},
		"MATRIX_DIAG":             {1, 1, 1, matrixDiag(false)},
		"MATRIX_SET_DIAG":         {2, 2, 1, matrixDiag(true)},
		"REVERSE_SEQUENCE":        {2, 2, 1, reverseSequence},
		"BUCKETIZE":               {1, 1, 1, bucketize},
		"SCATTER_ND":              {3, 3, 1, scatterND},
		"SPARSE_TO_DENSE":         {4, 4, 1, sparseToDense},
		"SEGMENT_SUM":             {2, 2, 1, segments(sumStart, sumJoin)},
		"UNSORTED_SEGMENT_SUM":    {3, 3, 1, segments(sumStart, sumJoin)},
		"UNSORTED_SEGMENT_PROD":   {3, 3, 1, segments(productStart, productJoin)},
		"UNSORTED_SEGMENT_MAX":    {3, 3, 1, segments(extremeStart(true), extremeJoin(true))},
		"UNSORTED_SEGMENT_MIN":    {3, 3, 1, segments(extremeStart(false), extremeJoin(false))},
		"GATHER":                  {2, 2, 1, gather},
		"GATHER_ND":               {2, 2, 1, gatherND},
		"EMBEDDING_LOOKUP":        {2, 2, 1, embeddingLookup},
		"DYNAMIC_UPDATE_SLICE":    {3, 3, 1, dynamicUpdateSlice},
		"RESIZE_BILINEAR":         {2, 2, 1, resizeBilinear},
		"RESIZE_NEAREST_NEIGHBOR": {2, 2, 1, resizeNearest},

		"SUM":                          {2, 2, 1, reduce(total(false))},
		"MEAN":                         {2, 2, 1, reduce(total(true))},
		"REDUCE_MAX":                   {2, 2, 1, reduce(extremeOf(true))},
		"REDUCE_MIN":                   {2, 2, 1, reduce(extremeOf(false))},
		"REDUCE_PROD":                  {2, 2, 1, reduce(productOf)},
		"REDUCE_ANY":                   {2, 2, 1, reduce(truthOf(arith.OrI, 0))},
		"REDUCE_ALL":                   {2, 2, 1, reduce(truthOf(arith.AndI, 1))},
		"ARG_MAX":                      {2, 2, 1, argument(true)},
		"ARG_MIN":                      {2, 2, 1, argument(false)},
		"L2_NORMALIZATION":             {1, 1, 1, scaledL2Normalization},
		"LOG_SOFTMAX":                  {1, 1, 1, logSoftmaxKernel},
		"TOPK_V2":                      {2, 2, 2, topK},
		"LOCAL_RESPONSE_NORMALIZATION": {1, 1, 1, localResponse},
		"CUMSUM":                       {2, 2, 1, cumsum},
		"BATCH_MATMUL":                 {2, 2, 1, batchMatMul},

		"EQUAL":         {2, 2, 1, compare(arith.OEQ, arith.EQ, arith.EQ)},
		"NOT_EQUAL":     {2, 2, 1, compare(arith.UNE, arith.NE, arith.NE)},
		"LESS":          {2, 2, 1, compare(arith.OLT, arith.SLT, arith.ULT)},
		"LESS_EQUAL":    {2, 2, 1, compare(arith.OLE, arith.SLE, arith.ULE)},
		"GREATER":       {2, 2, 1, compare(arith.OGT, arith.SGT, arith.UGT)},
		"GREATER_EQUAL": {2, 2, 1, compare(arith.OGE, arith.SGE, arith.UGE)},
		"LOGICAL_AND":   {2, 2, 1, logical(arith.AndI)},
		"LOGICAL_OR":    {2, 2, 1, logical(arith.OrI)},
		"LOGICAL_NOT":   {1, 1, 1, logicalNot},
		"SELECT":        {3, 3, 1, selectKernel},
		"SELECT_V2":     {3, 3, 1, selectKernel},

		"SVDF":                         {3, 5, 1, buildSVDF},
		"UNIDIRECTIONAL_SEQUENCE_LSTM": {1, 24, 1, buildLSTM},
		"IF":                           {1, -1, -1, ifKernel},
		"WHILE":                        {1, -1, -1, whileKernel},
		"CALL_ONCE":                    {0, 0, 0, callOnce},
		"VAR_HANDLE":                   {0, 0, 1, varHandle},
		"READ_VARIABLE":                {1, 1, 1, readVariable},
		"ASSIGN_VARIABLE":              {2, 2, 0, assignVariable},
	}
}
