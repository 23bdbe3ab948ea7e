package quant_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"freehold/dialect/builtin"
	"freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// A file of mlir-opt-22: a function of a type of each kind.
const encoded = "TUzvUg1NTElSMjIuMS44AAEXBwEFCQUBAw8DAwcDLw0TAQ0LEwsLCxMBBwsHJwUNGxdTS0d/AvsFCRcBAQENBQULBQ0XAQMDAUELBQ0HCQsNDxEBBQMBAx8dAwMBHx0HAwD///////8fgAAAAAAAAAAAgAkDAQMAAAAAAAAAAIAL/gP6AwkBAQMAAAAAAAAAoH8NAUIGCwMBAwP+A/oDBQAAAAAAAAAAgAAAAAAAAAAQgAUBFQQnBQFQAwEHBBcDAQUDUAsDBwQDAQYDAQUBAGkPEQURDw0LEWJ1aWx0aW4AZnVuYwBxdWFudABtb2R1bGUAPHN0ZGluPgBmAHByaXZhdGUACBcFBQEBDQEFAQEHEw=="

func TestReadTypes(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	module, err := bytecode.Read(newContext(), data, "f.mlirbc", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "(!quant.any<i8<-8:7>:f32>, !quant.any<i8<-8:7>>, !quant.calibrated<f32<-1.000000e+00:2.000000e+00>>, !quant.uniform<i8:f32, 2.000000e+00:-3>, " +
		"!quant.uniform<u8<0:200>:f32, 2.500000e-01:3>, !quant.uniform<i8:f32:1, {2.000000e+00,3.000000e+00:5}>)"
	if got := string(asm.PrintDocument(module, asm.PrintOptions{})); !strings.Contains(got, want) {
		t.Errorf("want %s, got\n%s", want, got)
	}
}

// Whatever a byte is changed to, there is a program or an error.
func TestReadChangedTypes(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range data {
		for _, by := range []byte{0x01, 0x02, 0x0f, 0x80, 0xff} {
			changed := append([]byte(nil), data...)
			changed[i] ^= by
			if _, err := bytecode.Read(newContext(), changed, "f.mlirbc", asm.ParseOptions{}); err != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no change is noticed")
	}
}

func newContext() *ir.Context { return ir.NewContext(builtin.Dialect, funcd.Dialect, quant.Dialect) }
