import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.survey.ApiClient;
import org.survey.ApiException;
import org.survey.ApiResponse;
import org.survey.api.RespondentsApi;
import org.survey.api.ResponsesApi;
import org.survey.api.SurveysApi;
import org.survey.api.WebhooksApi;
import org.survey.model.CreateSurveyRequest;
import org.survey.model.CreateWebhookRequest;
import org.survey.model.Problem;
import org.survey.model.ResponseSubmittedEvent;
import org.survey.model.SubmitPublicResponseRequest;
import org.survey.model.Survey;
import org.survey.model.SurveyDefinition;
import org.survey.model.SurveyResponse;
import org.survey.model.SurveyStatus;
import org.survey.model.UpdateResponseRequest;
import org.survey.model.WebhookEvent;

public final class Main {
  private static final Pattern NEXT = Pattern.compile("<([^>]*)>; rel=\"next\"");
  private static final Pattern CURSOR = Pattern.compile("[?&]cursor=([^&]*)");

  private Main() {}

  private static ApiClient client(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("GATEWAY"));
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  private static String cursorOf(ApiResponse<?> reply) {
    List<String> links = reply.getHeaders().getOrDefault("link", List.of());
    for (String link : links) {
      Matcher next = NEXT.matcher(link);
      if (!next.find()) continue;
      Matcher cursor = CURSOR.matcher(URI.create(next.group(1)).toString());
      if (cursor.find()) return URLDecoder.decode(cursor.group(1), StandardCharsets.UTF_8);
    }
    return null;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = client(System.getenv("TOKEN"));
    ObjectMapper mapper = client.getObjectMapper();
    SurveysApi surveys = new SurveysApi(client);
    ResponsesApi responses = new ResponsesApi(client);
    RespondentsApi respondents = new RespondentsApi(client(null));

    CompletableFuture<ResponseSubmittedEvent> received = new CompletableFuture<>();
    HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/hook", exchange -> {
      WebhookEvent event = mapper.readValue(exchange.getRequestBody(), WebhookEvent.class);
      received.complete(event.getResponseSubmittedEvent());
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    receiver.start();
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook";
    WebhooksApi webhooks = new WebhooksApi(client);
    String webhook = webhooks
        .createWebhook(new CreateWebhookRequest().url(url).addEventTypesItem("response.submitted"), null)
        .getId();

    Map<String, Object> definition = Map.of(
        "title", "Lunch",
        "supported_languages", List.of("en"),
        "pages", List.of(Map.of("questions", List.of(
            Map.of("id", "taste", "type", "rating", "title", "How was it?"),
            Map.of("id", "receipt", "type", "file_upload", "title", "Your receipt")))));
    Survey survey = surveys.createSurvey(
        new CreateSurveyRequest()
            .schemaVersion("1.0")
            .version(1)
            .survey(mapper.convertValue(definition, SurveyDefinition.class)), null);
    Survey published = surveys.publishSurvey(survey.getId(), null);
    if (published.getStatus() != SurveyStatus.ACTIVE) throw new IllegalStateException("the survey is not active");

    File receipt = File.createTempFile("receipt", ".txt");
    Files.writeString(receipt.toPath(), "One soup.");
    String file = respondents.uploadPublicFile(survey.getId(), "receipt", "receipt.txt", null, receipt).getFileId();

    List<String> submitted = new ArrayList<>();
    List<Map<String, Object>> answers = List.of(
        Map.of("taste", 3),
        Map.of("taste", 4),
        Map.of("taste", 5, "receipt", List.of(Map.of("file_id", file))));
    for (Map<String, Object> data : answers)
      submitted.add(respondents
          .submitPublicResponse(survey.getId(), new SubmitPublicResponseRequest().data(data), null)
          .getId());

    List<String> listed = new ArrayList<>();
    String cursor = null;
    do {
      ApiResponse<List<SurveyResponse>> page = responses.listResponsesWithHttpInfo(
          survey.getId(), 2, cursor, null, null, null, null, null, null, null, null, null, null, "asc");
      for (SurveyResponse response : page.getData()) listed.add(response.getId());
      cursor = cursorOf(page);
    } while (cursor != null);

    File exported = responses.exportResponses(
        survey.getId(), null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    int rows = Files.readAllLines(exported.toPath()).size() - 1;

    SurveyResponse corrected = responses.updateResponse(
        listed.get(0), null, new UpdateResponseRequest().data(Map.of("taste", 2)));

    String error;
    try {
      surveys.getSurvey("ffffffff-ffff-4fff-bfff-ffffffffffff", null);
      throw new IllegalStateException("an unknown survey is no error");
    } catch (ApiException exception) {
      error = mapper.readValue(exception.getResponseBody(), Problem.class).getCode().getValue();
    }

    ResponseSubmittedEvent event = received.get(60, TimeUnit.SECONDS);
    int deleted = webhooks.deleteWebhookWithHttpInfo(webhook, null).getStatusCode();
    receiver.stop(0);
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("survey", survey.getId());
    out.put("submitted", submitted);
    out.put("listed", listed);
    out.put("exported", rows);
    out.put("file", file);
    out.put("corrected", corrected.getData().get("taste"));
    out.put("deleted", deleted);
    out.put("event", Map.of(
        "type", event.getEvent().toString(),
        "response", event.getData().getResponseId().toString()));
    out.put("error", error);
    System.out.println(mapper.writeValueAsString(out));
    Files.delete(receipt.toPath());
    Files.delete(exported.toPath());
  }
}
