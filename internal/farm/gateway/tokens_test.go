// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/test/level"
)

// guarded is a server in this process that wants the tokens of a file; "": none.
func guarded(t *testing.T, tokens string) (*httptest.Server, *queue.Server) {
	t.Helper()
	return logged(t, tokens, func(text string) { t.Log(text) })
}

// logged is guarded, and calls a function with what an administrator wants to know.
func logged(t *testing.T, tokens string, log func(string)) (*httptest.Server, *queue.Server) {
	t.Helper()
	return begun(t, func(g *gateway.Gateway) {
		g.Lease, g.Log = time.Second, log
		if tokens != "" {
			g.Tokens = &gateway.Tokens{Path: tokens}
		}
		g.History = &gateway.History{Enter: func(*gateway.Given) {}, Site: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "site %s", r.URL.Path) })}
	})
}

// issued is a token that was added to a file.
func issued(t *testing.T, file string, role gateway.Role, expires time.Time) string {
	t.Helper()
	secret, line, err := gateway.Issue("some", role, expires)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return secret
}

// Each request is served to the roles that it is for, and to nobody else.
func TestTokens_AllowWhatTheirRoleIsFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	tomorrow := time.Now().AddDate(0, 0, 1)
	client, worker := issued(t, file, gateway.Client, tomorrow), issued(t, file, gateway.Labour, tomorrow)
	expired := issued(t, file, gateway.Client, time.Now().AddDate(0, 0, -2))
	h, _ := guarded(t, file)
	digest := farm.Digest([]byte("x"))
	for _, one := range []struct {
		method, path, body string
		client, worker     bool
	}{
		{"GET", farm.PathFarm, "", true, true},
		{"POST", farm.PathRuns + "r", "{}", true, false},
		{"DELETE", farm.PathRuns + "r", "", true, false},
		{"PUT", farm.PathBundles + digest, "x", true, false},
		{"GET", farm.PathBundles + digest, "", false, true},
		{"POST", farm.PathWorkers, `{"Tool":"` + tool + `"}`, false, true}, // the key is missing, which it is told
		{"GET", farm.PathQueue, "", false, true},
		{"GET", "/", "", true, false},
		{"GET", "/events", "", true, false}, // of the history's site
		{"GET", "/result/" + digest, "", true, false},
		{"GET", gateway.PathState, "", true, false},
		{"GET", gateway.PathState + "/events", "", true, false},
		{"GET", "/metrics", "", true, true},
	} {
		for _, who := range []struct {
			token   string
			allowed bool
		}{{client, one.client}, {worker, one.worker}, {expired, false}, {"garbage", false}, {"", false}, {client + "x", false}, {strings.Repeat("y", 100_000), false}} {
			req, err := http.NewRequest(one.method, h.URL+one.path, strings.NewReader(one.body))
			if err != nil {
				t.Fatal(err)
			}
			if who.token != "" {
				req.Header.Set("Authorization", "Bearer "+who.token)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			refused := resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden
			if refused == who.allowed {
				t.Errorf("%s %s with %.20q: status %d, allowed %v", one.method, one.path, who.token, resp.StatusCode, who.allowed)
			}
		}
	}
	if err := os.WriteFile(file, []byte("# nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := farm.At(h.URL, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Info(t.Context()); err == nil || !strings.Contains(err.Error(), "withdrawn") {
		t.Errorf("a token that was withdrawn: %v", err)
	}
}

// The page says who waits, and for how much.
func TestPage_SaysWhoWaits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	secret := issued(t, file, gateway.Client, time.Now().AddDate(0, 0, 1))
	h, _ := guarded(t, file)
	s, err := farm.At(h.URL, secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutBundle(t.Context(), sources); err != nil {
		t.Fatal(err)
	}
	ask := &farm.Ask{Tool: tool}
	for _, task := range []string{"1", "2", "3"} {
		ask.Orders = append(ask.Orders, farm.Order{Name: "collection", Task: []byte(task), Bundle: farm.Digest(sources)})
	}
	if _, err := s.Ask(t.Context(), "r", ask); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", h.URL+gateway.PathState, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("anything", secret)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(text), `<tr><td>some<td class="n">3</tr>`) {
		t.Errorf("%v in\n%s", err, text)
	}
}

