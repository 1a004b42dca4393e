// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/verdict"
)

// The command prints the address of its page, serves it on loopback, and ends when it is interrupted, whoever watches.
func TestServe_EndsWhenItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, in := io.Pipe()
	var told bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- execute(ctx, []string{"serve", "-addr", ":0", "-cache", filepath.Join(t.TempDir(), "results")}, &console{out: in, err: &told})
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	address = strings.TrimSpace(address)
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("it prints %q: %v", address, err)
	}
	page, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(page.Body)
	if page.Body.Close(); err != nil || page.StatusCode != http.StatusOK || !bytes.Contains(text, []byte("Nothing was judged yet")) {
		t.Errorf("%d: %s, %v", page.StatusCode, text, err)
	}
	watching, err := http.Get(address + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Body.Close()
	interrupt()
	if c := <-code; c != verdict.ExitVerified || told.Len() > 0 {
		t.Errorf("exit code %d, said %q", c, told.String())
	}
}

func TestServe_SaysWhatIsWrongWithAnAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-addr", "6464"}, `-addr "6464": want HOST:PORT, such as 127.0.0.1:6464`},
		{[]string{"-addr", taken.Addr().String()}, "-addr names another address"},
		{[]string{"./..."}, "serve takes no arguments"},
	} {
		var told bytes.Buffer
		code := execute(t.Context(), append([]string{"serve", "-cache", t.TempDir()}, c.args...), &console{out: io.Discard, err: &told})
		if code != verdict.ExitTool || !strings.Contains(told.String(), c.want) {
			t.Errorf("%q: %d, %q; want %q", c.args, code, told.String(), c.want)
		}
	}
}
