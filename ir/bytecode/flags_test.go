package bytecode_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// Two files of mlir-opt-22: an affine.linearize_index that says disjoint, and one that doesn't. The word is a property there, and a byte.
var flagged = map[string]string{
	"affine.linearize_index disjoint [%arg0, %arg1] by (%arg2, 8) : index": "TUzvUg1NTElSMjIuMS44AAEfBwEFCQkBAw8DBQcTBQMXAykXBwEXCxMLCxMTExNTExMBBwcfDwKDBQ0XAQEBDQMFDxcBAwMXAQMhFwEDNxcBA00jBQUhAAAAAAAAAIAIAAAAAAAAABcBBREXAQcHAwUHAQEBAwEBAgQEWQUBUAMBBwRJAwEFA1AJAwcENQMJCwcDCwMNAw8AB0YTBQMBBwEDBQUEFQMHBgMBBQEAjxEJESEPDw8LEWJ1aWx0aW4AZnVuYwBhZmZpbmUAbW9kdWxlAHJldHVybgBsaW5lYXJpemVfaW5kZXgAbHoubWxpcgBsaW4ACCMHBQEBDQEFAQEHAQsRAQkFAw==",
	"affine.linearize_index [%arg0, %arg1] by (%arg2, 8) : index":          "TUzvUg1NTElSMjIuMS44AAEfBwEFCQkBAw8DBQcTBQMXAykXBwEXCxMLCxMTExNTExMBBwcfDwKDBQ0XAQEBDQMFDxcBAwMXAQMhFwEDNxcBA00jBQUhAAAAAAAAAIAIAAAAAAAAABcBBREXAQcHAwUHAQEBAwEBAgQEWQUBUAMBBwRJAwEFA1AJAwcENQMJCwcDCwMNAw8AB0YTBQMBBwEDBQUEFQMHBgMBBQEAkREJEyEPDw8LEWJ1aWx0aW4AZnVuYwBhZmZpbmUAbW9kdWxlAHJldHVybgBsaW5lYXJpemVfaW5kZXgAbHowLm1saXIAbGluAAgjBwUBAQ0BBQEBBwELEQAJBQM=",
}

func TestFlags(t *testing.T) {
	for want, file := range flagged {
		data, err := base64.StdEncoding.DecodeString(file)
		if err != nil {
			t.Fatal(err)
		}
		module, err := bytecode.Read(newContext(), data, "f.mlirbc", asm.ParseOptions{})
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if got := string(asm.PrintDocument(module, asm.PrintOptions{})); !strings.Contains(got, want) {
			t.Errorf("want %s, got\n%s", want, got)
		}
	}
}
