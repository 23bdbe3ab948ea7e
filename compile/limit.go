package compile

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/rematerialize"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/tile"
)

// fitting is how memory is saved beyond the order of operations.
type fitting struct {
	// tiles tells that operations are computed in tiles, where a block needs more than tilesLimit.
	tiles      bool
	tilesLimit int64
	// again tells that what a step of a tile computes is computed in tiles in turn.
	again bool
	// apart tells that most operations are kept below the peak by a margin.
	apart bool
	// share is how much work may be done again; tilesFirst tells that this comes after tiles.
	share      float64
	tilesFirst bool
	// early tells that copies are elided at once, also those for which others need buffers early, and not only once operations work in place.
	early bool
}

// rematerializing returns the options of the pass that computes again.
func (f fitting) rematerializing() string {
	share := "extra-work=" + strconv.FormatFloat(f.share, 'g', -1, 64)
	if f.tilesFirst {
		return "{" + share + "}"
	}
	return "{" + share + " tiled}"
}

// tiling returns the options of the pass that computes in tiles: the second time, there are many more operations, and what can be gained is near.
func (f fitting) tiling(again bool) string {
	var options []string
	if f.tilesLimit > 0 {
		options = append(options, "limit="+strconv.FormatInt(f.tilesLimit, 10))
	}
	if f.apart && !again {
		options = append(options, "margin="+strconv.Itoa(margin))
	}
	if again {
		options = append(options, "search=150000")
	}
	if len(options) == 0 {
		return ""
	}
	return "{" + strings.Join(options, " ") + "}"
}

// way says what it is.
func (f fitting) way() Way {
	switch {
	case f.tiles && f.share > 0:
		return ByWork
	case f.tiles:
		return ByTiles
	}
	return ByOrder
}

// Way is a way to need less memory.
type Way string

// The ways to need less memory, each with those before.
const (
	ByOrder Way = "order"
	ByTiles Way = "tiles"
	ByWork  Way = "extra work"
)

// Attempt is what came of one of the ways to need less memory.
type Attempt struct {
	Way Way
	// Peak is the largest one of the functions, and Function the name of that one.
	Peak     footprint.Size
	Function string
	// ExtraWork is how many operations on numbers are executed again, as a share of those of the program.
	ExtraWork float64
	// Refused tells that a pass refused the program, or that it doesn't fit into the memories. It counts as if it needed all there is.
	Refused bool
	// Chosen tells that it is the one that was taken.
	Chosen bool
}

// trial is an attempt with the program that came of it.
type trial struct {
	Attempt
	fitting
	*attempt
	needed
	// inTiles is what was estimated to be needed in tiles, as little as possible if that is above the limit.
	inTiles int64
	// same are the limits of tiles that lead to the same.
	same tile.Limits
}

// needed is how much memory the function of a program needs that needs the most.
type needed struct {
	// bytes counts sizes as what is known of them; assumed as what passes take them for, which know nothing.
	bytes, assumed int64
	// known tells that all sizes are known.
	known bool
}

// fitter tries ways to need less memory.
type fitter struct {
	*Compiler
	normal forms
	out    *Result
	// limit is what programs are to keep within for now; 0 is as little as possible.
	limit int64
	// all is what was tried for the limit, tried what was for any, and known the same by the way.
	all, tried []*trial
	known      map[fitting]*trial
	// made counts the operations of the programs that were tried with tiles.
	made int
	// settled tells that limits below the least that was found led to no less.
	settled bool
}

// fits tells whether the program has to fit into limited memory.
func (c *Compiler) fits() bool { return c.Options.MaxMemory != 0 && c.Passes == "" }

// fit runs the passes on a module, of which normal has copies. If memory is limited, it runs them in several ways, those first that take no extra work, until the program fits: then that
// is the module. It fails, with a [RefusedError] about what needs most, if none fits.
func (c *Compiler) fit(manager *pass.OpPassManager, module *ir.Op, normal forms, out *Result) error {
	if !c.fits() {
		return c.choose(manager, module, normal.ordered, out)
	}
	f := &fitter{Compiler: c, normal: normal, out: out, limit: max(c.Options.MaxMemory, 0), known: map[fitting]*trial{}}
	a, err := f.search(module)
	if err != nil {
		return err
	}
	if a.err != nil {
		f.tell(a)
		return a.err
	}
	a.Chosen = true
	for _, x := range f.tried {
		out.Attempts = append(out.Attempts, x.Attempt)
	}
	if c.Options.MaxMemory > 0 && !a.keeps(c.Options.MaxMemory) {
		return f.refuse(a)
	}
	if out.Fitted = c.Options; a.fitting == (fitting{}) {
		out.Fitted.MaxMemory = 0 // the order is enough
	}
	out.Fitted.fitting = a.fitting
	if a.module != module {
		replace(module, a.module)
		out.Deallocation, out.Others, out.measured = c.Options.withDefaults().Deallocation, nil, nil
	}
	f.tell(a)
	return nil
}

