package shapes_test

import (
	"fmt"

	"freehold/ir/shapes"
)

// How 2x3x4 becomes 6x4.
func ExampleGroupsForCollapse() {
	groups, ok := shapes.GroupsForCollapse([]int64{2, 3, 4}, []int64{6, 4})
	fmt.Println(groups, ok)
	// Output: [[0 1] [2]] true
}
