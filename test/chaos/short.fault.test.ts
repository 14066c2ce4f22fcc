import { randomUUID } from 'node:crypto';
import { loadStackInfo } from '@survey/local/stack/stack-file';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const PATIENCE = { timeoutMs: 50_000 };

/** The process that a part runs as now: parts that die come back as other ones. */
async function pidOf(part: string): Promise<number> {
  const pid = (await loadStackInfo(inject('stackFolder'))).services[part]?.pid;
  if (pid === undefined) throw new Error(`${part} does not run`);
  return pid;
}

async function startSurvey(): Promise<{ api: Api; surveyId: string; receiver: Receiver }> {
  const { api } = await createTenant();
  const receiver = await startReceiver();
  cleanUps.push(receiver.close);
  await api('POST', '/v1/webhooks', { body: { url: receiver.url, event_types: ['response.submitted'] } });
  const { body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  await api('POST', `/v1/surveys/${body.id}/publish`);
  return { api, surveyId: body.id, receiver };
}

/** Submits as a careful client does: again with the same key until there is an answer. Gives the response's id. */
async function submit(surveyId: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/v1/public/surveys/${surveyId}/responses`;
  return poll(async () => {
    const { status, body } = await createApi()('POST', path, { body: { data: lunchAnswers }, headers });
    if (status !== 201 && status < 500) throw new Error(`submitting answered ${status}`);
    return status === 201 ? (body.id as string) : undefined;
  }, PATIENCE);
}

function submitMany(surveyId: string, count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, () => submit(surveyId)));
}

function deliveredIds(receiver: Receiver): ReadonlySet<string> {
  return new Set(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).data.response_id));
}

describe.each(['response', 'webhook', 'gateway'])('when %s is killed under load', (part) => {
  it('every acknowledged answer is stored once and delivered', async () => {
    const { api, surveyId, receiver } = await startSurvey();
    const before = await submitMany(surveyId, 50);
    const during = submitMany(surveyId, 50);
    process.kill(await pidOf(part), 'SIGKILL');
    const ids = [...before, ...(await during), ...(await submitMany(surveyId, 10))];

    expect(new Set(ids).size).toBe(ids.length);
    const count = await poll(async () => {
      const { status, body } = await api('GET', `/v1/surveys/${surveyId}/responses/count`);
      return status === 200 ? body : undefined;
    }, PATIENCE);
    expect(count).toEqual({ count: ids.length });
    await poll(() => ids.every((id) => deliveredIds(receiver).has(id)), PATIENCE);
    // Repeats are allowed, and say so by their ids.
    const deliveries = new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));
    expect(deliveries.size).toBe(ids.length);
  });
});

describe('when survey, import, webhook and identity hang', () => {
  it('respondents still see the survey and submit answers, which are delivered later', async () => {
    const { surveyId, receiver } = await startSurvey();
    await submit(surveyId);
    const pids = await Promise.all(['survey', 'import', 'webhook', 'identity'].map(pidOf));
    const resume = () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    };
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    let id: string;
    try {
      expect((await createApi()('GET', `/v1/public/surveys/${surveyId}`)).status).toBe(200);
      id = await submit(surveyId);
    } finally {
      resume();
    }
    await poll(() => deliveredIds(receiver).has(id), PATIENCE);
  });
});
