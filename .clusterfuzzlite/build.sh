#!/bin/bash -eu
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz, in their image
# base-builder-go. A test in internal/testing/fuzz checks that every target is listed.

export GOTOOLCHAIN=auto

# go-118-fuzz-build has a package testing of its own for the files of a target.
printf 'package main\n\nimport _ "github.com/AdamKorcz/go-118-fuzz-build/testing"\n' >cmd/freehold/fuzzing.go
replace_testing='s#^\t"testing"$#\t"github.com/AdamKorcz/go-118-fuzz-build/testing"#'
sed -i "$replace_testing" internal/testing/fuzz/fuzz.go
go mod tidy

# Nor can it build targets that are in packages p_test: the file of such a target, and
# what it needs, become a package below fuzzing.
compile_native_go_fuzzer() {
	local dir=${1#freehold/} file package to=fuzzing/$3
	file=$(grep -l "^func $2(" "$dir"/*_test.go)
	package=$(sed -n 's/^package //p' "$file")
	if [ "${package%_test}" = "$package" ]; then
		command compile_native_go_fuzzer "$@"
		return
	fi
	mkdir -p "$to"
	sed 's/^package .*/package fuzzing/' "$file" >"$to/target_test.go"
	echo 'package fuzzing' >"$to/doc.go"
	if [ "$dir" = check ]; then
		sed "s/^package .*/package fuzzing/; s/testing\.TB/*testing.F/; $replace_testing" proof/check/program_test.go >"$to/program.go"
	fi
	command compile_native_go_fuzzer "freehold/$to" "$2" "$3"
}

compile_native_go_fuzzer freehold/proof/check FuzzModule check_FuzzModule
compile_native_go_fuzzer freehold/dialect FuzzParse dialect_FuzzParse
compile_native_go_fuzzer freehold/exec/difftest FuzzPipelines difftest_FuzzPipelines
compile_native_go_fuzzer freehold/exec/interp FuzzReadNpy interp_FuzzReadNpy
compile_native_go_fuzzer freehold/exec/interp FuzzParseMemoryTrace interp_FuzzParseMemoryTrace
compile_native_go_fuzzer freehold/ir/asm FuzzParse ir_asm_FuzzParse
compile_native_go_fuzzer freehold/ir/asm FuzzLexer ir_asm_FuzzLexer
compile_native_go_fuzzer freehold/dialect FuzzRoundTrip dialect_FuzzRoundTrip
compile_native_go_fuzzer freehold/dialect FuzzVerify dialect_FuzzVerify
compile_native_go_fuzzer freehold/dialect FuzzRecover dialect_FuzzRecover
compile_native_go_fuzzer freehold/ir/bytecode FuzzRead ir_bytecode_FuzzRead
compile_native_go_fuzzer freehold/dialect/vhlo FuzzArtifact dialect_vhlo_FuzzArtifact
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzStableHLO internal_fuzz_FuzzStableHLO
compile_native_go_fuzzer freehold/memory/plan FuzzReadCSV plan_FuzzReadCSV
compile_native_go_fuzzer freehold/pass FuzzParsePipeline pass_FuzzParsePipeline
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzOneShotBufferize internal_fuzz_FuzzOneShotBufferize
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzBoundary internal_fuzz_FuzzBoundary
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzHoisting internal_fuzz_FuzzHoisting
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzNormalize internal_fuzz_FuzzNormalize
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzPlacement internal_fuzz_FuzzPlacement
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzPlanMemory internal_fuzz_FuzzPlanMemory
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzReuse internal_fuzz_FuzzReuse
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzRematerialization internal_fuzz_FuzzRematerialization
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzScheduling internal_fuzz_FuzzScheduling
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzTiling internal_fuzz_FuzzTiling
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzCloning internal_fuzz_FuzzCloning
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzStructuredLowering internal_fuzz_FuzzStructuredLowering
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzLowering internal_fuzz_FuzzLowering
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzViews internal_fuzz_FuzzViews
compile_native_go_fuzzer freehold/internal/testing/fuzz FuzzDeallocation internal_fuzz_FuzzDeallocation
compile_native_go_fuzzer freehold/transform/import/tflite FuzzImport tflite_FuzzImport
compile_native_go_fuzzer freehold/transform/import/tflite/model FuzzRead tflite_model_FuzzRead
compile_native_go_fuzzer freehold/transform/import/tflite/model FuzzNumbers tflite_model_FuzzNumbers
compile_native_go_fuzzer freehold/internal/foreign FuzzOf foreign_FuzzOf
compile_native_go_fuzzer freehold/tool/lsp FuzzDocument lsp_FuzzDocument
compile_native_go_fuzzer freehold/tool/playground/engine FuzzAnswer playground_engine_FuzzAnswer

# The programs in the script tests are the seeds.
mkdir "$WORK/seeds"
awk -v dir="$WORK/seeds" '
	/^-- .* --$/ { out = ""; if ($2 ~ /\.mlir$/) out = dir "/" ++n ".mlir"; next }
	FNR == 1 { out = "" }
	out != "" { print >out }
' {dialect/*,transform/*/*}/testdata/script/*.txtar proof/check/testdata/script/*.txtar
for target in "$OUT"/*_Fuzz*; do
	zip -qjr "${target}_seed_corpus.zip" "$WORK/seeds"
done
