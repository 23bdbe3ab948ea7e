package trace

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
)

// writePprof writes a profile of what is alive at the peak, as profile.proto of pprof has it: a
// sample for each place, below that of the function.
func (t *Trace) writePprof(w io.Writer) error {
	p := &profile{numbers: map[string]uint64{}, places: map[Place]uint64{}}
	p.text("") // the first is empty
	_, alive := t.AtPeak()
	for _, unit := range [][2]string{{"inuse_objects", "count"}, {"inuse_space", "bytes"}} {
		p.message(1, pair(1, p.text(unit[0]))+pair(2, p.text(unit[1])))
	}
	root := Place{Name: "@" + t.Function}
	if len(alive) > 0 {
		root.File = alive[0].File
	}
	type total struct{ objects, bytes uint64 }
	totals := map[Place]*total{}
	var order []Place
	for _, e := range alive {
		x := totals[e.Place]
		if x == nil {
			x = &total{}
			totals[e.Place] = x
			order = append(order, e.Place)
		}
		x.objects++
		x.bytes += uint64(e.Bytes)
	}
	for _, place := range order {
		x := totals[place]
		p.message(2, bytesField(1, varint(p.place(place))+varint(p.place(root)))+bytesField(2, varint(x.objects)+varint(x.bytes)))
	}
	p.out.WriteString(pair(14, p.text("inuse_space"))) // the default
	for _, s := range p.list {
		p.message(6, s)
	}
	z := gzip.NewWriter(w)
	if _, err := io.WriteString(z, p.out.String()); err != nil {
		return err
	}
	return z.Close()
}

// profile is a message of profile.proto that is being written.
type profile struct {
	out     strings.Builder
	numbers map[string]uint64
	list    []string
	places  map[Place]uint64
}

// text returns the number of a string.
func (p *profile) text(s string) uint64 {
	s = strings.ToValidUTF8(s, "\ufffd") // as strings of protocol buffers have to be
	i, ok := p.numbers[s]
	if !ok {
		i = uint64(len(p.list))
		p.numbers[s] = i
		p.list = append(p.list, s)
	}
	return i
}

// place returns the number of a location, which is also that of its function.
func (p *profile) place(x Place) uint64 {
	id, ok := p.places[x]
	if !ok {
		id = uint64(len(p.places) + 1)
		p.places[x] = id
		p.message(4, pair(1, id)+bytesField(4, pair(1, id)+pair(2, uint64(x.Line))))
		// What is between < and > pprof takes for parameters of C++ templates, and leaves out.
		name := p.text(strings.NewReplacer("<", "(", ">", ")").Replace(x.Name))
		p.message(5, pair(1, id)+pair(2, name)+pair(3, name)+pair(4, p.text(x.File)))
	}
	return id
}

func (p *profile) message(field int, content string) {
	p.out.WriteString(bytesField(field, content))
}

// varint, pair and bytesField encode numbers and fields as protocol buffers do.
func varint(x uint64) string { return string(binary.AppendUvarint(nil, x)) }

func pair(field int, x uint64) string { return varint(uint64(field)<<3) + varint(x) }

func bytesField(field int, content string) string {
	return varint(uint64(field)<<3|2) + varint(uint64(len(content))) + content
}