// tell passes on what was said in an attempt, where that was kept.
func (f *fitter) tell(a *trial) {
	if f.Runner != nil && f.Runner.Sink != nil {
		for _, d := range a.said {
			f.Runner.Sink(d)
		}
	}
}

// search returns the first way that fits, or else the one that needs the least.
func (f *fitter) search(module *ir.Op) (*trial, error) {
	first, err := f.byOrder(module)
	if err != nil || f.keeps(first) {
		return first, err
	}
	asked := f.limit
	a, err := f.within(first, asked)
	if err != nil || a.keeps(asked) {
		return a, err
	}
	best, err := f.descend(first, asked)
	if err == nil && best != nil && (best.keeps(asked) || best.bytes <= a.bytes) {
		return best, nil
	}
	f.settled = false
	return a, err
}

// squaredOperations bounds how many attempts there are to find out whether limits below the least lead to less: by the square of the number of operations, as the choice of
// tiles takes more than linear time.
const squaredOperations = 400_000

// mostMade bounds how many operations the programs of these attempts have together: few become many, if steps of tiles are written one by one.
const mostMade = 30_000

// descend returns what needs the least. As tiles are chosen by estimates, those for a limit may need less than the smallest ones: so limits below the least that was found are
// tried, too, the next one and some far below, as long as that leads to less and the program is small enough. It ends early where a limit that is asked for is kept. What it
// finds doesn't depend on that limit otherwise, so that the least is kept by whoever asks for it. It returns nil if the program is too large.
func (f *fitter) descend(first *trial, asked int64) (*trial, error) {
	operations := f.normal.tiled.CountOps()
	budget := len(f.tried) + squaredOperations/max(operations*operations, 1)
	if len(f.tried) >= budget {
		return nil, nil
	}
	best, err := f.within(first, 0)
	made := f.made
	for lower := true; lower && err == nil; {
		lower = false
		for _, eighths := range []int64{8, 7, 6, 4} {
			limit := best.bytes / 8 * eighths
			if eighths == 8 {
				limit = best.bytes - 1
			}
			if best.keeps(asked) || !best.known || limit <= 0 || len(f.tried) >= budget || f.made-made >= mostMade {
				return best, nil
			}
			var a *trial
			if a, err = f.within(first, limit); err != nil {
				return nil, err
			}
			if a.bytes < best.bytes {
				best, lower = a, true
				break
			}
		}
	}
	f.settled = true
	return best, err
}

// within returns the first way that keeps within a limit, or else the one that needs the least. The first trial is by order.
func (f *fitter) within(first *trial, limit int64) (*trial, error) {
	f.limit, f.all = limit, []*trial{first}
	for _, try := range []func() (*trial, error){f.byTiles, f.byTilesOfTiles, f.byWork, f.byEarlyCopies} {
		if a, err := try(); err != nil || a != nil {
			return a, err
		}
	}
	return f.least(), nil
}

// byEarlyCopies elides copies early in what needs the least without extra work, and in what does with it.
func (f *fitter) byEarlyCopies() (*trial, error) {
	for _, works := range []bool{false, true} {
		var best *trial
		for _, a := range f.all {
			if a.tiles && !a.early && works == (a.share > 0) && (best == nil || a.bytes < best.bytes) {
				best = a
			}
		}
		if best == nil {
			continue
		}
		w := best.fitting
		w.early = true
		if a, err := f.try(w); err != nil || f.keeps(a) {
			return a, err
		}
	}
	return nil, nil
}

// byOrder compiles the module itself without tiles and work. If there are several memories that it doesn't fit into, that is no error yet.
func (f *fitter) byOrder(module *ir.Op) (*trial, error) {
	c := *f.Compiler
	c.Options.MaxMemory = 0
	manager, err := c.manager(c.Options)
	if err != nil {
		return nil, err
	}
	a := &trial{attempt: &attempt{module: module}}
	run := f.runner()
	if len(c.Options.Memories) > 0 {
		run.Sink = func(d *ir.Diagnostic) { a.said = append(a.said, d) }
	}
	c.Runner = &run
	var refused *RefusedError
	if a.err = c.choose(manager, module, f.normal.ordered, f.out); len(c.Options.Memories) > 0 && errors.As(a.err, &refused) {
		return f.addRefused(a), nil
	}
	return f.add(a), a.err
}

