// The floor, which is the minimal cost of accepting a response: a node:http process that parses the body, encrypts the
// answers, and stores concurrent requests with group commits (majority, journaled). No checks, tokens or events.
import { createCipheriv, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Binary, type Collection, MongoClient } from 'mongodb';
import './end-with-parent.ts';

const [uri = '', database = ''] = process.argv.slice(2);
const client = new MongoClient(uri, { writeConcern: { w: 'majority', journal: true } });
await client.connect();
const collection: Collection<{ _id: string; data: Binary }> = client.db(database).collection('responses');
const key = createSecretKey(randomBytes(32));

let waiting: { document: { _id: string; data: Binary }; done: (error?: unknown) => void }[] = [];

function flush(): void {
  const batch = waiting;
  waiting = [];
  collection
    .insertMany(
      batch.map(({ document }) => document),
      { ordered: false },
    )
    .then(
      () => {
        for (const { done } of batch) done();
      },
      (error) => {
        for (const { done } of batch) done(error);
      },
    );
}

function encrypt(text: string): Binary {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return new Binary(Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString());
    const document = { _id: randomUUID(), data: encrypt(JSON.stringify(data)) };
    const done = (error?: unknown) => {
      response.writeHead(error === undefined ? 201 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: document._id }));
    };
    waiting.push({ document, done });
    if (waiting.length === 1) setTimeout(flush, 2);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await client.db(database).dropDatabase();
  await client.close();
  process.disconnect?.();
}
process.on('SIGTERM', () => void stop());
