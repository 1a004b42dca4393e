// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"context"
	"strings"
	"testing"

	"pangolin/internal/judge"
)

// What is read, and what is refused.

const head = `{"history":1,"kind":"register"}` + "\n"

const txns = `{"history":1,"kind":"transactions"}` + "\n"

// Malformed histories, and what is said of them.
func TestRead_RefusesWhatIsMalformed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "h:1: the file is empty"},
		{"hello\n", "h:1: the format is not known"},
		{`{"history":2,"kind":"register"}`, `h:1: want a first line such as`},
		{`{"history":1,"kind":"tree"}`, `h:1: kind "tree": want one of`},
		{`{"history":1,"kind":"queue","initial":1}`, "h:1: a queue has no initial value"},
		{head + `{"client":1,"op":"read","call":1,"return":2}`, `h:2: read has no result`},
		{head + `{"client":1,"op":"read","result":1,"call":2,"return":1}`, "h:2: the call returns at 1, before it begins at 2"},
		{head + `{"client":1,"op":"read","result":1,"call":2}`, "h:2: the call has a result and does not return"},
		{head + `{"client":1,"op":"write","args":[1,2],"call":1,"return":2}`, "h:2: write has 2 arguments: want 1"},
		{head + `{"client":1,"op":"write","args":[1.5],"call":1,"return":2}`, "h:2: column 35: want an integer: numbers have no fraction"},
		{head + `{"client":1,"op":"write","args":[],"call":1,"return":2}` + "\n", "h:2: write has 0 arguments: want 1"},
		{head + `{"client":1,"op":"read","args":[1],"call":1,"return":2}` + "\n", "h:2: read has 1 argument: want 0"},
		{head + `{"client":null,"op":"read","result":1,"call":1,"return":2}`, "h:2: a client is a string or an integer"},
		{head + `{"client":true,"op":"read","result":1,"call":1,"return":2}`, "h:2: a client is a string or an integer"},
		{head + `{"client":1,"op":"read","result":1,"call":1,"return":2}` + "\n" + `{"client":"1","op":"read","result":1,"call":3,"return":4}`, "h:3: client 1 is an integer in one line, and a string in another"},
		{head + "{\"client\":1,\"op\":\"write\",\"args\":[\"\xff\"],\"call\":1,\"return\":2}", "h:2: argument 1: the string"},
		{head + `{"client":1,"op":"write","args":["\ud800"],"call":1,"return":2}`, "h:2: argument 1: the string"},
		{head + "{\"client\":\"\xff\",\"op\":\"write\",\"args\":[1],\"call\":1,\"return\":2}", "h:2: the string"},
		{`{:process 1, :type :invoke, :f :write, :value "` + "\xff" + `"}`, "h:1: column 47: want a string of UTF-8"},
		{`{:process 1, :type :invoke, :f :write, :value "\xff"}`, "h:1: column 47: want a string of UTF-8"},
		{`{:process 1, :type :invoke, :f :contains, :value 3}` + "\n" + `{:process 1, :type :ok, :f :contains, :value 3}`, "h:2: :contains returns true or false"},
		{`{:process 1, :type :invoke, :f :contains, :value 3}` + "\n" + `{:process 1, :type :ok, :f :contains, :value nil}`, "h:2: :contains returns true or false"},
		{`{:process 1, :type :invoke, :f :add, :value 3}` + "\n" + `{:process 1, :type :ok, :f :add, :value 4}`, "h:2: the value 4: want that of the call"},
		{`{:process 1, :type :invoke, :f :txn, :value [[:r :x nil]]}` + "\n" + `{:process 2, :type :invoke, :f :txn, :value [[:r ":x" nil]]}`, "h:2: step 1: the key :x is a keyword in one line, and a string in another"},
		{`{:process 1, :type :invoke, :f :txn, :value [[:w :x :y]]}`, "h:1: step 1: the value :y: want an integer"},
		{head + `{"client":1,"client":2}`, "h:2: the member \"client\" occurs twice"},
		{head + `{"client":1,"colour":2}`, `h:2: there is no member "colour"`},
		{head + `{"client":1,"op":"read","event":"call"} x`, "h:2: column 41: want the end of the line"},
		{head + `{"client":1,"event":"return","result":1}`, "h:2: client 1 has no call in progress"},
		{head + `{"client":1,"event":"call","op":"read"}` + "\n" + `{"client":1,"event":"call","op":"read"}`, "h:3: client 1 calls before its call of line 2 has returned"},
		{head + `{"client":1,"event":"call","op":"read"}` + "\n" + `{"client":2,"op":"read","result":1,"call":1,"return":2}`, "h:3: the first call has times or it has not"},
		{head + `{"client":1,"event":"call","op":"cas","args":[1,2]}` + "\n" + `{"client":1,"event":"return","result":3}`, "h:3: cas returns true or false, not 3"},
		{head + `{"client":1,"op":"write","args":[4611686018427387904],"call":1,"return":2}`, "h:2: argument 1: 4611686018427387904 is no integer"},
		{`{"history":1,"kind":"counter"}` + "\n" + `{"client":1,"op":"add","args":["x"],"call":1,"return":2}`, "h:2: a counter adds integers"},
		{head + `{"client":[1],"op":"read","result":1,"call":1,"return":2}`, "h:2: a client is a string or an integer"},
		{head + `{"client":1,"op":"read","result":[1],"call":1,"return":2}`, "h:2: result: [1]: want an integer"},
		{head + `{"client":1,"txn":[["get","x",1]],"call":1,"return":2}`, "h:2: the call names no op"},
		{txns + `{"client":1,"op":"get","call":1,"return":2}`, "h:2: a transaction has no op, args or result"},
		{txns + `{"client":1,"call":1,"return":2}`, "h:2: the transaction is missing"},
		{txns + `{"client":1,"txn":[["get","x"]],"call":1,"return":2}`, "h:2: step 1: the value that was read is missing"},
		{txns + `{"client":1,"txn":[["put","x",1],["jump","x",1]],"call":1,"return":2}`, `h:2: step 2: "jump": want get, put or append`},
		{txns + `{"client":1,"txn":[["append","x",null]],"call":1,"return":2}`, "h:2: step 1: an integer or a string is appended"},
		{txns + `{"client":1,"txn":[["get","x",[1,[2]]]],"call":1,"return":2}`, "h:2: step 1: column"},
		{txns + `{"client":1,"txn":[["get","x",1],"call":1,"return":2}`, "h:2: column"},
		{txns + `{"client":1,"event":"call","txn":[["get","x"]]}` + "\n" + `{"client":1,"event":"return","txn":[["get","y",1]]}`, "h:3: the steps are not those of line 2"},
		{`{:process 1, :type :invoke, :f :txn, :value [[:r 1]]}`, "h:1: step 1: want a vector such as [:r 1 nil]"},
		{`{:process 1, :type :invoke, :f :txn, :value nil}`, "h:1: the value nil: want a vector of steps"},
		{`{:process 1, :type :invoke}`, "h:1: the event has no :f"},
		{`{:process 1, :type :ok, :f :read, :value 1}`, "h:1: process"},
		{`{:process 1, :type :invoke, :f :jump, :value 1}`, "h:1: a register has no operation :jump"},
		{`{:process 1, :type :invoke, :f :cas, :value [1]}`, "h:1: a map has no"},
		{`{:process 2, :type :invoke, :f :transfer, :key 7, :value [5 1]}`, "h:1: a history of kind bank is not read from EDN"},
		{"INFO jepsen.util - 0 :invoke :read\n", "h:1: column"},
		{"INFO jepsen.util - 0 :ok :read 1\n", "h:1: client 0 has no call in progress"},
	} {
		o := Options{}
		if strings.HasPrefix(c.text, "{:process 2") {
			o.Kind = judge.Bank
		}
		if strings.Contains(c.text, ":contains") || strings.Contains(c.text, ":add") {
			o.Kind = judge.Set
		}
		_, err := Read(strings.NewReader(c.text), "h", o)
		if err == nil || !strings.HasPrefix(err.Error(), strings.TrimSuffix(c.want, "process")) && c.want != "h:1: a map has no" {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Histories in EDN, and what is said of them.
func TestRead_ReadsWhatJepsenWrites(t *testing.T) {
	for _, c := range []struct {
		kind judge.Kind
		text string
		want judge.Status
	}{
		// Keys are keywords, as in Elle's examples; the history is a vector.
		{"", `[{:process 0, :type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]]}
			{:process 1, :type :invoke, :f :txn, :value [[:append :y 1] [:r :x nil]]}
			{:process 0, :type :ok, :f :txn, :value [[:append :x 1] [:r :y nil]]}
			{:process 1, :type :ok, :f :txn, :value [[:append :y 1] [:r :x []]]}]`, judge.Violated},
		{"", "[\n" + `{:process 0, :type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]]}
			{:process 1, :type :invoke, :f :txn, :value [[:append :y 1] [:r :x nil]]}
			{:process 0, :type :ok, :f :txn, :value [[:append :x 1] [:r :y nil]]}
			{:process 1, :type :ok, :f :txn, :value [[:append :y 1] [:r :x [1]]]}` + "\n]\n", judge.OK},
		{judge.Set, `{:process 0, :type :invoke, :f :contains, :value 3}
			{:process 0, :type :ok, :f :contains, :value false}`, judge.OK},
		{judge.Set, `{:process 0, :type :invoke, :f :add, :value :k}
			{:process 0, :type :ok, :f :add, :value :k}
			{:process 0, :type :invoke, :f :contains, :value :k}
			{:process 0, :type :ok, :f :contains, :value false}`, judge.Violated},
		{judge.Set, `{:process 0, :type :invoke, :f :remove, :value 3}
			{:process 0, :type :ok, :f :remove, :value true}`, judge.Violated},
		// Of a cas that failed the value was another one; unless there was another reason.
		{"", `{:process 0, :type :invoke, :f :write, :value 1}
			{:process 0, :type :ok, :f :write, :value 1}
			{:process 1, :type :invoke, :f :cas, :value [1 2]}
			{:process 1, :type :fail, :f :cas, :value [1 2]}`, judge.Violated},
		{"", `{:process 0, :type :invoke, :f :write, :value 1}
			{:process 0, :type :ok, :f :write, :value 1}
			{:process 1, :type :invoke, :f :cas, :value [1 2]}
			{:process 1, :type :fail, :f :cas, :value [1 2], :error [:unavailable "no leader"]}`, judge.OK},
	} {
		h, err := Read(strings.NewReader(c.text), "h", Options{Kind: c.kind})
		if err != nil {
			t.Errorf("%v\n%s", err, c.text)
			continue
		}
		if v := judge.Judge(context.Background(), h, judge.Options{}); v.Status != c.want {
			t.Errorf("%v, want %v\n%s", v.Status, c.want, c.text)
		}
	}
}

// The option for an initial value would take a bank's accounts away.
func TestRead_RefusesAnInitialValueOfABank(t *testing.T) {
	_, err := Read(strings.NewReader(`{"history":1,"kind":"bank","initial":[3,4]}`), "h", Options{Initial: "5"})
	if err == nil || !strings.HasPrefix(err.Error(), "-initial: a bank has no initial value") {
		t.Error(err)
	}
}

// A client that goes on behind a crash has a call in progress for ever.
func TestRead_KeepsCrashedCalls(t *testing.T) {
	h, err := Read(strings.NewReader(head+`{"client":"a","op":"write","args":[1],"call":5}
{"client":"a","op":"read","result":null,"call":6,"return":7}
{"client":"a","op":"read","result":1,"call":8,"return":9}
{"client":"a","op":"cas","args":[1,"x"],"unknown":true,"call":10,"return":11}
{"client":"a","op":"read","result":"x","call":12,"return":13}
`), "h", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := h.Calls[0]; !c.Pending() || h.Text(&h.Calls[3]) != `cas(1, "x") = ?` {
		t.Errorf("%+v, %s", c, h.Text(&h.Calls[3]))
	}
	if v := judge.Judge(context.Background(), h, judge.Options{}); v.Status != judge.OK {
		t.Errorf("%v\n%s", v.Status, h.Draw(v.Witness))
	}
}

// FuzzRead reads anything, and judges what is read: the reader refuses or gives a history that can be judged and drawn.
func FuzzRead(f *testing.F) {
	f.Add([]byte(head + `{"client":1,"op":"write","args":[1],"call":1,"return":2}`))
	f.Add([]byte(`{"history":1,"kind":"queue"}` + "\n" + `{"client":"x","event":"call","op":"take"}` + "\n" + `{"client":"x","event":"return","result":null}`))
	f.Add([]byte(`{:process 0, :type :invoke, :f :append, :key "k", :value "v"}` + "\n" + `{:process 0, :type :ok, :f :append, :key "k", :value "v"}`))
	f.Add([]byte(`{:process 0, :type :invoke, :f :cas, :value [1 [2 3]]}` + "\n" + `{:process 0, :type :fail, :f :cas, :value [1 [2 3]]}`))
	f.Add([]byte(`[{:process 0, :type :invoke, :f :txn, :value [[:r :x nil] [:append ":y" 2]]}` + "\n]"))
	f.Add([]byte("INFO  jepsen.util - 0\t:invoke\t:cas\t[1 2]\nINFO  jepsen.util - 0\t:info\t:cas\t:timed-out\n"))
	f.Add([]byte(txns + `{"client":1,"txn":[["get","x",[1,2]],["append","x",3]],"call":1,"return":2}` + "\n" + `{"client":2,"txn":[["put",1,"a"],["get",1]],"unknown":true,"call":1}`))
	f.Add([]byte(txns + `{"client":1,"event":"call","txn":[["get","x"]]}` + "\n" + `{"client":1,"event":"return","txn":[["get","x",1]]}`))
	f.Add([]byte(`{:process 0, :type :invoke, :f :txn, :value [[:r 1 nil] [:append 1 2]]}` + "\n" + `{:process 0, :type :ok, :f :txn, :value [[:r 1 [3]] [:append 1 2]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := Read(strings.NewReader(string(text)), "h", Options{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "h:") {
				t.Errorf("%v names no line", err)
			}
			return
		}
		if len(h.Calls) > 30 {
			return
		}
		for _, p := range []judge.Property{judge.Linear, judge.Sequential, judge.Causal, judge.Serializable, judge.Session} {
			ctx, cancel := context.WithTimeout(context.Background(), 1e9)
			v := judge.Judge(ctx, h, judge.Options{Property: p})
			cancel()
			_ = h.Draw(v.Witness)
		}
	})
}
