// A receiver of webhooks for Go 1.22 and later, without modules. Run it with
//
//	WEBHOOK_SECRET='whsec_…' PORT=3000 go run receiver.go
//
// It answers 204 to what is genuine and 401 to anything else. With WEBHOOK_HEADERS=service it looks at
// X-Service-Signature in place of the headers of Standard Webhooks.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine checks webhook-id, webhook-timestamp and webhook-signature: it also tells that a request is not an old one,
// sent again.
func isGenuine(secret string, header http.Header, body []byte, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return false
		}
	}
	expected := "v1," + base64.StdEncoding.EncodeToString(sign(key, []byte(id+"."+timestamp+"."), body))
	// There are two while a secret is exchanged for another.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// isGenuineBody checks X-Service-Signature: it is over the body alone.
func isGenuineBody(secret string, header http.Header, body []byte) bool {
	expected := "sha256=" + hex.EncodeToString(sign([]byte(secret), body))
	return hmac.Equal([]byte(header.Get("X-Service-Signature")), []byte(expected))
}

func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

func main() {
	secret, family := os.Getenv("WEBHOOK_SECRET"), os.Getenv("WEBHOOK_HEADERS")
	var seen sync.Map

	http.HandleFunc("POST /", func(response http.ResponseWriter, request *http.Request) {
		// The bytes as they came: JSON that was read and written again has another signature.
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		ok := false
		if family == "service" {
			ok = isGenuineBody(secret, request.Header, body)
		} else {
			ok = isGenuine(secret, request.Header, body, time.Now())
		}
		var event struct {
			ID   string `json:"delivery_id"`
			Type string `json:"event"`
		}
		if !ok || json.Unmarshal(body, &event) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// The same delivery may come more than once. Keep ids where they outlive the process.
		if _, isKnown := seen.LoadOrStore(event.ID, true); !isKnown {
			fmt.Println(event.Type, event.ID)
		}
		// Answer soon, and do what takes long afterwards.
		response.WriteHeader(http.StatusNoContent)
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	_ = http.Serve(listener, nil)
}