// least returns the attempt that needs the least, the first of several.
func (f *fitter) least() *trial {
	best := f.all[0]
	for _, a := range f.all[1:] {
		if a.bytes < best.bytes {
			best = a
		}
	}
	return best
}

// byTiles tries tiles of operations.
func (f *fitter) byTiles() (*trial, error) { return f.inTiles(false) }

// byTilesOfTiles tries tiles of what the steps of tiles compute, if there are any.
func (f *fitter) byTilesOfTiles() (*trial, error) {
	if !f.least().tiles {
		return nil, nil
	}
	return f.inTiles(true)
}

// inTiles tries tiles as large as the limit lets them be, then smaller ones, since how much they need is known only afterwards.
func (f *fitter) inTiles(again bool) (*trial, error) {
	limit := f.limit
	if by := f.all[0]; by.bytes > 0 && by.bytes != by.assumed {
		limit = int64(float64(limit) / float64(by.bytes) * float64(by.assumed))
	}
	if all := f.allMemories(); all > 0 {
		limit = min(limit, all)
	}
	for first := true; ; first = false {
		a, err := f.try(fitting{tiles: true, tilesLimit: limit, again: again})
		if err != nil || f.keeps(a) {
			return f.ifFits(a), err
		}
		if limit == 0 || a.inTiles > limit {
			return f.apart(a)
		}
		if excess := float64(a.bytes) / float64(f.limit); first && excess < nearly {
			limit = int64(float64(limit) / excess * 0.98)
		} else {
			limit = 0
		}
	}
}

// apart tries what needed more than estimated with more in tiles, so that fewer places are near the peak.
func (f *fitter) apart(a *trial) (*trial, error) {
	if a.Refused || float64(a.needed.assumed) < float64(a.inTiles)*misjudged {
		return nil, nil
	}
	w := a.fitting
	w.apart = true
	b, err := f.try(w)
	return f.ifFits(b), err
}

// misjudged is how much more than estimated a program needs if it is tried again with a margin, which is in percent.
const (
	misjudged = 1.1
	margin    = 3
)

// allMemories returns how much all memories have; 0 if there are none.
func (f *fitter) allMemories() (sum int64) {
	for _, m := range f.Options.Memories {
		sum = min(sum+m.Capacity, 1<<62)
	}
	return sum
}

// nearly is by how much a program may be above the limit for tiles that are only somewhat smaller to be tried.
const nearly = 1.4

func (f *fitter) ifFits(a *trial) *trial {
	if a != nil && f.keeps(a) {
		return a
	}
	return nil
}

// byWork tries all the extra work that is allowed, before tiles and after them, and then as little of it as is needed.
func (f *fitter) byWork() (*trial, error) {
	most := f.Options.ExtraWork
	if most <= 0 {
		return nil, nil
	}
	var fitting []fitting
	again := f.gainsByTilesOfTiles()
	for _, tilesFirst := range []bool{false, true} {
		w := fittingOf(most, tilesFirst, again)
		a, err := f.try(w)
		if err != nil {
			return nil, err
		}
		if f.keeps(a) {
			fitting = append(fitting, w)
		}
	}
	if len(fitting) == 0 {
		return nil, nil
	}
	low, high := 0.0, most
	for range bisections {
		middle := (low + high) / 2
		fits := false
		for _, w := range fitting {
			a, err := f.try(fittingOf(middle, w.tilesFirst, again))
			if err != nil {
				return nil, err
			}
			fits = fits || f.keeps(a)
		}
		if fits {
			high = middle
		} else {
			low = middle
		}
	}
	return f.cheapest(), nil
}

// gainsByTilesOfTiles tells whether tiles of what the steps of tiles compute need so much less that they are worth their time where work is done again.
func (f *fitter) gainsByTilesOfTiles() bool {
	least := map[bool]int64{false: math.MaxInt64, true: math.MaxInt64}
	for _, a := range f.all {
		least[a.again] = min(least[a.again], a.bytes)
	}
	return least[true] < least[false]-least[false]/20
}

// bisections is how often the extra work is halved, or what was saved of it.
const bisections = 3

func fittingOf(share float64, tilesFirst, again bool) fitting {
	return fitting{tiles: true, share: share, tilesFirst: tilesFirst, again: again}
}

