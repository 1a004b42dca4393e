// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
)

// pair is a worker's key pair, and its public key.
func pair(t *testing.T) (nkeys.KeyPair, string) {
	t.Helper()
	p, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	key, err := p.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return p, key
}

// enrolled connects as a worker that a server takes.
func enrolled(t *testing.T, s *queue.Server) nats.Option {
	t.Helper()
	p, key := pair(t)
	if err := s.Enrol(key); err != nil {
		t.Fatal(err)
	}
	return nats.Nkey(key, p.Sign)
}

// labourer is the connection of a worker, its ID, and what its server complains of.
func labourer(t *testing.T, s *queue.Server) (*nats.Conn, string, chan error) {
	t.Helper()
	p, key := pair(t)
	if err := s.Enrol(key); err != nil {
		t.Fatal(err)
	}
	errs, id := make(chan error, 100), queue.WorkerOf(key)
	conn, err := nats.Connect("", nats.InProcessServer(s), nats.Nkey(key, p.Sign), nats.CustomInboxPrefix(queue.Inbox+"."+id),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { errs <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, id, errs
}

// A worker at the queue can neither put tasks into it, nor remove results, nor listen to others, nor speak for them.
func TestQueue_LetsWorkersDoTheirWorkOnly(t *testing.T) {
	_, s := guarded(t, filepath.Join(t.TempDir(), "none"))
	conn, id, errs := labourer(t, s)
	_, other, _ := labourer(t, s)
	denied := func(what string) {
		t.Helper()
		_ = conn.Flush()
		select {
		case err := <-errs:
			if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s is allowed", what)
		}
	}
	for _, subject := range []string{"pg.task.x.0.y", "pg.cancel.x", "$JS.API.STREAM.DELETE.PGRESULTS", "$JS.API.STREAM.PURGE.PGRESULTS", "$JS.API.STREAM.MSG.DELETE.PGRESULTS", "$JS.API.STREAM.UPDATE.PGRESULTS",
		"$JS.API.STREAM.CREATE.OTHER", "$JS.API.CONSUMER.DURABLE.CREATE.PGTASKS.x", "$JS.API.CONSUMER.CREATE.PGRESULTS.x", "$JS.API.CONSUMER.DELETE.PGTASKS.x", "$JS.API.STREAM.LIST", "$SYS.REQ.SERVER.PING", "anything",
		"pg.worker." + other, "pg.told." + other + ".x", "pg.told.x", queue.Inbox + "." + other + ".x"} {
		if err := conn.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		denied("to publish to " + subject)
	}
	for _, subject := range []string{">", "pg.>", "pg.result.>", "_INBOX.>", "$JS.>", "pg.worker.*", "pg.worker." + other, "pg.told.>",
		queue.Inbox + ".>", queue.Inbox + ".*.>", queue.Inbox + "." + other + ".>", queue.Inbox + "." + other + ".x"} {
		if _, err := conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		denied("to listen to " + subject)
		if _, err := conn.QueueSubscribeSync(subject, "group"); err != nil {
			t.Fatal(err)
		}
		denied("to listen in a group to " + subject)
	}
	for _, subject := range []string{"pg.worker." + id, "pg.told." + id + ".x"} {
		if err := conn.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{queue.Inbox + "." + id + ".>", "pg.cancel.*"} {
		if _, err := conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil || len(errs) > 0 {
		t.Errorf("what a worker has to do is not allowed: %v %d", err, len(errs))
	}
}

// Answers to one worker do not reach another, whatever that asks for.
func TestQueue_AnswersWhoHasAsked(t *testing.T) {
	_, s := guarded(t, "")
	mine, id, _ := labourer(t, s)
	theirs, _, _ := labourer(t, s)
	var heard []*nats.Subscription
	for _, subject := range []string{">", "_INBOX.>", queue.Inbox + ".>", queue.Inbox + ".*.>", queue.Inbox + "." + id + ".>"} {
		sub, err := theirs.SubscribeSync(subject)
		if err != nil {
			t.Fatal(err)
		}
		heard = append(heard, sub)
	}
	if err := theirs.Flush(); err != nil {
		t.Fatal(err)
	}
	answer, err := mine.Request("$JS.API.STREAM.INFO.PGRESULTS", nil, 5*time.Second)
	if err != nil || !strings.Contains(string(answer.Data), "PGRESULTS") {
		t.Fatalf("%v %v", answer, err)
	}
	if err := theirs.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, sub := range heard {
		if n, _, err := sub.Pending(); err == nil && n > 0 {
			t.Errorf("another worker hears the answer by %s", sub.Subject)
		}
	}
}

// Only who holds the private key of a worker that was enrolled may connect, and what it signed for one connection is worth nothing for another.
func TestQueue_TakesKnownKeys(t *testing.T) {
	h, s := guarded(t, "")
	server, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	connects := func(options ...nats.Option) error {
		conn, err := nats.Connect("nats://127.0.0.1", append(options, nats.SetCustomDialer(server))...)
		if err == nil {
			conn.Close()
		}
		return err
	}
	p, key := pair(t)
	stranger, _ := pair(t)
	if err := connects(nats.Nkey(key, p.Sign)); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a key that is not enrolled: %v", err)
	}
	if err := s.Enrol(key); err != nil {
		t.Fatal(err)
	}
	var seen []byte // a signature, as somebody may have heard it
	sign := func(nonce []byte) (signature []byte, err error) {
		seen, err = p.Sign(nonce)
		return seen, err
	}
	if err := connects(nats.Nkey(key, sign)); err != nil || len(seen) == 0 {
		t.Fatalf("an enrolled key: %v", err)
	}
	for name, options := range map[string][]nats.Option{
		"the signature of another connection": {nats.Nkey(key, func([]byte) ([]byte, error) { return seen, nil })},
		"the signature by another key":        {nats.Nkey(key, stranger.Sign)},
		"no signature":                        {nats.Nkey(key, func([]byte) ([]byte, error) { return nil, nil })},
		"garbage":                             {nats.Nkey("U", p.Sign)},
		"no key":                              {},
		"a password":                          {nats.UserInfo("gateway", "")},
		"a token":                             {nats.Token(key)},
	} {
		if err := connects(options...); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := connects(nats.Nkey(key, p.Sign)); err != nil {
		t.Errorf("an enrolled key, again: %v", err)
	}
}

// What a worker shows of another, or has the server tell in its name, reaches nobody.
func TestGateway_BelievesWorkersAboutThemselves(t *testing.T) {
	h, s := guarded(t, "")
	server, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, id, err := worker.Connect(t.Context(), server, tool)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, other, _ := labourer(t, s)
	shown := func() int {
		info, err := server.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(info.Workers)
	}
	text, err := json.Marshal(&queue.Presence{ID: other, Tool: tool, Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	// A worker may store what it likes as a result, and ask for that to be sent anywhere.
	if _, err := conn.Request("pg.result.trick", text, 5*time.Second); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*nats.Msg{
		{Subject: "pg.worker." + id, Data: text},
		{Subject: "pg.worker." + other, Data: text},
		{Subject: "$JS.API.DIRECT.GET.PGRESULTS.pg.result.trick", Reply: "pg.worker." + other},
		{Subject: "$JS.API.STREAM.MSG.GET.PGRESULTS", Data: []byte(`{"last_by_subj":"pg.result.trick"}`), Reply: "pg.worker." + other},
		{Subject: "$JS.API.STREAM.INFO.PGRESULTS", Reply: "pg.worker." + other},
	} {
		if err := conn.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		_ = conn.Flush()
		time.Sleep(100 * time.Millisecond)
		if n := shown(); n != 0 {
			t.Errorf("%s, answer to %q: the worker %s is shown, which has said nothing", m.Subject, m.Reply, other)
		}
	}
	if err := conn.Publish("pg.worker."+id, fmt.Appendf(nil, `{"ID":%q,"Tool":%q,"Slots":1}`, id, tool)); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); shown() != 1; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 5*time.Second {
			t.Fatal("a worker that shows itself is not seen")
		}
	}
}
