// SPDX-License-Identifier: BSD-3-Clause

package shared

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	reapi "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"pangolin/internal/leash"
	"pangolin/internal/test/level"
)

// service is the cache of a remote execution service, in memory. It has what the protocol demands of one and no more.
type service struct {
	reapi.UnimplementedActionCacheServer
	reapi.UnimplementedContentAddressableStorageServer
	reapi.UnimplementedCapabilitiesServer
	bytestream.UnimplementedByteStreamServer

	mu       sync.Mutex
	blobs    map[string][]byte // by hash
	results  map[string]*reapi.ActionResult
	readOnly bool
}

func (s *service) GetActionResult(_ context.Context, r *reapi.GetActionResultRequest) (*reapi.ActionResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.results[r.InstanceName+" "+r.ActionDigest.Hash]; a != nil {
		return a, nil
	}
	return nil, status.Error(codes.NotFound, "no such result")
}

func (s *service) UpdateActionResult(_ context.Context, r *reapi.UpdateActionResultRequest) (*reapi.ActionResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range append([]*reapi.Digest{r.ActionDigest}, r.ActionResult.OutputFiles[0].Digest) {
		if b, ok := s.blobs[d.Hash]; !ok || int64(len(b)) != d.SizeBytes {
			return nil, status.Error(codes.FailedPrecondition, "the action, or its output, is not there")
		}
	}
	s.results[r.InstanceName+" "+r.ActionDigest.Hash] = r.ActionResult
	return r.ActionResult, nil
}

func (s *service) FindMissingBlobs(_ context.Context, r *reapi.FindMissingBlobsRequest) (*reapi.FindMissingBlobsResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := &reapi.FindMissingBlobsResponse{}
	for _, d := range r.BlobDigests {
		if _, ok := s.blobs[d.Hash]; !ok {
			answer.MissingBlobDigests = append(answer.MissingBlobDigests, d)
		}
	}
	return answer, nil
}

