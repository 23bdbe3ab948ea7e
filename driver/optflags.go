package driver

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/dialect/vhlo"
	"freehold/internal/terminal"
	"freehold/ir/bytecode"
	"freehold/pass"
)

const defaultSplitMarker = "// -----"

// optOptions are the values of opt's flags.
type optOptions struct {
	input, output string

	passes          []passFlag
	pipeline        string
	hasPipeline     bool
	dumpPipeline    bool
	runReproducer   bool
	listPasses      bool
	showDialects    bool
	help, version   bool
	allowUnreg      bool
	noImplicit      bool
	verifyEach      bool
	verifyDiags     bool
	verifyRoundtrip bool
	splitMarker     string
	outputMarker    string
	disableThreads  bool

	generic, localScope, debugInfo, prettyDebugInfo bool
	skipRegions, valueUsers, uniqueIDs, assumeValid bool
	elideElements, hexElements, elideResources      int64 // < 0: never
	opOnDiagnostic                                  bool
	mlirVersion                                     string
	llvm                                            int // of the piece at work
	verbose                                         bool
	emitC                                           bool
	emitBytecode, elideBytecode                     bool
	bytecodeVersion                                 int
	// artifact is the version of StableHLO for which a portable artifact is written; nil for none.
	artifact *vhlo.Version

	beforeAll, afterAll, afterChange, afterFailure, moduleScope bool
	before, after                                               map[string]bool
	treeDir                                                     string

	timing            bool
	timingDisplay     string
	timingFormat      string
	statistics        bool
	statisticsDisplay string
	reproducer        string
	localReproducer   bool
	generateRepro     string

	color terminal.When // empty if nobody says when
}

func defaultOptOptions() *optOptions {
	return &optOptions{
		input: "-", output: "-", verifyEach: true, opOnDiagnostic: true,
		outputMarker:  defaultSplitMarker,
		elideElements: -1, hexElements: 100, elideResources: -1,
		bytecodeVersion: bytecode.Version, timingDisplay: "tree", timingFormat: "text", statisticsDisplay: "pipeline",
	}
}

// Groups of the help text.
const (
	groupGeneral = "General options"
	groupPrint   = "Printing"
	groupWatch   = "Watching passes"
)

// setColor sets when to use colours. mlir-opt's flag is a boolean.
func setColor(o *optOptions, v string) error {
	switch v {
	case "", "true", "TRUE", "True", "1":
		v = string(terminal.Always)
	case "false", "FALSE", "False", "0":
		v = string(terminal.Never)
	}
	return o.color.Set(v)
}

