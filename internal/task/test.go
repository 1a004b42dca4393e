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

// Results of a package's own tests are kept beside those of tasks.

// KeptTest is where the result of one test is kept.
type KeptTest struct {
	kept   *Kept
	key    string
	source *closure.Package
	scarce func() bool
}

// Test says where the result of a test is kept: by the digest of its package with test files and all that they import, and by what is asked,
// which has to cover everything else that the result depends on. The package was digested by Keep; the error says that it was not.
func (k *Kept) Test(path string, asked any) (*KeptTest, error) {
	p := k.Sources.Known(closure.Query{Tests: true}, path)
	if p == nil {
		return nil, fmt.Errorf("%s was not digested before it was loaded, or has errors", path)
	}
	text, err := json.Marshal(struct {
		Test          any // a word that neither a task nor what is asked about packages has
		Sources, Tool string
	}{asked, p.Digest, k.Tool})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &KeptTest{kept: k, key: hex.EncodeToString(sum[:]), source: p, scarce: func() bool { return false }}, nil
}

// Watch gives a context for the searches on which the result depends: where one of them ends at its limit on memory, the result is not kept.
func (t *KeptTest) Watch(ctx context.Context) context.Context {
	ctx, t.scarce = explore.WatchMemory(ctx)
	return ctx
}

// Recall reads the result, and reports whether there is one.
func (t *KeptTest) Recall(into any) (bool, error) { return t.kept.Recall(t.key, into) }

// Remember keeps the result, unless the package has changed since it was digested, a limit on memory was met, or Pangolin has failed at
// something. Same is what two results of the test have in common.
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

// Conflicting says that an error is about two different results of the same test.
func Conflicting(err error) bool {
	var conflict *cache.Conflict
	return errors.As(err, &conflict)
}
