"""A receiver of webhooks for Python 3.9 and later, without packages. Run it with
    WEBHOOK_SECRET='whsec_…' PORT=3000 python3 receiver.py
It replies with 204 to genuine requests, and with 401 to others. With WEBHOOK_HEADERS=service, it verifies
X-Service-Signature instead of the headers of Standard Webhooks.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
FAMILY = os.environ.get("WEBHOOK_HEADERS", "standard")
TOLERANCE_SECONDS = 300


def is_genuine(secret, headers, body, now=None):
    """Verifies webhook-signature, and rejects old requests that somebody sends again."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((now or time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation of the secret there are two.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(is_same(signature, expected) for signature in signatures)


def is_genuine_body(secret, headers, body):
    """Verifies X-Service-Signature, which signs only the body."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return is_same(headers.get("X-Service-Signature", ""), expected)


def is_same(one, other):
    """Compares in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


class Receiver(BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        # The raw bytes: serialising parsed JSON again would change them.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        check = is_genuine_body if FAMILY == "service" else is_genuine
        if not check(SECRET, self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        # A delivery can arrive twice. In production, keep the ids in a database.
        if event["delivery_id"] not in self.seen:
            print(event["event"], event["delivery_id"], flush=True)
        self.seen.add(event["delivery_id"])
        # Reply first, and do slow work afterwards.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    # Anybody can sign with an empty secret.
    if SECRET == "":
        raise SystemExit("WEBHOOK_SECRET is missing")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
