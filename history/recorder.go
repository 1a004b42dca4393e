// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// A Recorder writes down the calls of a running system, for `pangolin judge`, in the format of doc/judge.md.
//
// Each goroutine (or connection) that calls has a Client. A client writes into a buffer of its own, without locks or anything else that threads
// share; a full buffer is handed to one goroutine that formats and writes. A client whose buffers are all full waits for it: memory is bounded.
//
// Times are those of the host's clock, in nanoseconds, so the files of several processes on one host can be put together: the lines of all behind one
// first line. On Linux this is the clock that nobody sets (CLOCK_MONOTONIC). What a process has not written when it is killed is lost, up to 64 KiB of each client and of the file: calls
// that took effect are missing then, and what others read of them looks wrong. So record in a process that lives on.
type Recorder struct {
	start time.Time
	base  int64 // the host's clock at start
	full  chan *calls
	done  chan struct{}
	out   *bufio.Writer
	err   error // of writing; read behind done
	head  string

	counted bool
	_       [64]byte // the counter has a cache line to itself
	counter atomic.Int64
	_       [64]byte

	mu      sync.Mutex
	clients []*Client
	closed  bool
}

const (
	perBuffer = 1 << 14 // bytes in a buffer, after which it is handed over; one call may take more
	buffers   = 4       // of each client
	waiting   = 64      // buffers that wait to be written, of all clients
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

// calls are calls as they are buffered, in bytes, so that nothing in it is a pointer: of each the moment at which it began in 8 bytes, the name of the operation, the number
// of arguments and each of them; then a byte that says how it ended, the moment of that unless it did not, and its result if there is one.
type calls struct {
	client *Client
	bytes  []byte
}

// How a call ended.
const (
	crashed byte = iota
	returned
	returnedResult
)

// compact appends a datum as it is buffered.
func (d *Datum) compact(to []byte) []byte {
	to = append(to, byte(d.sort))
	switch d.sort {
	case number, truth:
		return binary.LittleEndian.AppendUint64(to, uint64(d.n))
	case text:
		return append(binary.AppendUvarint(to, uint64(len(d.text))), d.text...)
	case list:
		to = binary.AppendUvarint(to, uint64(len(*d.list)))
		for i := range *d.list {
			to = (*d.list)[i].compact(to)
		}
	}
	return to
}

// reader reads what was buffered.
type reader struct {
	bytes []byte
	bad   *string // a text that is no UTF-8; nil: there was none
}

func (r *reader) byte() byte {
	b := r.bytes[0]
	r.bytes = r.bytes[1:]
	return b
}

func (r *reader) int() int64 {
	n := binary.LittleEndian.Uint64(r.bytes)
	r.bytes = r.bytes[8:]
	return int64(n)
}

func (r *reader) text() string {
	n, size := binary.Uvarint(r.bytes)
	s := string(r.bytes[size : size+int(n)])
	r.bytes = r.bytes[size+int(n):]
	if !utf8.ValidString(s) {
		r.bad = &s
	}
	return s
}

// datum writes the next datum as JSON.
func (r *reader) datum(line []byte) []byte {
	switch datumSort(r.byte()) {
	case number:
		return strconv.AppendInt(line, r.int(), 10)
	case text:
		return appendText(line, r.text())
	case truth:
		return strconv.AppendBool(line, r.int() != 0)
	case list:
		n, size := binary.Uvarint(r.bytes)
		r.bytes = r.bytes[size:]
		line = append(line, '[')
		for i := range n {
			if i > 0 {
				line = append(line, ',')
			}
			line = r.datum(line)
		}
		return append(line, ']')
	}
	return append(line, "null"...)
}

// call writes the next call as a line.
func (r *reader) call(line []byte, client string) []byte {
	begin := r.int()
	line = appendText(append(line, `{"client":`...), client)
	line = appendText(append(line, `,"op":`...), r.text())
	n, size := binary.Uvarint(r.bytes)
	if r.bytes = r.bytes[size:]; n > 0 {
		line = append(line, `,"args":[`...)
		for i := range n {
			if i > 0 {
				line = append(line, ',')
			}
			line = r.datum(line)
		}
		line = append(line, ']')
	}
	ended := r.byte()
	end := int64(0)
	if ended != crashed {
		end = r.int()
	}
	if ended == returnedResult && datumSort(r.bytes[0]) == unknown {
		r.byte()
		line = append(line, `,"unknown":true`...)
	} else if ended == returnedResult {
		line = r.datum(append(line, `,"result":`...))
	}
	line = strconv.AppendInt(append(line, `,"call":`...), begin, 10)
	if ended != crashed {
		line = strconv.AppendInt(append(line, `,"return":`...), end, 10)
	}
	return append(line, "}\n"...)
}

// NewRecorder writes to out what is called. kind is one that judge knows, such as "register" or "map"; initial is the value of a register, or
// of each key of a map, before the first write, and null for all else.
func NewRecorder(out io.Writer, kind string, initial Datum) *Recorder {
	r := &Recorder{
		full: make(chan *calls, waiting), done: make(chan struct{}), out: bufio.NewWriterSize(out, 1<<16),
	}
	r.start, r.base, _ = hostClock()
	line := []byte(`{"history":1,"kind":`)
	line = appendText(line, kind)
	if initial.sort != null {
		in := &reader{bytes: initial.compact(nil)}
		line = in.datum(append(line, `,"initial":`...))
		r.note(in)
	}
	r.head = string(append(line, "}\n"...))
	go r.write()
	return r
}

// Count makes the recorder order calls by a counter that its clients share, in place of the clock, and returns it. Say it before the first call. A call then adds one to the counter
// when it returns, which takes a few nanoseconds where reading the clock twice takes a hundred; but clients write to a word in common, which orders their memory accesses, and files of
// several processes cannot be put together.
func (r *Recorder) Count() *Recorder {
	r.counted = true
	return r
}

// begins is the moment at which a call begins: the clock, or an odd number that is greater than those of all calls that have returned.
func (r *Recorder) begins() int64 {
	if r.counted {
		return 2*r.counter.Load() + 1
	}
	return r.now()
}

// returns is the moment at which a call returns: the clock, or the next even number.
func (r *Recorder) returns() int64 {
	if r.counted {
		return 2 * r.counter.Add(1)
	}
	return r.now()
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
	ended bool // the recorder is closed
}

// Client makes a client. No two have one name: Close says so if they do.
func (r *Recorder) Client(name string) *Client {
	c := &Client{r: r, name: name, spare: make(chan *calls, buffers)}
	for range buffers {
		c.spare <- &calls{client: c, bytes: make([]byte, 0, perBuffer+perBuffer/4)}
	}
	c.fill = <-c.spare
	r.mu.Lock()
	defer r.mu.Unlock()
	c.ended = r.closed
	r.clients = append(r.clients, c)
	return c
}

// Call notes that a call begins, now: say it in front of the call itself. A call of the client that has not returned
// is taken for one that crashed. It panics if the recorder is closed, since the call would be missing.
func (c *Client) Call(op string, args ...Datum) {
	if c.ended {
		panic("history: client " + strconv.Quote(c.name) + " calls " + op + " behind Recorder.Close")
	}
	c.Crash()
	if len(c.fill.bytes) >= perBuffer {
		c.r.full <- c.fill
		c.fill = <-c.spare
	}
	b := c.fill.bytes
	at := len(b)
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = append(binary.AppendUvarint(b, uint64(len(op))), op...)
	b = binary.AppendUvarint(b, uint64(len(args)))
	for i := range args {
		b = args[i].compact(b)
	}
	c.open = true
	c.fill.bytes = b
	binary.LittleEndian.PutUint64(b[at:], uint64(c.r.begins()))
}

// Return notes that the call has returned: say it behind the call itself. The result is left out if the operation has none.
func (c *Client) Return(result ...Datum) {
	end := uint64(c.r.returns())
	if !c.open {
		return
	}
	c.open = false
	if len(result) == 0 {
		c.fill.bytes = binary.LittleEndian.AppendUint64(append(c.fill.bytes, returned), end)
		return
	}
	c.fill.bytes = result[0].compact(binary.LittleEndian.AppendUint64(append(c.fill.bytes, returnedResult), end))
}

// Crash notes that it is not known whether the call takes effect, and when.
func (c *Client) Crash() {
	if c.open {
		c.open = false
		c.fill.bytes = append(c.fill.bytes, crashed)
	}
}

// Close writes what is left, behind the last call of each client, and gives the first error: of writing, of a text that is no UTF-8, of a name that two clients have. What was
// written is not to be judged then.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return errors.New("the recorder is closed")
	}
	r.closed = true
	clients := r.clients
	r.mu.Unlock()
	names := map[string]bool{}
	var twice error
	for _, c := range clients {
		c.Crash()
		r.full <- c.fill
		if c.ended = true; names[c.name] {
			twice = fmt.Errorf("a history: two clients have the name %q", c.name)
		}
		names[c.name] = true
	}
	close(r.full)
	<-r.done
	return cmp.Or(r.err, twice)
}

// write is the goroutine that writes.
func (r *Recorder) write() {
	defer close(r.done)
	if _, err := r.out.WriteString(r.head); err != nil {
		r.err = err
	}
	var line []byte
	for full := range r.full {
		for in := (reader{bytes: full.bytes}); len(in.bytes) > 0; {
			line = in.call(line[:0], full.client.name)
			r.note(&in)
			if _, err := r.out.Write(line); err != nil && r.err == nil {
				r.err = fmt.Errorf("a history: %w", err)
			}
		}
		if full.bytes = full.bytes[:0]; cap(full.bytes) > 2*perBuffer { // a call was large
			full.bytes = make([]byte, 0, perBuffer+perBuffer/4)
		}
		full.client.spare <- full
	}
	if err := r.out.Flush(); err != nil && r.err == nil {
		r.err = fmt.Errorf("a history: %w", err)
	}
}

// note keeps what is wrong with a text: judged as they are written, two that differ may be one.
func (r *Recorder) note(in *reader) {
	if in.bad != nil && r.err == nil {
		r.err = fmt.Errorf("a history: the text %q is no UTF-8", *in.bad)
	}
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
