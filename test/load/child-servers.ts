// HTTP servers in processes of their own. The first argument names one: a floor, which is a minimal program with which
// a bench compares the platform, or receivers of webhooks. A server sends `{ port }` when it listens.
import { createCipheriv, createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Binary, type Db, MongoClient } from 'mongodb';
import { Agent } from 'undici';
import type { ReceiverReport, ToReceivers } from './webhook-receivers.ts';

interface Row {
  readonly _id: string;
  readonly [member: string]: unknown;
}

interface ChildListener {
  readonly listener: RequestListener;
  readonly close?: () => Promise<void>;
}

const servers: Readonly<Record<string, (args: readonly string[]) => Promise<ChildListener>>> = {
  'ingest-floor': createIngestFloor,
  'delivery-floor': createDeliveryFloor,
  'bare-proxy': async ([target = '']) => ({ listener: express().use(createProxyMiddleware({ target })) }),
  upstream: createUpstream,
  receivers: createReceivers,
};

/**
 * The least work that accepts a response: parses the body, encrypts the answers, and stores concurrent requests with
 * group commits. No checks, tokens or events.
 */
async function createIngestFloor([uri = '']: readonly string[]): Promise<ChildListener> {
  const { db, close } = await openDatabase(uri);
  const store = createGroupCommit(db, 'responses');
  const key = createSecretKey(randomBytes(32));
  const encrypt = (text: string) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    return new Binary(Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]));
  };
  return {
    listener: (request, response) =>
      readBody(request, async (body) => {
        const { data } = JSON.parse(body.toString());
        const id = randomUUID();
        await store({ _id: id, data: encrypt(JSON.stringify(data)) });
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
      }),
    close,
  };
}

/**
 * The least work that delivers an event: stores it, signs and posts it to one of the origins, and stores the attempt.
 * No fan-out, address checks, leases or retries.
 */
async function createDeliveryFloor([uri = '', ...origins]: readonly string[]): Promise<ChildListener> {
  const { db, close } = await openDatabase(uri);
  const [storeEvent, storeAttempt] = [createGroupCommit(db, 'events'), createGroupCommit(db, 'attempts')];
  const agent = new Agent({ connections: 4 });
  let next = 0;
  async function deliver(id: string, body: Buffer): Promise<void> {
    next = (next + 1) % origins.length;
    const signature = createHmac('sha256', 'whsec_a secret of thirty-two bytes').update(body).digest('hex');
    const reply = await agent.request({
      origin: origins[next] ?? '',
      path: '/floor',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': `sha256=${signature}` },
      body,
    });
    await reply.body.dump();
    await storeAttempt({ _id: id, status: reply.statusCode });
  }
  return {
    listener: (request, response) =>
      readBody(request, async (event) => {
        const id = randomUUID();
        const body = Buffer.from(JSON.stringify({ ...JSON.parse(event.toString()), delivery_id: id }));
        await storeEvent({ _id: id, body: new Binary(body) });
        response.writeHead(202).end();
        await deliver(id, body);
      }),
    async close() {
      await agent.destroy();
      await close();
    },
  };
}

/** Opens a database of its own, which `close` drops. Writes are durable on a majority of members. */
async function openDatabase(uri: string) {
  const client = new MongoClient(uri, { writeConcern: { w: 'majority', journal: true } });
  await client.connect();
  const db = client.db(`floor-${randomUUID()}`);
  return {
    db,
    async close() {
      await db.dropDatabase();
      await client.close();
    },
  };
}

/** Inserts all documents within 2 ms with one command. */
function createGroupCommit(db: Db, name: string): (document: Row) => Promise<void> {
  const collection = db.collection<Row>(name);
  let waiting: { document: Row; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    const documents = batch.map(({ document }) => document);
    collection.insertMany(documents, { ordered: false }).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };
  return (document) =>
    new Promise((resolve, reject) => {
      waiting.push({ document, resolve, reject });
      if (waiting.length === 1) setTimeout(flush, 2);
    });
}

/** Reads the body of a request. If `use` fails, the process ends. */
function readBody(request: IncomingMessage, use: (body: Buffer) => unknown): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(Buffer.concat(chunks)));
}

/** Gives the proxies a short reply. */
async function createUpstream(): Promise<ChildListener> {
  const reply = JSON.stringify({ id: '01890a5d-ac96-774b-bcce-b302099a8057', status: 'completed' });
  const head = { 'content-type': 'application/json', 'content-length': reply.length, 'cache-control': 'no-store' };
  return {
    listener: (request, response) => void request.resume().once('end', () => response.writeHead(201, head).end(reply)),
  };
}

/**
 * Receives webhooks on all addresses of 127.0.0.0/8. Requests to paths with /mute get no reply. For the others, it
 * reports counts, times and the delay since `data.at` of events of the measured load.
 */
async function createReceivers(): Promise<ChildListener> {
  let [delays, times, ids]: [number[], number[], Set<string>] = [[], [], new Set()];
  let [repeated, load] = [0, 0];
  process.on('message', (message: ToReceivers) => {
    if (message !== 'report') {
      [delays, times, ids, repeated] = [[], [], new Set(), 0];
      load = message.load;
    }
    const sorted = delays.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    const report: ReceiverReport = {
      received: times.length,
      fresh: ids.size,
      repeated,
      seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
    };
    process.send?.(report);
  });
  return {
    listener: (request, response) =>
      readBody(request, (body) => {
        if (request.url?.startsWith('/mute')) return;
        const now = performance.timeOrigin + performance.now();
        const { data, delivery_id } = JSON.parse(body.toString());
        response.end();
        times.push(now);
        // Late and repeated events of an earlier load do not count.
        if (data.load !== load) return;
        if (ids.has(delivery_id)) repeated += 1;
        else delays.push(now - data.at);
        ids.add(delivery_id);
      }),
  };
}

const [name = '', ...args] = process.argv.slice(2);
const create = servers[name];
if (create === undefined) throw new Error(`there is no server ${name}`);
const { listener, close } = await create(args);
// Only clients close connections: their idle timeouts are shorter.
const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0, headersTimeout: 0 }, listener);
server.listen(0, '0.0.0.0', 65_535, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
async function stop(): Promise<void> {
  // Work in progress fails.
  process.on('unhandledRejection', () => undefined);
  server.close();
  server.closeAllConnections();
  await close?.();
  process.exit();
}
process.on('SIGTERM', () => void stop());
// The process does not outlive a bench that was killed.
process.once('disconnect', () => process.exit());
