// Prints whether docs/samples/receiver.go accepts each test vector: true or false, one a line.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"
)

func TestVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			Scheme, Secret, Body string
			Headers              map[string]string
			Now                  int64
		}
	}
	text, err := os.ReadFile(os.Getenv("VECTORS"))
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		header := http.Header{}
		for name, value := range vector.Headers {
			header.Set(name, value)
		}
		if vector.Scheme == "body" {
			fmt.Println(isGenuineBody(vector.Secret, header, []byte(vector.Body)))
		} else {
			fmt.Println(isGenuine(vector.Secret, header, []byte(vector.Body), time.Unix(vector.Now, 0)))
		}
	}
}