// A worker whose token is withdrawn is cut off from the queue.
func TestTokens_EndConnections(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	secret := issued(t, file, gateway.Labour, time.Now().AddDate(0, 0, 1))
	h, q := guarded(t, file)
	s, err := farm.At(h.URL, secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan bool, 1)
	conn, err := nats.Connect("nats://127.0.0.1", nats.SetCustomDialer(s), enrolled(t, q), nats.NoReconnect(),
		nats.ClosedHandler(func(*nats.Conn) { gone <- true }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	select {
	case <-gone:
		t.Fatal("the connection has ended although the token counts")
	case <-time.After(3 * time.Second):
	}
	if err := os.WriteFile(file, []byte("# nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("a worker whose token is withdrawn is still connected")
	}
}

// What the queue could not take, or what a terminal should not print, is refused; so is what another server's page makes a browser send.
func TestHandler_RefusesRequests(t *testing.T) {
	h, _ := guarded(t, "")
	order := func(name string, size int) string {
		text, err := json.Marshal(&farm.Ask{Tool: tool, Orders: []farm.Order{{Name: name, Task: make([]byte, size)}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		body   string
		header [2]string
		want   int
	}{
		{order("a.B", 10), [2]string{}, http.StatusOK},
		{order("a.B", farm.Largest), [2]string{}, http.StatusOK},
		{order("a.B", farm.Largest+1), [2]string{}, http.StatusBadRequest},
		{order("a\x1b[2J", 10), [2]string{}, http.StatusBadRequest},
		{order(strings.Repeat("a", 1<<20), 10), [2]string{}, http.StatusBadRequest},
		{strings.Replace(order("a.B", 10), tool, strings.Repeat(">", 64), 1), [2]string{}, http.StatusBadRequest},
		{order("a.B", 10), [2]string{"Host", "evil.example:6465"}, http.StatusMisdirectedRequest},
		{order("a.B", 10), [2]string{"Host", "localhost:6465"}, http.StatusOK},
		{order("a.B", 10), [2]string{"Origin", "http://evil.example"}, http.StatusForbidden},
		{order("a.B", 10), [2]string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
	} {
		req, err := http.NewRequest("POST", h.URL+farm.PathRuns+"r", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if req.Header.Set(c.header[0], c.header[1]); c.header[0] == "Host" {
			req.Host = c.header[1]
		} else if c.header[0] == "" {
			req.Header = http.Header{}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%.80s %q: status %d, want %d", c.body, c.header, resp.StatusCode, c.want)
		}
	}
}

// A worker that has always something to do shows a free slot between two tasks, while others wait for long: the queue is not made anew. If it
// does nothing, it is.
func TestGateway_LetsABusyQueueBe(t *testing.T) {
	level.SkipShort(t, "tasks wait for half a minute")
	var anew atomic.Int32
	h, s := logged(t, "", func(text string) {
		if strings.Contains(text, "made anew") {
			anew.Add(1)
		}
	})
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		t.Fatal(err)
	}
	server, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.PutBundle(t.Context(), sources); err != nil {
		t.Fatal(err)
	}
	ask := &farm.Ask{Tool: tool, Orders: []farm.Order{{Name: "some", Task: []byte("1"), Bundle: farm.Digest(sources)}}}
	show := func(seconds int, done func(i int) int) {
		for i := range seconds {
			if err := q.Show(&queue.Presence{ID: "w", Tool: tool, Slots: 1, Done: done(i)}); err != nil {
				t.Fatal(err)
			}
			if _, err := server.Ask(t.Context(), "r", ask); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
	}
	show(25, func(i int) int { return i })
	if n := anew.Load(); n != 0 {
		t.Errorf("the queue was made anew %d times while its worker did tasks", n)
	}
	show(20, func(int) int { return 25 })
	if anew.Load() == 0 {
		t.Error("the queue was not made anew although its worker is given nothing")
	}
}

// Whether a task has had two results is known at once, not when a server has been told of all conflicts.
func TestQueue_KnowsConflicts(t *testing.T) {
	_, s := guarded(t, "")
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"one", "one", "two"} {
		key := farm.Digest([]byte("key"))
		if _, err := q.Store(t.Context(), &queue.Facts{Key: key}, &cache.Entry{Text: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		if differs, err := q.Differs(t.Context(), key); err != nil || differs != (i == 2) {
			t.Errorf("behind %d results: %v %v", i+1, differs, err)
		}
	}
}

// The streams themselves refuse to lose a result, whoever asks: also the server's own connection.
func TestQueue_NeverRemovesAResult(t *testing.T) {
	_, s := guarded(t, filepath.Join(t.TempDir(), "none"))
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if _, err := js.Publish(ctx, "pg.result.x", []byte("first")); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "pg.result.x", []byte("second")); err == nil {
		t.Error("a second result was taken")
	}
	stream, err := js.Stream(ctx, "PGRESULTS")
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(ctx); err == nil {
		t.Error("the results were purged")
	}
	if err := stream.DeleteMsg(ctx, 1); err == nil {
		t.Error("a result was deleted")
	}
	m, err := stream.GetLastMsgForSubject(ctx, "pg.result.x")
	if err != nil || string(m.Data) != "first" {
		t.Errorf("%v %v", m, err)
	}
}