// optFlags returns the flags of opt by name. Passes are flags as well; reg knows
// them.
func optFlags(reg *pass.Registry) map[string]*flag {
	timing := []pass.Case{{Name: "list", Help: "in order of the total times"}, {Name: "tree", Help: "nested like the passes"}}
	formats := []pass.Case{{Name: "text", Help: "as a table"}, {Name: "json", Help: "as JSON"}}
	stats := []pass.Case{{Name: "list", Help: "summed by pass, in order of the names"}, {Name: "pipeline", Help: "nested like the passes"}}
	passNames := func(field func(o *optOptions) *map[string]bool) func(*optOptions, string) error {
		return func(o *optOptions, v string) error {
			m := field(o)
			if *m == nil {
				*m = map[string]bool{}
			}
			for _, n := range strings.Split(v, ",") {
				if reg.Pass(n) == nil {
					return fmt.Errorf("Cannot find option named '%s'!", n)
				}
				(*m)[n] = true
			}
			return nil
		}
	}
	versions := []pass.Case{}
	for _, v := range LLVMVersions() {
		help := "LLVM " + v
		if v == defaultLLVM {
			help = "the default"
		}
		versions = append(versions, pass.Case{Name: v, Help: help})
	}
	list := []*flag{
		{name: "o", kind: valueFlag, meta: "filename", group: groupGeneral, help: "Write the output to this file; it is written whole or not at all", set: setString(func(o *optOptions) *string { return &o.output })},
		{name: "allow-unregistered-dialect", group: groupGeneral, help: "Accept operations of unknown dialects", set: setBool(func(o *optOptions) *bool { return &o.allowUnreg })},
		{name: "no-implicit-module", group: groupGeneral, help: "Don't put a module around the input", set: setBool(func(o *optOptions) *bool { return &o.noImplicit })},
		{name: "split-input-file", kind: optionalFlag, meta: "string", group: groupGeneral, help: "Split the input at the marker (default " + defaultSplitMarker + ") and process the pieces independently", set: func(o *optOptions, v string) error {
			if v == "" {
				v = defaultSplitMarker
			}
			o.splitMarker = v
			return nil
		}},
		{name: "output-split-marker", kind: valueFlag, meta: "string", group: groupGeneral, help: "What to print between the pieces of a split input", set: setString(func(o *optOptions) *string { return &o.outputMarker })},
		{name: "emit-c", group: groupGeneral, help: "Write a program on buffers as C99, in one file", set: setBool(func(o *optOptions) *bool { return &o.emitC })},
		{name: "emit-bytecode", group: groupGeneral, help: "Write bytecode instead of text", set: setBool(func(o *optOptions) *bool { return &o.emitBytecode })},
		{name: "emit-bytecode-version", kind: valueFlag, meta: "value", group: groupGeneral, help: fmt.Sprintf("Version of the bytecode, %d to %d (default %d)", bytecode.MinVersion, bytecode.Version, bytecode.Version), set: func(o *optOptions, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < bytecode.MinVersion || n > bytecode.Version {
				return fmt.Errorf("unsupported version requested %s, must be in range [%d, %d]", v, bytecode.MinVersion, bytecode.Version)
			}
			o.bytecodeVersion = n
			return nil
		}},
		{name: "target", kind: valueFlag, meta: "version", group: groupGeneral, help: fmt.Sprintf("Write a portable artifact for a version of StableHLO, %s to %s or current, instead of text", vhlo.Oldest, vhlo.Current), set: func(o *optOptions, v string) error {
			version, err := vhlo.ParseVersion(v)
			o.artifact = &version
			return err
		}},
		{name: "elide-resource-data-from-bytecode", group: groupGeneral, help: "Leave the data of resources out of bytecode", set: setBool(func(o *optOptions) *bool { return &o.elideBytecode })},
		{name: "verify-diagnostics", group: groupGeneral, help: "Check the diagnostics against expected-* comments in the input", set: setBool(func(o *optOptions) *bool { return &o.verifyDiags })},
		{name: "verify-each", group: groupGeneral, help: "Verify the program after each pass, so that an error is reported where it is made (default true)", set: setBool(func(o *optOptions) *bool { return &o.verifyEach })},
		{name: "verify-roundtrip", group: groupGeneral, help: "Check that the printed input reads back as the same program", set: setBool(func(o *optOptions) *bool { return &o.verifyRoundtrip })},
		{name: "mlir-disable-threading", group: groupGeneral, help: "Use one thread", set: setBool(func(o *optOptions) *bool { return &o.disableThreads })},
		{name: "pass-pipeline", kind: valueFlag, meta: "string", group: groupGeneral, help: "The passes to run, as text: 'builtin.module(func.func(cse),inline)'", set: func(o *optOptions, v string) error {
			o.pipeline, o.hasPipeline = v, true
			return nil
		}},
		{name: "dump-pass-pipeline", group: groupGeneral, help: "Print the pipeline to standard error before running it", set: setBool(func(o *optOptions) *bool { return &o.dumpPipeline })},
		{name: "run-reproducer", group: groupGeneral, help: "Run the pipeline that a reproducer file holds", set: setBool(func(o *optOptions) *bool { return &o.runReproducer })},
		{name: "list-passes", group: groupGeneral, help: "List the passes and pipelines, and exit", set: setBool(func(o *optOptions) *bool { return &o.listPasses })},
		{name: "show-dialects", group: groupGeneral, help: "List the dialects, and exit", set: setBool(func(o *optOptions) *bool { return &o.showDialects })},
		{name: "help", group: groupGeneral, help: "Show this text, and exit", set: setBool(func(o *optOptions) *bool { return &o.help })},
		{name: "color", kind: optionalFlag, meta: "when", group: groupGeneral, help: "Use colours for diagnostics: always (without a value, too), never, or auto, which is on terminals unless NO_COLOR is set (default auto)", set: setColor},
		{name: "v", group: groupGeneral, help: "Tell which version of LLVM programs are taken for, and why", set: setBool(func(o *optOptions) *bool { return &o.verbose })},
		{name: "version", group: groupGeneral, help: "Show the version, and exit", set: setBool(func(o *optOptions) *bool { return &o.version })},

		{name: "mlir-print-op-generic", group: groupPrint, help: "Print operations in the generic form", set: setBool(func(o *optOptions) *bool { return &o.generic })},
		{name: "mlir-print-local-scope", group: groupPrint, help: "Print without aliases", set: setBool(func(o *optOptions) *bool { return &o.localScope })},
		{name: "mlir-print-debuginfo", group: groupPrint, help: "Print locations", set: setBool(func(o *optOptions) *bool { return &o.debugInfo })},
		{name: "mlir-pretty-debuginfo", group: groupPrint, help: "Print locations, if at all, in an easier form, which can't be read back", set: setBool(func(o *optOptions) *bool { return &o.prettyDebugInfo })},
		{name: "mlir-print-skip-regions", group: groupPrint, help: "Leave out regions", set: setBool(func(o *optOptions) *bool { return &o.skipRegions })},
		{name: "mlir-print-value-users", group: groupPrint, help: "Print the users of values as comments", set: setBool(func(o *optOptions) *bool { return &o.valueUsers })},
		{name: "mlir-print-unique-ssa-ids", group: groupPrint, help: "Number values uniquely across all regions", set: setBool(func(o *optOptions) *bool { return &o.uniqueIDs })},
		{name: "mlir-print-assume-verified", group: groupPrint, help: "Print custom forms even of operations that are not valid", set: setBool(func(o *optOptions) *bool { return &o.assumeValid })},
		{name: "mlir-elide-elementsattrs-if-larger", kind: valueFlag, meta: "uint", group: groupPrint, help: "Leave out the elements of larger attributes", set: setInt("uint", func(o *optOptions, n int64) { o.elideElements = n })},
		{name: "mlir-print-elementsattrs-with-hex-if-larger", kind: valueFlag, meta: "long", group: groupPrint, help: "Print the elements of larger attributes in hexadecimal (-1: never)", set: setInt("long", func(o *optOptions, n int64) { o.hexElements = n })},
		{name: "mlir-elide-resource-strings-if-larger", kind: valueFlag, meta: "uint", group: groupPrint, help: "Leave out longer resources", set: setInt("uint", func(o *optOptions, n int64) { o.elideResources = n })},
		{name: "mlir-version", kind: valueFlag, meta: "value", group: groupPrint, help: "Read programs as this version of LLVM spells them, and print them so from 19 on; without it, as " + VersionVariable + " says in the environment, a comment in the program, or its spelling", cases: versions, set: setCase(versions, func(o *optOptions) *string { return &o.mlirVersion })},
		{name: "mlir-print-op-on-diagnostic", group: groupPrint, help: "Attach the operation to diagnostics about it (default true)", set: setBool(func(o *optOptions) *bool { return &o.opOnDiagnostic })},

		{name: "mlir-print-ir-before-all", group: groupWatch, help: "Print the program before each pass", set: setBool(func(o *optOptions) *bool { return &o.beforeAll })},
		{name: "mlir-print-ir-after-all", group: groupWatch, help: "Print the program after each pass", set: setBool(func(o *optOptions) *bool { return &o.afterAll })},
		{name: "mlir-print-ir-before", kind: valueFlag, meta: "pass-arg", group: groupWatch, help: "Print the program before these passes", set: passNames(func(o *optOptions) *map[string]bool { return &o.before })},
		{name: "mlir-print-ir-after", kind: valueFlag, meta: "pass-arg", group: groupWatch, help: "Print the program after these passes", set: passNames(func(o *optOptions) *map[string]bool { return &o.after })},
		{name: "mlir-print-ir-after-change", group: groupWatch, help: "Print after a pass only if it changed something", set: setBool(func(o *optOptions) *bool { return &o.afterChange })},
		{name: "mlir-print-ir-after-failure", group: groupWatch, help: "Print after a pass only if it failed", set: setBool(func(o *optOptions) *bool { return &o.afterFailure })},
		{name: "mlir-print-ir-module-scope", group: groupWatch, help: "Print the whole program around passes", set: setBool(func(o *optOptions) *bool { return &o.moduleScope })},
		{name: "mlir-print-ir-tree-dir", kind: valueFlag, meta: "string", group: groupWatch, help: "Print around passes to files in this folder, nested like the operations", set: setString(func(o *optOptions) *string { return &o.treeDir })},
		{name: "mlir-timing", group: groupWatch, help: "Report times", set: setBool(func(o *optOptions) *bool { return &o.timing })},
		{name: "mlir-timing-display", kind: valueFlag, meta: "value", group: groupWatch, help: "How to report times", cases: timing, set: setCase(timing, func(o *optOptions) *string { return &o.timingDisplay })},
		{name: "mlir-output-format", kind: valueFlag, meta: "value", group: groupWatch, help: "Format of the report of times", cases: formats, set: setCase(formats, func(o *optOptions) *string { return &o.timingFormat })},
		{name: "mlir-pass-statistics", group: groupWatch, help: "Report the statistics of passes", set: setBool(func(o *optOptions) *bool { return &o.statistics })},
		{name: "mlir-pass-statistics-display", kind: valueFlag, meta: "value", group: groupWatch, help: "How to report statistics", cases: stats, set: setCase(stats, func(o *optOptions) *string { return &o.statisticsDisplay })},
		{name: "mlir-pass-pipeline-crash-reproducer", kind: valueFlag, meta: "filename", group: groupWatch, help: "Write a reproducer to this file if a pass fails", set: setString(func(o *optOptions) *string { return &o.reproducer })},
		{name: "mlir-pass-pipeline-local-reproducer", group: groupWatch, help: "Make the reproducer's pipeline just the pass that fails", set: setBool(func(o *optOptions) *bool { return &o.localReproducer })},
		{name: "mlir-generate-reproducer", kind: valueFlag, meta: "filename", group: groupWatch, help: "Write a reproducer to this file in any case", set: setString(func(o *optOptions) *string { return &o.generateRepro })},
	}
	const static, actions = "freehold can't load code at run time",
		"freehold has no actions; see --mlir-print-ir-before-all and --mlir-timing"
	list = append(list, []*flag{
		{name: "load-dialect-plugin", kind: valueFlag, missing: static},
		{name: "load-pass-plugin", kind: valueFlag, missing: static},
		{name: "irdl-file", kind: valueFlag, missing: static},
		{name: "log-actions-to", kind: valueFlag, missing: actions},
		{name: "log-mlir-actions-filter", kind: valueFlag, missing: actions},
		{name: "profile-actions-to", kind: valueFlag, missing: actions},
		{name: "mlir-debug-counter", kind: valueFlag, missing: actions},
		{name: "mlir-print-stacktrace-on-diagnostic", missing: "diagnostics don't know where in freehold they were made"},
	}...)
	m := make(map[string]*flag, len(list)+1)
	for _, f := range list {
		m[f.name] = f
	}
	m["h"] = m["help"]
	return m
}
