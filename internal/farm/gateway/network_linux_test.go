// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// A network of three machines, as far as the kernel's TCP can tell: the server, the workers and the command have network namespaces of their
// own, each with a cable to one switch, whose ports can be blocked. Packets that meet a blocked port vanish, and nobody is told.

// inside is the environment variable that says that the test is in a namespace in which it may make others.
const inside = "PANGOLIN_FARM_INSIDE"

// network is the switch. The test, which is the command, is at 10.213.7.1.
type network struct {
	t    *testing.T
	slow bool // the kernel can make cables so slow that packets are lost
}

const serverAt, clientAt, workersAt = 2, 1, 3 // last numbers of addresses

func (n *network) ip(command string) {
	n.t.Helper()
	if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %s: %v: %s", command, err, out)
	}
}

// machine gives the process ID of a process in a namespace of its own with an address.
func (n *network) machine(number int) int {
	n.t.Helper()
	holder := exec.Command("sleep", "1d")
	holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := holder.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { kill(holder) })
	n.ip(fmt.Sprintf("link add port%d master switch type veth peer name cable netns %d", number, holder.Process.Pid))
	n.ip(fmt.Sprintf("link set port%d up", number))
	for _, command := range []string{"link set lo up", "link set cable up", fmt.Sprintf("addr add 10.213.7.%d/24 dev cable", number)} {
		if out, err := n.in(holder.Process.Pid, append([]string{"ip"}, strings.Fields(command)...)...).CombinedOutput(); err != nil {
			n.t.Fatalf("ip %s: %v: %s", command, err, out)
		}
	}
	return holder.Process.Pid
}

// in is a command in the namespace of a process.
func (n *network) in(pid int, args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"-t", strconv.Itoa(pid), "-n", "--"}, args...)...)
}

// block makes packets from and to a machine vanish, or lets them pass again.
func (n *network) block(number int, is bool) {
	state := 3 // it forwards
	if is {
		state = 0 // disabled
	}
	n.ip(fmt.Sprintf("link set port%d type bridge_slave state %d", number, state))
}

// choke makes the cable to a machine so slow that the switch drops packets, or good again.
func (n *network) choke(number int, is bool) {
	args := fmt.Sprintf("qdisc add dev port%d root tbf rate 400kbit burst 3kb limit 5kb", number)
	if !is {
		args = fmt.Sprintf("qdisc del dev port%d root", number)
	}
	if out, err := exec.Command("tc", strings.Fields(args)...).CombinedOutput(); err != nil {
		n.t.Fatalf("tc %s: %v: %s", args, err, out)
	}
}

// Whichever machines a real network parts, and whatever packets it loses, each task has its one right result.
func TestFarm_LosesNothingInAStormBetweenNamespaces(t *testing.T) {
	level.SkipShort(t, "partitions of seconds each")
	if os.Getenv(inside) == "" {
		again(t)
		return
	}
	rounds := 6
	if level.All() {
		rounds = 100
	}
	n := &network{t: t}
	n.ip("link set lo up")
	n.ip("link add switch type bridge")
	n.ip("link set switch up")
	n.ip("link add command type veth peer name port1")
	n.ip("link set port1 master switch up")
	n.ip("link set command up")
	n.ip("addr add 10.213.7.1/24 dev command")
	n.slow = exec.Command("tc", "qdisc", "add", "dev", "lo", "root", "tbf", "rate", "1gbit", "burst", "1mb", "limit", "1mb").Run() == nil
	p := &processes{t: t, addr: "10.213.7.2:6465", dir: filepath.Join(t.TempDir(), "farm"), log: filepath.Join(t.TempDir(), "log")}
	started := func(pid int, what, where string) *exec.Cmd {
		c := n.in(pid, os.Args[0], p.addr, where)
		c.Env, c.Stderr = append(os.Environ(), role+"="+what), os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { kill(c) })
		return c
	}
	server, workers := n.machine(serverAt), n.machine(workersAt)
	started(server, "server", p.dir)
	for range 4 {
		started(workers, "worker", p.log)
	}
	c := p.open()
	s := keepSending(t, c, 20)
	for range rounds {
		n.storm()
	}
	s.end(2 * time.Minute)
	if err := c.Err(); err != nil {
		t.Error(err)
	}
	done := p.executions()
	t.Logf("%d faults of a network (slow cables: %t): %d tasks, %d executions (%.3f)", rounds, n.slow, s.sent, done, float64(done)/float64(s.sent))
}

// storm parts one of the machines from the others for some seconds, or makes its cable slow.
func (n *network) storm() {
	number := []int{serverAt, clientAt, workersAt}[rand.IntN(3)]
	act := n.block
	if n.slow && rand.IntN(3) == 0 {
		act = n.choke
	}
	act(number, true)
	time.Sleep(time.Duration(300+rand.IntN(4000)) * time.Millisecond)
	act(number, false)
	time.Sleep(time.Duration(500+rand.IntN(1500)) * time.Millisecond)
}

// again executes this test once more, in a namespace in which it is root.
func again(t *testing.T) {
	t.Helper()
	for _, program := range []string{"ip", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]), func(a string) bool { return strings.HasPrefix(a, "-test.testlogfile") })
	c := exec.Command(os.Args[0], append([]string{"-test.run=^" + t.Name() + "$", "-test.v"}, slices.DeleteFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-test.run") || strings.HasPrefix(a, "-test.v")
	})...)...)
	c.Env = append(os.Environ(), inside+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := c.CombinedOutput()
	if len(out) == 0 && err != nil {
		t.Skipf("no namespaces: %v", err)
	}
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
