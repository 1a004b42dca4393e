// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/find"
)

// Named are packages as a request names them.
type Named struct {
	Dir      string   // where the go command runs; "": the current directory
	Packages []string // patterns of the go command, or PKG.Type
	Tests    bool     // test files count as well
}

// Keep opens a directory of results and digests the packages of a request. It is called before the
// packages are loaded, so that an edit in between is noticed.
func Keep(ctx context.Context, dir string, n Named) (*Kept, error) {
	opened, err := cache.Open(dir)
	if err != nil {
		return nil, err
	}
	tool, err := opened.Tool()
	if err != nil {
		return nil, err
	}
	memo := &closure.Memo{Dir: n.Dir}
	if err := memo.Know(ctx, n.queries()...); err != nil {
		return nil, err
	}
	k := &Kept{Cache: opened, Tool: tool, Sources: memo}
	go k.of() // asks git while the packages are loaded
	return k, nil
}

// Relisting makes a context in which answers of the go command are kept in a directory of results, and
// given again as long as they hold (package golist).
func Relisting(ctx context.Context, dir string) context.Context {
	opened, err := cache.Open(dir)
	if err != nil {
		return ctx // Keep says what is wrong
	}
	return closure.Keeping(ctx, opened)
}

// CacheByDefault is the directory of results for users who name none (cache.Default).
func CacheByDefault() (string, error) { return cache.Default() }

// Tidy removes the results that were not used for the longest time, if there are more bytes than
// allowed.
func (k *Kept) Tidy() error {
	k.of() // wait for git's answer, so that nothing is written after the directory is removed
	return k.Cache.Tidy(cache.Limit)
}

// Digests returns a digest of the packages' sources, without packages that have errors, and one of
// this program.
func (n *Named) Digests(ctx context.Context) (sources, tool string, err error) {
	k := &Kept{Sources: &closure.Memo{Dir: n.Dir}}
	if k.Tool, err = cache.Tool(); err != nil {
		return "", "", err
	}
	if err := k.Sources.Know(ctx, n.queries()...); err != nil {
		return "", "", err
	}
	return k.sources(), k.Tool, nil
}

// Digests returns the digests that Keep has computed.
func (k *Kept) Digests() (sources, tool string) { return k.sources(), k.Tool }

func (k *Kept) sources() string {
	list, _ := k.Sources.All()
	h := sha256.New()
	for _, p := range list {
		fmt.Fprintf(h, "%q %s\n", p.Path, p.Digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// queries are the queries by which the packages are digested.
func (n *Named) queries() []closure.Query {
	return (&find.Query{Packages: n.Packages, Tests: n.Tests}).Sources()
}
