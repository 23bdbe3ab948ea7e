# The commands of everyday work. `make` builds bin/freehold.

GO ?= go

bin/freehold: FORCE
	CGO_ENABLED=0 $(GO) build -buildvcs=auto -o $@ ./cmd/freehold

test:
	$(GO) test ./...

# Puts the actual output of all commands into the script tests; review the diff.
update:
	$(GO) test ./internal/testing/scripts -run Scripts -update
	$(GO) run ./cmd/gendocs

# Regenerates what is generated.
docs:
	$(GO) generate ./dialect
	$(GO) run ./cmd/gendocs

# Manual pages, in bin/man.
man:
	$(GO) run ./cmd/gendocs bin/man

# The playground, a folder of static files for any web server, in bin/playground.
playground:
	$(GO) run ./tool/playground/serve

# Pictures of every screen of the report, the playground and the pages, in both themes, for a desktop and a phone, in bin/shots: to be looked at.
shots:
	mkdir -p bin/shots
	$(GO) test -tags browser ./tool/report ./tool/playground/site -run Shots -shots $(CURDIR)/bin/shots
	cd site && $(GO) test -tags browser -run Shots -shots $(CURDIR)/bin/shots .

# The pictures in README.md and docs, by freehold itself in chromium, in docs/pictures.
pictures:
	cd site && $(GO) run ./pictures

lint:
	test -z "$$(gofmt -l .)"
	$(GO) vet ./... ./cmd/freehold ./tool/playground/serve
	$(GO) tool -modfile=.ci/tools.mod staticcheck ./... ./cmd/freehold ./tool/playground/serve

ci:
	.ci/run

# Side by side with mlir-opt-19.
compare:
	internal/testing/bench/compare.sh ../shared

bench:
	$(GO) test -run xxx -bench . -benchmem ./...

# The profile by which the compiler optimizes the command.
profile:
	$(GO) test ./internal/testing/bench -run xxx -bench Pipelines -benchtime 3s -o bin/bench.test -outputdir cmd/freehold -cpuprofile default.pgo

# All files of a release, in bin/release. RELEASE_FLAGS=-pgo=off is faster; see release/main.go.
release:
	cd release && $(GO) run . $(RELEASE_FLAGS) ../bin/release

# Builds the release twice, the second time from a clone, and compares.
release-check:
	RELEASE_FLAGS="$(RELEASE_FLAGS)" .ci/run release

# The pages as a site, in bin/site.
site:
	cd site && $(GO) run . ../bin/site

# Gives the module another path: make module PATH_OF_MODULE=example.org/you/freehold
module:
	.ci/rename-module "$(PATH_OF_MODULE)"

FORCE:

.PHONY: shots pictures test update docs man playground lint ci compare bench profile release release-check site module FORCE
