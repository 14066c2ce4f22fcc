package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"example.org/client/survey"
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
	Error     survey.ErrorCode  `json:"error"`
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The body of a reply. Ends the program with the error if there is one.
func body[T any](value T, _ *http.Response, err error) T {
	var failure *survey.GenericOpenAPIError
	if errors.As(err, &failure) {
		log.Fatal(string(failure.Body()))
	}
	return must(value, err)
}

func receive() (string, chan survey.ResponseSubmittedEvent) {
	received := make(chan survey.ResponseSubmittedEvent, 10)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go func() {
		log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var event survey.WebhookEvent
			if err := json.Unmarshal(must(io.ReadAll(r.Body)), &event); err != nil {
				log.Fatal(err)
			}
			received <- *event.ResponseSubmittedEvent
			w.WriteHeader(http.StatusNoContent)
		})))
	}()
	return fmt.Sprintf("http://%s/hook", listener.Addr()), received
}

func main() {
	gateway := must(url.Parse(os.Getenv("GATEWAY")))
	configuration := survey.NewConfiguration()
	configuration.Host, configuration.Scheme = gateway.Host, gateway.Scheme
	client := survey.NewAPIClient(configuration)
	anonymous := context.Background()
	ctx := context.WithValue(anonymous, survey.ContextAccessToken, os.Getenv("TOKEN"))

	hook, received := receive()
	webhook := body(client.WebhooksAPI.CreateWebhook(ctx).
		CreateWebhookRequest(*survey.NewCreateWebhookRequest(hook, []string{"response.submitted"})).Execute())

	var definition survey.SurveyDefinition
	if err := json.Unmarshal([]byte(definitionJSON), &definition); err != nil {
		log.Fatal(err)
	}
	created := body(client.SurveysAPI.CreateSurvey(ctx).
		CreateSurveyRequest(*survey.NewCreateSurveyRequest("1.0", 1, definition)).Execute())
	id := created.Id
	if body(client.SurveysAPI.PublishSurvey(ctx, id).Execute()).Status != survey.ACTIVE {
		log.Fatal("the survey is not active")
	}

	receipt := must(os.CreateTemp("", "receipt"))
	defer os.Remove(receipt.Name())
	must(receipt.WriteString("One soup."))
	must(receipt.Seek(0, io.SeekStart))
	file := body(client.RespondentsAPI.UploadPublicFile(anonymous, id).
		QuestionId("receipt").Filename("receipt.txt").Body(receipt).Execute())

	out := result{Survey: id, File: file.FileId}
	for _, answers := range []map[string]any{
		{"taste": 3}, {"taste": 4}, {"taste": 5, "receipt": []any{map[string]any{"file_id": file.FileId}}},
	} {
		made := body(client.RespondentsAPI.SubmitPublicResponse(anonymous, id).
			SubmitPublicResponseRequest(*survey.NewSubmitPublicResponseRequest(answers)).Execute())
		out.Submitted = append(out.Submitted, made.Id)
	}

	request := client.ResponsesAPI.ListResponses(ctx, id).Limit(2).Order("asc")
	for {
		page, reply, err := request.Execute()
		for _, response := range body(page, reply, err) {
			out.Listed = append(out.Listed, response.Id)
		}
		next := nextLink.FindStringSubmatch(reply.Header.Get("Link"))
		if next == nil {
			break
		}
		request = request.Cursor(must(url.Parse(next[1])).Query().Get("cursor"))
	}

	exported := body(client.ResponsesAPI.ExportResponses(ctx, id).Execute())
	defer os.Remove(exported.Name())
	out.Exported = strings.Count(strings.TrimSpace(string(must(io.ReadAll(exported)))), "\n")

	correction := survey.NewUpdateResponseRequest()
	correction.SetData(map[string]any{"taste": 2})
	corrected := body(client.ResponsesAPI.UpdateResponse(ctx, out.Listed[0]).UpdateResponseRequest(*correction).Execute())
	out.Corrected = corrected.Data["taste"]

	var failure *survey.GenericOpenAPIError
	_, _, err := client.SurveysAPI.GetSurvey(ctx, "ffffffff-ffff-4fff-bfff-ffffffffffff").Execute()
	if !errors.As(err, &failure) {
		log.Fatal("an unknown survey is no error")
	}
	problem, ok := failure.Model().(survey.Problem)
	if !ok {
		log.Fatal("the error has no problem")
	}
	out.Error = problem.Code

	event := <-received
	out.Event = map[string]string{"type": event.Event, "response": event.Data.ResponseId}
	out.Deleted = must(client.WebhooksAPI.DeleteWebhook(ctx, webhook.Id).Execute()).StatusCode
	fmt.Println(string(must(json.Marshal(out))))
}
