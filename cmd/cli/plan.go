package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/memory/plan"
)

// planOptions are the flags of plan.
type planOptions struct {
	output    string
	capacity  int64
	timeLimit time.Duration
	nodeLimit int64
	solver    string
	threads   int
	json      bool
	verify    bool
	memories  memoryList
}

func newPlanCommand(s invocation) *cobra.Command {
	var o planOptions
	c := &cobra.Command{
		Use:   "plan [flags] FILE",
		Short: "Place buffers of known lifetimes and sizes in one arena",
		Long: `plan reads when buffers are alive, from a CSV file with the columns id, lower,
upper and size (a buffer is alive from lower up to, but not including, upper;
the columns alignment, gaps and pinned may be there, too), and writes the same
file with an offset for each, such that buffers that are alive at the same time
don't overlap, and the peak, where the highest of them ends, is small.

A summary on standard error says how good the plan is: the lower bound is what
no plan can be below. With a capacity, the first plan that doesn't exceed it is
good enough; if none is found, or offsets that are verified are wrong, the exit
status is 1. It is 2 for a table without buffers, and 3 for one that can't be
read.

With --memory, given once for each of several memories, each buffer is placed in
one of them; the column memory says in which it may be, and uses how often it is
used. Plans that cost less are better, then those that need less of the last.

Solvers: ` + strings.Join(plan.Solvers(), ", ") + `.
Without a time limit, or if it doesn't end the search, the same file gives the
same plan.`,
		Example: `  freehold plan buffers.csv -o plan.csv
  freehold plan --capacity 1048576 --time-limit 1m buffers.csv
  freehold plan --memory fast=256KiB --memory slow=64MiB,cost=4 buffers.csv
  freehold plan --verify plan.csv`,
		Args: takes(1, false, "a FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("capacity") && o.capacity <= 0 {
				return misuse(c, fmt.Sprintf("--capacity has to be above zero, not %d", o.capacity))
			}
			if c.Flags().Changed("capacity") && o.memories != nil {
				return misuse(c, "--capacity doesn't go with --memory, which has the size of each memory")
			}
			return runPlan(s, &o, args[0])
		},
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "write the plan to this `file`; - is standard output")
	f.Int64Var(&o.capacity, "capacity", 0, "what the peak must not exceed; without, it is made small")
	f.DurationVar(&o.timeLimit, "time-limit", 10*time.Second, "when to be done, with reading and writing; 0 is never")
	f.Int64Var(&o.nodeLimit, "node-limit", 0, "after how many placings to stop searching; 0 is never")
	f.StringVar(&o.solver, "solver", "auto", "`how` to look for a plan")
	f.IntVar(&o.threads, "threads", 0, "how many strategies run at the same time; 0 is as many as there are processors")
	f.BoolVar(&o.json, "json", false, "print the summary and the offsets as JSON; the file is written with -o only")
	f.BoolVar(&o.verify, "verify", false, "only check the offsets that the file has")
	f.Var(&o.memories, "memory", "one of several memories, in this order: `NAME=SIZE`, with ,space=N for programs and ,cost=N for each byte and use")
	return c
}

func runPlan(s invocation, o *planOptions, path string) error {
	solver, err := plan.ParseSolver(o.solver)
	if err != nil {
		return fmt.Errorf("%w; there are %s", err, strings.Join(plan.Solvers(), ", "))
	}
	start := time.Now()
	src, name, err := fileio.Read(path, s.In, func(size int) { heapgoal.Set(size, true) })
	if err != nil {
		return err
	}
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	fail := func(status exitStatus, err error) error {
		var line *plan.TableError
		if errors.As(err, &line) {
			fmt.Fprintln(s.Err, line)
		} else {
			fmt.Fprintf(s.Err, "%s: error: %v\n", name, err)
		}
		return status
	}
	table, err := plan.ReadCSV(bytes.NewReader(src), name)
	if err != nil {
		return fail(statusNotUnderstood, err)
	}
	p := &table.Problem
	p.Capacity = o.capacity
	ctx, stop := interruptible(context.Background())
	defer stop()
	options := plan.Options{Solver: solver, TimeLimit: solvingTime(o.timeLimit, time.Since(start)), NodeLimit: o.nodeLimit, Threads: o.threads}
	answer, err := o.solve(ctx, table, options)
	if err != nil {
		return fail(statusWrong, table.Locate(err))
	}
	took := time.Since(start)
	if o.json {
		if err := answer.printJSON(s.Out, took); err != nil {
			return err
		}
	} else {
		answer.print(s.Err, took)
	}
	if !o.verify && (!o.json || o.output != "-") {
		err = fileio.Stream(o.output, answer.write, s.Out)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return exitStatus(statusInterrupted)
	case len(p.Buffers) == 0:
		return nothing("%s: the table has no buffers: there was nothing to place", name)
	}
	return nil
}

// planAnswer is a plan that was found, or read, and verified.
type planAnswer struct {
	print     func(w io.Writer, took time.Duration)
	printJSON func(w io.Writer, took time.Duration) error
	write     func(w io.Writer) error
}

