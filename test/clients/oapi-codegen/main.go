package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
)

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// The definition of the survey, as JSON.
const definitionJSON = `{
	"title": "Lunch",
	"supported_languages": ["en"],
	"pages": [{"questions": [
		{"id": "taste", "type": "rating", "title": "How was it?"},
		{"id": "receipt", "type": "file_upload", "title": "Your receipt"}
	]}]
}`

type result struct {
	Survey    string            `json:"survey"`
	Submitted []string          `json:"submitted"`
	Listed    []string          `json:"listed"`
	Exported  int               `json:"exported"`
	File      string            `json:"file"`
	Corrected any               `json:"corrected"`
	Deleted   int               `json:"deleted"`
	Event     map[string]string `json:"event"`
	Error     ErrorCode         `json:"error"`
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The parsed body of a reply. Ends the program with the whole body if there is none.
func body[T any](parsed *T, raw []byte) T {
	if parsed == nil {
		log.Fatal(string(raw))
	}
	return *parsed
}

func receive() (string, chan ResponseSubmittedEvent) {
	received := make(chan ResponseSubmittedEvent, 10)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go func() {
		log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var event WebhookEvent
			if err := json.Unmarshal(must(io.ReadAll(r.Body)), &event); err != nil {
				log.Fatal(err)
			}
			received <- must(event.AsResponseSubmittedEvent())
			w.WriteHeader(http.StatusNoContent)
		})))
	}()
	return fmt.Sprintf("http://%s/hook", listener.Addr()), received
}

func main() {
	ctx := context.Background()
	gateway := os.Getenv("GATEWAY")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	api := must(NewClientWithResponses(gateway, WithRequestEditorFn(authorize)))
	respondent := must(NewClientWithResponses(gateway))

	hook, received := receive()
	webhook := must(api.CreateWebhookWithResponse(ctx, nil, CreateWebhookRequest{Url: hook, EventTypes: []string{"response.submitted"}}))
	webhookID := body(webhook.JSON201, webhook.Body).Id

	var definition SurveyDefinition
	if err := json.Unmarshal([]byte(definitionJSON), &definition); err != nil {
		log.Fatal(err)
	}
	created := must(api.CreateSurveyWithResponse(ctx, nil,
		CreateSurveyRequest{SchemaVersion: "1.0", Version: 1, Survey: definition}))
	survey := body(created.JSON201, created.Body)
	published := must(api.PublishSurveyWithResponse(ctx, survey.Id, nil))
	if body(published.JSON200, published.Body).Status != SurveyStatusActive {
		log.Fatal("the survey is not active")
	}

	filename := "receipt.txt"
	uploaded := must(respondent.UploadPublicFileWithBodyWithResponse(ctx, survey.Id,
		&UploadPublicFileParams{QuestionId: "receipt", Filename: &filename}, "application/octet-stream", strings.NewReader("One soup.")))
	file := body(uploaded.JSON201, uploaded.Body)

	out := result{Survey: survey.Id, File: file.FileId}
	for _, answers := range []map[string]any{
		{"taste": 3}, {"taste": 4}, {"taste": 5, "receipt": []any{map[string]any{"file_id": file.FileId}}},
	} {
		reply := must(respondent.SubmitPublicResponseWithResponse(ctx, survey.Id, nil, SubmitPublicResponseRequest{Data: answers}))
		out.Submitted = append(out.Submitted, body(reply.JSON201, reply.Body).Id)
	}

	limit, order := int32(2), ListResponsesParamsOrderAsc
	params := ListResponsesParams{Limit: &limit, Order: &order}
	for {
		page := must(api.ListResponsesWithResponse(ctx, survey.Id, &params))
		for _, response := range body(page.JSON200, page.Body) {
			out.Listed = append(out.Listed, response.Id)
		}
		next := nextLink.FindStringSubmatch(page.HTTPResponse.Header.Get("Link"))
		if next == nil {
			break
		}
		cursor := must(url.Parse(next[1])).Query().Get("cursor")
		params.Cursor = &cursor
	}

	exported := must(api.ExportResponsesWithResponse(ctx, survey.Id, nil))
	out.Exported = strings.Count(strings.TrimSpace(string(exported.Body)), "\n")

	correction := map[string]any{"taste": 2}
	corrected := must(api.UpdateResponseWithResponse(ctx, out.Listed[0], nil, UpdateResponseRequest{Data: &correction}))
	out.Corrected = body(corrected.JSON200, corrected.Body).Data["taste"]

	unknown := must(api.GetSurveyWithResponse(ctx, "ffffffff-ffff-4fff-bfff-ffffffffffff", nil))
	out.Error = body(unknown.ApplicationproblemJSON404, unknown.Body).Code

	event := <-received
	out.Event = map[string]string{"type": string(event.Event), "response": event.Data.ResponseId.String()}
	out.Deleted = must(api.DeleteWebhookWithResponse(ctx, webhookID, nil)).StatusCode()
	fmt.Println(string(must(json.Marshal(out))))
}
