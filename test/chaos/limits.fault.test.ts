import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { stepDown, withDatabase } from '../support/faults/mongodb.ts';
import { type ResponseReplicas, startResponseReplicas } from '../support/faults/response-replicas.ts';
import { retryUntilReply } from '../support/faults/retrying-client.ts';
import { kill, whileStalled } from '../support/faults/supervised.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, listAll } from '../support/platform.ts';

const CLIENTS = 200;
const LIMIT = 3_000;
const DELETED = 30;
/** Pause between two submissions of a client in milliseconds, so seats are left during most faults. */
const PAUSE_MS = 1_000;
/** Long enough for the sweeper to settle reservations of the stalled process. */
const STALLED_MS = 9_000;
const POLL_OPTIONS = { timeoutMs: 120_000 };

describe.runIf(inject('testScope') === 'all')('a survey with a limit on three replicas, for 200 clients', () => {
  let replicas: ResponseReplicas;
  beforeAll(async () => {
    replicas = await startResponseReplicas();
  });
  afterAll(() => replicas.close());

  it('has exactly as many responses as seats after kills, stalls and step-downs', async () => {
    const { api } = await createTenant();
    const { body: survey } = await api('POST', '/v1/surveys', {
      body: { ...lunchSurvey, settings: { response_limit: LIMIT } },
    });
    await api('POST', `/v1/surveys/${survey.id}/publish`);
    const path = `/v1/surveys/${survey.id}/responses`;
    const acknowledged = new Set<string>();
    const clients = Array.from({ length: CLIENTS }, () => submitUntilFull(replicas.gateway, survey.id, acknowledged));
    const all = Promise.all(clients);
    await poll(() => acknowledged.size > DELETED, POLL_OPTIONS);
    const deleted = [...acknowledged].slice(0, DELETED);
    await deleteAll(api, deleted);

    const [one, other] = replicas.all;
    if (one === undefined || other === undefined) throw new Error('a replica is missing');
    await kill(one);
    await whileStalled([other], () => sleep(STALLED_MS));
    await stepDown(2);
    await kill(other);
    await whileStalled([one], () => sleep(STALLED_MS));
    await all;

    const stored = await listAll<{ id: string }>(api, `${path}?limit=1000`);
    const expected = [...acknowledged].filter((id) => !deleted.includes(id));
    expect(stored.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    expect(stored).toHaveLength(LIMIT);
    for (const id of deleted) expect((await api('GET', `/v1/responses/${id}`)).status).toBe(404);
    const ledger = () => withDatabase('survey-response', (db) => db.collection('ledgers').findOne({ _id: survey.id }));
    await poll(async () => (await ledger())?.['entries'].length === 0, POLL_OPTIONS);
    expect((await ledger())?.['used']).toBe(LIMIT);
  });
});

async function submitUntilFull(gateway: string, surveyId: string, acknowledged: Set<string>): Promise<void> {
  const api = createApi(undefined, gateway);
  for (;;) {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { status: 'completed', data: lunchAnswers };
    const reply = await retryUntilReply(() =>
      api('POST', `/v1/public/surveys/${surveyId}/responses`, { body, headers }),
    );
    if (reply.body.code === 'RESPONSE_LIMIT_REACHED') return;
    expect(reply).toMatchObject({ status: 201, body: { id: expect.any(String) } });
    acknowledged.add(reply.body.id);
    await sleep(PAUSE_MS);
  }
}

async function deleteAll(api: Api, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await retryUntilReply(() => api('DELETE', `/v1/responses/${id}`))).status).toBe(204);
}