// cheapest returns the attempt that fits with the least extra work.
func (f *fitter) cheapest() (best *trial) {
	least := math.Inf(1)
	for _, a := range f.all {
		if f.keeps(a) && a.ExtraWork < least {
			best, least = a, a.ExtraWork
		}
	}
	return best
}

// keeps tells whether a program keeps within the limit.
func (f *fitter) keeps(a *trial) bool { return a.keeps(f.limit) }

// keeps tells whether a program keeps within a limit, if there is one.
func (a *trial) keeps(limit int64) bool { return limit > 0 && a.known && a.bytes <= limit }

// try runs the passes in a way, unless that was done for another limit. What is refused only so is no error, but needs all there is.
func (f *fitter) try(w fitting) (*trial, error) {
	if a := f.like(w); a != nil {
		f.all = append(f.all, a)
		return a, nil
	}
	o := f.Options
	o.fitting = w
	manager, err := f.manager(o)
	if err != nil {
		return nil, err
	}
	run := f.runner()
	run.Started = nil
	a := &trial{fitting: w, same: tile.AnyLimit()}
	for _, i := range manager.Instances() {
		if p := tile.Pass.OptionsOf(i); p != nil {
			p.Narrow(&a.same)
		}
	}
	a.attempt = f.attempt(run, manager, ir.CloneDetached(f.normal.tiled), f.out)
	f.made += a.module.CountOps()
	var refused *RefusedError
	if errors.As(a.err, &refused) {
		return f.addRefused(a), nil
	} else if a.err != nil {
		return nil, a.err
	}
	for _, i := range manager.Instances() {
		if p := rematerialize.Pass.OptionsOf(i); p != nil {
			a.ExtraWork += p.Extra()
		}
		if p := tile.Pass.OptionsOf(i); p != nil && p.After() > 0 {
			a.inTiles = p.After()
		}
	}
	return f.add(a), nil
}

// like returns what was tried in the same way, for a limit of tiles that leads to the same; nil if there is nothing.
func (f *fitter) like(w fitting) *trial {
	if a := f.known[w]; a != nil {
		return a
	}
	for _, a := range f.tried {
		if of := a.fitting; a.tiles && a.same.Have(w.tilesLimit) {
			if of.tilesLimit = w.tilesLimit; of == w {
				return a
			}
		}
	}
	return nil
}

// add measures an attempt.
func (f *fitter) add(a *trial) *trial {
	p := footprint.Analyze(a.module)
	s := p.Summarize()
	a.Way, a.Peak, a.Function = a.way(), s.Peak, s.Function
	a.needed = f.need(p)
	return f.note(a)
}

// note notes an attempt.
func (f *fitter) note(a *trial) *trial {
	f.all, f.tried = append(f.all, a), append(f.tried, a)
	f.known[a.fitting] = a
	return a
}

// need returns how much memory a program needs.
func (c *Compiler) need(p *footprint.Program) needed {
	n := needed{known: true}
	for _, fn := range p.Functions {
		by := c.sizesOf(fn.Name)
		for _, peak := range fn.Peaks {
			size := by(peak.Size)
			n.known = n.known && size.IsStatic()
			n.bytes = max(n.bytes, size.Assuming(schedule.UnknownSize))
			n.assumed = max(n.assumed, peak.Size.Assuming(schedule.UnknownSize))
		}
	}
	return n
}

// sizesOf returns what puts numbers in place of the sizes that are known in a function.
func (c *Compiler) sizesOf(function string) func(footprint.Size) footprint.Size {
	if c.Sizes == nil {
		return func(s footprint.Size) footprint.Size { return s }
	}
	return c.Sizes(function)
}

// addRefused adds an attempt that was refused, which counts as if it needed all there is.
func (f *fitter) addRefused(a *trial) *trial {
	a.Attempt = Attempt{Way: a.way(), Peak: footprint.Size{Bytes: math.MaxInt64}, Refused: true}
	a.bytes, a.same = math.MaxInt64, tile.Limits{Least: a.tilesLimit, Most: a.tilesLimit}
	return f.note(a)
}

// refuse reports that the program doesn't fit, and what needs most in the way that needs the least.
func (f *fitter) refuse(a *trial) error {
	d := f.crowd(a)
	tried := ""
	if a.known && !f.settled {
		tried = ", as far as was tried"
	}
	d.Message = fmt.Sprintf("the program needs %s at least%s, and no more than %s are allowed; most is needed here", f.sizesOf(a.Function)(a.Peak), tried, footprint.Bytes(f.Options.MaxMemory))
	if !a.known {
		d = d.WithNote(d.Loc, "sizes that aren't known have to be given for a limit (--size)")
	}
	return refuse(f.Runner, d)
}
