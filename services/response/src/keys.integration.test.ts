import { randomUUID } from 'node:crypto';
import { KeyService } from '@survey/proto/survey/keys/v1/key_service_pb';
import { fixedSecret } from '@survey/runtime/testing/fixed-secret';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKeyring } from '@survey/runtime/testing/test-keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, startResponseApp, type TestApp } from './testing/response-app.ts';

const encryptionKeyring = fixedSecret(createTestKeyring());
let app: TestApp;
/** Another replica, on the same database. */
let other: TestApp;

beforeAll(async () => {
  app = await startResponseApp({ encryptionKeyring });
  other = await startResponseApp({
    encryptionKeyring,
    mongodbDatabase: app.db.databaseName,
    surveyGrpcAddress: app.survey.address,
    internalKey: fixedSecret(app.keys.privateKeyOf('response')),
  });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

interface Sent {
  readonly key: string;
  readonly data: object;
  readonly reply: Reply;
}

async function connectOperator() {
  const address = `127.0.0.1:${app.ports().grpcPort}`;
  const connection = await app.keys.connectAs('operator', 'response', address);
  return { keys: connection.client(KeyService), close: connection.close };
}

/** Submits on both replicas during `run`, and a few times after it. */
async function submitWhile(surveyId: string, run: (untilMore: () => Promise<void>) => Promise<void>) {
  const sent: Sent[] = [];
  let isOver = false;

  async function submitOn(replica: TestApp): Promise<void> {
    while (!isOver) {
      const key = randomUUID();
      const data = { ate: 'no', comment: key };
      sent.push({ key, data, reply: await replica.submit(surveyId, { data }, { 'idempotency-key': key }) });
    }
  }

  const respondents = [app, other].flatMap((replica) => [1, 2, 3, 4].map(() => submitOn(replica)));
  await run(async () => {
    const before = sent.length;
    await poll(() => sent.length > before + 20);
  });
  isOver = true;
  await Promise.all(respondents);
  return sent;
}

describe('a data key rotation while respondents submit', () => {
  it('causes no error on any replica, and all responses stay readable and repeatable', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const show = (replica: TestApp) => replica.call('GET', `/v1/public/surveys/${surveyId}`);
    for (const replica of [app, other]) await poll(async () => (await show(replica)).status === 200);
    const operator = await connectOperator();
    const sent = await submitWhile(surveyId, async (untilMore) => {
      await untilMore();
      for (let version = 2; version <= 4; version += 1) {
        expect(await operator.keys.rotateDataKey({ tenantId })).toMatchObject({ version });
        await untilMore();
      }
    });
    operator.close();

    expect(new Set(sent.map(({ reply }) => reply.status))).toEqual(new Set([201]));
    const stored = await app.responses.find({ survey_id: surveyId }).toArray();
    expect(stored).toHaveLength(sent.length);
    expect(new Set(stored.map(({ data }) => data.kv))).toContain(4);
    const last = sent.slice(-100);
    for (const replica of [app, other]) {
      for (const { reply, data } of last) {
        const { body } = await replica.call('GET', `/v1/responses/${reply.body.id}`, { tenantId });
        expect(body.data).toEqual(data);
      }
      for (const { key, data, reply } of last) {
        const again = await replica.submit(surveyId, { data }, { 'idempotency-key': key });
        expect(again.body).toEqual(reply.body);
      }
    }
  });
});
