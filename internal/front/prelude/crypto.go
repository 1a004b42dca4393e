//go:build prelude

//pangolin:for crypto/internal/fips140/drbg

package prelude

// What seeds random numbers in FIPS mode is not executed: it measures how long accesses to a buffer of 32 MiB take, and
// that buffer, a package variable, would be part of the memory of each program that imports net/http.
//
//pangolin:model crypto/internal/fips140/drbg.getEntropy
func entropy() *[48]byte {
	unsupported("random bytes in FIPS mode (GODEBUG=fips140)")
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause
