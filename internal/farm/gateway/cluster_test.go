// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
	"pangolin/internal/leash"
	"pangolin/internal/test/level"
)

// Queues in NATS servers of others, which are in this process, or in processes that are killed.

// cluster is some NATS servers with JetStream.
type cluster struct {
	t         *testing.T
	options   []*server.Options
	servers   []*server.Server
	processes []*exec.Cmd // in place of servers, if they can be killed
	ports     []int
}

// newCluster starts servers with options that a function changes. A cluster of one is a server that is on its own.
func newCluster(t *testing.T, n int, change func(*server.Options)) *cluster {
	t.Helper()
	c := &cluster{t: t, servers: make([]*server.Server, n)}
	c.begin(change)
	return c
}

// newKillable is newCluster with a process for each server, which stop kills.
func newKillable(t *testing.T, n int) *cluster {
	t.Helper()
	c := &cluster{t: t, processes: make([]*exec.Cmd, n)}
	c.begin(nil)
	return c
}

func (c *cluster) begin(change func(*server.Options)) {
	c.t.Helper()
	n := max(len(c.servers), len(c.processes))
	c.ports = freePorts(c.t, 2*n)
	for i := range n {
		o := optionsOf(i, c.ports, filepath.Join(c.t.TempDir(), "nats"))
		if change != nil {
			change(o)
		}
		c.options = append(c.options, o)
		c.start(i)
	}
	c.t.Cleanup(func() {
		for i := range n {
			c.stop(i)
		}
	})
}

// optionsOf are those of a server; the second half of the ports is for the servers among themselves.
func optionsOf(i int, ports []int, dir string) *server.Options {
	o := &server.Options{ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: ports[i], JetStream: true, StoreDir: dir, SyncAlways: true, NoSigs: true, NoLog: true}
	n := len(ports) / 2
	if n == 1 {
		return o
	}
	o.Cluster = server.ClusterOpts{Name: "theirs", Host: "127.0.0.1", Port: ports[n+i]}
	for _, port := range ports[n:] {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	return o
}

// beNATS is the process of a server: its number, with the ports of all behind it, and its directory.
func beNATS(which, dir string) error {
	var numbers []int
	if err := json.Unmarshal([]byte(which), &numbers); err != nil {
		return err
	}
	s, err := server.NewServer(optionsOf(numbers[0], numbers[1:], dir))
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return errors.New("it has ended")
}

func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

func (c *cluster) start(i int) {
	c.t.Helper()
	if c.processes != nil {
		c.startProcess(i)
		return
	}
	s, err := server.NewServer(c.options[i].Clone())
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		c.t.Fatalf("the NATS server %d does not start", i)
	}
	c.servers[i] = s
}

func (c *cluster) startProcess(i int) {
	c.t.Helper()
	which, err := json.Marshal(append([]int{i}, c.ports...))
	if err != nil {
		c.t.Fatal(err)
	}
	p := exec.Command(os.Args[0], string(which), c.options[i].StoreDir)
	p.Env = append(os.Environ(), role+"=nats")
	p.Stderr = os.Stderr
	if err := leash.Start(p); err != nil {
		c.t.Fatal(err)
	}
	c.processes[i] = p
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", c.ports[i])); err == nil {
			conn.Close()
			return
		}
	}
	c.t.Fatalf("the NATS server %d does not start", i)
}

