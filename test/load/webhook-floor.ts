// The floor, which is the minimal cost of delivering an event: a node:http process that stores events in MongoDB with
// group commits, signs and posts each, and stores the attempts. No fan-out, address checks, leases or retries.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Binary, type Collection, MongoClient } from 'mongodb';
import { Agent } from 'undici';
import './end-with-parent.ts';

const [uri = '', database = '', ...origins] = process.argv.slice(2);
const client = new MongoClient(uri, { writeConcern: { w: 'majority', journal: true } });
await client.connect();
const agent = new Agent({ connections: 4 });
let next = 0;

interface Row {
  readonly _id: string;
  readonly body?: Binary;
  readonly status?: number;
}

/** Inserts all documents within 2 ms with one command. */
function createGroups(collection: Collection<Row>): (row: Row) => Promise<void> {
  let waiting: { row: Row; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    const rows = batch.map(({ row }) => row);
    collection.insertMany(rows, { ordered: false }).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };
  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      if (waiting.length === 1) setTimeout(flush, 2);
    });
}

const storeEvent = createGroups(client.db(database).collection('events'));
const storeAttempt = createGroups(client.db(database).collection('attempts'));

async function deliver(id: string, body: Buffer): Promise<void> {
  next = (next + 1) % origins.length;
  const signature = createHmac('sha256', 'whsec_a secret of thirty-two bytes').update(body).digest('hex');
  const reply = await agent.request({
    // origins is never empty.
    origin: origins[next] as string,
    path: '/floor',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-signature': `sha256=${signature}` },
    body,
  });
  await reply.body.dump();
  await storeAttempt({ _id: id, status: reply.statusCode });
}

async function accept(event: Buffer, response: ServerResponse): Promise<void> {
  const id = randomUUID();
  const body = Buffer.from(JSON.stringify({ ...JSON.parse(event.toString()), delivery_id: id }));
  await storeEvent({ _id: id, body: new Binary(body) });
  response.writeHead(202).end();
  await deliver(id, body);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void accept(Buffer.concat(chunks), response));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await agent.destroy();
  await client.db(database).dropDatabase();
  await client.close();
  process.disconnect?.();
}
process.on('SIGTERM', () => void stop());
