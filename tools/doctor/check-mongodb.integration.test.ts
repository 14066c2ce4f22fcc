import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mongo, startMongo } from '@survey/local/infra/mongo';
import { testLog } from '@survey/runtime/testing/test-log';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkMongodb } from './check-mongodb.ts';

let folder: string;
let mongo: Mongo;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-mongodb-'));
  // Exclude variables that select an existing server.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  mongo = await startMongo({ dataDir: folder, failPoints: true, log: (line) => testLog.info(line), env });
});

afterAll(async () => {
  await mongo.stop();
  await rm(folder, { recursive: true });
});

describe('the check of MongoDB', () => {
  it.each([
    ['does not reply', { blockConnection: true, blockTimeMS: 2_000 }, /timed out/, /disk/],
    ['rejects the user', { errorCode: 13 }, /^cannot be read: /, /readWrite/],
  ])('ends with a problem if a server %s', async (_case, data, detail, remedy) => {
    const client = new MongoClient(mongo.uri);
    const fail = { failCommands: ['listIndexes'], ...data };
    await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data: fail });
    const databases = [{ service: 'survey', uri: mongo.uri, database: 'any', keyring: undefined }];
    const indexes = { survey: { surveys: [{ name: 'newest', key: { at: 1 } }] } };
    const findings = await checkMongodb(databases, { indexes, clock: () => new Date(), commandTimeoutMs: 300 });
    await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
    await client.close();
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([
      {
        level: 'problem',
        subject: 'database of survey',
        detail: expect.stringMatching(detail),
        remedy: expect.stringMatching(remedy),
      },
    ]);
  });
});
