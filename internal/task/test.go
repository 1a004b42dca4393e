// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
)

// The results of a package's own tests are kept beside those of tasks.

// KeptTest is the place of one test's result.
type KeptTest struct {
	kept   *Kept
	key    string
	source *closure.Package
	scarce func() bool
}

// Test returns the place of a test's result. Its key covers the digest of the package with its test
// files and imports, and asked, which has to contain everything else on which the result depends.
// It is an error if Keep has not digested the package.
func (k *Kept) Test(path string, asked any) (*KeptTest, error) {
	p := k.Sources.Known(closure.Query{Tests: true}, path)
	if p == nil {
		return nil, fmt.Errorf("%s was not digested before it was loaded, or has errors", path)
	}
	text, err := json.Marshal(struct {
		Test          any // a field that the keys of tasks and of Whole do not contain
		Sources, Tool string
	}{asked, p.Digest, k.Tool})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &KeptTest{kept: k, key: hex.EncodeToString(sum[:]), source: p, scarce: func() bool { return false }}, nil
}

// Watch returns a context for the searches on which the result depends. If one of them ends at its
// limit on memory, the result is not kept.
func (t *KeptTest) Watch(ctx context.Context) context.Context {
	ctx, t.scarce = explore.WatchMemory(ctx)
	return ctx
}

// Recall reads the result, and reports whether there is one.
func (t *KeptTest) Recall(into any) (bool, error) { return t.kept.Recall(t.key, into) }

// Remember keeps the result, unless the package has changed since it was digested, a limit on
// memory was reached, or Pangolin failed at something. same is the part that is equal in all
// results of the test.
func (t *KeptTest) Remember(result, same any) error {
	if t.scarce() || !t.source.Unchanged() {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	common, err := json.Marshal(same)
	if err != nil || strings.Contains(string(text), engine.Failed) {
		return err
	}
	return t.kept.Cache.Put(t.key, cache.Entry{Text: text, Same: common})
}

// Conflicting reports whether an error is about two different results of the same test.
func Conflicting(err error) bool {
	var conflict *cache.Conflict
	return errors.As(err, &conflict)
}