func (c *cluster) stop(i int) {
	if c.processes != nil {
		kill(c.processes[i])
		return
	}
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

func (c *cluster) urls() string {
	var list []string
	for _, o := range c.options {
		list = append(list, fmt.Sprint("nats://127.0.0.1:", o.Port))
	}
	return strings.Join(list, ",")
}

// before starts a gateway before servers of others.
func before(t *testing.T, c *queue.Cluster, replicas int) (*httptest.Server, *queue.Server) {
	t.Helper()
	c.Log = func(text string) { t.Log(text) }
	s, err := c.Serve(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.End)
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	limits := queue.Usual
	limits.Lease, limits.Replicas, limits.Bytes = 2*time.Second, replicas, 1<<30
	q, err := queue.Create(t.Context(), conn, limits)
	if err != nil {
		t.Fatal(err)
	}
	b, err := gateway.OpenBundles(filepath.Join(t.TempDir(), "bundles"))
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway.Gateway{Tool: tool, Lease: limits.Lease, Queue: q, Bundles: b, Dial: s.InProcessConn, Enrol: s.Enrol, Log: func(text string) { t.Log(text) }}
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(g.Handler())
	t.Cleanup(h.Close)
	return h, s
}

// labours does tasks of a server until the context ends, and counts them.
func labours(ctx context.Context, t *testing.T, address string, done *atomic.Int64) {
	t.Helper()
	s, err := farm.At(address, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, id, err := worker.Connect(ctx, s, tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	q, err := queue.Join(conn)
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	w := &worker.Worker{ID: id, Tool: tool, Slots: 2, Queue: q, Fetch: s.Bundle, Patience: time.Minute, Log: func(text string) { t.Log(text) },
		Run: func(ctx context.Context, j *farm.Job, progress func(uint64)) (*farm.Output, error) {
			done.Add(1)
			return perform(ctx, j, log)
		}}
	var over sync.WaitGroup
	over.Go(func() {
		if err := w.Work(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(over.Wait)
}

func wants(t *testing.T, address string) *client.Client {
	t.Helper()
	s, err := farm.At(address, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &client.Client{Server: s, Tool: tool, Note: func(text string) { t.Log(text) }}
	if err := c.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Three servers have three copies of everything; one after the other is killed, and comes back. Each task has its one result.
func TestCluster_LosesNothingWhileServersCome(t *testing.T) {
	level.SkipShort(t, "three servers, of which one is killed each few seconds")
	kills, pace := 3, 4*time.Second
	if level.More() {
		kills, pace = 6, 12*time.Second
	}
	c := newKillable(t, 3)
	h, s := before(t, &queue.Cluster{Servers: c.urls()}, 3)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done atomic.Int64
	for range 2 {
		labours(ctx, t, h.URL, &done)
	}
	commands := wants(t, h.URL)
	var sent atomic.Int64
	over := make(chan struct{})
	var senders sync.WaitGroup
	for range 10 {
		senders.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				number := strconv.FormatInt(sent.Add(1), 10)
				o, err := send(t.Context(), commands, number)
				if what := wrong(number, o, err); what != "" {
					t.Errorf("task %s %s", number, what)
				}
			}
		})
	}
	for i := range kills {
		time.Sleep(pace / 2)
		c.stop(i % 3)
		time.Sleep(pace / 2)
		c.start(i % 3)
	}
	close(over)
	senders.Wait()
	if err := commands.Err(); err != nil {
		t.Error(err)
	}
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"PGTASKS", "PGRESULTS", "PGCONFLICTS"} {
		info, err := js.Stream(t.Context(), name)
		for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); { // the servers may still be about to choose a leader
			time.Sleep(100 * time.Millisecond)
			info, err = js.Stream(t.Context(), name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := info.CachedInfo().Config.Replicas; n != 3 {
			t.Errorf("%s has %d copies", name, n)
		}
		if n := info.CachedInfo().State.Msgs; name == "PGRESULTS" && int64(n) < sent.Load() || name == "PGCONFLICTS" && n > 0 {
			t.Errorf("%s has %d messages; %d tasks", name, n, sent.Load())
		}
	}
	t.Logf("%d kills: %d tasks, %d executions (%.3f)", kills, sent.Load(), done.Load(), float64(done.Load())/float64(sent.Load()))
}

// What happens to tasks, crashes, results that do not last, withdrawals, results that differ, is what happens to them in a queue of our own; and a server that is started
// anew has the results.
func TestCluster_IsAQueueAsOurs(t *testing.T) {
	for form, v2 := range map[string]bool{"leases as they are": false, "leases with a domain": true} {
		t.Run(form, func(t *testing.T) {
			isAsOurs(t, newCluster(t, 1, func(o *server.Options) {
				o.MaxPayload, o.FeatureFlags = 1<<20, map[string]bool{server.FeatureFlagJsAckFormatV2: v2} // NATS's default is 1 MiB
			}))
		})
	}
}

func isAsOurs(t *testing.T, c *cluster) {
	t.Helper()
	h, _ := before(t, &queue.Cluster{Servers: c.urls()}, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done atomic.Int64
	labours(ctx, t, h.URL, &done)
	commands := wants(t, h.URL)
	if o, err := send(t.Context(), commands, "1 crash"); err != nil || o.GivenUp != "the task has ended 3 workers" {
		t.Errorf("a task that crashes: %+v %v", o, err)
	}
	if o, err := send(t.Context(), commands, "2 passing"); wrong("2", o, err) != "" || o.Lasting {
		t.Errorf("a result that does not last: %s", wrong("2", o, err))
	}
	if o, err := send(t.Context(), commands, "3"); wrong("3", o, err) != "" || !o.Lasting {
		t.Errorf("a result: %s", wrong("3", o, err))
	}
	slow, withdraw := context.WithCancel(t.Context())
	var withdrawn sync.WaitGroup
	for _, number := range []string{"4", "5"} { // both slots
		withdrawn.Go(func() { _, _ = send(slow, commands, number+" slow") })
	}
	for n := done.Load(); done.Load() < n+2; {
		time.Sleep(20 * time.Millisecond)
	}
	withdraw()
	withdrawn.Wait()
	begun := time.Now()
	if o, err := send(t.Context(), commands, "6"); wrong("6", o, err) != "" || time.Since(begun) > 30*time.Second {
		t.Errorf("behind tasks that were withdrawn: %s after %v", wrong("6", o, err), time.Since(begun))
	}
	big := "7 " + strings.Repeat("x", 600<<10) // a message of 1 MiB has it in JSON
	if o, err := send(t.Context(), commands, big); wrong("7", o, err) != "" {
		t.Errorf("a large task: %s", wrong("7", o, err))
	}
	server, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := server.Info(t.Context())
	if err != nil || info.Largest != 1<<20/8*5 {
		t.Errorf("the largest task has %d bytes, %v", info.Largest, err)
	}
	if _, err := server.Ask(t.Context(), "r", &farm.Ask{Tool: tool, Orders: []farm.Order{{Name: "some", Task: make([]byte, info.Largest+1), Bundle: farm.Digest(sources)}}}); err == nil || !strings.Contains(err.Error(), "the most is") {
		t.Errorf("a task that is too large: %v", err)
	}
	n := done.Load()
	again, _ := before(t, &queue.Cluster{Servers: c.urls()}, 1)
	if o, err := send(t.Context(), wants(t, again.URL), "3"); wrong("3", o, err) != "" || done.Load() != n {
		t.Errorf("a result that is there, by another server: %s, %d executions more", wrong("3", o, err), done.Load()-n)
	}
}

// A worker is kept to its work also where the queue is another's: it can neither put tasks into it nor remove results, and answers reach nobody but workers.
func TestCluster_LetsWorkersDoTheirWorkOnly(t *testing.T) {
	c := newCluster(t, 1, nil)
	_, s := before(t, &queue.Cluster{Servers: c.urls()}, 1)
	conn, id, errs := labourer(t, s)
	all, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	heard, err := all.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{"pg.task.x.0.y", "$JS.API.STREAM.DELETE.PGRESULTS", "$JS.API.STREAM.PURGE.PGRESULTS", "$JS.API.CONSUMER.CREATE.PGRESULTS.x", "anything", "pg.told.other.x"} {
		if err := conn.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		_ = conn.Flush()
		select {
		case <-errs:
		case <-time.After(5 * time.Second):
			t.Errorf("to publish to %s is allowed", subject)
		}
	}
	for _, reply := range []string{"pg.task.x.0.y", "pg.told." + id + ".x", "_INBOX.other"} { // allowed by NATS, and not passed on
		if err := conn.PublishRequest("$JS.API.STREAM.INFO.PGRESULTS", reply, nil); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := conn.Request("$JS.API.STREAM.INFO.PGRESULTS", nil, 10*time.Second)
	if err != nil || !strings.Contains(string(answer.Data), "PGRESULTS") {
		t.Fatalf("%v %v", answer, err)
	}
	for {
		m, err := heard.NextMsg(300 * time.Millisecond)
		if err != nil {
			break
		}
		if !strings.HasPrefix(m.Subject, "_INBOX.") && !strings.HasPrefix(m.Subject, "$JS.API.STREAM.INFO.PGRESULTS") && !strings.HasPrefix(m.Subject, "$JS.EVENT") && !strings.HasPrefix(m.Subject, "pg.worker.") {
			t.Errorf("the servers were sent %s", m.Subject)
		}
		if m.Subject == "_INBOX.other" {
			t.Error("an answer was sent to another")
		}
	}
}

// asked are the subjects that doc/farm.md wants an account to allow.
func allowed(t *testing.T) (publish, subscribe []string) {
	t.Helper()
	text, err := os.ReadFile("../../../doc/farm.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^\t(publish|subscribe) +(.*)$`).FindAllStringSubmatch(string(text), -1) {
		list := strings.Fields(line[2])
		if line[1] == "publish" {
			publish = append(publish, list...)
		} else {
			subscribe = append(subscribe, list...)
		}
	}
	if len(publish) < 3 || len(subscribe) < 2 {
		t.Fatalf("the document lists %q and %q", publish, subscribe)
	}
	return publish, subscribe
}

// key is a pair of keys, and the public one.
func key(t *testing.T, create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return pair, public
}

// operated is a server of an operator with two accounts, one of which has JetStream, and what gives a file with credentials for either that end at a time.
func operated(t *testing.T) (c *cluster, credentials func(stored bool, expires time.Time) string) {
	t.Helper()
	operator, name := key(t, nkeys.CreateOperator)
	system, systemName := key(t, nkeys.CreateAccount)
	rich, richName := key(t, nkeys.CreateAccount)
	poor, poorName := key(t, nkeys.CreateAccount)
	_ = system
	resolver := &server.MemAccResolver{}
	for public, stores := range map[string]bool{systemName: false, richName: true, poorName: false} {
		claims := jwt.NewAccountClaims(public)
		if stores {
			claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}
		}
		text, err := claims.Encode(operator)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolver.Store(public, text); err != nil {
			t.Fatal(err)
		}
	}
	c = newCluster(t, 1, func(o *server.Options) {
		o.TrustedKeys, o.SystemAccount, o.AccountResolver = []string{name}, systemName, resolver
	})
	publish, subscribe := allowed(t)
	return c, func(stored bool, expires time.Time) string {
		pair, public := key(t, nkeys.CreateUser)
		claims := jwt.NewUserClaims(public)
		claims.Expires = expires.Unix()
		claims.Permissions.Pub.Allow.Add(publish...)
		claims.Permissions.Sub.Allow.Add(subscribe...)
		account := poor
		if stored {
			account = rich
		}
		text, err := claims.Encode(account)
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		decorated, err := jwt.FormatUserConfig(text, seed)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "creds")
		if err := os.WriteFile(file, decorated, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
}

// A user who may send and hear what the document lists, and nothing else, is enough for a farm.
func TestCluster_NeedsWhatTheDocumentSays(t *testing.T) {
	c, credentials := operated(t)
	var refused atomic.Int64
	cluster := &queue.Cluster{Servers: c.urls(), Creds: credentials(true, time.Now().Add(time.Hour))}
	h, s := before(t, cluster, 1)
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		t.Log(err)
		refused.Add(1)
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done atomic.Int64
	labours(ctx, t, h.URL, &done)
	commands := wants(t, h.URL)
	for _, what := range []string{"1", "2 passing", "3 crash", "4"} {
		number, _, _ := strings.Cut(what, " ")
		o, err := send(t.Context(), commands, what)
		if what != "3 crash" && wrong(number, o, err) != "" {
			t.Errorf("task %s %s", what, wrong(number, o, err))
		}
	}
	q, err := queue.Join(conn)
	if err != nil {
		t.Fatal(err)
	}
	waits := &queue.Ticket{Key: farm.Digest([]byte("k")), Tool: strings.Repeat("b", 64)}
	if err := q.Add(t.Context(), waits); err != nil {
		t.Error(err)
	}
	if there, err := q.Waits(t.Context(), waits); err != nil || !there {
		t.Errorf("a task that waits: %v, %v", there, err)
	}
	if err := q.Remove(t.Context(), waits); err != nil {
		t.Error(err)
	}
	if _, err := q.Differs(t.Context(), waits.Key); err != nil {
		t.Error(err)
	}
	if err := q.Tidy(t.Context()); err != nil {
		t.Error(err)
	}
	if n := refused.Load(); n > 0 {
		t.Errorf("%d messages or subscriptions were refused", n)
	}
}

// Whatever is wrong with the servers of others is said in a sentence.
func TestCluster_SaysWhatIsWrong(t *testing.T) {
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	pair, public := key(t, nkeys.CreateUser)
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	stranger, _ := key(t, nkeys.CreateUser)
	strange, err := stranger.Seed()
	if err != nil {
		t.Fatal(err)
	}
	open := newCluster(t, 1, nil)
	keyed := newCluster(t, 1, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} })
	without := newCluster(t, 1, func(o *server.Options) { o.JetStream = false })
	small := newCluster(t, 1, func(o *server.Options) { o.JetStreamMaxStore = 1 << 20 })
	operated, credentials := operated(t)
	gone := freePorts(t, 1)[0]
	for name, c := range map[string]struct {
		cluster  queue.Cluster
		replicas int
		why      string
	}{
		"nobody there":             {queue.Cluster{Servers: fmt.Sprint("nats://127.0.0.1:", gone)}, 1, "no NATS server can be reached"},
		"no address":               {queue.Cluster{Servers: "here"}, 1, "address 1 of 1 is not that of a NATS server"},
		"no second address":        {queue.Cluster{Servers: open.urls() + ","}, 1, "address 2 of 2"},
		"a web address":            {queue.Cluster{Servers: "https://example.org"}, 1, "want tls://HOST:PORT"},
		"far, and without TLS":     {queue.Cluster{Servers: "nats://192.0.2.1:4222"}, 1, "want tls://192.0.2.1:4222"},
		"a password":               {queue.Cluster{Servers: "nats://ada:secret@127.0.0.1:4222"}, 1, "want -creds FILE"},
		"no TLS there":             {queue.Cluster{Servers: strings.Replace(open.urls(), "nats:", "tls:", 1)}, 1, "does not speak TLS"},
		"no file":                  {queue.Cluster{Servers: open.urls(), Creds: "/nonexistent/creds"}, 1, "no such file"},
		"no credentials in it":     {queue.Cluster{Servers: open.urls(), Creds: file("hello\n")}, 1, "has no credentials"},
		"credentials are needed":   {queue.Cluster{Servers: keyed.urls()}, 1, "wants credentials"},
		"the key of a stranger":    {queue.Cluster{Servers: keyed.urls(), Creds: file(string(strange))}, 1, "does not know the credentials"},
		"credentials have ended":   {queue.Cluster{Servers: operated.urls(), Creds: credentials(true, time.Now().Add(-time.Minute))}, 1, "credentials"},
		"no JetStream":             {queue.Cluster{Servers: without.urls()}, 1, "has no JetStream"},
		"none for the account":     {queue.Cluster{Servers: operated.urls(), Creds: credentials(false, time.Now().Add(time.Hour))}, 1, "the account of"},
		"one server, and 3 wanted": {queue.Cluster{Servers: open.urls()}, 3, "too few servers for 3 copies"},
		"no room":                  {queue.Cluster{Servers: small.urls()}, 1, "-bytes N asks for less"},
		"a known key":              {queue.Cluster{Servers: keyed.urls(), Creds: file(string(seed))}, 1, ""},
		"known credentials":        {queue.Cluster{Servers: operated.urls(), Creds: credentials(true, time.Now().Add(time.Hour))}, 1, ""},
	} {
		c.cluster.Log = func(text string) { t.Log(name, text) }
		s, err := c.cluster.Serve(t.Context(), nil)
		if err == nil {
			conn, failed := s.Connect()
			if failed != nil {
				t.Fatal(failed)
			}
			limits := queue.Usual
			limits.Replicas, limits.Bytes = c.replicas, 1<<30
			_, err = queue.Create(t.Context(), conn, limits)
			s.End()
		}
		if said := fmt.Sprint(err); c.why == "" && err != nil || !strings.Contains(said, c.why) || strings.Contains(said, "\n") || strings.Contains(said, "secret") || len(said) > 300 {
			t.Errorf("%s: %s", name, said)
		}
	}
}
