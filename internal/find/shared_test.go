// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"testing"

	"pangolin/internal/collection"
)

// Sentences as documentation has them, and what they say of sharing.
func TestTarget_ReadsWhatDocumentationSaysOfSharing(t *testing.T) {
	for _, tt := range []struct {
		doc              string
		unshared, shared bool
	}{
		{"Cache is an LRU cache. It is not safe for concurrent access.", true, false},
		{"A Buffer is not goroutine-safe.", true, false},
		{"Ring is NOT thread safe.", true, false},
		{"Not safe for concurrent use.", true, false},
		{"Set is a non-threadsafe set.", true, false},
		{"Heap isn't safe to use from multiple goroutines.", true, false},
		{"Stack must not be used by multiple goroutines concurrently.", true, false},
		{"It cannot be used concurrently.", true, false},
		{"List is unsynchronized.", true, false},
		{"Map is safe for concurrent use by multiple goroutines.", false, true},
		{"Queue is a lock-free queue.", false, true},
		{"A Pool may be used by several goroutines at the same time.", false, true},
		{"Counter is goroutine safe.", false, true},
		{"A Tx is for one goroutine.", true, false},
		{"A Conn must only be used by a single goroutine at a time.", true, false},
		{"It is meant for use from one goroutine only.", true, false},
		{"It is for single-goroutine use.", true, false},
		{"A Latch is opened by one goroutine and awaited by others.", false, false},
		{"A Pump moves items in one goroutine that New starts.", false, false},
		{"It is safe for concurrent use, and used by one goroutine in most programs.", false, true},
		{"Push may be called by one goroutine only.", false, false},
		{"A Tx must be used by one goroutine.", true, false},
		{"A Tx must only be accessed from the same goroutine.", true, false},
		{"Queue is the underlying storage. The functions below are always called from the same goroutine.", true, false},
		// What is denied is another thing.
		{"Stack never blocks, and is designed for many goroutines.", false, true},
		{"Stack counts. It is not slow, and meant for several goroutines.", false, true},
		{"Stack never blocks and is safe for concurrent use.", false, true},
		{"It is not only safe for concurrent use but fast.", false, true},
		{"Stack is for any number of goroutines.", false, true},
		{"It never waits and is not safe for concurrent use.", true, false},
		{"It is not meant for several goroutines.", true, false},
		{"It is not for several goroutines.", true, false},
		{"It is not (yet) safe for use by readers and writers in several goroutines.", true, false},
		{"It is not inherently thread safe.", true, false},
		{"It is **not** safe for concurrent use.", true, false},
		{"Stack is not safe for concurrent use when made by hand.", false, false},
		// One goroutine is at the other end, or inside, at a time.
		{"Mailbox is read from one goroutine.", false, false},
		{"Box is a mailbox. Items are consumed by one goroutine.", false, false},
		{"Events serializes events to a single goroutine.", false, false},
		{"Actor handles messages in the same goroutine.", false, false},
		{"A Mutex is a lock for one goroutine at a time.", false, false},
		{"Queue is for one producer; it is used by a single goroutine at its end, a consumer.", false, false},
		{"A Gate allows access from one goroutine at a time.", false, false},
		{"A Mutex is reentrant. It may be locked again by the same goroutine.", false, false},
		{"A Topic delivers to exactly one goroutine.", false, false},
		// A restriction of one method, or of some uses, is not one of the type.
		{"Reset is not safe for concurrent use.", false, false},
		{"Add is not safe for concurrent use.", false, false},
		{"Iterate must be called by one goroutine only.", false, false},
		{"It is not safe for concurrent use with Close.", false, false},
		{"It must not be used concurrently while Close is in progress.", false, false},
		{"Queue is safe for concurrent use. It is not safe for concurrent iteration.", false, true},
		{"Stack is a stack of integers.", false, false},
		// Another thing is unlike the type.
		{"A Stack may be shared by goroutines, unlike a map, which is not safe for concurrent use.", false, true},
		{"A Stack is safe for concurrent use, unlike a map (which is not safe for concurrent use).", false, true},
		{"Unlike a map, which is not safe for concurrent use, it may be used by many goroutines at a time.", false, true},
		{"Unlike a map, it is safe for concurrent use.", false, true},
		{"It may be shared by goroutines, whereas a map is not safe for concurrent use.", false, true},
		{"In contrast to a list that is not goroutine-safe, it is safe for concurrent use.", false, true},
		{"Unlike sync.Map, it is not safe for concurrent use.", true, false},
		{"Stack is not safe for concurrent use, unlike sync.Map.", true, false},
		{"It is not safe for concurrent use, unlike a sync.Map, which is safe for concurrent use.", true, false},
		{"It grows, unlike an array, which is safe for concurrent use.", false, false},
		{"It must not be copied after first use.", false, false},
		{"", false, false},
	} {
		target := &Target{Doc: tt.doc, Found: &collection.Collection{}}
		for _, name := range []string{"Set", "Ring", "Heap", "Stack", "List"} {
			if len(tt.doc) > len(name) && tt.doc[:len(name)] == name {
				target.Found.Type = name
			}
		}
		if got := target.Unshared() != ""; got != tt.unshared {
			t.Errorf("%q: unshared is %v", tt.doc, got)
		}
		if got := target.Shared(); got != tt.shared {
			t.Errorf("%q: shared is %v", tt.doc, got)
		}
	}
}
