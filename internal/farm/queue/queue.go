// SPDX-License-Identifier: BSD-3-Clause

// Package queue gives tasks to workers by leases, and stores their results, in NATS JetStream.
//
// Nothing here is the truth about what anybody wants: who wants a result asks again until it is
// there. The queue may forget a task, or give it to two workers, and no result changes: a result is
// stored once under its key, and the server itself refuses a second one (Store).
//
//	stream PGTASKS      pg.task.TOOL.COPY.KEY   tasks that wait or are being done; a subject has one
//	stream PGRESULTS    pg.result.KEY           results (cache.Seal), written once and never removed
//	stream PGCONFLICTS  pg.conflict.KEY         results of one key that differ, both of them
//	pg.told.KEY         a result that is not stored, or why there is none; nobody keeps it
//	pg.worker.ID        what a worker is doing, each second
//	pg.cancel.KEY       nobody wants the result any more
//	pg.lease....        $JS.ACK.... of JetStream, for workers behind a bridge (Cluster)
//
// TOOL is a digest of the sources that the worker's program was built from, so a worker gets only
// tasks for its own version. COPY is 0, or says why the task is done a second time.
package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
)

// Copies of a task.
const (
	First     = 0
	Straggler = 1 // the first has taken long, and a worker is free
	Second    = 2 // to compare its result with the first one's
)

// The streams.
const (
	tasks     = "PGTASKS"
	results   = "PGRESULTS"
	conflicts = "PGCONFLICTS"
)

// Headers of results.
const (
	headName    = "Pangolin-Name"
	headSeconds = "Pangolin-Seconds"
	headWorker  = "Pangolin-Worker"
)

// Ticket is a task in the queue.
type Ticket struct {
	Key    string
	Tool   string // of the workers that may do it
	Name   string // of the collection, for people and for the estimate of what it costs
	Task   []byte // as JSON
	Bundle string // digest of its sources
	Copy   int
	Avoid  string `json:",omitempty"` // the worker that has done the first copy
	// Crashed is how often the process that did the task has crashed, or made no progress.
	Crashed int `json:",omitempty"`
	// Unfit is how often a machine could not do the task, such as one with a full disk.
	Unfit int `json:",omitempty"`
}

// subject is the ticket's place in the queue.
func (t *Ticket) subject() string { return fmt.Sprintf("pg.task.%s.%d.%s", tag(t.Tool), t.Copy, t.Key) }

// tag is a short name of a tool, without characters that mean something in subjects.
func tag(tool string) string {
	if len(tool) > 16 {
		return tool[:16]
	}
	return tool
}

// consumer is the name of the consumer of the workers of a tool.
func consumer(tool string) string { return "workers-" + tag(tool) }

// Limits of a queue.
type Limits struct {
	Lease    time.Duration // a task whose worker is silent for so long goes to another one
	Tasks    int64         // waiting or being done
	Bytes    int64         // of results
	Keep     time.Duration // results are removed after so long
	Replicas int           // servers of a cluster that have a copy
}

// Usual are the limits of a server that is told none.
var Usual = Limits{Lease: 30 * time.Second, Tasks: 20_000, Bytes: 20 << 30, Keep: 90 * 24 * time.Hour, Replicas: 1}

// Queue is a connection to a queue.
type Queue struct {
	conn *nats.Conn
	js   jetstream.JetStream

	waiting jetstream.StreamConfig // of the stream with tasks, if this connection has made it

	mu      sync.Mutex
	streams map[string]jetstream.Stream
}

// Renew makes the stream of tasks anew, without tasks. Workers have to be admitted again.
func (q *Queue) Renew(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.streams, tasks)
	if err := q.js.DeleteStream(ctx, tasks); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	_, err := q.js.CreateOrUpdateStream(ctx, q.waiting)
	return err
}

// make makes the stream of tasks, or lets the one that is there be; one of another form, such as an older server's, is made anew.
func (q *Queue) make(ctx context.Context) error {
	_, err := q.js.CreateOrUpdateStream(ctx, q.waiting)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.Code == 500 && !tooFew(err) {
		return q.Renew(ctx)
	}
	return err
}

