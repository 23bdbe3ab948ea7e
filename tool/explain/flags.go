package explain

import (
	"strings"

	"freehold/compile"
	"freehold/transform/bufferize/oneshot"
)

// The flags of compile that may help.
const (
	dropFlag      = "--drop-equivalent-results"
	resultsFlag   = "--results arguments"
	overwriteFlag = "--arguments overwrite"
	bothFlags     = overwriteFlag + " " + dropFlag
	tilesFlag     = "--max-memory least --extra-work 0"
	workFlag      = "--max-memory least"
)

// extraWork is what may be executed again by workFlag: what compile allows, unless it is told another share.
const extraWork = 0.25

// isFlag tells whether an advice about a pass is followed by a flag of compile.
func isFlag(a Advice) bool {
	return a.Kind == "pass" && (strings.HasPrefix(a.Name, "drop-equivalent-buffer-results") || strings.HasPrefix(a.Name, "buffer-results-to-out-params"))
}

// flagsFor returns the flags of compile that may help with an item.
func (t *trials) flagsFor(i *Item) (out []Advice) {
	if t.Passes != "" {
		return nil
	}
	flag := func(name, text string) { out = append(out, Advice{Kind: "flag", Name: name, Text: text}) }
	if i.Cause == Ownership {
		flag(dropFlag, "functions don't return their own arguments, which callers already have")
	}
	if i.Cause == Ownership || i.returned {
		flag(resultsFlag, "callers provide the memory for results, which then counts as arguments")
	}
	if i.Cause == ruleCause(oneshot.ReadOnlyArgument) && t.Options.Arguments != compile.OverwriteArguments {
		flag(overwriteFlag, "functions may overwrite their arguments, whose contents the caller then loses")
	}
	return out
}

// together returns two flags that may help with an item where neither does: an argument that is overwritten and returned is copied for either reason.
func (t *trials) together(i *Item) []Advice {
	if t.Passes != "" || i.Cause != ruleCause(oneshot.ReadOnlyArgument) || t.Options.Arguments == compile.OverwriteArguments || t.Options.DropEquivalentResults {
		return nil
	}
	return []Advice{{Kind: "flag", Name: bothFlags, Text: "functions may overwrite their arguments, and don't return those, which callers already have"}}
}

// tiles returns the flags of compile by which an item may be there in parts only, or for a shorter time, the first time that it is asked for: it is about the whole program.
func (t *trials) tiles(i *Item) []Advice {
	d := t.Options.Deallocation
	if t.tiled || i.Cause != Result || t.Passes != "" || t.Options.MaxMemory != 0 || d != "" && d != compile.Ownership {
		return nil
	}
	t.tiled = true
	return []Advice{
		{Kind: "flag", Name: tilesFlag, Text: "chains of operations are computed tile by tile, so that only some rows of what is between them exist at a time; no extra work"},
		{Kind: "flag", Name: workFlag, Text: "chains of operations are computed tile by tile, and what is cheap to compute is computed again instead of being kept"},
	}
}
