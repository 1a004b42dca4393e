// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/zones"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/test/proving"
)

// certified gives the certificate of a type that is proved.
func certified(t *testing.T, dir, typ string) (*subject.Subject, []byte) {
	t.Helper()
	s := proving.Load(t, dir, typ)
	tab, err := prove(context.Background(), &engine.Job{Subject: s}, mostViews)
	if err != nil {
		t.Fatal(err)
	}
	text, err := tab.certify(&engine.Job{Subject: s})
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// edited gives a copy of a certificate in which edit has changed something, as a file.
func edited(t *testing.T, text []byte, edit func(*zones.Certificate)) []byte {
	t.Helper()
	x, err := zones.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	edit(x)
	var out bytes.Buffer
	if err := x.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Every thread and every bound of a certificate is needed for what it says: without a thread, or with a bound that is one less, something that may be is left out. That is
// so because the table is the least one; a bound of -2 stands for lower ones as well, and what follows from other bounds is said, too.
func TestCheck_RefusesWhatLeavesSomethingOut(t *testing.T) {
	for _, typ := range []string{"EliminationQueue", "DGLMQueue"} {
		s, text := certified(t, queues, typ)
		x, err := zones.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		edits := map[string]func(*zones.Certificate){}
		for i := range x.Threads {
			edits[fmt.Sprintf("thread %d is left out", i)] = func(x *zones.Certificate) { x.Threads = slices.Delete(x.Threads, i, i+1) }
			for k, b := range x.Threads[i].Bounds {
				if b[2] > -mostBound {
					edits[fmt.Sprintf("thread %d, bound %v is less", i, b)] = func(x *zones.Certificate) { x.Threads[i].Bounds[k][2]-- }
				}
			}
		}
		for k, b := range x.Head.Bounds {
			edits[fmt.Sprintf("bound %v of all is less", b)] = func(x *zones.Certificate) { x.Head.Bounds[k][2]-- }
		}
		for k, b := range x.Head.Offered {
			if b[2] > -mostBound {
				edits[fmt.Sprintf("bound %v of offers is less", b)] = func(x *zones.Certificate) { x.Head.Offered[k][2]-- }
			}
		}
		for k := range x.Head.Left {
			edits[fmt.Sprintf("left %d", k)] = func(x *zones.Certificate) { x.Head.Left = slices.Delete(x.Head.Left, k, k+1) }
		}
		for c := range x.Head.Offers {
			for w, is := range x.Head.Offers[c] {
				if is == "?" {
					edits[fmt.Sprintf("word %d of cell %d of offers", w, c)] = func(x *zones.Certificate) { x.Head.Offers[c][w] = "item" }
				}
			}
		}
		for i := range x.Threads {
			if u := &x.Threads[i]; u.Did != "" && !u.Met { // who was met has handed over
				edits[fmt.Sprintf("thread %d did nothing", i)] = func(x *zones.Certificate) { x.Threads[i].Did = "" }
			}
			if !x.Threads[i].Empty && strings.HasPrefix(x.Threads[i].Op, "Deq") {
				edits[fmt.Sprintf("thread %d saw it empty", i)] = func(x *zones.Certificate) { x.Threads[i].Empty = true }
			}
		}
		for name, edit := range edits {
			c, err := zones.CheckFile(context.Background(), s, edited(t, text, edit), nil)
			if err == nil && c.Holds {
				t.Errorf("%s: %s: it holds", typ, name)
			}
		}
		if c, err := zones.CheckFile(context.Background(), s, text, nil); err != nil || !c.Holds || len(edits) < 100 {
			t.Errorf("%s: as it is: %v, %v; %d edits", typ, c, err, len(edits))
		}
	}
}

// A certificate that is damaged anywhere is refused or still holds; the checker never crashes.
func FuzzCheck(f *testing.F) {
	s := proving.Load(f, right, "Hands")
	tab, err := prove(context.Background(), &engine.Job{Subject: s}, mostViews)
	if err != nil {
		f.Fatal(err)
	}
	text, err := tab.certify(&engine.Job{Subject: s})
	if err != nil {
		f.Fatal(err)
	}
	x, err := zones.Parse(text)
	if err != nil {
		f.Fatal(err)
	}
	for _, u := range x.Threads[:3] {
		line, err := json.Marshal(u)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line, uint8(0))
	}
	f.Fuzz(func(t *testing.T, thread []byte, at uint8) {
		var u zones.Thread
		if json.Unmarshal(thread, &u) != nil {
			t.Skip()
		}
		x, err := zones.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		x.Threads[int(at)%len(x.Threads)] = u
		_ = zones.Check(context.Background(), s, x)
	})
}
