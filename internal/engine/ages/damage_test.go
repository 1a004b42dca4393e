// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/ages"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// certified gives the certificate of a type that is proved.
func certified(t *testing.T, typ string) (*subject.Subject, []byte) {
	t.Helper()
	s := proving.Load(t, right, typ)
	tab, err := prove(context.Background(), s, mostViews)
	if err != nil {
		t.Fatal(err)
	}
	text, err := tab.certify(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// checks says whether a certificate holds.
func checks(t *testing.T, s *subject.Subject, x *ages.Certificate) bool {
	t.Helper()
	var text bytes.Buffer
	if err := x.Write(&text); err != nil {
		t.Fatal(err)
	}
	c, err := ages.CheckFile(context.Background(), s, text.Bytes(), nil)
	return err == nil && c.Holds
}

// A certificate that leaves out a thing that may be is refused: a thread, what may be in a gap, what may be below a kind. All of those that are left out here are
// needed: the table is the least one.
func TestCheck_RefusesWhatLeavesSomethingOut(t *testing.T) {
	s, text := certified(t, "Marks")
	random := rand.New(rand.NewPCG(1, 2))
	edits := map[string]func(*ages.Certificate) bool{
		"a thread": func(x *ages.Certificate) bool {
			r := &x.Rows[random.IntN(len(x.Rows))]
			i := random.IntN(len(r.Threads))
			r.Threads = slices.Delete(r.Threads, i, i+1)
			return true
		},
		"a row": func(x *ages.Certificate) bool {
			i := random.IntN(len(x.Rows))
			x.Rows = slices.Delete(x.Rows, i, i+1)
			return true
		},
		"a kind below": func(x *ages.Certificate) bool {
			k := &x.Kinds[random.IntN(len(x.Kinds))]
			i := random.IntN(len(k.Below))
			k.Below = slices.Delete(k.Below, i, i+1)
			return true
		},
		"a kept register": func(x *ages.Certificate) bool {
			k := &x.Kept[random.IntN(len(x.Kept))]
			if len(k.Regs) == 0 {
				return false
			}
			k.Regs = k.Regs[1:]
			return true
		},
		"a state": func(x *ages.Certificate) bool { x.Head.Held = nil; return true },
		"a flag": func(x *ages.Certificate) bool {
			th := &x.Threads[random.IntN(len(x.Threads))]
			if !th.Present && !th.Absent {
				return false
			}
			th.Present, th.Absent = th.Absent, th.Present
			return th.Present != th.Absent
		},
	}
	for what, edit := range edits {
		for range 12 {
			x, err := ages.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if edit(x) && checks(t, s, x) {
				t.Errorf("a certificate without %s is accepted", what)
			}
		}
	}
	x, _ := ages.Parse(text)
	if !checks(t, s, x) {
		t.Error("the certificate itself is refused")
	}
}

// No file makes the checker fail in another way than by an error: numbers, texts and lists are changed anywhere.
func TestCheck_RefusesAnythingWithoutAPanic(t *testing.T) {
	s, text := certified(t, "Marks")
	random := rand.New(rand.NewPCG(3, 4))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for range 300 {
		edited := slices.Clone(lines)
		i := random.IntN(len(edited))
		var v any
		if err := json.Unmarshal([]byte(edited[i]), &v); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(disturb(random, v))
		if err != nil {
			t.Fatal(err)
		}
		edited[i] = string(out)
		_, err = ages.CheckFile(context.Background(), s, []byte(strings.Join(edited, "\n")+"\n"), &bytes.Buffer{})
		_ = err // any will do
	}
}

// disturb changes one thing in a value.
func disturb(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		var keys []string
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) == 0 {
			return nil
		}
		k := keys[random.IntN(len(keys))]
		v[k] = disturb(random, v[k])
		return v
	case []any:
		if len(v) == 0 || random.IntN(4) == 0 {
			return append(v, random.IntN(9)-3)
		}
		i := random.IntN(len(v))
		if random.IntN(4) == 0 {
			return slices.Delete(v, i, i+1)
		}
		v[i] = disturb(random, v[i])
		return v
	case string:
		return []any{v + "x", "cell 9.9", "private 0.0", "?", "-1", nil}[random.IntN(6)]
	case float64:
		return []any{v + 1, -v - 1, 1e6, nil}[random.IntN(4)]
	case bool:
		return !v
	}
	return []any{1, "x"}[random.IntN(2)]
}

// A table that is too large, and a search that has no time, are no proofs.
func TestAttempt_HasLimits(t *testing.T) {
	s := proving.Load(t, right, "Marks")
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{MaxStates: 100}}
	if v, _, err := Attempt(context.Background(), j, engine.Events{}); err != nil || v.Cause != verdict.Limited || v.Reason != "not proved: more than 100 views" {
		t.Errorf("%v, %v", v.Reason, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v, _, err := Attempt(ctx, &engine.Job{Subject: s, Property: verdict.Linear}, engine.Events{}); err != nil && !errors.Is(err, context.Canceled) || v.Status != verdict.Unknown || v.Cause != verdict.Limited {
		t.Errorf("%v, %v", v, err)
	}
	if v, _, err := Attempt(context.Background(), &engine.Job{Subject: s, Property: verdict.LockFree}, engine.Events{}); err != nil || v.Status != verdict.Unknown {
		t.Errorf("%v, %v", v, err)
	}
}

// The same subject has the same certificate.
func TestAttempt_GivesTheSameBytes(t *testing.T) {
	_, a := certified(t, "Marks")
	_, b := certified(t, "Marks")
	if !bytes.Equal(a, b) {
		t.Errorf("%d and %d bytes differ", len(a), len(b))
	}
}
