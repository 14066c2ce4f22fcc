import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { type Clients, retryUntilReply, startClients, submit } from '../support/faults/retrying-client.ts';
import { killProcess, type StackProcess } from '../support/faults/supervised.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant, listIds } from '../support/platform.ts';
import { startReceiver, untilReceived } from '../support/receiver.ts';

/** A survey that was created, published, answered, read, and got imported responses; each step was acknowledged. */
interface Work {
  readonly surveyId: string;
  readonly responseIds: readonly string[];
}

/** A tenant whose clients repeat this work, with a webhook for all events. */
interface BusyTenant {
  readonly clients: Clients<Work>;
  /** Asserts that exactly the acknowledged surveys and responses are stored, once each. */
  expectStored(works: readonly Work[]): Promise<void>;
  /** Resolves when the webhooks of all surveys and responses have arrived. */
  untilDelivered(works: readonly Work[]): Promise<void>;
  close(): Promise<void>;
}

const CLIENTS = 4;
/** More than one response, so that the import stores them with their events in one transaction. */
const IMPORTED = 25;

async function startBusyTenant(): Promise<BusyTenant> {
  const { api, tenantId } = await createTenant();
  // Without pauses, the clients exceed the default rate limit.
  await admin('tenant', 'limits', '--tenant', tenantId, '--requests-per-minute', '1000000');
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, event_types: ['survey.created', 'response.submitted'] };
  expect(await api('POST', '/v1/webhooks', { body: webhook })).toMatchObject({ status: 201 });
  return {
    clients: startClients(CLIENTS, () => work(api)),
    async expectStored(works) {
      // A survey whose creation was not acknowledged may exist as a draft.
      const active = new Set(await listIds(api, '/v1/surveys?limit=1000&status=active'));
      for (const { surveyId, responseIds } of works) {
        expect(active).toContain(surveyId);
        const stored = await listIds(api, `/v1/surveys/${surveyId}/responses`);
        expect([...stored].sort()).toEqual([...responseIds].sort());
      }
    },
    untilDelivered: (works) =>
      untilReceived(
        receiver,
        works.flatMap(({ surveyId, responseIds }) => [
          `survey.created ${surveyId}`,
          ...responseIds.map((id) => `response.submitted ${id}`),
        ]),
        ({ event, data }) => `${event} ${data.response_id ?? data.survey_id}`,
      ),
    close: receiver.close,
  };
}

async function work(api: Api): Promise<Work> {
  const made = await retryUntilReply(() => api('POST', '/v1/surveys', { body: lunchSurvey }));
  expect(made).toMatchObject({ status: 201 });
  const surveyId: string = made.body.id;
  const published = await retryUntilReply(() => api('POST', `/v1/surveys/${surveyId}/publish`));
  // 409 if an earlier attempt without a reply has succeeded.
  expect([200, 409]).toContain(published.status);
  const submittedId = await submit(surveyId);
  const read = await retryUntilReply(() => api('GET', `/v1/responses/${submittedId}`));
  expect(read).toMatchObject({ status: 200, body: { survey_id: surveyId, data: lunchAnswers } });
  return { surveyId, responseIds: [submittedId, ...(await importMany(api, surveyId))] };
}

async function importMany(api: Api, surveyId: string): Promise<readonly string[]> {
  const ids = Array.from({ length: IMPORTED }, () => randomUUID());
  const responses = ids.map((id) => ({
    id,
    submitted_at: '2026-01-02T03:04:05Z',
    answers: [{ question_id: 'came', value: 'no' }],
  }));
  const body = { format: 'json', responses };
  const { status, body: report } = await retryUntilReply(() =>
    api('POST', `/v1/surveys/${surveyId}/responses/import`, { body }),
  );
  expect([status, report.total, report.failed]).toEqual([200, IMPORTED, 0]);
  expect(report.imported + report.skipped).toBe(IMPORTED);
  return ids;
}

/** Resolves when the clients have completed this many more operations. */
async function untilProgress({ acknowledged }: Clients<unknown>, more: number): Promise<void> {
  const before = acknowledged.length;
  await poll(() => acknowledged.length >= before + more);
}

describe('while tenants work and respondents answer', () => {
  const all: readonly StackProcess[] = ['webhook', 'response', 'gateway', 'survey', 'import', 'identity'];
  // In `npm test`, other files kill the response service.
  const parts = inject('testScope') === 'all' ? all : all.slice(0, 1);
  let tenant: BusyTenant;
  beforeAll(async () => {
    tenant = await startBusyTenant();
  });
  afterAll(() => tenant.close());

  it.each(parts)('everything continues after %s was killed', async (part) => {
    await untilProgress(tenant.clients, 4);
    await killProcess(part);
    // More than the clients have in flight, so some were started afterwards.
    await untilProgress(tenant.clients, 12);
  });

  it('everything acknowledged is stored once and delivered', async () => {
    const works = await tenant.clients.stop();
    expect(works.length).toBeGreaterThan(parts.length * 16);
    await tenant.expectStored(works);
    await tenant.untilDelivered(works);
  });
});
