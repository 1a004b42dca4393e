// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/gateway"
)

// The history is told of each result that a command is given whose order has an origin: of a new one, of one that was there, of one that is
// not stored; and not of mutants, which have none.
func TestHistory_HasWhatCommandsAreGiven(t *testing.T) {
	entered := make(chan *gateway.Given, 100)
	c := within(t, func(_ context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
		if bytes.HasPrefix(j.Task, []byte("never")) {
			return nil, fmt.Errorf("%w: too large", farm.ErrLimit)
		}
		return &farm.Output{Text: append([]byte("result of "), j.Task...), Same: j.Task, Lasting: !bytes.HasPrefix(j.Task, []byte("short"))}, nil
	}, func(g *gateway.Gateway) {
		g.History = &gateway.History{Enter: func(one *gateway.Given) { entered <- one }, Site: http.NotFoundHandler()}
	})
	again := &client.Client{Server: c.Server, Tool: tool, Note: c.Note}
	if err := again.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var want []string
	for i, one := range []struct {
		by     *client.Client
		text   string
		origin string
	}{
		{c, "a mutant", ""}, {c, "lasting", `{"module":"m"}`}, {again, "lasting", `{"module":"m","commit":"c"}`}, {again, "a mutant", ""}, {c, "short", `{}`}, {c, "never", `{"module":"m"}`}, {c, "lasting 2", `{"module":"m"}`},
	} {
		o := &farm.Order{Name: "some", Task: []byte(one.text), Bundle: farm.Digest(sources)}
		if one.origin != "" {
			o.Origin = json.RawMessage(one.origin)
		}
		out, err := one.by.Send(t.Context(), o, sources, func(uint64) {})
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if one.origin != "" && out.GivenUp == "" {
			want = append(want, one.text+" "+one.origin)
		}
	}
	var got []string
	for range want {
		select {
		case one := <-entered:
			text := one.Text
			if one.Sealed != nil {
				sealed, err := cache.Unseal(one.Key, one.Sealed)
				if err != nil {
					t.Fatal(err)
				}
				text = sealed.Text
			}
			task := strings.TrimPrefix(string(text), "result of ")
			if key := farm.Key([]byte(task), farm.Digest(sources), tool); one.Key != key || (one.Sealed == nil) != strings.HasPrefix(task, "short") {
				t.Errorf("%s: key %s, want %s; sealed %t", task, one.Key, key, one.Sealed != nil)
			}
			got = append(got, task+" "+string(one.Origin))
		case <-time.After(20 * time.Second):
			t.Fatalf("the history has %q, want %q", got, want)
		}
	}
	if !slices.Equal(got, want) || len(entered) > 0 {
		t.Errorf("the history has %q and %d more, want %q", got, len(entered), want)
	}
	far := &farm.Order{Name: "some", Task: []byte("x"), Bundle: farm.Digest(sources), Origin: json.RawMessage(`"` + strings.Repeat("x", 2000) + `"`)}
	if _, err := again.Send(t.Context(), far, sources, func(uint64) {}); err == nil || !strings.Contains(err.Error(), "the origin of the sources of some has 2002 bytes; the most is 1024") {
		t.Errorf("an origin of 2,000 bytes: %v", err)
	}
}

// The page about the farm sends what it says when that is something else, and is sent to few at a time.
func TestPage_IsSentWhenItChanges(t *testing.T) {
	h, _ := guarded(t, "")
	follow := func() (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.URL+gateway.PathState+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		return http.DefaultClient.Do(r)
	}
	resp, err := follow()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	next := func() (text string) {
		line := make([]byte, 0, 4096)
		for one := make([]byte, 1); !bytes.HasSuffix(line, []byte("\n\n")); {
			if _, err := resp.Body.Read(one); err != nil {
				t.Fatal(err)
			}
			line = append(line, one...)
		}
		if err := json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &text); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		return text
	}
	if text := next(); !strings.Contains(text, "Commands that wait for results: 0.") {
		t.Errorf("the page says %q", text)
	}
	s, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutBundle(t.Context(), sources); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), "r", &farm.Ask{Tool: tool, Orders: []farm.Order{{Name: "some", Task: []byte("1"), Bundle: farm.Digest(sources)}}}); err != nil {
		t.Fatal(err)
	}
	if text := next(); !strings.Contains(text, "Commands that wait for results: 1.") {
		t.Errorf("the page says %q", text)
	}
	refused := 0
	for range 70 {
		resp, err := follow()
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			refused++
		}
	}
	if refused != 70+1-64 {
		t.Errorf("of 71 pages that watch %d are refused, want 7", refused)
	}
}
