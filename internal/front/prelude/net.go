// SPDX-License-Identifier: BSD-3-Clause
//go:build prelude

//pangolin:for net

package prelude

import (
	"context"
	"internal/poll"
	"io"
	"net"
	"syscall"
	"time"
	"unsafe"
)

// The network of the machine: the loopback interface with TCP over IPv4, of which both ends are the program's own. Package net is
// compiled from source; what stands here are the calls of the operating system and the poller beneath it.
//
// A connection has two streams. What is written is there to read at once, up to the capacity; a read takes all that is there and that it has
// room for. A closed end has sent all that was written, unless it had not read what it was sent: then the connection is reset.

// socket is what a file descriptor stands for. All of it is read and written in atomic steps on network.
type socket struct {
	port, peer int
	anyone     bool // bound to all addresses
	listens    bool
	first      *socket // of a listener: connections that nobody has accepted, linked by next
	next       *socket
	in, out    *stream
	reset      bool // the other end has dropped what this one wrote
	closed     bool
	limits     [2]limit // of reading (and accepting), of writing
	waiters    *waiter
}

// stream is one direction of a connection.
type stream struct {
	text   string // written and not read
	ended  bool   // nothing more will be written
	unread bool   // nobody will read any more
	reader *socket
	writer *socket
}

// limit is a deadline.
type limit struct {
	over  bool
	timer *time.Timer
}

// waiter is a goroutine that waits until something of a socket has changed.
type waiter struct {
	flag int
	next *waiter
}

const (
	streamCapacity = 1 << 16
	firstPort      = 49152 // of those that the system chooses
	firstFile      = 3
	reading        = 0
	writing        = 1
)

// network are the sockets by file descriptor.
var network struct {
	sockets []*socket
}

// awaitInput returns when *flag is not zero.
func awaitInput(flag *int)

func networkBegin() { atomicBegin(unsafe.Pointer(&network), true) }

// socketOf is the socket with a file descriptor, in an atomic step; nil if there is none.
func socketOf(fd int) *socket {
	if fd < firstFile || fd-firstFile >= len(network.sockets) {
		return nil
	}
	return network.sockets[fd-firstFile]
}

// openSocket gives a socket the lowest file descriptor that is free.
func openSocket(s *socket) int {
	for i, old := range network.sockets {
		if old == nil {
			network.sockets[i] = s
			return firstFile + i
		}
	}
	more := make([]*socket, len(network.sockets)+1)
	copy(more, network.sockets)
	more[len(network.sockets)] = s
	network.sockets = more
	return firstFile + len(more) - 1
}

// freePort is the lowest port that the system may choose.
func freePort() int {
	port := firstPort
	for taken := true; taken; {
		taken = false
		for _, s := range network.sockets {
			if s != nil && s.port == port {
				taken = true
			}
		}
		if taken {
			port++
		}
	}
	return port
}

// wake lets those go on that wait for something of a socket.
func (s *socket) wake() {
	if s == nil {
		return
	}
	for w := s.waiters; w != nil; w = w.next {
		w.flag = 1
	}
	s.waiters = nil
}

// wait ends the atomic step, waits until something of the socket has changed, and begins another one.
func (s *socket) wait() {
	w := &waiter{next: s.waiters}
	s.waiters = w
	atomicEnd()
	awaitInput(&w.flag)
	networkBegin()
}

// loopback is the port of an address of this machine.
func loopback(sa syscall.Sockaddr) (port int, anyone bool) {
	a, ok := sa.(*syscall.SockaddrInet4)
	if !ok {
		unsupported("a network other than TCP over IPv4")
	}
	anyone = a.Addr == [4]byte{}
	if a.Addr[0] != 127 && !anyone {
		unsupported("the network beyond the loopback addresses")
	}
	return a.Port, anyone
}

func sockaddrOf(port int, anyone bool) syscall.Sockaddr {
	if anyone {
		return &syscall.SockaddrInet4{Port: port}
	}
	return &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

//pangolin:model net.sysSocket
func netSysSocket(family, kind, proto int) (int, error) {
	if family != syscall.AF_INET {
		return -1, syscall.EAFNOSUPPORT
	}
	if kind != syscall.SOCK_STREAM {
		unsupported("a network other than TCP over IPv4")
	}
	networkBegin()
	fd := openSocket(&socket{})
	atomicEnd()
	return fd, nil
}

//pangolin:model net.initMPTCPavailable
func netInitMPTCP() {} // no multipath TCP

//pangolin:model net.maxListenerBacklog
func netMaxListenerBacklog() int { return 4096 }

//pangolin:model syscall.SetsockoptInt
func syscallSetsockoptInt(fd, level, opt, value int) error { return nil }

//pangolin:model syscall.Bind
func syscallBind(fd int, sa syscall.Sockaddr) error {
	port, anyone := loopback(sa)
	networkBegin()
	defer atomicEnd()
	for _, s := range network.sockets {
		if s != nil && s.listens && s.port == port && port != 0 {
			return syscall.EADDRINUSE
		}
	}
	s := socketOf(fd)
	if s.port = port; port == 0 {
		s.port = freePort()
	}
	s.anyone = anyone
	return nil
}

//pangolin:model syscall.Listen
func syscallListen(fd, backlog int) error {
	networkBegin()
	socketOf(fd).listens = true
	atomicEnd()
	return nil
}

//pangolin:model syscall.Connect
func syscallConnect(fd int, sa syscall.Sockaddr) error {
	port, _ := loopback(sa)
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd)
	var to *socket
	for _, l := range network.sockets {
		if l != nil && l.listens && l.port == port {
			to = l
		}
	}
	if to == nil {
		return syscall.ECONNREFUSED
	}
	if s.port == 0 {
		s.port = freePort()
	}
	other := &socket{port: port, peer: s.port}
	s.peer, s.anyone = port, false
	there, back := &stream{writer: s, reader: other}, &stream{writer: other, reader: s}
	s.out, s.in, other.in, other.out = there, back, there, back
	at := &to.first
	for *at != nil {
		at = &(*at).next
	}
	*at = other
	to.wake()
	return nil
}

