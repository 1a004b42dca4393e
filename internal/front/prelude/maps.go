//go:build prelude

//pangolin:for maps

package prelude

type mapsClone[M ~map[K]V, K comparable, V any] struct{}

//pangolin:model maps.Clone
func (mapsClone[M, K, V]) call(m M) M {
	if m == nil {
		return nil
	}
	c := make(M, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// SPDX-License-Identifier: BSD-3-Clause
