// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// What is asked wrongly is answered, each question by its number, and ends nothing but the test.
func TestRemote_AnswersMistakes(t *testing.T) {
	dir := writeFiles(t, map[string]string{"go.mod": "module example\n\ngo 1.24\n", "counter/counter.go": losing})
	t.Chdir(dir)
	for _, c := range []struct{ question, want string }{
		{`{"protocol":2,"number":7,"do":"verify"}`, `{"number":7,"fatal":"pangolin: this command answers tests by protocol 1, and module pangolin/check asks by protocol 2: install`},
		{`{"protocol":1,"number":1,"do":"dance"}`, `there is no question \"dance\": there are verify, new and func`},
		{`{"protocol":1,"number":1,"do":"verify","arguments":["-nothing"]}`, `flag provided but not defined: -nothing`},
		{`{"protocol":1,"number":1,"do":"verify","arguments":["-kind=heap","./counter"]}`, `unknown kind`},
		{`{"protocol":1,"number":1,"do":"verify","arguments":["./nowhere"]}`, `nowhere`},
		{`{"protocol":1,"number":1,"do":"new","constructor":{"Function":"example/counter.TestX.func1","Made":"*counter.Counter","Type":"Counter","Package":"example/counter"}}`, `check.New is given a function literal or a method, which package example/counter cannot call by a name: declare func newForTest() *counter.Counter`},
		{`{"protocol":1,"number":1,"do":"new","arguments":["-new=f()"],"constructor":{"Function":"example/counter.New","Made":"*counter.Counter","Type":"Counter","Package":"example/counter"}}`, `neither packages nor -new`},
		{`{"protocol":1,"number":1,"do":"func","test":"TestX","stack":["other.TestY"]}`, `CheckFunc is not called by a function TestX`},
	} {
		in, questions := io.Pipe()
		var out, said bytes.Buffer
		ended := make(chan int)
		answered := make(chan bool)
		seen := &telling{Buffer: &out, done: answered}
		go func() {
			ended <- execute(t.Context(), []string{"remote"}, &console{in: in, out: seen, err: &said})
		}()
		if _, err := io.WriteString(questions, c.question+"\n"); err != nil {
			t.Fatal(err)
		}
		<-answered
		questions.Close()
		if code := <-ended; code != 0 || said.Len() > 0 || !strings.Contains(out.String(), c.want) || strings.Count(out.String(), `"fatal"`) != 1 {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", c.question, code, c.want, &out, &said)
		}
	}
	var out, said bytes.Buffer
	if code := execute(t.Context(), []string{"remote"}, &console{in: strings.NewReader("hello\n"), out: &out, err: &said}); code != 2 || !strings.Contains(said.String(), "want questions of module pangolin/check") {
		t.Errorf("exit code %d\n%s", code, &said)
	}
}

// telling is an output that tells when the last answer to a question was written.
type telling struct {
	*bytes.Buffer
	done chan bool
}

func (t *telling) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if bytes.Contains(p, []byte(`"done":true`)) {
		close(t.done)
	}
	return n, err
}
