// Package quant is the dialect of quantized types, as far as programs in other dialects have them: !quant.uniform<...>, which stands in the
// types of tensors and is kept as it is spelled. What it says is read by those who need it.
package quant

import "freehold/ir"

// Dialect is the quant dialect.
var Dialect = &ir.Dialect{Name: "quant", AllowUnknownTypes: true}
