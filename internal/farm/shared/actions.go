// SPDX-License-Identifier: BSD-3-Clause

package shared

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	reapi "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// actions is the cache of a remote execution service (github.com/bazelbuild/remote-apis, version 2): its action cache and its storage by
// content. A name is an action whose command line is "pangolin", the name; nobody executes it. The text is the one output file of its result.
// The service forgets a result if its output is gone, or says that it is there all the same: then the text counts as absent.
type actions struct {
	conn     *grpc.ClientConn
	cache    reapi.ActionCacheClient
	content  reapi.ContentAddressableStorageClient
	stream   bytestream.ByteStreamClient
	about    reapi.CapabilitiesClient
	instance string
}

// HeaderVariable is the environment variable with a header that is sent to a remote execution service, such as "Authorization: Bearer X".
const HeaderVariable = "PANGOLIN_STORE_HEADER"

// small is the size in bytes up to which a text goes in one message: services take 4 MiB, all in all.
const small = 3 << 20

func openActions(u *url.URL) (Store, error) {
	with := insecure.NewCredentials()
	if u.Scheme == "grpcs" {
		with = credentials.NewTLS(nil)
	}
	if u.Port() == "" {
		return nil, fmt.Errorf("%s: want HOST:PORT", shown(u))
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(with)}
	if header := os.Getenv(HeaderVariable); header != "" {
		name, value, ok := strings.Cut(header, ":")
		if !ok || u.Scheme != "grpcs" {
			return nil, fmt.Errorf("%s: %s: want NAME: VALUE, and grpcs://", shown(u), HeaderVariable)
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		options = append(options,
			grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				return invoke(metadata.AppendToOutgoingContext(ctx, name, value), method, req, reply, cc, opts...)
			}),
			grpc.WithStreamInterceptor(func(ctx context.Context, d *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
				return open(metadata.AppendToOutgoingContext(ctx, name, value), d, cc, method, opts...)
			}))
	}
	conn, err := grpc.NewClient(u.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(u), err)
	}
	return &actions{conn, reapi.NewActionCacheClient(conn), reapi.NewContentAddressableStorageClient(conn), bytestream.NewByteStreamClient(conn),
		reapi.NewCapabilitiesClient(conn), strings.Trim(u.Path, "/")}, nil
}

func digestOf(text []byte) *reapi.Digest {
	sum := sha256.Sum256(text)
	return &reapi.Digest{Hash: hex.EncodeToString(sum[:]), SizeBytes: int64(len(text))}
}

// action gives the messages of a name's action: the command, the directory of its inputs, which is empty, and the action.
func action(name string) (messages [3][]byte, err error) {
	encode := func(at int, m proto.Message) *reapi.Digest {
		text, failed := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		err = errors.Join(err, failed)
		messages[at] = text
		return digestOf(text)
	}
	command := encode(0, &reapi.Command{Arguments: []string{"pangolin", name}, OutputPaths: []string{output}})
	encode(2, &reapi.Action{CommandDigest: command, InputRootDigest: encode(1, &reapi.Directory{})})
	return messages, err
}

// output is the name of the file that has the text.
const output = "text"

