import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ReceivedWebhook {
  readonly received_at: string;
  readonly signature: 'valid' | 'invalid';
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Receiver {
  readonly url: string;
  /** Sets the secret for the check of signatures. */
  readonly setSecret: (secret: string) => void;
  readonly close: () => Promise<void>;
}

const MAX_RECEIVED = 100;
const MAX_BODY_BYTES = 1024 * 1024;

/** Receives webhooks by POST, and returns the latest ones, newest first, by GET. */
export async function startReceiver(port: number): Promise<Receiver> {
  let secret = '';
  const received: ReceivedWebhook[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return sendJson(response, 200, received);
    if (request.method !== 'POST') return sendJson(response, 405, { detail: 'GET and POST only' });
    const body = await readBody(request);
    if (body === undefined) return sendJson(response, 413, { detail: `more than ${MAX_BODY_BYTES} bytes` });
    received.unshift({
      received_at: new Date().toISOString(),
      signature: isSigned(body, request.headers['x-service-signature'], secret) ? 'valid' : 'invalid',
      headers: request.headers,
      body: toJson(body),
    });
    received.splice(MAX_RECEIVED);
    return sendJson(response, 200, { received: true });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    setSecret: (value) => {
      secret = value;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isSigned(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const signature = Buffer.from(typeof header === 'string' ? header : '');
  return signature.length === expected.length && timingSafeEqual(signature, Buffer.from(expected));
}

/** Returns undefined if the body is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(content, null, 2)}\n`);
}
