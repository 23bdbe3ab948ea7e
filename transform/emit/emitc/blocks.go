package emitc

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// blockBytes is the size of a row of a block that is transposed in registers.
const blockBytes = 16

// blocks returns how many rows and columns the blocks have in which a nest that transposes is best written: as many elements as there are in a register. It returns 0 where the body does more than
// move elements, or one of the two dimensions has fewer.
func (n *nest) blocks(across int) int64 {
	inner, body := n.loops[len(n.loops)-1], n.op.BodyBlock(0)
	if n.inits != 1 || body.First() != body.Last() || body.Last().OnlyOperand() != n.operands[0].arg || !ir.IsInteger(n.operands[1].r.elem) && !ir.IsFloat(n.operands[1].r.elem) {
		return 0
	}
	size := ir.StorageBytes(n.operands[1].r.elem)
	if size > 8 || blockBytes%size != 0 {
		return 0
	}
	count := int64(blockBytes / size)
	for _, d := range []int{across, inner} {
		if _, known := number(n.sizes[d]); !known || n.isFew(d, count) {
			return 0
		}
	}
	return count
}

// stripBlocks is how many rows of the result are written at a time: so many that what is loaded of a line of the cache is used.
const stripBlocks = 2 * stripWidth

// writeBlocks writes the nest in blocks of a number of rows and columns. Those at an end overlap the ones before them, as what is moved may be moved twice.
func (n *nest) writeBlocks(across int, count int64) {
	f, inner, in, out := n.f, n.loops[len(n.loops)-1], n.operands[0], n.operands[1]
	n.pin(in)
	n.pin(out)
	outer := n.countOthers(across, inner)
	size, _ := number(n.sizes[across])
	from, end := "0", constant(size)
	if size > stripBlocks {
		c := f.m.types.index()
		from = f.names.fresh("strip")
		f.openf("for (%[1]s %[2]s = 0; %[2]s < %[3]d; %[2]s += %[4]d)", c, from, size, stripBlocks)
		if end = fmt.Sprintf("%s + %d", from, stripBlocks); size%stripBlocks != 0 {
			end = f.define("end", c, fmt.Sprintf("%[1]s < %[2]d ? %[1]s : %[2]d", end, size))
		}
		outer++
	}
	n.block(inner, "0", n.sizes[inner], count)
	n.block(across, from, end, count)
	f.linef("%s(&%s, %s, &%s, %s);", f.m.transposition(count), n.element(out), out.strides[across], n.element(in), in.strides[inner])
	f.closeAll(outer + 2)
}

// block opens the loop over the blocks of a dimension.
func (n *nest) block(d int, from, end string, count int64) {
	f, c := n.f, n.f.m.types.index()
	size, _ := number(n.sizes[d])
	v := f.names.fresh("block")
	f.openf("for (%[1]s %[2]s = %[3]s; %[2]s < %[4]s; %[2]s += %[5]d)", c, v, from, end, count)
	if n.vars[d] = v; size%count != 0 {
		n.vars[d] = f.define("first", c, fmt.Sprintf("%[1]s < %[2]d ? %[1]s : %[2]d", v, size-count))
	}
}

// transposition returns the name of the function that transposes a block: its rows are taken in pairs, of which the lower and the upper halves become rows of elements in turn, until each row was paired with all others.
func (m *module) transposition(count int64) string {
	element := unsignedType(int(8 * blockBytes / count))
	name := fmt.Sprintf("fh_transpose_%dx%d", count, count)
	half := func(from int64) string {
		var list []string
		for i := from; i < from+count/2; i++ {
			list = append(list, fmt.Sprint(i), fmt.Sprint(i+count))
		}
		return strings.Join(list, ", ")
	}
	var stages strings.Builder
	a, b := "a", "b"
	for by := count; by > 1; by /= 2 {
		fmt.Fprintf(&stages, "  FH_WITHOUT_LOOP\n  for (i = 0; i < %[1]d; i++) {\n    %[3]s[2 * i] = __builtin_shufflevector(%[2]s[i], %[2]s[i + %[1]d], %[4]s);\n    %[3]s[2 * i + 1] = __builtin_shufflevector(%[2]s[i], %[2]s[i + %[1]d], %[5]s);\n  }\n",
			count/2, a, b, half(0), half(count/2))
		a, b = b, a
	}
	m.withoutLoop()
	return m.helpers.define(name, fmt.Sprintf(`
/* Transposes a block of %[1]d by %[1]d elements, whose rows are so many elements from each other. */
static inline void %[2]s(void *to_first, %[4]s to_rows, const void *from_first, %[4]s from_rows) {
  %[3]s *to = to_first;
  const %[3]s *from = from_first;
#if defined(__clang__) || defined(__GNUC__) && __GNUC__ >= 12
  typedef %[3]s row __attribute__((vector_size(%[5]d)));
  typedef %[3]s row_memory __attribute__((vector_size(%[5]d), aligned(%[6]d), may_alias));
  row a[%[1]d], b[%[1]d];
  int i;
  FH_WITHOUT_LOOP
  for (i = 0; i < %[1]d; i++) a[i] = *(const row_memory *)(const void *)(from + i * from_rows);
%[7]s  FH_WITHOUT_LOOP
  for (i = 0; i < %[1]d; i++) *(row_memory *)(void *)(to + i * to_rows) = %[8]s[i];
#else
  int i, j;
  for (i = 0; i < %[1]d; i++) {
    for (j = 0; j < %[1]d; j++) to[i * to_rows + j] = from[j * from_rows + i];
  }
#endif
}`, count, name, element, m.types.index(), blockBytes, blockBytes/count, stages.String(), a))
}
