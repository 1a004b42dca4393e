// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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
	f, err := b.get(ctx, digest)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// get opens a bundle, here or of the shared store. A damaged one is removed, and counts as absent.
func (b *Bundles) get(ctx context.Context, digest string) (*os.File, error) {
	f, err := b.own(digest)
	if err == nil || b.Shared == nil || !named(digest) {
		return f, err
	}
	text, failed := b.Shared.Get(ctx, bundleName(digest))
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	if err := b.keep(digest, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	return b.own(digest)
}

// own opens a bundle that is here.
func (b *Bundles) own(digest string) (*os.File, error) {
	if !named(digest) {
		return nil, farm.ErrNoBundle
	}
	f, err := os.Open(filepath.Join(b.dir, digest))
	if err != nil {
		return nil, errors.Join(farm.ErrNoBundle, err)
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != digest {
		err = os.Remove(f.Name())
		return nil, errors.Join(farm.ErrNoBundle, err, f.Close())
	}
	if _, failed := f.Seek(0, io.SeekStart); errors.Join(err, failed) != nil {
		return nil, errors.Join(farm.ErrNoBundle, err, failed, f.Close())
	}
	return f, nil
}

// errOther says that a bundle has other bytes than its name says.
var errOther = errors.New("the bundle has other bytes than its name says")

// errUnread says that the bytes of a bundle did not arrive.
var errUnread = errors.New("the bundle was not read")

// put keeps the bundle that is read, here and in the shared store. Without the latter it is here all the same. Only for the shared store it is in
// memory as a whole.
func (b *Bundles) put(ctx context.Context, digest string, from io.Reader) (shared, err error) {
	if err := b.keep(digest, from); err != nil || b.Shared == nil {
		return nil, err
	}
	text, shared := os.ReadFile(filepath.Join(b.dir, digest))
	if shared == nil {
		shared = b.Shared.Put(ctx, bundleName(digest), text)
	}
	return shared, nil
}

// keep keeps the bundle that is read here, whole or not at all.
func (b *Bundles) keep(digest string, text io.Reader) error {
	f, err := os.CreateTemp(b.dir, "writing")
	if err != nil {
		return b.unkept(err)
	}
	defer os.Remove(f.Name())
	sum, from := sha256.New(), &source{r: text}
	_, err = io.Copy(io.MultiWriter(f, sum), from)
	if err = errors.Join(err, f.Close()); from.err != nil {
		return fmt.Errorf("%w: %w", errUnread, from.err)
	}
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != digest {
		return errOther
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(b.dir, digest))
	}
	if err != nil {
		return b.unkept(err)
	}
	return nil
}

// source notes the error of a reader, so that it is not taken for one of the disk.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// unkept says why nothing can be written, in the same words each time.
func (b *Bundles) unkept(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("the server cannot keep the sources of tasks in %s: %w", b.dir, err)
}
