#!/bin/sh
# Verifies a webhook by hand. Needs openssl. The raw body is on standard input:
#   ./verify.sh standard "$secret" "$webhook_id" "$webhook_timestamp" "$webhook_signature" < body
#   ./verify.sh service "$secret" "$x_service_signature" < body
# Exits with 0 if it is genuine, otherwise with 1.
set -eu

hex() { od -An -v -tx1 | tr -d ' \n'; }
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }

family=$1 secret=$2
# Anybody can sign with an empty secret.
[ -n "$secret" ] || exit 1
case $family in
standard)
  id=$3 timestamp=$4 signatures=$5
  case $timestamp in '' | *[!0-9]*) exit 1 ;; esac
  age=$(($(date +%s) - timestamp))
  [ "$age" -le 300 ] && [ "$age" -ge -300 ] || exit 1
  case $secret in
  whsec_*) key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | hex) ;;
  *) key=$(printf %s "$secret" | hex) ;;
  esac
  expected=v1,$( (printf '%s.%s.' "$id" "$timestamp" && cat) | hmac "$key" | openssl base64 -A)
  # During a rotation of the secret there are two.
  for signature in $signatures; do
    [ "$signature" = "$expected" ] && exit 0
  done
  exit 1
  ;;
service)
  [ "$3" = "sha256=$(hmac "$(printf %s "$secret" | hex)" | hex)" ]
  ;;
*)
  exit 2
  ;;
esac
