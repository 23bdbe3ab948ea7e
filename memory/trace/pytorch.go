package trace

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// base is the address of the first piece of memory, granule what PyTorch's allocator rounds sizes up to.
const base, granule = 1 << 32, 512

// writePyTorch writes a snapshot as torch.cuda.memory._dump_snapshot does: a pickled dictionary of
// segments, and of what happened on each device. Pieces of memory get addresses one after the
// other, so that none is used twice. Pieces of no bytes have none in PyTorch, and are left out: the viewer, which knows
// pieces by their addresses, would take them for the next ones.
func (t *Trace) writePyTorch(w io.Writer) error {
	p := &pickler{w: bufio.NewWriter(w)}
	p.w.WriteString("\x80\x02") // protocol 2
	address := map[int]int64{}
	ended := map[int]bool{}
	next := int64(base)
	var events []any
	var begun []Event
	for _, e := range t.Events {
		if e.Bytes == 0 {
			continue
		}
		frames := []any{
			dict{{"filename", e.File}, {"line", e.Line}, {"name", e.Name}},
			dict{{"filename", e.File}, {"line", int64(0)}, {"name", "@" + t.Function}},
		}
		action := "alloc"
		if e.Free {
			action = "free_completed"
			events = append(events, dict{{"action", "free_requested"}, {"addr", address[e.ID]}, {"size", e.Bytes}, {"stream", int64(0)}, {"time_us", e.Time}, {"frames", frames}})
			ended[e.ID] = true
		} else {
			if e.Bytes > math.MaxInt64-granule-next {
				return fmt.Errorf("all memory together is more than addresses there are: %s", t.Function)
			}
			address[e.ID] = next
			next += (e.Bytes + granule - 1) / granule * granule
			begun = append(begun, e)
		}
		events = append(events, dict{{"action", action}, {"addr", address[e.ID]}, {"size", e.Bytes}, {"stream", int64(0)}, {"time_us", e.Time}, {"frames", frames}})
	}
	var blocks []any
	var sum int64
	at := int64(base)
	for _, e := range begun {
		if ended[e.ID] {
			continue
		}
		if gap := address[e.ID] - at; gap > 0 {
			blocks = append(blocks, dict{{"address", at}, {"size", gap}, {"requested_size", gap}, {"state", "inactive"}, {"frames", []any{}}})
		}
		blocks = append(blocks, dict{{"address", address[e.ID]}, {"size", e.Bytes}, {"requested_size", e.Bytes}, {"state", "active_allocated"},
			{"frames", []any{dict{{"filename", e.File}, {"line", e.Line}, {"name", e.Name}}}}})
		at = address[e.ID] + e.Bytes
		sum += e.Bytes
	}
	if gap := next - at; gap > 0 {
		blocks = append(blocks, dict{{"address", at}, {"size", gap}, {"requested_size", gap}, {"state", "inactive"}, {"frames", []any{}}})
	}
	segment := dict{
		{"device", int64(0)}, {"address", int64(base)}, {"total_size", next - base}, {"allocated_size", sum}, {"active_size", sum}, {"requested_size", sum},
		{"stream", int64(0)}, {"segment_type", "large"}, {"segment_pool_id", []any{int64(0), int64(0)}}, {"is_expandable", false}, {"frames", []any{}}, {"blocks", blocks},
	}
	p.value(dict{{"segments", []any{segment}}, {"device_traces", []any{events}}, {"allocator_settings", dict{}}, {"external_annotations", []any{}}})
	p.w.WriteByte('.')
	return p.w.Flush()
}

// dict is a dictionary, in order.
type dict []entry

type entry struct {
	key   string
	value any
}

// pickler writes values in Python's pickle format, protocol 2 (PEP 307).
type pickler struct{ w *bufio.Writer }

func (p *pickler) value(v any) {
	switch v := v.(type) {
	case string:
		v = strings.ToValidUTF8(v, "\ufffd") // Python doesn't read others
		p.w.WriteByte('X')                   // BINUNICODE
		p.w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(v))))
		p.w.WriteString(v)
	case int64:
		if int64(int32(v)) == v {
			p.w.WriteByte('J') // BININT
			p.w.Write(binary.LittleEndian.AppendUint32(nil, uint32(int32(v))))
			return
		}
		p.w.WriteString("\x8a\x08") // LONG1 of eight bytes
		p.w.Write(binary.LittleEndian.AppendUint64(nil, uint64(v)))
	case bool:
		if v {
			p.w.WriteByte(0x88)
		} else {
			p.w.WriteByte(0x89)
		}
	case []any:
		p.w.WriteString("](") // EMPTY_LIST, MARK
		for _, x := range v {
			p.value(x)
		}
		p.w.WriteByte('e') // APPENDS
	case dict:
		p.w.WriteString("}(") // EMPTY_DICT, MARK
		for _, e := range v {
			p.value(e.key)
			p.value(e.value)
		}
		p.w.WriteByte('u') // SETITEMS
	}
}
