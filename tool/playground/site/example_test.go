package site_test

import (
	"fmt"

	"freehold/tool/playground/site"
)

// Nothing is put into a folder that has something else in it.
func ExampleBuild() {
	_, err := site.Build("../../..", "programs")
	fmt.Println(err)
	// Output: programs is not empty
}
