// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

// A Recorder writes down the calls of a running system, for `pangolin judge`, in the format of doc/judge.md.
//
// Each goroutine (or connection) that calls has a Client. A client writes into a buffer of its own, without locks or anything else that threads
// share; a full buffer is handed to one goroutine that formats and writes. A client whose buffers are all full waits for it: memory is bounded.
//
// Times are those of the host's clock, in nanoseconds, so the files of several processes on one host can be put together: the lines of all behind one
// first line.
type Recorder struct {
	start time.Time
	base  int64
	full  chan *calls
	done  chan struct{}
	out   *bufio.Writer
	err   error // of writing; read behind done
	head  string

	mu      sync.Mutex
	clients []*Client
	closed  bool
}

const (
	perBuffer = 512 // calls in a buffer
	buffers   = 4   // of each client
	waiting   = 64  // buffers that wait to be written, of all clients
)

// Datum is an argument or a result: an integer, a string, a truth value, a list or nothing. The zero Datum is null.
type Datum struct {
	text string
	n    int64
	sort datumSort
	list *[]Datum // of a list
}

type datumSort uint8

const (
	null datumSort = iota
	number
	text
	truth
	unknown
	list
)

// Num is an integer, of less than 62 bits.
func Num(n int64) Datum { return Datum{n: n, sort: number} }

// Text is a string.
func Text(s string) Datum { return Datum{text: s, sort: text} }

// Truth is a truth value: the result of a compare-and-swap, and of the operations of a set.
func Truth(b bool) Datum {
	d := Datum{sort: truth}
	if b {
		d.n = 1
	}
	return d
}

// List is a list, such as what all accounts of a bank hold. It must not be changed.
func List(items ...Datum) Datum { return Datum{list: &items, sort: list} }

// Unknown is a result that is not known.
func Unknown() Datum { return Datum{sort: unknown} }

// call is one call as it is buffered.
type call struct {
	op         string
	args       [3]Datum
	result     Datum
	begin, end int64 // end is 0 if it did not return
	n          uint8 // arguments
	returns    bool  // result is one
}

type calls struct {
	client *Client
	list   []call
}

// NewRecorder writes to out what is called. kind is one that judge knows, such as "register" or "map"; initial is the value of a register, or
// of each key of a map, before the first write, and null for all else.
func NewRecorder(out io.Writer, kind string, initial Datum) *Recorder {
	r := &Recorder{
		start: time.Now(), full: make(chan *calls, waiting), done: make(chan struct{}), out: bufio.NewWriterSize(out, 1<<16),
	}
	r.base = r.start.UnixNano()
	line := []byte(`{"history":1,"kind":`)
	line = appendText(line, kind)
	if initial.sort != null {
		line = initial.append(append(line, `,"initial":`...))
	}
	r.head = string(append(line, "}\n"...))
	go r.write()
	return r
}

// now is the time of the host's clock.
func (r *Recorder) now() int64 { return r.base + int64(time.Since(r.start)) }

// A Client records the calls of one goroutine, one after the other.
type Client struct {
	r     *Recorder
	name  string
	fill  *calls
	spare chan *calls
	open  bool // the last call has not returned
}

// Client makes a client; no two have one name.
func (r *Recorder) Client(name string) *Client {
	c := &Client{r: r, name: name, spare: make(chan *calls, buffers)}
	for range buffers {
		c.spare <- &calls{client: c, list: make([]call, 0, perBuffer)}
	}
	c.fill = <-c.spare
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients = append(r.clients, c)
	return c
}

// Call notes that a call begins, now: say it in front of the call itself. It has at most three arguments. A call of the client that has not returned
// is taken for one that crashed.
func (c *Client) Call(op string, args ...Datum) {
	if len(c.fill.list) == perBuffer {
		c.r.full <- c.fill
		c.fill = <-c.spare
	}
	at := len(c.fill.list)
	c.fill.list = c.fill.list[:at+1]
	now := &c.fill.list[at]
	now.op, now.end, now.returns, now.n = op, 0, false, uint8(copy(now.args[:], args))
	c.open = true
	now.begin = c.r.now()
}

// Return notes that the call has returned: say it behind the call itself. The result is left out if the operation has none.
func (c *Client) Return(result ...Datum) {
	end := c.r.now()
	if !c.open {
		return
	}
	now := &c.fill.list[len(c.fill.list)-1]
	now.end = end
	if len(result) > 0 {
		now.result, now.returns = result[0], true
	}
	c.open = false
}

// Crash notes that it is not known whether the call takes effect, and when.
func (c *Client) Crash() { c.open = false }

// Close writes what is left, behind the last call of each client, and gives the first error of writing.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return errors.New("the recorder is closed")
	}
	r.closed = true
	clients := r.clients
	r.mu.Unlock()
	for _, c := range clients {
		r.full <- c.fill
	}
	close(r.full)
	<-r.done
	return r.err
}

// write is the goroutine that writes.
func (r *Recorder) write() {
	defer close(r.done)
	if _, err := r.out.WriteString(r.head); err != nil {
		r.err = err
	}
	var line []byte
	for full := range r.full {
		for i := range full.list {
			line = full.list[i].append(line[:0], full.client.name)
			if _, err := r.out.Write(line); err != nil && r.err == nil {
				r.err = fmt.Errorf("a history: %w", err)
			}
		}
		full.list = full.list[:0]
		full.client.spare <- full
	}
	if err := r.out.Flush(); err != nil && r.err == nil {
		r.err = fmt.Errorf("a history: %w", err)
	}
}

// append writes the call as a line.
func (c *call) append(line []byte, client string) []byte {
	line = appendText(append(line, `{"client":`...), client)
	line = appendText(append(line, `,"op":`...), c.op)
	if c.n > 0 {
		line = append(line, `,"args":[`...)
		for i := range c.n {
			if i > 0 {
				line = append(line, ',')
			}
			line = c.args[i].append(line)
		}
		line = append(line, ']')
	}
	if c.returns && c.result.sort == unknown {
		line = append(line, `,"unknown":true`...)
	} else if c.returns {
		line = c.result.append(append(line, `,"result":`...))
	}
	line = strconv.AppendInt(append(line, `,"call":`...), c.begin, 10)
	if c.end != 0 {
		line = strconv.AppendInt(append(line, `,"return":`...), c.end, 10)
	}
	return append(line, "}\n"...)
}

func (d Datum) append(line []byte) []byte {
	switch d.sort {
	case number:
		return strconv.AppendInt(line, d.n, 10)
	case text:
		return appendText(line, d.text)
	case truth:
		return strconv.AppendBool(line, d.n != 0)
	case list:
		line = append(line, '[')
		for i, item := range *d.list {
			if i > 0 {
				line = append(line, ',')
			}
			line = item.append(line)
		}
		return append(line, ']')
	}
	return append(line, "null"...)
}

// appendText writes a string of JSON. Bytes that are no UTF-8 become the replacement character.
func appendText(line []byte, s string) []byte {
	const hex = "0123456789abcdef"
	line = append(line, '"')
	for i := 0; i < len(s); {
		if ch := s[i]; ch < utf8.RuneSelf {
			i++
			switch {
			case ch == '"' || ch == '\\':
				line = append(line, '\\', ch)
			case ch < ' ' || ch == 0x7f:
				line = append(line, `\u00`...)
				line = append(line, hex[ch>>4], hex[ch&15])
			default:
				line = append(line, ch)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		line = utf8.AppendRune(line, r)
		i += size
	}
	return append(line, '"')
}
