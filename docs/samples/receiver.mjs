// A receiver of webhooks for Node 20 and later, without packages. Run it with
//   WEBHOOK_SECRET='whsec_…' PORT=3000 node receiver.mjs
// It answers 204 to what is genuine and 401 to anything else. With WEBHOOK_HEADERS=service it looks at
// X-Service-Signature in place of the headers of Standard Webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const { WEBHOOK_SECRET = '', WEBHOOK_HEADERS = 'standard', PORT = '3000' } = process.env;
const TOLERANCE_SECONDS = 300;

/** webhook-id, webhook-timestamp and webhook-signature: also tells that a request is not an old one, sent again. */
export function isGenuine(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !/^\d{1,12}$/.test(timestamp ?? '') || !signatures) return false;
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // There are two while a secret is exchanged for another.
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`));
}

/** X-Service-Signature: over the body alone. */
export function isGenuineBody(secret, headers, body) {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return isSame(headers['x-service-signature'] ?? '', `sha256=${expected}`);
}

/** Takes as long for the first wrong character as for the last one. */
function isSame(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const seen = new Set();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // The bytes as they came: JSON that was read and written again has another signature.
    const body = Buffer.concat(chunks);
    const check = WEBHOOK_HEADERS === 'service' ? isGenuineBody : isGenuine;
    if (!check(WEBHOOK_SECRET, request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    const { delivery_id: id, event } = JSON.parse(body.toString());
    // The same delivery may come more than once. Keep ids where they outlive the process.
    if (!seen.has(id)) process.stdout.write(`${event} ${id}\n`);
    seen.add(id);
    // Answer soon, and do what takes long afterwards.
    response.writeHead(204).end();
  });
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  server.listen(Number(PORT), '127.0.0.1', () => {
    process.stdout.write(`listening on ${server.address().port}\n`);
  });
}