// find gives the digest of a name's text.
func (a *actions) find(ctx context.Context, name string) (*reapi.Digest, error) {
	messages, err := action(name)
	if err != nil {
		return nil, err
	}
	r, err := a.cache.GetActionResult(ctx, &reapi.GetActionResultRequest{InstanceName: a.instance, ActionDigest: digestOf(messages[2])})
	if status.Code(err) == codes.NotFound {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	for _, f := range r.OutputFiles {
		if f.Path == output && f.Digest != nil && f.Digest.SizeBytes >= 0 && f.Digest.SizeBytes <= largest {
			return f.Digest, nil
		}
	}
	return nil, ErrNone
}

func (a *actions) Has(ctx context.Context, name string) (bool, error) {
	d, err := a.find(ctx, name)
	if errors.Is(err, ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	missing, err := a.missing(ctx, d)
	return err == nil && len(missing) == 0, err
}

func (a *actions) missing(ctx context.Context, d ...*reapi.Digest) ([]*reapi.Digest, error) {
	r, err := a.content.FindMissingBlobs(ctx, &reapi.FindMissingBlobsRequest{InstanceName: a.instance, BlobDigests: d})
	return r.GetMissingBlobDigests(), err
}

func (a *actions) Get(ctx context.Context, name string) ([]byte, error) {
	d, err := a.find(ctx, name)
	if err != nil {
		return nil, err
	}
	text, err := a.read(ctx, d)
	if status.Code(err) == codes.NotFound {
		return nil, ErrNone
	}
	if err == nil && digestOf(text).Hash != d.Hash {
		return nil, fmt.Errorf("the service gives %s with other bytes than its digest says", name)
	}
	return text, err
}

func (a *actions) read(ctx context.Context, d *reapi.Digest) ([]byte, error) {
	if d.SizeBytes <= small {
		r, err := a.content.BatchReadBlobs(ctx, &reapi.BatchReadBlobsRequest{InstanceName: a.instance, Digests: []*reapi.Digest{d}})
		if err != nil {
			return nil, err
		}
		if len(r.Responses) != 1 {
			return nil, fmt.Errorf("the service gives %d texts instead of one", len(r.Responses))
		}
		return r.Responses[0].Data, status.ErrorProto(r.Responses[0].Status)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s, err := a.stream.Read(ctx, &bytestream.ReadRequest{ResourceName: a.resource(fmt.Sprintf("blobs/%s/%d", d.Hash, d.SizeBytes))})
	if err != nil {
		return nil, err
	}
	var text []byte
	for {
		r, err := s.Recv()
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
		if text = append(text, r.Data...); int64(len(text)) > d.SizeBytes {
			return nil, fmt.Errorf("the service gives more bytes than the %d that it has told", d.SizeBytes)
		}
	}
}

func (a *actions) resource(name string) string {
	if a.instance == "" {
		return name
	}
	return a.instance + "/" + name
}

func (a *actions) Put(ctx context.Context, name string, text []byte) error {
	messages, err := action(name)
	if err != nil {
		return err
	}
	if there, err := a.Has(ctx, name); err != nil || there {
		return err
	}
	for _, blob := range [][]byte{text, messages[0], messages[1], messages[2]} {
		if err := a.write(ctx, blob); err != nil {
			return err
		}
	}
	_, err = a.cache.UpdateActionResult(ctx, &reapi.UpdateActionResultRequest{InstanceName: a.instance, ActionDigest: digestOf(messages[2]),
		ActionResult: &reapi.ActionResult{OutputFiles: []*reapi.OutputFile{{Path: output, Digest: digestOf(text)}}}})
	return err
}

// write keeps a text by content.
func (a *actions) write(ctx context.Context, text []byte) error {
	d := digestOf(text)
	if len(text) <= small {
		r, err := a.content.BatchUpdateBlobs(ctx, &reapi.BatchUpdateBlobsRequest{InstanceName: a.instance, Requests: []*reapi.BatchUpdateBlobsRequest_Request{{Digest: d, Data: text}}})
		if err != nil {
			return err
		}
		if len(r.Responses) != 1 {
			return fmt.Errorf("the service answers to %d texts instead of one", len(r.Responses))
		}
		return status.ErrorProto(r.Responses[0].Status)
	}
	if missing, err := a.missing(ctx, d); err != nil || len(missing) == 0 {
		return err
	}
	s, err := a.stream.Write(ctx)
	if err != nil {
		return err
	}
	const piece = 1 << 20
	resource := a.resource(fmt.Sprintf("uploads/%s/blobs/%s/%d", uuid.NewString(), d.Hash, d.SizeBytes))
	for at := 0; at < len(text); at += piece {
		end := min(at+piece, len(text))
		if err := s.Send(&bytestream.WriteRequest{ResourceName: resource, WriteOffset: int64(at), FinishWrite: end == len(text), Data: text[at:end]}); err != nil {
			break // the answer says why
		}
	}
	r, err := s.CloseAndRecv()
	if err == nil && r.CommittedSize != d.SizeBytes && r.CommittedSize != -1 {
		err = fmt.Errorf("the service has kept %d of %d bytes", r.CommittedSize, d.SizeBytes)
	}
	return err
}

func (a *actions) Check(ctx context.Context) error {
	c, err := a.about.GetCapabilities(ctx, &reapi.GetCapabilitiesRequest{InstanceName: a.instance})
	if err != nil {
		return err
	}
	sha, update := false, c.GetCacheCapabilities().GetActionCacheUpdateCapabilities().GetUpdateEnabled()
	for _, f := range c.GetCacheCapabilities().GetDigestFunctions() {
		sha = sha || f == reapi.DigestFunction_SHA256
	}
	if !sha || !update {
		return fmt.Errorf("the service has to know SHA-256 (it does: %t) and to let clients keep results (it does: %t)", sha, update)
	}
	return nil
}
