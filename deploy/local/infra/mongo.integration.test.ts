import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { InfraOptions } from './infra.ts';
import { type Mongo, startMongo } from './mongo.ts';

let dataDir: string;
let lines: string[];
let running: Mongo[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-'));
  lines = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((mongo) => mongo.stop()));
  await rm(dataDir, { recursive: true });
});

async function start(options: Partial<InfraOptions> = {}): Promise<Mongo> {
  const mongo = await startMongo({
    dataDir,
    log: (line) => lines.push(line),
    // Exclude variables that select an existing server.
    env: { PATH: process.env.PATH },
    ...options,
  });
  running.push(mongo);
  return mongo;
}

async function withItems<T>(uri: string, action: (items: ReturnType<typeof itemsOf>) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await action(itemsOf(client));
  } finally {
    await client.close();
  }
}

const itemsOf = (client: MongoClient) => client.db('test').collection<{ _id: number }>('items');

describe('startMongo', () => {
  it('starts a replica set with journaled majority writes, and logs its origin', async () => {
    const { uri } = await start();
    const insert = withItems(uri, (items) =>
      items.insertOne({ _id: 1 }, { writeConcern: { w: 'majority', journal: true } }),
    );
    await expect(insert).resolves.toMatchObject({ acknowledged: true });
    expect(lines.at(-1)).toMatch(/^MongoDB: /);
  });

  it('finds its data again on another port', async () => {
    const first = await start();
    await withItems(first.uri, (items) => items.insertOne({ _id: 1 }));
    await first.stop();
    const second = await start({ port: (first.port ?? 0) + 500 });
    expect(second.uri).not.toBe(first.uri);
    expect(await withItems(second.uri, (items) => items.countDocuments())).toBe(1);
  });

  it('tries the next attempt if the mongod on the PATH fails', async () => {
    const bin = join(dataDir, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'mongod'), '#!/bin/sh\necho "cannot open libraries"\nexit 127\n', { mode: 0o755 });
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
    await expect(start({ env })).resolves.toHaveProperty('uri');
    expect(lines[0]).toMatch(/mongod on the PATH does not work \(it ended with exit code 127/);
  });

  it('uses the server in MONGODB_URI, and does not stop it', async () => {
    const uri = inject('mongodbUri');
    const external = await start({ env: { MONGODB_URI: uri } });
    expect(external).toMatchObject({ uri });
    expect(external.pid).toBeUndefined();
    await external.stop();
    expect(await withItems(uri, (items) => items.countDocuments())).toBe(0);
  });
});
