// SPDX-License-Identifier: BSD-3-Clause

// Package leash has processes that a test starts end with the test's own process, however that ends: a cleanup is not called when a test is killed,
// or takes longer than go test lets it.
//
//	c := exec.Command(...)
//	err := leash.Start(c)   in place of c.Start()
package leash
