// A receiver of webhooks for Node 20 and later, without packages. Run it with
//   WEBHOOK_SECRET='whsec_…' PORT=3000 node receiver.mjs
// It replies with 204 to genuine requests, and with 401 to others. With WEBHOOK_HEADERS=service, it verifies
// X-Service-Signature instead of the headers of Standard Webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const { WEBHOOK_SECRET = '', WEBHOOK_HEADERS = 'standard', PORT = '3000' } = process.env;
const TOLERANCE_SECONDS = 300;

/** Verifies webhook-signature, and rejects old requests that somebody sends again. */
export function isGenuine(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !/^\d{1,12}$/.test(timestamp ?? '') || !signatures) return false;
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // During a rotation of the secret there are two.
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`));
}

/** Verifies X-Service-Signature, which signs only the body. */
export function isGenuineBody(secret, headers, body) {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return isSame(headers['x-service-signature'] ?? '', `sha256=${expected}`);
}

/** Compares in constant time. */
function isSame(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const seen = new Set();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // The raw bytes: serialising parsed JSON again would change them.
    const body = Buffer.concat(chunks);
    const check = WEBHOOK_HEADERS === 'service' ? isGenuineBody : isGenuine;
    if (!check(WEBHOOK_SECRET, request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    const { delivery_id: id, event } = JSON.parse(body.toString());
    // A delivery can arrive twice. In production, keep the ids in a database.
    if (!seen.has(id)) process.stdout.write(`${event} ${id}\n`);
    seen.add(id);
    // Reply first, and do slow work afterwards.
    response.writeHead(204).end();
  });
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Anybody can sign with an empty secret.
  if (WEBHOOK_SECRET === '') throw new Error('WEBHOOK_SECRET is missing');
  server.listen(Number(PORT), '127.0.0.1', () => {
    process.stdout.write(`listening on ${server.address().port}\n`);
  });
}