//pangolin:model syscall.Getsockname
func syscallGetsockname(fd int) (syscall.Sockaddr, error) {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd)
	return sockaddrOf(s.port, s.anyone), nil
}

//pangolin:model syscall.Getpeername
func syscallGetpeername(fd int) (syscall.Sockaddr, error) {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd)
	if s.in == nil {
		return nil, syscall.ENOTCONN
	}
	return sockaddrOf(s.peer, false), nil
}

// pollClosed is the error of what is done with a file descriptor that is closed.
type pollClosed struct{}

func (pollClosed) Error() string   { return "use of closed network connection" }
func (pollClosed) Timeout() bool   { return false }
func (pollClosed) Temporary() bool { return false }

// pollErrNetClosing has the names that package net gives it when it is initialised, which may be before this is.
//
//pangolin:model internal/poll.ErrNetClosing
//pangolin:model net.errClosed
//pangolin:model net.ErrClosed
var pollErrNetClosing error = pollClosed{}

// pollTimeout is the error of what a deadline has ended.
type pollTimeout struct{}

func (*pollTimeout) Error() string   { return "i/o timeout" }
func (*pollTimeout) Timeout() bool   { return true }
func (*pollTimeout) Temporary() bool { return true }

var timedOut error = &pollTimeout{}

//pangolin:model internal/poll.ErrDeadlineExceeded
var pollErrDeadlineExceeded = timedOut

//pangolin:model os.ErrDeadlineExceeded
var osErrDeadlineExceeded = timedOut

//pangolin:model internal/poll.CloseFunc
var pollCloseFunc = func(fd int) error {
	networkBegin()
	if s := socketOf(fd); s != nil {
		network.sockets[fd-firstFile] = nil
		s.close()
	}
	atomicEnd()
	return nil
}

// close ends both streams, and those of connections that nobody has accepted.
func (s *socket) close() {
	s.closed = true
	for i := range s.limits {
		if t := s.limits[i].timer; t != nil {
			t.Stop()
		}
	}
	if s.in != nil {
		lost := s.in.text != ""
		s.in.text, s.in.unread, s.out.ended = "", true, true
		if lost {
			s.in.writer.reset = true
		}
		s.in.writer.wake()
	}
	for c := s.first; c != nil; c = c.next {
		c.in.unread, c.out.ended, c.in.writer.reset = true, true, true
		c.in.writer.wake()
	}
	s.wake()
}

//pangolin:model (*internal/poll.FD).Init
func pollInit(fd *poll.FD, network string, pollable bool) error { return nil }

//pangolin:model (*internal/poll.FD).Close
func pollClose(fd *poll.FD) error {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd.Sysfd)
	if s == nil {
		return pollErrNetClosing
	}
	network.sockets[fd.Sysfd-firstFile] = nil
	fd.Sysfd = -1
	s.close()
	return nil
}

// stops is why an operation of a kind ends at once: the socket is closed, or its deadline is over.
func (s *socket) stops(kind int) error {
	switch {
	case s == nil || s.closed:
		return pollErrNetClosing
	case s.limits[kind].over:
		return timedOut
	}
	return nil
}

//pangolin:model (*internal/poll.FD).Accept
func pollAccept(fd *poll.FD) (int, syscall.Sockaddr, string, error) {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd.Sysfd)
	for {
		if err := s.stops(reading); err != nil {
			return -1, nil, "", err
		}
		if c := s.first; c != nil {
			s.first, c.next = c.next, nil
			return openSocket(c), sockaddrOf(c.peer, false), "", nil
		}
		s.wait()
	}
}

//pangolin:model (*internal/poll.FD).Read
func pollRead(fd *poll.FD, p []byte) (int, error) {
	text, err := receive(fd, len(p))
	return copy(p, text), err
}

// receive takes up to n bytes that have come.
func receive(fd *poll.FD, n int) (text string, err error) {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd.Sysfd)
	for {
		if err := s.stops(reading); err != nil || n == 0 {
			return "", err
		}
		switch {
		case s.in == nil:
			return "", syscall.ENOTCONN
		case s.in.unread:
			return "", io.EOF
		case s.in.text != "":
			n = min(n, len(s.in.text))
			text, s.in.text = s.in.text[:n], s.in.text[n:]
			s.in.writer.wake()
			return text, nil
		case s.reset:
			s.reset = false
			return "", syscall.ECONNRESET
		case s.in.ended:
			return "", io.EOF
		}
		s.wait()
	}
}

