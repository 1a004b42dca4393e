// SPDX-License-Identifier: BSD-3-Clause

package worker

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pangolin/internal/farm"
)

// A worker fetches the bundle of the task before not once more, and one that it could not get it does not keep.
func TestBundle_IsFetchedWhenItIsAnotherOne(t *testing.T) {
	var fetched []string
	w := &Worker{Fetch: func(_ context.Context, digest string) ([]byte, error) {
		fetched = append(fetched, digest)
		if digest == "none" {
			return nil, farm.ErrNoBundle
		}
		return []byte("sources of " + digest), nil
	}}
	for _, digest := range []string{"a", "a", "none", "none", "a", "b", "b", "a", ""} {
		text, err := w.bundle(t.Context(), digest)
		if errors.Is(err, farm.ErrNoBundle) != (digest == "none") || err == nil && string(text) != "sources of "+digest {
			t.Errorf("bundle %q: %q, %v", digest, text, err)
		}
	}
	if want := []string{"a", "none", "none", "b", "a", ""}; !slices.Equal(fetched, want) {
		t.Errorf("fetched %q, want %q", fetched, want)
	}
}
