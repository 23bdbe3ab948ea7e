package footprint

// Rename returns a size with other names for what isn't known.
func (s Size) Rename(name func(string) string) Size {
	return s.each(func(size string) factor { return factor{name: name(size)} })
}

// Given returns a size in which some of what wasn't known is, by name.
func (s Size) Given(values map[string]int64) Size {
	return s.each(func(size string) factor {
		if n, known := values[size]; known {
			return factor{number: n}
		}
		return factor{name: size}
	})
}

// Assuming returns the number of bytes if each size that isn't known is the same number.
func (s Size) Assuming(n int64) int64 {
	return s.each(func(string) factor { return factor{number: n} }).Bytes
}

// each returns a size with something else for each unknown size.
func (s Size) each(by func(size string) factor) Size {
	out := bytes(s.Bytes)
	for _, t := range s.Terms {
		factors := []factor{{number: t.Bytes}}
		for _, size := range t.Sizes {
			factors = append(factors, by(size))
		}
		out = out.Plus(product(factors))
	}
	return out
}

// Each returns a summary with other sizes of the function with the largest peak.
func (s Summary) Each(by func(Size) Size) Summary {
	s.Peak, s.Bound, s.ArenaSize = by(s.Peak), by(s.Bound), by(s.ArenaSize)
	s.Peaks, s.Bounds = s.Peaks.Each(by), s.Bounds.Each(by)
	return s
}

// Each changes the sizes of a function, and keeps of its peaks those of which none is at least as large as another one.
func (f *Function) Each(by func(Size) Size) {
	f.Arguments, f.Constants = by(f.Arguments), by(f.Constants)
	peaks := f.Peaks
	f.Peaks = nil
	for _, p := range peaks {
		p.Size = by(p.Size)
		f.addPeak(p)
	}
}
