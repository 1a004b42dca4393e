// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pangolin/internal/farm"
)

// zeros gives so many bytes.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(z.left, len(p))
	clear(p[:n])
	if z.left -= n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// cut is a body that ends in the middle.
type cut struct{ zeros }

func (c *cut) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, errors.New("the wire is cut")
	}
	return c.zeros.Read(p)
}

// A large bundle passes through the server without being in its memory; one with other bytes than its name says, one that breaks off, and one that
// is too large are not kept.
func TestBundles_AreNotHeldInMemory(t *testing.T) {
	h, _ := guarded(t, "")
	const size = 200 << 20
	sum := farm.Digest(make([]byte, size))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				most.Store(max(most.Load(), now.HeapAlloc))
			}
		}
	}()
	put := func(digest string, body io.Reader) int {
		req, err := http.NewRequest("PUT", h.URL+farm.PathBundles+digest, body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	if code := put(sum, &zeros{size}); code != http.StatusOK {
		t.Fatalf("status %d", code)
	}
	resp, err := http.Get(h.URL + farm.PathBundles + sum)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	close(done)
	if grew := int64(most.Load()) - int64(before.HeapAlloc); grew > 60<<20 {
		t.Errorf("%d MiB in memory for %d", grew>>20, size>>20)
	}
	other := strings.Repeat("b", 64)
	if code := put(other, strings.NewReader("other bytes")); code != http.StatusBadRequest {
		t.Errorf("other bytes: status %d", code)
	}
	if code := put(other, &cut{zeros{1 << 20}}); code == http.StatusOK {
		t.Error("a body that breaks off is kept")
	}
	if code := put(other, &zeros{farm.LargestBundle + 1}); code == http.StatusOK {
		t.Error("a bundle that is too large is kept")
	}
	if resp, err := http.Get(h.URL + farm.PathBundles + other); err != nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("%v %v", resp, err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "writing*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}
