// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
)

// A key counts for some minutes, is no key of another sort, and keys that count no more make room for others.
func TestDoors_ForgetKeys(t *testing.T) {
	d, err := newDoors()
	if err != nil {
		t.Fatal(err)
	}
	fresh := func(create func() (nkeys.KeyPair, error)) string {
		pair, err := create()
		if err != nil {
			t.Fatal(err)
		}
		key, err := pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	account := fresh(nkeys.CreateAccount)
	for _, key := range []string{"", "U", account, account + "x", "UAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		if err := d.enrol(key); !errors.Is(err, ErrNoKey) {
			t.Errorf("%q: %v", key, err)
		}
	}
	key := fresh(nkeys.CreateUser)
	if err := d.enrol(key); err != nil {
		t.Fatal(err)
	}
	if p, known := d.knows(key); !known || p == nil {
		t.Errorf("an enrolled key: %v %v", p, known)
	}
	if p, known := d.knows(d.own); !known || p != nil {
		t.Errorf("the server's own key: %v %v", p, known)
	}
	d.enrolled[key] = time.Now().Add(-enrolment - time.Second)
	if _, known := d.knows(key); known {
		t.Error("a key counts for ever")
	}
	for i := range mostEnrolled {
		d.enrolled[fmt.Sprint(i)] = d.enrolled[key]
	}
	if err := d.enrol(fresh(nkeys.CreateUser)); err != nil || len(d.enrolled) != 1 {
		t.Errorf("old keys stay: %v, %d", err, len(d.enrolled))
	}
	for i := range mostEnrolled {
		d.enrolled[fmt.Sprint(i)] = time.Now()
	}
	if err := d.enrol(fresh(nkeys.CreateUser)); err == nil || errors.Is(err, ErrNoKey) {
		t.Errorf("one more than there is room for: %v", err)
	}
}
