// A receiver of webhooks for Go 1.22 and later, without modules. Run it with
//
//	WEBHOOK_SECRET='whsec_…' PORT=3000 go run receiver.go
//
// It replies with 204 to genuine requests, and with 401 to others. With WEBHOOK_HEADERS=service, it verifies
// X-Service-Signature instead of the headers of Standard Webhooks.
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

// isGenuine verifies webhook-signature, and rejects old requests that somebody sends again.
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
	// During a rotation of the secret there are two.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// isGenuineBody verifies X-Service-Signature, which signs only the body.
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
	// Anybody can sign with an empty secret.
	if secret == "" {
		fmt.Fprintln(os.Stderr, "WEBHOOK_SECRET is missing")
		os.Exit(1)
	}
	var seen sync.Map

	http.HandleFunc("POST /", func(response http.ResponseWriter, request *http.Request) {
		// The raw bytes: serialising parsed JSON again would change them.
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
		// A delivery can arrive twice. In production, keep the ids in a database.
		if _, isKnown := seen.LoadOrStore(event.ID, true); !isKnown {
			fmt.Println(event.Type, event.ID)
		}
		// Reply first, and do slow work afterwards.
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
