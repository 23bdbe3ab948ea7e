package stablehlo

import (
	"sync"

	"freehold/dialect/check"
	"freehold/dialect/chlo"
	"freehold/dialect/sdy"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// tables are made when the first program is lowered: making them takes longer than all else that a short command does.
var tables sync.Once

// newLowering returns a lowering of a module.
func newLowering(module *ir.Op) *lowering {
	tables.Do(func() {
		nameCalls()
		makeRules()
		makeScalars()
	})
	return &lowering{b: ir.NewBuilder(module.Context()), tables: ir.NewSymbolTables(), root: module}
}

// makeRules fills the table of the operations that aren't computed element by element.
func makeRules() {
	rules = map[*ir.OpID]rule{
		check.ExpectEqConst:             expectConstant(check.ExpectEq),
		check.ExpectAlmostEqConst:       expectConstant(check.ExpectAlmostEq),
		stablehlo.CustomCall:            (*lowering).customCall,
		chlo.Constant:                   (*lowering).clientConstant,
		chlo.ConstantLike:               (*lowering).clientConstant,
		chlo.TopK:                       (*lowering).topK,
		sdy.ManualComputation:           (*lowering).computation,
		sdy.Mesh:                        annotation,
		sdy.NamedComputation:            (*lowering).computation,
		sdy.PropagationBarrier:          (*lowering).handOn,
		sdy.Reshard:                     (*lowering).handOn,
		sdy.ShardingConstraint:          (*lowering).handOn,
		sdy.ShardingGroup:               annotation,
		stablehlo.BitcastConvert:        (*lowering).bitcast,
		stablehlo.AsyncDone:             outside,
		stablehlo.AsyncStart:            (*lowering).asynchronous,
		stablehlo.Composite:             (*lowering).composite,
		chlo.RaggedDot:                  (*lowering).raggedDot,
		stablehlo.Einsum:                (*lowering).einsum,
		stablehlo.Infeed:                outside,
		stablehlo.Outfeed:               outside,
		stablehlo.Recv:                  outside,
		stablehlo.Send:                  outside,
		stablehlo.UnaryEinsum:           (*lowering).einsum,
		stablehlo.AfterAll:              (*lowering).token,
		stablehlo.AllGather:             (*lowering).unchanged,
		stablehlo.AllReduce:             (*lowering).unchanged,
		stablehlo.AllToAll:              (*lowering).unchanged,
		stablehlo.BatchNormGrad:         (*lowering).batchNormGrad,
		stablehlo.BatchNormInference:    (*lowering).batchNormInference,
		stablehlo.BatchNormTraining:     (*lowering).batchNormTraining,
		stablehlo.Cholesky:              (*lowering).cholesky,
		stablehlo.CollectiveBroadcast:   (*lowering).unchanged,
		stablehlo.CollectivePermute:     (*lowering).permuted,
		stablehlo.CreateToken:           (*lowering).token,
		stablehlo.CrossReplicaSum:       (*lowering).unchanged,
		stablehlo.Fft:                   (*lowering).fourier,
		stablehlo.PartitionID:           (*lowering).identity,
		stablehlo.RNG:                   (*lowering).randomNumbers,
		stablehlo.RNGBitGenerator:       (*lowering).bitGenerator,
		stablehlo.ReduceScatter:         (*lowering).unchanged,
		stablehlo.ReplicaID:             (*lowering).identity,
		stablehlo.TriangularSolve:       (*lowering).triangularSolve,
		stablehlo.Broadcast:             (*lowering).broadcast,
		stablehlo.BroadcastInDim:        (*lowering).broadcastInDim,
		stablehlo.Case:                  (*lowering).choice,
		stablehlo.Concatenate:           (*lowering).concatenate,
		stablehlo.Constant:              (*lowering).constant,
		stablehlo.Convolution:           (*lowering).convolution,
		stablehlo.Dot:                   (*lowering).dot,
		stablehlo.DotGeneral:            (*lowering).dotGeneral,
		stablehlo.DynamicBroadcastInDim: (*lowering).broadcastInDim,
		stablehlo.DynamicConv:           (*lowering).convolution,
		stablehlo.DynamicGather:         (*lowering).gather,
		stablehlo.DynamicIota:           (*lowering).iota,
		stablehlo.DynamicPad:            (*lowering).pad,
		stablehlo.DynamicReshape:        (*lowering).reshape,
		stablehlo.DynamicSlice:          (*lowering).dynamicSlice,
		stablehlo.DynamicUpdateSlice:    (*lowering).dynamicUpdateSlice,
		stablehlo.Gather:                (*lowering).gather,
		stablehlo.GetDimensionSize:      (*lowering).dimensionSize,
		stablehlo.GetTupleElement:       tupled,
		stablehlo.If:                    (*lowering).ifElse,
		stablehlo.Iota:                  (*lowering).iota,
		stablehlo.Map:                   (*lowering).mapElements,
		stablehlo.OptimizationBarrier:   (*lowering).barrier,
		stablehlo.Pad:                   (*lowering).pad,
		stablehlo.RealDynamicSlice:      (*lowering).realDynamicSlice,
		stablehlo.Reduce:                (*lowering).reduce,
		stablehlo.ReduceWindow:          (*lowering).reduceWindow,
		stablehlo.Reshape:               (*lowering).reshape,
		stablehlo.Reverse:               (*lowering).reverse,
		stablehlo.Scatter:               (*lowering).scatter,
		stablehlo.SelectAndScatter:      (*lowering).selectAndScatter,
		stablehlo.SetDimensionSize:      (*lowering).setDimensionSize,
		stablehlo.Slice:                 (*lowering).slice,
		stablehlo.Sort:                  (*lowering).sort,
		stablehlo.TorchIndexSelect:      (*lowering).indexSelect,
		stablehlo.Tuple:                 tupled,
		stablehlo.Transpose:             (*lowering).transpose,
		stablehlo.While:                 (*lowering).while,
	}
	for id := range chlo.Broadcasts {
		rules[id] = (*lowering).broadcasting
	}
}