// solve plans a table, for one memory or several, or reads its plan, and verifies it.
func (o *planOptions) solve(ctx context.Context, table *plan.Table, options plan.Options) (*planAnswer, error) {
	p := &table.Problem
	if o.memories != nil {
		memories := o.memories.memories()
		x, err := o.memories.plan(table, o.verify, func(p *plan.Problem, memories []plan.Memory, choices []plan.Choice) (*plan.MemoryPlan, error) {
			return plan.SolveMemories(ctx, p, memories, choices, options)
		})
		return &planAnswer{
			func(w io.Writer, took time.Duration) { o.memories.print(w, len(p.Buffers), x, took) },
			func(w io.Writer, took time.Duration) error { return o.memories.printJSON(w, p, x, took) },
			func(w io.Writer) error { return table.WriteMemories(w, memories, x) },
		}, err
	}
	var found *plan.Solution
	var err error
	if o.verify {
		found, err = table.Solution()
	} else {
		found, err = plan.Solve(ctx, p, options)
	}
	if err == nil {
		err = plan.Verify(p, found)
	}
	return &planAnswer{
		func(w io.Writer, took time.Duration) { printPlan(w, p, found, took) },
		func(w io.Writer, took time.Duration) error { return printPlanJSON(w, p, found, took) },
		func(w io.Writer) error { return table.WriteCSV(w, found.Offsets) },
	}, err
}

// solvingTime returns how long the solver may take so that the whole command keeps to a time
// limit: checking the plan and writing it take about twice as long as reading did. Without a
// limit it is 0.
func solvingTime(limit, reading time.Duration) time.Duration {
	if limit <= 0 {
		return 0
	}
	return max(limit-3*reading, limit/8, 1)
}

// aboveBound says by how many percent the peak is above the lower bound.
func aboveBound(s *plan.Solution) float64 {
	if s.Optimal() {
		return 0
	}
	return 100 * (float64(s.Peak)/float64(s.LowerBound) - 1)
}

func printPlan(w io.Writer, p *plan.Problem, s *plan.Solution, took time.Duration) {
	why := fmt.Sprintf("for what is alive at time %d", s.Bound.Time)
	switch {
	case s.Bound.Bytes == 0:
		why = "nothing is alive"
	case s.LowerBound > s.Bound.Bytes:
		why = "none below, says a search"
	case s.Bound.Pinned >= 0:
		why = fmt.Sprintf("where %q is pinned", p.Buffers[s.Bound.Pinned].ID)
	}
	how := "optimal"
	if !s.Optimal() {
		how = fmt.Sprintf("%.2f %% above the lower bound", aboveBound(s))
	}
	if p.Capacity > 0 {
		how += ", within the capacity"
	}
	fmt.Fprintf(w, "buffers      %d\n", len(p.Buffers))
	fmt.Fprintf(w, "lower bound  %d bytes, %s\n", s.LowerBound, why)
	fmt.Fprintf(w, "peak         %d bytes, %s\n", s.Peak, how)
	fmt.Fprintf(w, "plan         %s, %.2f s\n", s.Strategy, took.Seconds())
}

// jsonPlan is the answer of plan.
type jsonPlan struct {
	Buffers    int          `json:"buffers"`
	Capacity   int64        `json:"capacity,omitempty"`
	LowerBound int64        `json:"lowerBound"`
	Bound      jsonBound    `json:"bound"`
	Peak       int64        `json:"peak"`
	Above      float64      `json:"percentAboveLowerBound"`
	Optimal    bool         `json:"optimal"`
	Proof      string       `json:"proof,omitempty"`
	Strategy   string       `json:"strategy"`
	Nodes      int64        `json:"nodes"`
	Seconds    float64      `json:"seconds"`
	Offsets    []jsonOffset `json:"offsets"`
}

// jsonBound is what no plan is below, and why.
type jsonBound struct {
	Bytes   int64  `json:"bytes"`
	Time    int64  `json:"time"`
	Granule int64  `json:"granule"`
	Pinned  string `json:"pinned,omitempty"`
}

type jsonOffset struct {
	ID     string `json:"id"`
	Offset int64  `json:"offset"`
}

func printPlanJSON(w io.Writer, p *plan.Problem, s *plan.Solution, took time.Duration) error {
	out := jsonPlan{
		Buffers: len(p.Buffers), Capacity: p.Capacity, LowerBound: s.LowerBound, Peak: s.Peak, Above: aboveBound(s),
		Bound:   jsonBound{Bytes: s.Bound.Bytes, Time: s.Bound.Time, Granule: s.Bound.Granule},
		Optimal: s.Optimal(), Strategy: s.Strategy, Nodes: s.Nodes, Seconds: took.Seconds(), Offsets: []jsonOffset{},
	}
	if s.Bound.Pinned >= 0 {
		out.Bound.Pinned = p.Buffers[s.Bound.Pinned].ID
	}
	switch {
	case s.Optimal() && s.LowerBound == s.Bound.Bytes:
		out.Proof = "bound"
	case s.Optimal():
		out.Proof = "search"
	}
	for i, b := range p.Buffers {
		out.Offsets = append(out.Offsets, jsonOffset{b.ID, s.Offsets[i]})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
