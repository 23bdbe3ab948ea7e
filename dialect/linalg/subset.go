package linalg

import "freehold/iface"

func init() {
	Copy.Models = append(Copy.Models, iface.SubsetInsertion.Model(iface.WholeInsertion{}))
}
