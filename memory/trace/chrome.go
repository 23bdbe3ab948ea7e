package trace

import (
	"bufio"
	"encoding/json"
	"io"
)

// chromeEvent is an event of the Trace Event Format (the document of that name, by the authors of
// Chrome's about:tracing): counters have phase C, pieces of memory are asynchronous slices, from
// b to e. A time is a microsecond.
type chromeEvent struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"`
	Time     float64        `json:"ts"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Category string         `json:"cat,omitempty"`
	ID       int            `json:"id,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

func (t *Trace) writeChrome(w io.Writer) error {
	b := bufio.NewWriter(w)
	first := true
	put := func(e chromeEvent) error {
		e.Process, e.Thread = 1, 1
		data, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if !first {
			b.WriteString(",\n")
		}
		first = false
		_, err = b.Write(data)
		return err
	}
	b.WriteString("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n")
	if err := put(chromeEvent{Name: "process_name", Phase: "M", Args: map[string]any{"name": "@" + t.Function}}); err != nil {
		return err
	}
	var sum, most int64 // at the end of a time, and within it
	names := map[int]string{}
	for i, e := range t.Events {
		slice := chromeEvent{Phase: "b", Time: float64(e.Time), Category: "memory", ID: e.ID + 1, Name: e.Name}
		if e.Free {
			sum -= e.Bytes
			slice.Phase, slice.Name = "e", names[e.ID]
		} else {
			sum += e.Bytes
			names[e.ID] = e.Name
			slice.Args = map[string]any{"bytes": e.Bytes}
			if e.Line > 0 {
				slice.Args["file"], slice.Args["line"] = e.File, e.Line
			}
		}
		if err := put(slice); err != nil {
			return err
		}
		if i+1 < len(t.Events) && t.Events[i+1].Time == e.Time {
			if !e.Free {
				most = max(most, sum)
			}
			continue
		}
		at := float64(e.Time)
		if most > sum {
			// What was alive only within the time is a moment of its own, or the peak would not be seen.
			if err := put(chromeEvent{Name: "alive", Phase: "C", Time: at, Args: map[string]any{"bytes": most}}); err != nil {
				return err
			}
			at += 0.5
		}
		if err := put(chromeEvent{Name: "alive", Phase: "C", Time: at, Args: map[string]any{"bytes": sum}}); err != nil {
			return err
		}
		most = 0
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}
