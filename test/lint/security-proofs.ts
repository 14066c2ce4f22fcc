/**
 * The files that enforce the rules of SECURITY.md, and tests or test groups that prove them: by the bold words of the
 * rule, then by file.
 */
export const securityProofs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Ambiguous requests are rejected': {
    'enforced by': ['gateway/src/api/express-app.ts', 'gateway/src/http/broken-requests.ts'],
    'gateway/src/gateway-smuggling.test.ts': [
      'an ambiguous request is rejected with',
      'a request is rejected if its headers have',
      'a request is rejected if its chunks have',
    ],
  },
  'A body is never parsed as a request': {
    'enforced by': ['lib/runtime/src/rest/problem.ts'],
    'gateway/src/gateway-smuggling.test.ts': ['a request within the body of another'],
    'gateway/src/gateway-broken-requests.test.ts': ['keeps the reply to a %s, and sends no other'],
  },
  'A request has one `Host`.': {
    'enforced by': ['lib/runtime/src/rest/header-lines.ts', 'gateway/src/route-table.ts'],
    'gateway/src/gateway-broken-requests.test.ts': ['is rejected at %s with %s', 'is 404 if it requests a tunnel'],
    'gateway/src/gateway-smuggling.test.ts': [
      'for another host finds nothing',
      'is handled without the upgrade and its settings',
    ],
  },
  'Gateway and service route a path in the same way': {
    'enforced by': ['gateway/src/route-table.ts', 'lib/runtime/src/rest/router.ts'],
    'gateway/src/route-table.test.ts': ['rejects %s'],
  },
  'A JSON body has one meaning': {
    'enforced by': ['lib/runtime/src/json/parse-json.ts', 'lib/runtime/src/rest/json-input.ts'],
    'lib/runtime/src/rest/transcoder-bodies.test.ts': [
      'is rejected when it is nested too deep, before a value is built',
    ],
    'lib/runtime/src/json/parse-json.test.ts': ['reports where a name occurs twice in %s'],
    'test/e2e/isolation.e2e.test.ts': ['$name rejects an unknown query parameter'],
  },
  'Slow clients are disconnected': {
    'enforced by': ['lib/runtime/src/service/http-listener.ts', 'gateway/src/forwarding/backend-proxy.ts'],
    'lib/runtime/src/service/http-listener-slow.test.ts': [
      'closes the connection of a caller that',
      'a caller that reads more slowly is disconnected',
    ],
    'gateway/src/forwarding/backend-proxy-aborts.isolated.test.ts': ['no connection, slot, listener or object is left'],
  },
  'No caller can use up a [shared resource](gateway/src/docs/shared-resources.ts)': {
    'enforced by': [
      'gateway/src/forwarding/backend-proxy.ts',
      'gateway/src/forwarding/message-forwarder.ts',
      'gateway/src/rates/client-limits.ts',
    ],
    'gateway/src/gateway-limits.test.ts': ['takes no slot from tenants, and none from a school behind one address'],
    'gateway/src/forwarding/backend-proxy-limits.test.ts': [
      'for a %s are never used up by one caller',
      'for messages are not used by streams, nor by long bodies',
    ],
  },
  'Body sizes are limited': {
    'enforced by': ['gateway/src/api/api-handler.ts', 'gateway/src/forwarding/stream-forwarder.ts'],
    'gateway/src/gateway.test.ts': ['replies 413 to a body over the limit before the service sees it'],
    'gateway/src/forwarding/backend-proxy-streams.test.ts': ['a body of any size takes no memory'],
  },
  'Requests beyond the capacity are rejected': {
    'enforced by': ['gateway/src/api/express-app.ts', 'gateway/src/forwarding/backend-proxy.ts'],
    'gateway/src/forwarding/backend-proxy-limits.test.ts': [
      'is not sent more than it may have at a time: the rest is rejected immediately, until some have ended',
    ],
  },
  'Impersonating headers are removed': {
    'enforced by': ['gateway/src/forwarding/header-rules.ts'],
    'gateway/src/gateway.test.ts': ['does not have headers that impersonate another caller'],
    'gateway/src/gateway-headers.test.ts': ['is not taken from headers of the client itself'],
  },
  'The client address': {
    'enforced by': ['gateway/src/forwarding/client-address.ts'],
    'gateway/src/forwarding/client-address.test.ts': ['the address of the client'],
    'gateway/src/gateway-headers.test.ts': ['is forwarded to services as a trusted proxy reports it'],
  },
  'Tokens are valid in every part': {
    'enforced by': [
      'gateway/src/tokens/token-format.ts',
      'gateway/src/tokens/token-verifier.ts',
      'gateway/src/tokens/key-set.ts',
      'gateway/src/tokens/token-claims.ts',
    ],
    'gateway/src/tokens/token-verifier-attacks.test.ts': [
      'an attack by the algorithm is rejected',
      'an attack by the key is rejected',
      'an attack by the form is rejected',
    ],
    'gateway/src/tokens/token-verifier-signatures.test.ts': ['an ECDSA signature'],
    'gateway/src/authentication/authenticator.test.ts': [
      'is reported to the caller by one of four texts, and as %s in a metric and the log',
    ],
    'gateway/src/tokens/token-verifier-fuzz.test.ts': [
      'is rejected without other effects after any change of its text',
    ],
  },
  'Settings of issuers': {
    'enforced by': ['gateway/src/tokens/trusted-issuers.ts'],
    'gateway/src/tokens/token-verifier-issuers.test.ts': ['a token is rejected if its issuer is %s'],
  },
  'The last keys stay': {
    'enforced by': ['gateway/src/tokens/trusted-issuers.ts'],
    'gateway/src/tokens/trusted-issuers-remote.test.ts': [
      'stay valid when the provider sends %s later',
      'are rejected when the provider publishes their private part, though it has no other key',
    ],
  },
  'Single tokens can be revoked.': {
    'enforced by': [
      'services/identity/src/revoked-tokens/revoked-token-service.ts',
      'gateway/src/authentication/authenticator.ts',
    ],
    'gateway/src/gateway-tokens.test.ts': [
      'is soon rejected, and other tokens of its user are not',
      'is worth nothing in another one, whatever headers come with it',
    ],
  },
  'Guesses and floods are rate limited': {
    'enforced by': [
      'gateway/src/rates/client-limits.ts',
      'gateway/src/rates/tenant-limits.ts',
      'services/identity/src/rates/rate-limit-store.ts',
    ],
    'gateway/src/gateway-limits.test.ts': [
      'that guesses tokens soon gets 429, while known clients at its address are served',
    ],
    'gateway/src/authentication/authenticator-known-callers.test.ts': [
      'a token in use stays valid during an outage, and a new one waits until its end',
    ],
    'gateway/src/rates/client-limits.test.ts': [
      'has a limit of concurrent requests, and known users at its address are admitted',
    ],
    'test/e2e/limits.e2e.test.ts': [
      'is admitted up to its limit per minute, within 5 %, and no other tenant is rejected',
    ],
  },
  'The work for a response has a limit': {
    'enforced by': ['lib/questionnaire/src/logic/steps.ts'],
    'lib/questionnaire/src/logic/steps.test.ts': ['rejects the most costly answers without testing them'],
    'lib/questionnaire/src/logic/steps.isolated.test.ts': ['%s take steps for answer plus conditions, or have a limit'],
  },
  'Every route checks the permission': {
    'enforced by': ['gateway/src/api/api-handler.ts'],
    'test/e2e/isolation.e2e.test.ts': ['$name without a token is 401', 'are asked for before anything is looked up'],
  },
  'Changed permissions, users, API keys and tenants': {
    'enforced by': ['gateway/src/authentication/permission-cache.ts'],
    'gateway/src/authentication/permission-cache.test.ts': ['returns a change after three seconds'],
    'test/e2e/changed-permissions.e2e.test.ts': ['a change of permissions soon takes effect at the gateway'],
  },
  'API keys are stored as hashes': {
    'enforced by': ['lib/runtime/src/auth/api-key-secret.ts'],
    'gateway/src/gateway-api-keys.test.ts': ['%s is 401 with the fixed body'],
    'gateway/src/authentication/authenticator.test.ts': [
      'is looked up only by its hash, so that timing reveals nothing about the secret',
    ],
    'services/identity/src/api-keys/api-key-handler.integration.test.ts': ['have no more permissions than their user'],
  },
  'Keys that an API key creates': {
    'enforced by': ['services/identity/src/api-keys/api-key-service.ts'],
    'services/identity/src/api-keys/api-key-handler.integration.test.ts': [
      'creates no key with more permissions, or that ends later',
      'deletes only itself and keys without more permissions',
      'is deleted by every user who may delete keys',
    ],
  },
  'Guessing the password of a link is slow.': {
    'enforced by': ['services/response/src/surveys/password-guesses.ts'],
    'services/response/src/surveys/password-guesses.test.ts': [
      'has five wrong guesses, then one every six seconds, and its other guesses are not checked',
      'is accepted from every client without wrong guesses, even while many clients guess',
    ],
    'services/response/src/surveys/public-link.integration.test.ts': [
      'does not block visitors with the right password, even if it comes from many addresses',
    ],
  },
  'A single-use link with its token': {
    'enforced by': ['services/response/src/submissions/replay.ts', 'services/response/src/response-mapper.ts'],
    'services/response/src/surveys/link-submission.integration.test.ts': [
      'has one response in progress, which its link returns on every device, and which uses it up when complete',
      'reveals only that a response is in progress, if the setting says so',
    ],
  },
  'Metadata that a link or token gives': {
    'enforced by': [
      'services/response/src/submissions/submission.ts',
      'services/response/src/progress/progress.ts',
      'services/response/src/response-mapper.ts',
    ],
    'services/response/src/surveys/link-submission.integration.test.ts': [
      'is in each response, goes before that of the request, and is not shown to the respondent',
      'stays when the respondent saves the metadata %j',
    ],
    'services/response/src/surveys/invitations.integration.test.ts': [
      'goes before that of the link, and that before that of the request; nobody is shown it',
      'stays when the respondent saves the metadata %j, and is not shown',
      'is bound to its invitation, and never stored in plain text, nor with its token',
    ],
  },
  'An idempotency key without a token': {
    'enforced by': ['lib/runtime/src/idempotency/idempotency-key.ts'],
    'services/response/src/submissions/submission.integration.test.ts': [
      'must be a random UUID without a token, because whoever knows it gets the first reply',
    ],
  },
  'An idempotency key with a token': {
    'enforced by': ['lib/runtime/src/idempotency/idempotency-key.ts'],
    'services/response/src/submissions/submission.integration.test.ts': [
      'of a call with a token can be any text, and is invalid for a caller with other permissions',
    ],
    'lib/runtime/src/idempotency/idempotency.integration.test.ts': [
      'is rejected when an API key of the same user with other permissions sent the key before',
    ],
  },
  'A chosen slug stays reserved for its tenant': {
    'enforced by': ['services/survey/src/links/slug-store.ts'],
    'services/survey/src/links/link-store.integration.test.ts': [
      'stays reserved for the tenant for 90 days after the deletion, and finds no link',
      'is never free between a rename and a concurrent creation by another tenant',
      'leaves only its hash when the tenant is erased, for 90 days',
    ],
  },
  'Closed links and surveys': {
    'enforced by': ['services/response/src/progress/progress-service.ts'],
    'services/response/src/progress/progress.integration.test.ts': [
      'and finishing are rejected if the link is %s, but reading is possible',
      'and finishing are rejected at the address of a survey with links only',
    ],
    'services/response/src/surveys/snapshots.test.ts': [
      'is cached for a second from the start of the call that read it, however long the call took',
    ],
  },
  'Scripts of other origins': {
    'enforced by': ['gateway/src/http/cors.ts'],
    'gateway/src/gateway-cors.test.ts': [
      'may not read replies of tenants’ routes, nor send preflight requests',
      'may read nothing: %j',
    ],
  },
  'Replies of the API': {
    'enforced by': ['gateway/src/http/security-headers.ts'],
    'gateway/src/gateway-headers.test.ts': ['a reply tells browsers not to render it as a page'],
  },
  "Respondents' files are downloaded": {
    'enforced by': ['services/response/src/files/file-handler.ts', 'lib/questionnaire/src/columns/csv.ts'],
    'services/response/src/files/download.integration.test.ts': ['is an attachment that no browser shows or runs'],
    'lib/questionnaire/src/columns/csv.test.ts': ['has no cell that is a formula for a reader with another separator'],
    'services/response/src/exports/export-handler.integration.test.ts': [
      'has no cell that begins with a formula for a reader with the separator %j',
    ],
    'services/response/src/exports/workbook.test.ts': [
      'keeps texts that look like formulas, markup or escapes as texts',
    ],
  },
  'Client, command line and pages follow no redirect': {
    'enforced by': [
      'lib/client/src/call.ts',
      'gateway/src/web-apps/web-apps.ts',
      'web/respond/src/session/upload-fetch.ts',
      'web/console/src/imports/upload-request.ts',
    ],
    'lib/client/src/client.test.ts': ['of %i is an error that names its target, which gets no request'],
    'web/respond/src/session/uploads.test.ts': [
      'fails with an error that names the target, although the browser has followed the redirect',
    ],
    'web/console/src/imports/upload-request.test.ts': ['returns a followed redirect as a redirect'],
    'gateway/src/web-apps/web-apps.test.ts': [
      'send requests only to the gateway, and the console also to the identity provider',
    ],
  },
  'The documentation loads nothing from other hosts': {
    'enforced by': ['gateway/src/docs/docs.ts'],
    'gateway/src/gateway-pages.test.ts': [
      'show the documentation without requests to other hosts',
      'forbid inline scripts, and allow inline styles only in the reference',
    ],
    'test/e2e/docs.e2e.test.ts': ['runs calls with the unchanged examples, and sends requests only to the gateway'],
  },
  'Guides contain no HTML': {
    'enforced by': ['gateway/src/docs/markdown.ts'],
    'gateway/src/docs/markdown.test.ts': ['leaves HTML out: %s'],
  },
  'The documentation stores tokens': {
    'enforced by': ['gateway/src/docs/browser/reference.js'],
    'test/e2e/docs.e2e.test.ts': ['stores no token if DOCS_KEEP_TOKEN is off'],
  },
  'Each call has a token': {
    'enforced by': ['lib/runtime/src/auth/internal-token.ts', 'lib/runtime/src/rpc/pipeline.ts'],
    'lib/runtime/src/auth/internal-token.test.ts': ['are rejected from a caller that may not call the service'],
    'test/e2e/isolation.e2e.test.ts': ['$name at its service without $permission is 403'],
  },
  'Every internal operation lists its callers': {
    'enforced by': ['lib/runtime/src/rpc/access.ts', 'lib/runtime/src/rpc/pipeline.ts'],
    'lib/runtime/src/rpc/pipeline-internal-callers.test.ts': ['$name called by $caller is $result'],
    'test/e2e/internal-callers.e2e.test.ts': ['$name called with the key of $caller is $result'],
  },
  'Calls of public routes never carry a tenant': {
    'enforced by': ['gateway/src/api/api-handler.ts'],
    'gateway/src/gateway.test.ts': [
      'is a token that names no tenant on a public route, whatever token the caller sends',
    ],
  },
  'Internal headers and error details': {
    'enforced by': ['gateway/src/forwarding/header-rules.ts', 'gateway/src/forwarding/forwarder.ts'],
    'gateway/src/forwarding/backend-proxy-replies.test.ts': ['hides the internal headers of services'],
    'gateway/src/forwarding/backend-proxy.test.ts': [
      'is 503 with Retry-After if the connection is refused, without the address of the service',
    ],
  },
  'A reply never reaches another request': {
    'enforced by': ['gateway/src/forwarding/message-forwarder.ts', 'gateway/src/forwarding/stream-forwarder.ts'],
    'gateway/src/forwarding/backend-proxy-replies.test.ts': [
      'is not used for the next request if a service sends several replies',
    ],
  },
  'With `TLS_DIR`, both sides present certificates': {
    'enforced by': ['lib/runtime/src/rpc/peer-tls.ts'],
    'lib/runtime/src/rpc/peer-tls.test.ts': ['is rejected by a client if the certificate is for another name'],
    'gateway/src/forwarding/backend-proxy-tls.test.ts': ['rejects a request if the gateway %s'],
  },
  'Every operation has an access rule': {
    'enforced by': ['lib/runtime/src/rpc/access.ts'],
    'lib/runtime/src/service/service-app-host.test.ts': [
      'does not come up with an operation that has no access option',
    ],
  },
  'Every query filters by the tenant.': {
    'enforced by': ['lib/runtime/src/mongo/tenant-collection.ts', 'oxlint.config.ts'],
    'lib/runtime/src/mongo/tenant-collection.integration.test.ts': [
      'finds only documents of its tenant, with any filter',
    ],
    'test/lint/import-rules.test.ts': ['rejects what a file may not import or read, and says why'],
  },
  'Answers, files and secrets are encrypted': {
    'enforced by': ['lib/runtime/src/crypto/tenant-cipher.ts', 'lib/runtime/src/crypto/envelope.ts'],
    'lib/runtime/src/crypto/tenant-cipher-tampering.test.ts': [
      'does not open with any bit of its IV, content or tag flipped',
    ],
    'lib/runtime/src/crypto/envelope.integration.test.ts': [
      'does not read a record of another tenant or with other additional authenticated data',
    ],
  },
  'External ids are encrypted.': {
    'enforced by': ['services/response/src/responses/response-sealer.ts'],
    'services/response/src/external-ids/external-ids.integration.test.ts': [
      'is set when a response is created, shown, and stored encrypted, also after a correction',
      'are sealed in the background, found and shown as before, and left in no collection',
    ],
  },
  'Replies of webhook receivers': {
    'enforced by': ['services/webhook/src/deliveries/delivery-document.ts', 'services/webhook/src/fan-out/fan-out.ts'],
    'services/webhook/src/deliveries/replies.integration.test.ts': [
      'is stored encrypted, also its content type, and erased when the response is deleted',
    ],
    'test/e2e/deliveries.e2e.test.ts': [
      'is in no collection, in any encoding, also after corrections, imports and the deletion',
    ],
  },
  'Files to import': {
    'enforced by': ['services/import/src/staging/staged-file.ts', 'services/import/src/staging/spool.ts'],
    'services/import/src/staging/staging.integration.test.ts': [
      'cannot be read if its batches are reordered, shortened or of another tenant',
      'is encrypted, expires, and is discarded with its file',
    ],
  },
  'Data of a deleted tenant cannot be read': {
    'enforced by': ['lib/runtime/src/tenants/tenant-eraser.ts'],
    'test/e2e/deleted-tenant.e2e.test.ts': [
      'that is deleted is rejected immediately, and gone from every service soon after',
    ],
  },
  'Brokers and databases present certificates.': {
    'enforced by': ['lib/runtime/src/kafka/kafka-security.ts'],
    'lib/runtime/src/kafka/kafka-security.integration.test.ts': [
      'rejects a broker whose certificate another authority signed',
    ],
  },
  'Unreadable messages do not block a consumer': {
    'enforced by': ['lib/runtime/src/kafka/dead-letters.ts'],
    'lib/runtime/src/kafka/consumer-dead-letters.integration.test.ts': [
      'moves unreadable messages to the dead letters, with the cause, and continues',
    ],
  },
  'Only public addresses are connected': {
    'enforced by': ['services/webhook/src/targets/address-rules.ts', 'services/webhook/src/sending/http-sender.ts'],
    'services/webhook/src/forbidden-targets.integration.test.ts': [
      'is rejected on creation and change, without a connection: %s',
      'that changes with each lookup is connected at the checked address, or not at all',
    ],
  },
  'Redirects are not followed': {
    'enforced by': ['services/webhook/src/sending/http-sender.ts'],
    'services/webhook/src/forbidden-targets.integration.test.ts': ['of %s to %s is a failure and is not followed'],
  },
  'A receiver uses bounded time and memory': {
    'enforced by': ['services/webhook/src/sending/http-sender.ts'],
    'services/webhook/src/hostile-receivers.integration.test.ts': ['the service holds a small part of it: %s'],
    'services/webhook/src/isolation.integration.test.ts': [
      'delay neither other webhooks of their tenant nor those of other tenants, all on one origin',
    ],
  },
  'Stored values of headers': {
    'enforced by': ['services/webhook/src/webhooks/webhook-headers.ts'],
    'services/webhook/src/webhook-handler.integration.test.ts': [
      'must be sent again or removed when scheme, host or port changes',
      'are not sent to another origin by redeliveries and replays',
    ],
  },
  'The signature covers the exact bytes': {
    'enforced by': ['services/webhook/src/sending/signature.ts'],
    'services/webhook/src/sending/signature.test.ts': ['is over the bytes, whatever they are'],
  },
  'Imports have bounded size': {
    'enforced by': ['lib/formats/src/core/budget.ts', 'lib/formats/src/files/xml.ts'],
    'lib/formats/src/fuzz.test.ts': ['hostile files are rejected, or harmless'],
    'lib/formats/src/files/xml.test.ts': ['is rejected with its location when it has %s'],
    'lib/formats/src/tables/workbook.test.ts': ['%s is rejected'],
  },
  'A file that takes too much memory or CPU time': {
    'enforced by': ['services/import/src/reading/reading.ts', 'services/import/src/reading/watch.ts'],
    'services/import/src/reading/reading.integration.test.ts': [
      'serves other tenants while one tenant holds its thread',
      'rejects a file that takes too much time, and replaces the thread',
    ],
  },
  'Patterns take linear time': {
    'enforced by': ['test/lint/patterns.test.ts'],
    'test/lint/patterns.test.ts': ['take linear time, or get only short texts'],
  },
  "Respondents' files have a limited size": {
    'enforced by': ['services/response/src/files/file-receiver.ts'],
    'services/response/src/files/upload.integration.test.ts': ['is rejected when it is %s, and leaves nothing'],
  },
  'Operator calls': {
    'enforced by': ['lib/runtime/src/rpc/access.ts'],
    'services/identity/src/app.integration.test.ts': ['takes no operation of operators over REST'],
  },
  "`/metrics` at the gateway's public port": {
    'enforced by': ['gateway/src/metrics/metrics-page.ts'],
    'gateway/src/gateway-outages.test.ts': ['replies to a caller with %s by %o'],
  },
  'Logs have no tokens, secrets, answers, bodies or client addresses': {
    'enforced by': ['gateway/src/api/express-app.ts', 'lib/runtime/src/log/create-log.ts'],
    'gateway/src/api/express-app-log.test.ts': [
      'has a line for each request, with id, route, status, tenant and duration, without its address',
    ],
    'test/e2e/provoked-logs.e2e.test.ts': ['tokens that are rejected'],
    'lib/runtime/src/telemetry/preload.test.ts': [
      'sends the lines of standard output, including the last ones, with severity and trace',
    ],
  },
  'Traces have only attributes of a fixed list.': {
    'enforced by': ['lib/runtime/src/telemetry/start-telemetry.ts', 'lib/runtime/src/telemetry/process-telemetry.ts'],
    'lib/runtime/src/telemetry/start-telemetry-redaction.test.ts': [
      'has only listed attributes, no text of an error and no event',
    ],
    'lib/runtime/src/telemetry/preload-collectors.test.ts': [
      'a process serves and stops in order, whatever its collector of traces does:',
    ],
    'test/e2e/trace.e2e.test.ts': ['is one trace of the platform, from the gateway to the webhook, without secrets'],
  },
  'Metrics have ids only of tenants and surveys': {
    'enforced by': ['gateway/src/metrics/request-series.ts', 'services/response/src/responses/module.ts'],
    'gateway/src/metrics/request-series.test.ts': [
      'belong to tenants up to the maximum of series, then to the label other, each request once',
    ],
    'test/e2e/metrics.e2e.test.ts': ['has no labels that Prometheus sets itself, and ids only of tenants and surveys'],
  },
  'Every change is audited': {
    'enforced by': ['services/identity/src/audit/audit-event-store.ts'],
    'test/e2e/audit.e2e.test.ts': [
      'shows every change once, with its actor and request',
      'shows no secret, no password, no token and no answer',
    ],
  },
  'Keys can be rotated without downtime': {
    'enforced by': ['lib/runtime/src/config/follow-files.ts'],
    'lib/runtime/src/crypto/keyring-following.integration.test.ts': [
      'wraps new data keys with the new active key, and the old ones too, until the old key can go',
    ],
  },
  'Packages have exact versions': {
    'enforced by': ['package-lock.json', '.npmrc', 'deploy/local/bootstrap.js'],
    'deploy/local/bootstrap.test.ts': ['installs from the lock file, without scripts, if there is no node_modules'],
  },
  'Images are built on a base image with a digest': {
    'enforced by': ['tools/cluster/image-commands.ts'],
    'tools/cluster/image-commands.test.ts': ['is named by the digest in the registry'],
    'test/lint/dockerfile.test.ts': ['every image is the argument BASE or has a digest'],
  },
  'The gateway contains no database driver and no Kafka client': {
    'enforced by': ['oxlint.config.ts'],
    'gateway/src/gateway-modules.test.ts': ['the gateway loads no driver of a database and no client of Kafka'],
  },
};