func (s *service) keep(d *reapi.Digest, text []byte) error {
	if got := digestOf(text); got.Hash != d.Hash || got.SizeBytes != d.SizeBytes {
		return status.Error(codes.InvalidArgument, "other bytes than the digest says")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[d.Hash] = text
	return nil
}

func (s *service) BatchUpdateBlobs(_ context.Context, r *reapi.BatchUpdateBlobsRequest) (*reapi.BatchUpdateBlobsResponse, error) {
	answer := &reapi.BatchUpdateBlobsResponse{}
	for _, one := range r.Requests {
		answer.Responses = append(answer.Responses, &reapi.BatchUpdateBlobsResponse_Response{Digest: one.Digest, Status: status.Convert(s.keep(one.Digest, one.Data)).Proto()})
	}
	return answer, nil
}

func (s *service) BatchReadBlobs(_ context.Context, r *reapi.BatchReadBlobsRequest) (*reapi.BatchReadBlobsResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := &reapi.BatchReadBlobsResponse{}
	for _, d := range r.Digests {
		text, ok := s.blobs[d.Hash]
		st := &rpcstatus.Status{}
		if !ok {
			st.Code = int32(codes.NotFound)
		}
		answer.Responses = append(answer.Responses, &reapi.BatchReadBlobsResponse_Response{Digest: d, Data: text, Status: st})
	}
	return answer, nil
}

func (s *service) GetCapabilities(context.Context, *reapi.GetCapabilitiesRequest) (*reapi.ServerCapabilities, error) {
	return &reapi.ServerCapabilities{CacheCapabilities: &reapi.CacheCapabilities{DigestFunctions: []reapi.DigestFunction_Value{reapi.DigestFunction_SHA256},
		ActionCacheUpdateCapabilities: &reapi.ActionCacheUpdateCapabilities{UpdateEnabled: !s.readOnly}}}, nil
}

func (s *service) Read(r *bytestream.ReadRequest, out bytestream.ByteStream_ReadServer) error {
	fields := strings.Split(r.ResourceName, "/") // INSTANCE/blobs/HASH/SIZE
	s.mu.Lock()
	text, ok := s.blobs[fields[len(fields)-2]]
	s.mu.Unlock()
	if !ok {
		return status.Error(codes.NotFound, "no such text")
	}
	for len(text) > 0 {
		n := min(len(text), 1<<16)
		if err := out.Send(&bytestream.ReadResponse{Data: text[:n]}); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

func (s *service) Write(in bytestream.ByteStream_WriteServer) error {
	var text []byte
	var d reapi.Digest
	for {
		r, err := in.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		fields := strings.Split(r.ResourceName, "/") // INSTANCE/uploads/UUID/blobs/HASH/SIZE
		d.Hash = fields[len(fields)-2]
		if _, err := fmt.Sscan(fields[len(fields)-1], &d.SizeBytes); err != nil || r.WriteOffset != int64(len(text)) {
			return status.Error(codes.InvalidArgument, "the name or the offset is wrong")
		}
		text = append(text, r.Data...)
	}
	if err := s.keep(&d, text); err != nil {
		return err
	}
	return in.SendAndClose(&bytestream.WriteResponse{CommittedSize: int64(len(text))})
}

// inMemory starts a service and gives its address.
func inMemory(t *testing.T) (*service, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &service{blobs: map[string][]byte{}, results: map[string]*reapi.ActionResult{}}
	g := grpc.NewServer()
	reapi.RegisterActionCacheServer(g, s)
	reapi.RegisterContentAddressableStorageServer(g, s)
	reapi.RegisterCapabilitiesServer(g, s)
	bytestream.RegisterByteStreamServer(g, s)
	go func() { _ = g.Serve(l) }()
	t.Cleanup(g.Stop)
	return s, l.Addr().String()
}

// obeys tries what each store does.
func obeys(t *testing.T, address string) {
	t.Helper()
	s, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	for err = s.Check(ctx); err != nil && ctx.Err() == nil; err = s.Check(ctx) { // it is being started
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 5000, small, small + 1, 11 << 20} {
		name := fmt.Sprintf("bundle/%x", rand.Uint64())
		if there, err := s.Has(ctx, name); there || err != nil {
			t.Errorf("%d bytes: there before: %t, %v", size, there, err)
		}
		if _, err := s.Get(ctx, name); !errors.Is(err, ErrNone) {
			t.Errorf("%d bytes: there before: %v", size, err)
		}
		text := make([]byte, size)
		for at := range text {
			text[at] = byte(rand.Uint32())
		}
		if err := s.Put(ctx, name, text); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if there, err := s.Has(ctx, name); !there || err != nil {
			t.Errorf("%d bytes: not there: %t, %v", size, there, err)
		}
		if got, err := s.Get(ctx, name); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %d others: %v", size, len(got), err)
		}
		if err := s.Put(ctx, name, text); err != nil {
			t.Errorf("%d bytes, a second time: %v", size, err)
		}
	}
	var all sync.WaitGroup
	for range 8 { // several servers write the same
		all.Go(func() {
			if err := s.Put(ctx, "result/same", []byte("text")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A remote execution service is used by its protocol.
func TestActions_KeepAndGive(t *testing.T) {
	s, addr := inMemory(t)
	obeys(t, "grpc://"+addr+"/an/instance")
	a, err := Open("grpc://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Put(t.Context(), "bundle/x", []byte("text")); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	delete(s.blobs, digestOf([]byte("text")).Hash) // a result whose output is gone
	s.mu.Unlock()
	if there, err := a.Has(t.Context(), "bundle/x"); there || err != nil {
		t.Errorf("a text that is gone is there: %v", err)
	}
	if _, err := a.Get(t.Context(), "bundle/x"); !errors.Is(err, ErrNone) {
		t.Errorf("a text that is gone: %v", err)
	}
	s.mu.Lock()
	s.blobs[digestOf([]byte("text")).Hash] = []byte("tex7")
	s.mu.Unlock()
	if _, err := a.Get(t.Context(), "bundle/x"); err == nil {
		t.Error("other bytes than the digest says are given")
	}
	s.readOnly = true
	if err := a.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "let clients keep results (it does: false)") {
		t.Errorf("a service that takes nothing: %v", err)
	}
}

// Addresses that are none are refused with a sentence.
func TestOpen_SaysWhatItWants(t *testing.T) {
	for address, want := range map[string]string{
		"":                                   "want s3://BUCKET/PREFIX",
		"ftp://host/x":                       "no stores of the kind ftp",
		"grpc://host/x":                      "want HOST:PORT",
		"s3://b?endpoint=host:1":             "want the URL of the service",
		"s3://b?endpoint=http://host:1/path": "want the URL of the service",
		// What may be a password is not printed.
		"s3://b?endpoint=https://me:hidden@host:1": "without a user",
		"s3://me:hidden@b":                         "there is a user in the address",
		"grpcs://me:hidden@host:1":                 "there is a user in the address",
		"grpcs://me:hidden@host:port":              "want s3://BUCKET/PREFIX",
		"s4://me:hidden@host":                      "there is a user in the address",
		"ftp://host/x?key=hidden":                  "ftp://host/x: there are no stores of the kind ftp",
		"ftp://host/x#hidden":                      "ftp://host/x: there are no stores of the kind ftp",
		"ftp:me:hidden@host":                       "want s3://BUCKET/PREFIX",
		"grpc://host?key=hidden":                   "grpc://host: want HOST:PORT",
		"s3://b/x?endpoint=host:1&key=hidden":      "want the URL of the service",
		"s3://b/x?endpoint=http://h:x&key=hidden":  "want the URL of the service",
		"s3://b?endpoint=http://h_%20/&key=hidden": "s3://b:",
	} {
		if _, err := Open(address); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}

// The address of a store that cannot be used is printed without what may be a secret.
func TestShown_HasNoQuery(t *testing.T) {
	for address, want := range map[string]string{
		"s3://b/x?endpoint=http://127.0.0.1:1&key=hidden": "s3://b/x",
		"grpcs://host:1/name#hidden":                      "grpcs://host:1/name",
	} {
		if _, err := Open(address); err != nil {
			t.Error(err)
		}
		if got := Shown(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

// port is a free one.
func port(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, p, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// install executes a command that fetches a server; the test is skipped if it cannot be had.
func install(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("%s %s: %v: %.500s", name, strings.Join(args, " "), err, out)
	}
}

// begin starts a server that ends with the test.
func begin(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	c.Dir, c.Stdout, c.Stderr = dir, log, log
	if err := leash.Start(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if text, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("the server says:\n%.3000s", text)
		}
	})
}

// A server of others that speaks S3: s3rver, by npm.
func TestBucket_KeepsAndGives(t *testing.T) {
	if !level.More() {
		t.Skip("fetches a server: -level more")
	}
	dir, at := t.TempDir(), port(t)
	install(t, dir, "npm", "install", "--no-audit", "--no-fund", "s3rver@3.7.1")
	begin(t, dir, "node", "node_modules/s3rver/bin/s3rver.js", "-d", filepath.Join(dir, "data"), "-a", "127.0.0.1", "-p", at, "--configure-bucket", "farm")
	t.Setenv("AWS_ACCESS_KEY_ID", "S3RVER")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "S3RVER")
	obeys(t, "s3://farm/some/prefix?endpoint=http://127.0.0.1:"+at)
}
