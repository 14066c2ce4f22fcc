import json
import os
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from queue import Queue
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from survey_api import AuthenticatedClient, Client
from survey_api.api.respondents import submit_public_response, upload_public_file
from survey_api.api.responses import export_responses, list_responses, update_response
from survey_api.api.surveys import create_survey, get_survey, publish_survey
from survey_api.api.webhooks import create_webhook, delete_webhook
from survey_api.models import (
    CreateSurveyRequest,
    CreateWebhookRequest,
    ErrorCode,
    ListResponsesOrder,
    Problem,
    PublicFile,
    ResponseSubmittedEvent,
    SubmitPublicResponseRequest,
    SubmitPublicResponseRequestData,
    SubmittedResponse,
    Survey,
    SurveyDefinition,
    SurveyResponse,
    UpdateResponseRequest,
    Webhook,
)
from survey_api.types import UNSET, File, Unset

gateway = os.environ["GATEWAY"]
api = AuthenticatedClient(base_url=gateway, token=os.environ["TOKEN"], raise_on_unexpected_status=True)
respondent = Client(base_url=gateway, raise_on_unexpected_status=True)
received: Queue[bytes] = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        received.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    log_message: Callable[..., None] = lambda *_: None


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{receiver.server_port}/hook"
webhook = create_webhook.sync(client=api, body=CreateWebhookRequest(url=url, event_types=["response.submitted"]))
assert isinstance(webhook, Webhook), webhook

questions = [
    {"id": "taste", "type": "rating", "title": "How was it?"},
    {"id": "receipt", "type": "file_upload", "title": "Your receipt"},
]
definition = SurveyDefinition.from_dict(
    {"title": "Lunch", "supported_languages": ["en"], "pages": [{"questions": questions}]}
)
survey = create_survey.sync(client=api, body=CreateSurveyRequest(schema_version="1.0", version=1, survey=definition))
assert isinstance(survey, Survey), survey
published = publish_survey.sync(survey.id, client=api)
assert isinstance(published, Survey), published

file = upload_public_file.sync(
    survey.id, client=respondent, body=File(BytesIO(b"One soup.")), question_id="receipt", filename="receipt.txt"
)
assert isinstance(file, PublicFile), file

submitted: list[str] = []
for answers in ({"taste": 3}, {"taste": 4}, {"taste": 5, "receipt": [{"file_id": file.file_id}]}):
    body = SubmitPublicResponseRequest(data=SubmitPublicResponseRequestData.from_dict(answers))
    made = submit_public_response.sync(survey.id, client=respondent, body=body)
    assert isinstance(made, SubmittedResponse), made
    submitted.append(made.id)

listed: list[str] = []
cursor: str | Unset | None = UNSET
while cursor is not None:
    page = list_responses.sync_detailed(survey.id, client=api, limit=2, cursor=cursor, order=ListResponsesOrder.ASC)
    assert isinstance(page.parsed, list), page.parsed
    listed += [response.id for response in page.parsed]
    link = page.headers.get("link", "")
    cursor = parse_qs(urlsplit(link[1 : link.index(">")]).query)["cursor"][0] if link else None

exported = export_responses.sync(survey.id, client=api)
assert isinstance(exported, File), exported
rows = exported.payload.read().decode().strip().split("\n")

correction = UpdateResponseRequest.from_dict({"data": {"taste": 2}})
corrected = update_response.sync(listed[0], client=api, body=correction)
assert isinstance(corrected, SurveyResponse), corrected

error = get_survey.sync(str(UUID(int=2**128 - 1)), client=api)
assert isinstance(error, Problem), error
assert error.code is ErrorCode.SURVEY_NOT_FOUND

event = ResponseSubmittedEvent.from_dict(json.loads(received.get(timeout=60)))
deleted = delete_webhook.sync_detailed(webhook.id, client=api)
receiver.shutdown()
print(
    json.dumps(
        {
            "survey": survey.id,
            "submitted": submitted,
            "listed": listed,
            "exported": len(rows) - 1,
            "file": file.file_id,
            "corrected": corrected.data["taste"],
            "deleted": deleted.status_code,
            "event": {"type": event.event, "response": str(event.data.response_id)},
            "error": error.code,
        }
    )
)
