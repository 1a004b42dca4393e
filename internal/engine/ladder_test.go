// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// A failure within Pangolin is answered by a plainer search, which says so.

// attempts lists how a job was searched: reductions and workers.
type attempt struct {
	reduce  vm.Reductions
	workers int
}

func TestPersist_LeavesOutWhatFails(t *testing.T) {
	const some = vm.Fusing | vm.Symmetry
	all := some | vm.RememberedSteps
	steps := func(a attempt) bool { return a.reduce&vm.RememberedSteps != 0 }
	for _, c := range []struct {
		name  string
		job   attempt
		fails func(attempt) bool
		note  string // of the verdict; "": none
		tries int
		err   string
	}{
		{"nothing fails", attempt{all, 2}, func(attempt) bool { return false }, "", 1, ""},
		{"remembered steps", attempt{all, 2}, steps, "searched without remembered steps (-reduce), with which pangolin itself has failed, please report it: broken", 2, ""},
		{"several workers", attempt{all, 2}, func(a attempt) bool { return a.workers > 1 }, "searched without several workers (-j),", 3, ""},
		{"a reduction", attempt{all, 2}, func(a attempt) bool { return a.reduce&vm.Symmetry != 0 }, "searched without any reduction (-reduce),", 4, ""},
		{"two of them", attempt{all, 2}, func(a attempt) bool { return steps(a) || a.workers > 1 },
			"searched without remembered steps (-reduce), several workers (-j), any reduction (-reduce),", 5, ""},
		{"all of it", attempt{all, 2}, func(attempt) bool { return true }, "", 5, "pangolin itself has failed, please report it: broken"},
		{"the plainest is all there is", attempt{0, 1}, func(attempt) bool { return true }, "", 1, "pangolin itself has failed, please report it: broken"},
		{"one mechanism", attempt{vm.Fusing, 1}, func(a attempt) bool { return a.reduce != 0 }, "searched without any reduction (-reduce),", 2, ""},
		{"what the engine does not know", attempt{vm.GuardedAccesses, 1}, func(attempt) bool { return true }, "", 1, "broken"},
	} {
		for _, how := range []struct {
			name string
			fail func() error
		}{
			{"panics", func() error { panic("broken\nwith a stack") }},
			{"contradicts itself", func() error { return Contradiction(errors.New("broken")) }},
		} {
			t.Run(c.name+" "+how.name, func(t *testing.T) {
				tries := 0
				e := Engine{Name: "made up", Reductions: all, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
					tries++
					if c.fails(attempt{j.Reduce, j.Workers}) {
						return verdict.Verdict{}, how.fail()
					}
					return verdict.Verdict{Status: verdict.Verified}, nil
				}}
				job := &Job{Subject: &subject.Subject{}, Search: Search{Reduce: c.job.reduce, Workers: c.job.workers}}
				v, err := e.Persist(context.Background(), job, Events{})
				if tries != c.tries {
					t.Errorf("%d attempts, want %d", tries, c.tries)
				}
				if job.Reduce != c.job.reduce || job.Workers != c.job.workers {
					t.Errorf("the job has changed: %+v", job.Search)
				}
				if c.err != "" {
					if err == nil || !strings.HasSuffix(err.Error(), c.err) || v.Status != "" {
						t.Errorf("%v, %s", err, v.Status)
					}
					return
				}
				if err != nil || v.Status != verdict.Verified {
					t.Fatalf("%v, %s", err, v.Status)
				}
				if got := strings.Join(v.Assumptions, "\n"); !strings.HasPrefix(got, c.note) || (got == "") != (c.note == "") {
					t.Errorf("assumes %q, want %q", got, c.note)
				}
			})
		}
	}
}

// What is wrong with the user's code, or a limit, is no failure of Pangolin's: nothing is tried again.
func TestPersist_TakesErrorsOfTheSubjectAsTheyAre(t *testing.T) {
	tries := 0
	want := &subject.SetupError{Message: "the constructor panics"}
	e := Engine{Reductions: AllReductions, Run: func(context.Context, *Job, Events) (verdict.Verdict, error) {
		tries++
		return verdict.Verdict{}, want
	}}
	_, err := e.Persist(context.Background(), &Job{Search: Search{Reduce: AllReductions, Workers: 2}}, Events{})
	if err != want || tries != 1 {
		t.Errorf("%v after %d attempts", err, tries)
	}
}

// An attempt at a proof that fails is no proof, and no error.
func TestNoProof_SaysWhy(t *testing.T) {
	for name, fail := range map[string]func() error{
		"panic":         func() error { panic("broken\nwith a stack") },
		"contradiction": func() error { return Contradiction(errors.New("broken")) },
	} {
		v, suspicious, err := func() (v verdict.Verdict, suspicious bool, err error) {
			defer NoProof(&v, &suspicious, &err)
			v.Status, v.Proof, suspicious = verdict.Proved, &verdict.Proof{}, true
			return v, suspicious, fail()
		}()
		if err != nil || suspicious || v.Status != verdict.Unknown || v.Proof != nil || v.Reason != "no proof: pangolin itself has failed, please report it: broken" {
			t.Errorf("%s: %+v %t %v", name, v, suspicious, err)
		}
	}
	own := errors.New("the code is not Go")
	_, _, err := func() (v verdict.Verdict, suspicious bool, err error) {
		defer NoProof(&v, &suspicious, &err)
		return v, false, own
	}()
	if err != own {
		t.Errorf("%v", err)
	}
}