// stream asks for a stream once: an answer takes long while a cluster elects.
func (q *Queue) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if s := q.streams[name]; s != nil {
		return s, nil
	}
	s, err := q.js.Stream(ctx, name)
	if err == nil {
		q.streams[name] = s
	}
	return s, err
}

// Join uses a queue that is there.
func Join(conn *nats.Conn) (*Queue, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	return &Queue{conn: conn, js: js, streams: map[string]jetstream.Stream{}}, err
}

// Create is Join with the streams made, if they are not there.
func Create(ctx context.Context, conn *nats.Conn, l Limits) (*Queue, error) {
	q, err := Join(conn)
	if err != nil {
		return nil, err
	}
	q.waiting = jetstream.StreamConfig{Name: tasks, Subjects: []string{"pg.task.>"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxMsgsPerSubject: 1, MaxMsgs: l.Tasks, MaxAge: 24 * time.Hour, Replicas: l.Replicas, AllowDirect: true}
	if l.Replicas == 1 {
		q.waiting.PersistMode = jetstream.AsyncPersistMode // of tasks nothing has to last: who wants them sends them again
	}
	if err := patiently(ctx, func() error { return q.make(ctx) }); err != nil {
		return nil, unmade(tasks, err, l)
	}
	// Results cannot be read as they are (AllowDirect), but within an answer in JSON: answers go where the worker that asks wants them, and who
	// may store what it likes could else have it told in the name of another, or put into the queue.
	for _, c := range []jetstream.StreamConfig{
		{Name: results, Subjects: []string{"pg.result.>"}, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxBytes: l.Bytes,
			MaxAge: l.Keep, DenyDelete: true, DenyPurge: true, Replicas: l.Replicas},
		{Name: conflicts, Subjects: []string{"pg.conflict.>"}, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 4, DiscardNewPerSubject: true, Replicas: l.Replicas, AllowDirect: true},
	} {
		err := patiently(ctx, func() error {
			_, err := q.js.CreateOrUpdateStream(ctx, c)
			return err
		})
		if err != nil {
			return nil, unmade(c.Name, err, l)
		}
	}
	return q, nil
}

// unmade is the error of a stream that cannot be made.
func unmade(name string, err error, l Limits) error {
	switch {
	case tooFew(err):
		return fmt.Errorf("the cluster has too few servers for %d copies of what is stored: -replicas N asks for fewer (%w)", l.Replicas, err)
	case full(err):
		return fmt.Errorf("there is no room for the stream %s of up to %d bytes: -bytes N asks for less (%w)", name, l.Bytes, err)
	}
	return fmt.Errorf("the stream %s cannot be made: %w", name, err)
}

// Largest is the greatest size in bytes of a task or a result: a message has it in JSON, and in the words of JSON, which is a third more.
func (q *Queue) Largest() int { return min(farm.Largest, int(q.conn.MaxPayload())/8*5) }

// Admit prepares the queue for workers of a tool.
func (q *Queue) Admit(ctx context.Context, tool string, lease time.Duration) error {
	_, err := q.js.CreateOrUpdateConsumer(ctx, tasks, jetstream.ConsumerConfig{Durable: consumer(tool), FilterSubject: "pg.task." + tag(tool) + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: -1})
	return err
}

// ErrFull says that the queue takes no more tasks at present.
var ErrFull = errors.New("the queue is full")

// Add puts a task into the queue, unless it is there. It returns ErrFull if there is no room.
func (q *Queue) Add(ctx context.Context, t *Ticket) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = q.js.Publish(ctx, t.subject(), text)
	switch {
	case err == nil || perSubject(err):
		return nil
	case full(err):
		return fmt.Errorf("%w (%v)", ErrFull, err)
	}
	return err
}

// perSubject says that a stream has a message of the subject.
func perSubject(err error) bool {
	return strings.Contains(err.Error(), "maximum messages per subject exceeded")
}

// damaged says that the server has refused to read a message.
func damaged(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api)
}

// full says that a stream takes no message.
func full(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	for _, why := range []string{"maximum messages exceeded", "maximum bytes exceeded", "no space left", "insufficient resources", "insufficient storage"} {
		if strings.Contains(api.Description, why) {
			return true
		}
	}
	return false
}

