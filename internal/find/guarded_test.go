// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Sentences as documentation has them, and whether they ask callers to hold a lock.
func TestGuarded_SentencesAskForLock(t *testing.T) {
	for sentence, want := range map[string]bool{
		"The caller must hold the lock.":                                                       true,
		"Inc counts; the caller must hold the lock.":                                           true,
		"Callers must hold c.mu.":                                                              true,
		"The caller has to hold the mutex.":                                                    true,
		"You must hold the write lock.":                                                        true,
		"The caller is responsible for holding the lock.":                                      true,
		"The caller should already hold q.mu.":                                                 true,
		"The caller must have locked the table's mutex.":                                       true,
		"It does not lock, the caller must hold `mu`.":                                         true,
		"Caller holds the lock.":                                                               true,
		"Must hold c.mu.":                                                                      true,
		"The lock must be held by the caller.":                                                 true,
		"c.mu must be held.":                                                                   true,
		"The mutex must be held for reading before calling it.":                                true,
		"Inc must be called with the lock held.":                                               true,
		"It must only be called while holding the lock.":                                       true,
		"It should be called with c.mu held.":                                                  true,
		"It may only be called when the lock is held.":                                         true,
		"Called with mu held.":                                                                 true,
		"It requires that the lock is held.":                                                   true,
		"It assumes the lock to be held.":                                                      true,
		"It assumes that the caller holds the lock.":                                           true,
		"GetLocked is Get for callers that hold the lock, which x.":                            true,
		"The caller must not hold the lock.":                                                   false,
		"The caller need not hold the lock.":                                                   false,
		"It must not be called with the lock held.":                                            false,
		"It must be called without the lock held.":                                             false,
		"It may be called with the lock held.":                                                 false,
		"It is allowed but not required for the caller to hold c.L.":                           false,
		"The lock must be held while both words are written.":                                  false,
		"If the caller holds the lock, it returns at once.":                                    false,
		"It blocks while the caller holds the lock.":                                           false,
		"Inc takes the lock.":                                                                  false,
		"It is called under the lock.":                                                         true,
		"The caller must hold a block.":                                                        false,
		"It returns false to a caller that holds the lock.":                                    false,
		"The lock is held while fn runs.":                                                      false,
		"Requires m.mu.":                                                                       true,
		"t.mu is held.":                                                                        true,
		"Call it with mu held.":                                                                true,
		"Callers should be holding mu.":                                                        true,
		"mu is assumed to be held.":                                                            true,
		"Precondition: mu is locked.":                                                          true,
		"Requires a lock manager.":                                                             false,
		"It is assumed to be held.":                                                            false,
		"On return the caller holds the lock.":                                                 false,
		"On return, the caller holds the lock.":                                                false,
		"Upon return the lock is held by the caller.":                                          false,
		"When it returns, the caller holds the lock.":                                          false,
		"If it returns true, the caller holds the lock.":                                       false,
		"The caller holds the lock when it returns.":                                           false,
		"The caller holds the lock once it has returned.":                                      false,
		"The caller must hold the lock until it returns.":                                      true,
		"Once it returns, the caller holds the lock.":                                          false,
		"The caller then holds the lock.":                                                      false,
		"The caller holds the lock afterwards.":                                                false,
		"The caller holds the lock until Leave is called.":                                     false,
		"It makes sure that the caller holds the lock.":                                        false,
		"The caller holds the lock while it runs.":                                             true,
		"On entry the caller holds the lock.":                                                  true,
		"It returns what is there; the caller must hold the lock.":                             true,
		"It returns the count, the caller must hold the lock.":                                 true,
		"The caller must hold the lock of the table.":                                          true,
		"The caller holds the lock of the hash table.":                                         true,
		"Assumes lock is held on entry.":                                                       true,
		"Write lock should be held, for what it calls.":                                        true,
		"The caller must hold the lock of t.":                                                  true,
		"The caller must hold the lock of the file system.":                                    false,
		"The caller must hold the file's lock.":                                                false,
		"The caller must hold its lock.":                                                       true,
		"The caller must hold the lock of its parent.":                                         false,
		"It must be called with the lock of the tree held.":                                    false,
		"Enter waits until nobody is inside; then the caller holds the lock.":                  false,
		"The caller holds the lock of the file system while it runs, which this does not use.": false,
	} {
		if got := asksForLock(sentence, "HashTable"); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

// Methods that are for callers who hold a lock are left out, each with the reason; a type that has no others is not taken.
func TestGuarded_MethodsAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	source := `package guarded

import "sync"

type C struct{ mu sync.Mutex; n int }

func (c *C) Inc() { c.mu.Lock(); c.n++; c.mu.Unlock() }
func (c *C) Get() int { c.mu.Lock(); defer c.mu.Unlock(); return c.n }
func (c *C) GetLocked() int { return c.n }
// Reset begins again.
//
// The caller must hold the lock.
func (c *C) Reset() { c.n = 0 }
// Size takes no lock.
func (c *C) Size() int { return c.n }
func (c *C) SizeUnsafe() int { return c.n }
// IncLocked takes a lock, whatever its name says.
func (c *C) IncLocked() { c.mu.Lock(); c.n++; c.mu.Unlock() }

// M is locked by its callers.
type M struct{ sync.Mutex; n int }

// Inc counts. The caller must hold the lock.
func (m *M) Inc() { m.n++ }

// L is a lock with a helper.
type L struct{ mu sync.Mutex }

// Lock locks it.
func (l *L) Lock() { l.mu.Lock() }
// Unlock must be called with the lock held.
func (l *L) Unlock() { l.mu.Unlock() }
func (l *L) wakeLocked() {}
`
	for name, text := range map[string]string{"go.mod": "module guarded\n\ngo 1.24\n", "g.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func(contracts bool) map[string]string {
		q := Query{Dir: dir, Packages: []string{"."}, NoContracts: !contracts, Note: func(string, ...any) {}, Overrides: func([]string) (Wishes, error) { return Wishes{}, nil }}
		found, missed, err := q.Find(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, f := range found {
			var parts []string
			for i := range f.Found.Operations {
				parts = append(parts, f.Found.Operations[i].Name)
			}
			for _, s := range f.Found.Skipped {
				parts = append(parts, "-"+s.Name+": "+s.Why)
			}
			got[f.Found.Type] = strings.Join(parts, "; ")
		}
		for _, m := range missed {
			got[m.Name] = m.Err.Error()
		}
		return got
	}
	got := find(true)
	for name, want := range map[string]string{
		"C": "Get; Inc; IncLocked; Size; SizeUnsafe; -GetLocked: is called with the lock held, as its name says beside Get, which takes it; -Reset: is called with the lock held, as its documentation says (g.go:12)",
		"L": "Lock+Unlock",
	} {
		if sorted(got[name]) != sorted(want) {
			t.Errorf("%s: %s", name, got[name])
		}
	}
	if why := got["guarded.M"]; !strings.Contains(why, "no operations that can be called: Inc is called with the lock held, as its documentation says (g.go:23)") {
		t.Errorf("M: %q", got)
	}
	if got := find(false); strings.Contains(got["C"], "-GetLocked") || !strings.Contains(got["M"], "Inc") {
		t.Errorf("without contracts: %q", got)
	}
}

// sorted are the parts of a list in a certain order.
func sorted(list string) string {
	parts := strings.Split(list, "; ")
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