//pangolin:model (*internal/poll.FD).Write
func pollWrite(fd *poll.FD, p []byte) (int, error) {
	text := string(p)
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd.Sysfd)
	for done := 0; ; {
		if err := s.stops(writing); err != nil || done == len(text) {
			return done, err
		}
		switch {
		case s.out == nil:
			return done, syscall.ENOTCONN
		case s.reset && !s.out.ended:
			s.reset, s.out.ended = false, true
			return done, syscall.ECONNRESET
		case s.out.ended:
			return done, syscall.EPIPE
		case s.out.unread: // the other end answers that it is gone
			s.out.ended = true
			return len(text), nil
		}
		if room := min(streamCapacity-len(s.out.text), len(text)-done); room > 0 {
			s.out.text += text[done : done+room]
			done += room
			s.out.reader.wake()
			continue
		}
		s.wait()
	}
}

//pangolin:model (*internal/poll.FD).Writev
func pollWritev(fd *poll.FD, v *[][]byte) (int64, error) {
	done := int64(0)
	for len(*v) > 0 {
		n, err := pollWrite(fd, (*v)[0])
		done += int64(n)
		if err != nil {
			(*v)[0] = (*v)[0][n:]
			return done, err
		}
		*v = (*v)[1:]
	}
	return done, nil
}

//pangolin:model (*internal/poll.FD).Shutdown
func pollShutdown(fd *poll.FD, how int) error {
	networkBegin()
	defer atomicEnd()
	s := socketOf(fd.Sysfd)
	switch {
	case s == nil:
		return pollErrNetClosing
	case s.in == nil:
		return syscall.ENOTCONN
	case how == syscall.SHUT_RD:
		s.in.unread = true
		s.wake()
	default:
		s.out.ended = true
		s.out.reader.wake()
	}
	return nil
}

//pangolin:model (*internal/poll.FD).SetDeadline
func pollSetDeadline(fd *poll.FD, t time.Time) error {
	if err := setLimit(fd, t, reading); err != nil {
		return err
	}
	return setLimit(fd, t, writing)
}

//pangolin:model (*internal/poll.FD).SetReadDeadline
func pollSetReadDeadline(fd *poll.FD, t time.Time) error { return setLimit(fd, t, reading) }

//pangolin:model (*internal/poll.FD).SetWriteDeadline
func pollSetWriteDeadline(fd *poll.FD, t time.Time) error { return setLimit(fd, t, writing) }

func setLimit(fd *poll.FD, t time.Time, kind int) error {
	networkBegin()
	s := socketOf(fd.Sysfd)
	if s == nil {
		atomicEnd()
		return pollErrNetClosing
	}
	l := &s.limits[kind]
	old := l.timer
	l.over, l.timer = false, nil
	atomicEnd()
	if old != nil {
		old.Stop()
	}
	if t.IsZero() {
		return nil
	}
	d := time.Until(t)
	if d <= 0 {
		networkBegin()
		l.over = true
		s.wake()
		atomicEnd()
		return nil
	}
	var timer *time.Timer
	ready := make(chan bool, 1)
	timer = time.AfterFunc(d, func() {
		<-ready
		networkBegin()
		if l.timer == timer { // no other deadline was set meanwhile
			l.over = true
			s.wake()
		}
		atomicEnd()
	})
	networkBegin()
	l.timer = timer
	atomicEnd()
	ready <- true
	return nil
}

//pangolin:model (*internal/poll.FD).SetsockoptInt
func pollSetsockoptInt(fd *poll.FD, level, name, arg int) error {
	networkBegin()
	defer atomicEnd()
	if socketOf(fd.Sysfd) == nil {
		return pollErrNetClosing
	}
	return nil
}

// What is read from another connection, or a file, takes the usual way.

//pangolin:model net.spliceFrom
func netSpliceFrom(_ unsafe.Pointer, r io.Reader) (int64, error, bool) { return 0, nil, false }

//pangolin:model net.spliceTo
func netSpliceTo(w io.Writer, _ unsafe.Pointer) (int64, error, bool) { return 0, nil, false }

//pangolin:model net.sendFile
func netSendFile(_ unsafe.Pointer, r io.Reader) (int64, error, bool) { return 0, nil, false }

//pangolin:model (*net.Resolver).lookupIPAddr
func netLookupIPAddr(r *net.Resolver, ctx context.Context, network, host string) ([]net.IPAddr, error) {
	if ip := net.ParseIP(host); ip != nil {
		return []net.IPAddr{{IP: ip}}, nil
	}
	if host != "localhost" {
		unsupported("looking up the name of a machine other than localhost")
	}
	return []net.IPAddr{{IP: net.IPv4(127, 0, 0, 1)}}, nil
}

// SPDX-License-Identifier: BSD-3-Clause
