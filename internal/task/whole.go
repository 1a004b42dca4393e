// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"pangolin/internal/cache"
)

// What is asked about packages as a whole is kept as well: which collections they have, and under which keys their results are. It is found
// by the packages' digests, without loading them.

// Whole is the key of what is asked about all packages that Keep has digested; "": some of them have errors, and those have no digest.
func (k *Kept) Whole(asked any) (string, error) {
	packages, whole := k.Sources.All()
	if !whole || len(packages) == 0 {
		return "", nil
	}
	type source struct{ Path, Digest string }
	var sources []source
	for _, p := range packages {
		sources = append(sources, source{p.Path, p.Digest})
	}
	text, err := json.Marshal(struct {
		Whole   any // a word that no task has, so that no key is that of a task
		Sources []source
		Tool    string
	}{asked, sources, k.Tool})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Recall reads what Remember has kept, and reports whether there is something.
func (k *Kept) Recall(key string, into any) (bool, error) {
	text, err := k.Cache.Get(key)
	if errors.Is(err, cache.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return json.Unmarshal(text, into) == nil, nil // what does not have this form counts as absent
}

// Remember keeps something under a key of Whole, unless a package has changed since it was digested. Paths are those of the packages that it is
// about; what was not digested is kept in no way. same is what two runs have in common, without times; nil: all of it.
func (k *Kept) Remember(key string, what, same any, paths ...string) error {
	packages, _ := k.Sources.All()
	var known []string
	for _, p := range packages {
		if known = append(known, p.Path); !p.Unchanged() {
			return nil
		}
	}
	for _, path := range paths {
		if !slices.Contains(known, path) {
			return nil
		}
	}
	var e cache.Entry
	var err error
	if e.Text, err = json.Marshal(what); err != nil {
		return err
	}
	if same != nil {
		if e.Same, err = json.Marshal(same); err != nil {
			return err
		}
	}
	return k.Cache.Put(key, e)
}

// Gone says that there is no result under a key.
func Gone(err error) bool { return errors.Is(err, cache.ErrNone) }
