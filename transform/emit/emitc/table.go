package emitc

import (
	"maps"
	"sync"

	"freehold/dialect/affine"
	"freehold/dialect/cf"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
)

// emitter writes an operation.
type emitter func(f *function, op *ir.Op)

// table has what is written for operations.
type table struct {
	emitters map[*ir.OpID]emitter
	// scalars are the operations that compute each element of their result from one element of each operand.
	scalars map[*ir.OpID]scalar
	// quiet operations have no comment that tells their lines.
	quiet map[*ir.OpID]bool
}

// known is the table of all operations, which is made when it is first asked for.
var known struct {
	making sync.Once
	table
}

// operations returns the table of all operations.
func operations() *table {
	known.making.Do(known.table.fill)
	return &known.table
}

func (t *table) fill() {
	*t = table{map[*ir.OpID]emitter{}, map[*ir.OpID]scalar{}, map[*ir.OpID]bool{}}
	for _, list := range []map[*ir.OpID]emitter{arithEmitters(), indexEmitters(), complexEmitters(), memrefEmitters(), viewEmitters(), scfEmitters(), affineEmitters(),
		cfEmitters(), funcEmitters(), mathEmitters(), linalgEmitters(), vectorEmitters(), vectorMemoryEmitters(), vectorReduceEmitters(), bufferizationEmitters(), dmaEmitters(),
		shapeEmitters(), checkEmitters(), otherEmitters()} {
		maps.Copy(t.emitters, list)
	}
	for _, list := range []map[*ir.OpID]scalar{arithScalars(), castScalars(), indexScalars(), mathScalars(), complexScalars(), vectorScalars()} {
		maps.Copy(t.scalars, list)
	}
	for _, list := range []map[*ir.OpID]emitter{arithEmitters(), indexEmitters(), viewEmitters()} {
		for id := range list {
			t.quiet[id] = true
		}
	}
	for _, id := range []*ir.OpID{memref.Load, memref.Store, affine.Load, affine.Store, affine.Apply, linalg.Index, cf.Assert} {
		t.quiet[id] = true
	}
}
