// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// What workers tell the gateway, and the gateway workers. Nobody keeps these messages; what is lost
// is found out again by who asks.

// Told is what became of a task for which no result was created.
type Told struct {
	Key    string
	Worker string
	Stored bool   `json:",omitempty"` // there is one, and there was before
	Text   []byte `json:",omitempty"` // a result that is not stored
	Lost   bool   `json:",omitempty"` // the server has not the task's sources any more
	// Again says that the task is to be put into the queue again, with these numbers (Ticket).
	Again   bool `json:",omitempty"`
	Crashed int  `json:",omitempty"`
	Unfit   int  `json:",omitempty"`
	// GivenUp is why nobody can do the task.
	GivenUp string `json:",omitempty"`
}

// Presence is what a worker is doing.
type Presence struct {
	ID    string // of the worker's process
	Host  string
	Tool  string
	Slots int
	Done  int // tasks, since it was started
	Busy  []Doing
}

// Doing is a task that a worker is doing.
type Doing struct {
	Key, Name string
	Copy      int
	States    uint64
	Seconds   float64 // since it was begun
}

// Tell tells what became of a task.
func (q *Queue) Tell(t *Told) error { return q.publish("pg.told."+t.Worker+"."+t.Key, t) }

// Show shows what this worker is doing.
func (q *Queue) Show(p *Presence) error { return q.publish("pg.worker."+p.ID, p) }

func (q *Queue) publish(subject string, what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return q.conn.Publish(subject, text)
}

// cancels are the subjects of keys of tasks that nobody wants any more.
const cancels = "pg.cancel.*"

// OnCancel calls a function with the keys of tasks that nobody wants any more.
func (q *Queue) OnCancel(call func(key string)) error {
	_, err := q.conn.Subscribe(cancels, func(m *nats.Msg) { call(strings.TrimPrefix(m.Subject, "pg.cancel.")) })
	return err
}

// OnNews calls functions with what workers tell of themselves. It calls each from one goroutine.
func (q *Queue) OnNews(told func(*Told), present func(*Presence)) error {
	if err := listen(q, "pg.told.*.*", told); err != nil {
		return err
	}
	return listen(q, "pg.worker.*", present)
}

func (t *Told) sender() string     { return t.Worker }
func (p *Presence) sender() string { return p.ID }

// listen calls a function with messages that name the worker at whose subject they are, at which no other may publish.
func listen[T any, P interface {
	*T
	sender() string
}](q *Queue, subject string, call func(P)) error {
	_, err := q.conn.Subscribe(subject, func(m *nats.Msg) {
		one := P(new(T))
		if json.Unmarshal(m.Data, one) == nil && strings.Split(m.Subject, ".")[2] == one.sender() { // whatever else arrives is none of ours
			call(one)
		}
	})
	return err
}

// Pulse is how often a worker shows itself; after three times as long it counts as gone.
const Pulse = time.Second
