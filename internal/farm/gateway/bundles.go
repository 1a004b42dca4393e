// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/shared"
)

// Bundles are the sources of tasks, one file each, in a directory. Those that are not there may be in a shared store.
type Bundles struct {
	dir    string
	Shared shared.Store // nil: there is none
}

func bundleName(digest string) string { return "bundle/" + digest }

// bundlesLast is how long a bundle is kept behind its last use. Who needs it later sends it again.
const bundlesLast = 7 * 24 * time.Hour

// OpenBundles opens a directory, and removes what was not used for long.
func OpenBundles(dir string) (*Bundles, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && (time.Since(info.ModTime()) > bundlesLast || !named(e.Name())) {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return &Bundles{dir: dir}, nil
}

// named says that a text is the name of a bundle, or of a tool: a SHA-256.
func named(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size
}

// has says whether a bundle is there, and notes its use. One that only the shared store has is fetched.
func (b *Bundles) has(ctx context.Context, digest string) bool {
	if !named(digest) {
		return false
	}
	now := time.Now()
	if os.Chtimes(filepath.Join(b.dir, digest), now, now) == nil {
		return true
	}
	_, err := b.get(ctx, digest)
	return err == nil
}

// get reads a bundle, here or in the shared store. A damaged one is removed, and counts as absent.
func (b *Bundles) get(ctx context.Context, digest string) ([]byte, error) {
	text, err := b.own(digest)
	if err == nil || b.Shared == nil || !named(digest) {
		return text, err
	}
	text, failed := b.Shared.Get(ctx, bundleName(digest))
	if failed != nil || farm.Digest(text) != digest {
		return nil, errors.Join(err, failed)
	}
	return text, b.keep(digest, text)
}

// own reads a bundle that is here.
func (b *Bundles) own(digest string) ([]byte, error) {
	if !named(digest) {
		return nil, farm.ErrNoBundle
	}
	file := filepath.Join(b.dir, digest)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Join(farm.ErrNoBundle, err)
	}
	if farm.Digest(text) != digest {
		return nil, errors.Join(farm.ErrNoBundle, os.Remove(file))
	}
	return text, nil
}

// put keeps a bundle, here and in the shared store. Without the latter it is here all the same.
func (b *Bundles) put(ctx context.Context, digest string, text []byte) (shared, err error) {
	if b.Shared != nil {
		shared = b.Shared.Put(ctx, bundleName(digest), text)
	}
	return shared, b.keep(digest, text)
}

// keep keeps a bundle here, whole or not at all.
func (b *Bundles) keep(digest string, text []byte) error {
	f, err := os.CreateTemp(b.dir, "writing")
	if err != nil {
		return b.unkept(err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(b.dir, digest))
	}
	if err != nil {
		return b.unkept(err)
	}
	return nil
}

// unkept says why nothing can be written, in the same words each time.
func (b *Bundles) unkept(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("the server cannot keep the sources of tasks in %s: %w", b.dir, err)
}
