"""Prints whether docs/samples/receiver.py accepts each test vector: true or false, one a line."""

import email.message
import json
import sys

sys.path.insert(0, sys.argv[1])
import receiver  # noqa: E402

for vector in json.load(sys.stdin)["vectors"]:
    headers = email.message.Message()
    for name, value in vector["headers"].items():
        headers[name] = value
    body, secret = vector["body"].encode(), vector["secret"]
    if vector["scheme"] == "body":
        accepted = receiver.is_genuine_body(secret, headers, body)
    else:
        accepted = receiver.is_genuine(secret, headers, body, vector["now"])
    print("true" if accepted else "false")
