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

// The answers to a whole request are kept as well: which collections the packages contain, and the
// keys of their results. They are found by the packages' digests, without loading the packages.

// Whole is the key of a request about all packages that Keep has digested; "" if some of them have
// errors and therefore no digest.
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
		Whole   any // a field that the keys of tasks do not contain
		Sources []source
		Tool    string
	}{asked, sources, k.Tool})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Recall reads what Remember has kept, and reports whether there was anything.
func (k *Kept) Recall(key string, into any) (bool, error) {
	text, err := k.Cache.Get(key)
	if errors.Is(err, cache.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return json.Unmarshal(text, into) == nil, nil // a text of another form counts as absent
}

// Remember keeps something under a key of Whole, unless a package has changed since it was
// digested. paths are the packages that it is about; nothing is kept if one of them was not
// digested. same is the part that is equal in all runs, without times; nil: all of it.
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

// Gone reports whether an error means that there is no result under a key.
func Gone(err error) bool { return errors.Is(err, cache.ErrNone) }
