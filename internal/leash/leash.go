// SPDX-License-Identifier: BSD-3-Clause

// Package leash has processes end with the one that has started them, however that ends: a worker that is killed calls nothing any more, nor does a
// test that takes longer than go test lets it.
//
//	c := exec.Command(...)
//	err := leash.Start(c)   in place of c.Start()
package leash
