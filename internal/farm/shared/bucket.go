// SPDX-License-Identifier: BSD-3-Clause

package shared

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is a bucket of a service that speaks S3. Names are names of objects below a prefix.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

// openBucket takes the keys from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), from the file that the variable
// AWS_SHARED_CREDENTIALS_FILE or the home directory names, or from the machine's role.
func openBucket(u *url.URL) (Store, error) {
	endpoint := u.Query().Get("endpoint")
	if endpoint == "" {
		endpoint = "https://s3.amazonaws.com"
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.User != nil || at.Scheme != "https" && at.Scheme != "http" || strings.Trim(at.Path, "/") != "" { // not printed: there may be a password in it
		return nil, fmt.Errorf("s3://%s: its endpoint is none: want the URL of the service, without a user, such as https://host:9000", u.Host)
	}
	c, err := minio.New(at.Host, &minio.Options{Secure: at.Scheme == "https", Region: u.Query().Get("region"), MaxRetries: 3,
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{}}})})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(u), err)
	}
	return &bucket{c, u.Host, strings.Trim(u.Path, "/")}, nil
}

func (b *bucket) key(name string) string { return path.Join(b.prefix, name) }

func absent(err error) bool {
	code := minio.ToErrorResponse(err).Code
	return code == "NoSuchKey" || code == "NotFound"
}

func (b *bucket) Has(ctx context.Context, name string) (bool, error) {
	_, err := b.client.StatObject(ctx, b.name, b.key(name), minio.StatObjectOptions{})
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}

func (b *bucket) Get(ctx context.Context, name string) ([]byte, error) {
	o, err := b.client.GetObject(ctx, b.name, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	defer o.Close()
	text, err := io.ReadAll(io.LimitReader(o, largest+1))
	switch {
	case absent(err):
		return nil, ErrNone
	case err == nil && len(text) > largest:
		return nil, fmt.Errorf("%s has more than %d MiB", name, largest>>20)
	}
	return text, err
}

func (b *bucket) Put(ctx context.Context, name string, text []byte) error {
	// What is kept has its own digest inside, or as its name, so it is sent in the plainest form, which old services know as well.
	o := minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true, DisableContentSha256: true}
	o.SetMatchETagExcept("*") // the service refuses a second one
	_, err := b.client.PutObject(ctx, b.name, b.key(name), bytes.NewReader(text), int64(len(text)), o)
	if code := minio.ToErrorResponse(err).Code; code == "PreconditionFailed" {
		return nil
	}
	return err
}

func (b *bucket) Check(ctx context.Context) error {
	there, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = fmt.Errorf("there is no bucket %s", b.name)
	}
	return err
}
