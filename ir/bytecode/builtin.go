package bytecode

// builtinEncoding returns the encoding of what package ir defines. What it has no code
// for, such as affine maps, is text.
func builtinEncoding() *Encoding {
	return &Encoding{
		WriteAttr: writeBuiltinAttr, WriteType: writeBuiltinType,
		ReadAttr: readBuiltinAttr, ReadType: readBuiltinType,
	}
}

// Codes of attributes, with what follows them.
const (
	arrayCode         = iota // attributes
	dictCode                 // pairs of a string attribute and an attribute
	stringCode               // string
	typedStringCode          // string, type
	flatSymbolCode           // string attribute
	symbolCode               // string attribute, flat symbol attributes
	typeCode                 // type
	unitCode                 //
	integerCode              // type, number as wide as it
	floatCode                // type, number with its bits
	callSiteCode             // callee, caller
	fileLineColCode          // string attribute, line, column
	fusedCode                // locations
	fusedMetadataCode        // locations, attribute
	nameCode                 // string attribute, location
	unknownCode              //
	denseResourceCode        // type, resource
	denseArrayCode           // element type, number of elements, bytes
	denseCode                // type, bytes
	denseStringCode          // type, whether it is a splat, strings
	sparseCode               // type, indices, values
	distinctCode             // attribute
)

// Codes of types, with what follows them.
const (
	integerTypeCode         = iota // width and signedness
	indexTypeCode                  //
	functionTypeCode               // types, types
	bf16Code                       //
	f16Code                        //
	f32Code                        //
	f64Code                        //
	f80Code                        //
	f128Code                       //
	complexTypeCode                // type
	memrefCode                     // shape, element type, layout
	memrefSpaceCode                // memory space, shape, element type, layout
	noneTypeCode                   //
	tensorCode                     // shape, element type
	tensorEncodingCode             // encoding, shape, element type
	tupleTypeCode                  // types
	unrankedMemrefCode             // element type
	unrankedMemrefSpaceCode        // memory space, element type
	unrankedTensorCode             // element type
	vectorCode                     // shape, element type
	scalableVectorCode             // which dimensions are scalable, shape, element type
)