// Waits says whether a task is in the queue, or being done.
func (q *Queue) Waits(ctx context.Context, t *Ticket) (bool, error) {
	s, err := q.stream(ctx, tasks)
	if err != nil {
		return false, err
	}
	_, err = s.GetLastMsgForSubject(ctx, t.subject())
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Remove takes a task out of the queue, and stops the workers that are doing it.
func (q *Queue) Remove(ctx context.Context, t *Ticket) error {
	s, err := q.stream(ctx, tasks)
	if err != nil {
		return err
	}
	err = s.Purge(ctx, jetstream.WithPurgeSubject("pg.task."+tag(t.Tool)+".*."+t.Key))
	return errors.Join(err, q.conn.Publish("pg.cancel."+t.Key, nil))
}

// Tidy removes tasks that have a result: a server that was killed may have forgotten that they were done a moment before.
func (q *Queue) Tidy(ctx context.Context) error {
	s, err := q.stream(ctx, tasks)
	if err != nil {
		return err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter("pg.task.>"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		fields := strings.Split(subject, ".") // pg.task.TOOL.COPY.KEY
		if len(fields) != 5 || fields[3] == strconv.Itoa(Second) {
			continue
		}
		if _, _, err := q.Result(ctx, fields[4]); err == nil {
			if err := s.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Lease is a task that this worker does.
type Lease struct {
	Ticket
	Delivery int // how often the task was given to a worker, this time included
	msg      *nats.Msg
}

// Source is where a worker takes tasks.
type Source struct {
	Lease time.Duration
	queue *Queue
	next  string // the subject of requests for a task
}

// Source gives the tasks of a tool.
func (q *Queue) Source(ctx context.Context, tool string) (*Source, error) {
	c, err := q.js.Consumer(ctx, tasks, consumer(tool))
	if err != nil {
		return nil, err
	}
	return &Source{c.CachedInfo().Config.AckWait, q, "$JS.API.CONSUMER.MSG.NEXT." + tasks + "." + consumer(tool)}, nil
}

// noTask is the status of an answer when no task has come in time.
const noTask = "408"

// Take waits up to a time for a task; nil: there was none. A request has one answer here, a task or a status: behind a bridge, leases have other
// subjects than those that the library for JetStream knows.
func (s *Source) Take(wait time.Duration) (*Lease, error) {
	sub, err := s.queue.conn.SubscribeSync(s.queue.conn.NewInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := s.queue.conn.PublishRequest(s.next, sub.Subject, fmt.Appendf(nil, `{"batch":1,"expires":%d}`, wait)); err != nil {
		return nil, err
	}
	msg, err := sub.NextMsg(wait + time.Second)
	if err != nil {
		return nil, err
	}
	if status := msg.Header.Get("Status"); status == noTask {
		return nil, nil
	} else if status != "" {
		return nil, fmt.Errorf("the queue gives no task: %s %s", status, msg.Header.Get("Description"))
	}
	meta, err := (&nats.Msg{Sub: msg.Sub, Reply: strings.Replace(msg.Reply, bridgedLeases, leases, 1)}).Metadata()
	if err != nil {
		return nil, err
	}
	l := &Lease{Delivery: int(meta.NumDelivered), msg: msg}
	if err := json.Unmarshal(msg.Data, &l.Ticket); err != nil {
		return nil, errors.Join(fmt.Errorf("a message in the queue is no task: %w", err), msg.Term())
	}
	return l, nil
}

// Extend prolongs the lease.
func (l *Lease) Extend() error { return l.msg.InProgress() }

// Done removes the task from the queue.
func (l *Lease) Done(ctx context.Context) error { return l.msg.AckSync(nats.Context(ctx)) }

// Return gives the task to another worker, after a pause.
func (l *Lease) Return(pause time.Duration) error { return l.msg.NakWithDelay(pause) }

// Stored says what became of a result.
type Stored int

// What becomes of a result.
const (
	Created Stored = iota
	Equal          // there is an equal one
	Other          // there is a different one: both are among the conflicts
	NoRoom         // the store takes no more
)

// Facts are what is known of a result beside its content.
type Facts struct {
	Key, Name, Worker string
	Seconds           float64
}

func (f *Facts) header() nats.Header {
	return nats.Header{headName: {f.Name}, headWorker: {f.Worker}, headSeconds: {strconv.FormatFloat(f.Seconds, 'f', 3, 64)}}
}

func factsOf(key string, h nats.Header) Facts {
	seconds, _ := strconv.ParseFloat(h.Get(headSeconds), 64)
	return Facts{key, h.Get(headName), h.Get(headWorker), seconds}
}

// Store stores a result, if there is none under its key.
func (q *Queue) Store(ctx context.Context, f *Facts, e *cache.Entry) (Stored, error) {
	sealed := cache.Seal(f.Key, e)
	_, err := q.js.PublishMsg(ctx, &nats.Msg{Subject: "pg.result." + f.Key, Header: f.header(), Data: sealed})
	switch {
	case err == nil:
		return Created, nil
	case full(err):
		return NoRoom, nil
	case !perSubject(err):
		return 0, err
	}
	old, was, err := q.raw(ctx, f.Key)
	if errors.Is(err, jetstream.ErrMsgNotFound) || damaged(err) { // there is one that cannot be read
		return NoRoom, nil
	}
	if err != nil {
		return 0, err
	}
	mine, err := cache.Unseal(f.Key, sealed)
	if err != nil {
		return 0, err
	}
	switch theirs, err := cache.Unseal(f.Key, old); {
	case err != nil: // damaged, and cannot be replaced
		return NoRoom, nil
	case bytes.Equal(theirs.Same, mine.Same):
		return Equal, nil
	}
	if err := q.Dispute(ctx, [2]Facts{was, *f}, [2][]byte{old, sealed}); err != nil {
		return 0, err
	}
	return Other, nil
}

// Dispute keeps two results of one key that differ.
func (q *Queue) Dispute(ctx context.Context, about [2]Facts, sealed [2][]byte) error {
	for i := range about {
		m := &nats.Msg{Subject: "pg.conflict." + about[i].Key, Header: about[i].header(), Data: sealed[i]}
		if _, err := q.js.PublishMsg(ctx, m); err != nil && !perSubject(err) { // on a full disk it is tried again: a conflict is not forgotten
			return err
		}
	}
	return nil
}

// raw gives what is stored under a key.
func (q *Queue) raw(ctx context.Context, key string) ([]byte, Facts, error) {
	s, err := q.stream(ctx, results)
	if err != nil {
		return nil, Facts{}, err
	}
	m, err := s.GetLastMsgForSubject(ctx, "pg.result."+key)
	if err != nil {
		return nil, Facts{}, err
	}
	return m.Data, factsOf(key, m.Header), nil
}

// Result gives the text of a result, sealed, and what is known of it; cache.ErrNone if there is none.
func (q *Queue) Result(ctx context.Context, key string) ([]byte, Facts, error) {
	sealed, facts, err := q.raw(ctx, key)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, Facts{}, cache.ErrNone
	}
	if err != nil {
		return nil, Facts{}, err
	}
	if _, err := cache.Unseal(key, sealed); err != nil {
		return nil, Facts{}, err
	}
	return sealed, facts, nil
}

// Differs says whether a task has had two different results.
func (q *Queue) Differs(ctx context.Context, key string) (bool, error) {
	s, err := q.stream(ctx, conflicts)
	if err != nil {
		return false, err
	}
	_, err = s.GetLastMsgForSubject(ctx, "pg.conflict."+key)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	if damaged(err) { // there is one that cannot be read
		return true, nil
	}
	return err == nil, err
}

// Follow calls functions for each result and each conflict: those that are there, then new ones.
// It calls each from one goroutine.
func (q *Queue) Follow(ctx context.Context, result, conflict func(Facts)) error {
	for _, one := range []struct {
		stream, prefix string
		call           func(Facts)
	}{{results, "pg.result.", result}, {conflicts, "pg.conflict.", conflict}} {
		c, err := q.js.OrderedConsumer(ctx, one.stream, jetstream.OrderedConsumerConfig{HeadersOnly: true})
		if err != nil {
			return err
		}
		following, err := c.Consume(func(m jetstream.Msg) {
			one.call(factsOf(strings.TrimPrefix(m.Subject(), one.prefix), m.Headers()))
		})
		if err != nil {
			return err
		}
		context.AfterFunc(ctx, following.Stop)
	}
	return nil
}
