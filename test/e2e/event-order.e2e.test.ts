import { poll } from '@survey/runtime/testing/poll';
import { expect, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant } from '../support/platform.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from '../support/receiver.ts';

interface Message {
  readonly delivery_id: string;
  readonly event: string;
  readonly data: {
    readonly survey_id: string;
    readonly response_id?: string;
    readonly status: string;
    readonly occurred_at: string;
    readonly revision: number;
  };
}

const toMessage = ({ raw }: ReceivedWebhook): Message => JSON.parse(raw.toString());
const recordOf = ({ data }: Message) => data.response_id ?? data.survey_id;

/** Keeps a copy of records as docs/webhooks.md recommends. */
function copyOf(messages: readonly Message[]): ReadonlyMap<string, Message['data']> {
  const copy = new Map<string, Message['data']>();
  for (const message of messages) {
    const stored = copy.get(recordOf(message));
    if (stored === undefined || message.data.revision > stored.revision) copy.set(recordOf(message), message.data);
  }
  return copy;
}

/** Rejects the first attempt of these types, so that their events arrive after later ones. */
async function startLateReceiver(late: readonly string[]): Promise<Receiver & { accepted(): readonly Message[] }> {
  const accepted: Message[] = [];
  const seen = new Set<string>();
  const receiver: Receiver = await startReceiver((nth) => {
    const received = receiver.received[nth - 1];
    if (received === undefined) throw new Error('no message was received');
    const message = toMessage(received);
    const isFirst = !seen.has(message.delivery_id);
    seen.add(message.delivery_id);
    if (isFirst && late.includes(message.event)) return 503;
    accepted.push(message);
    return 200;
  });
  return { ...receiver, accepted: () => accepted };
}

it('a copy with the highest revision of each record is correct for any order of events', async () => {
  const { api } = await createTenant();
  const receiver = await startLateReceiver(['survey.published', 'response.submitted', 'response.updated']);
  try {
    const body = { url: receiver.url, event_types: ['survey.*', 'response.*'] };
    expect((await api('POST', '/v1/webhooks', { body })).status).toBe(201);
    const { id } = (await api('POST', '/v1/surveys', { body: lunchSurvey })).body;
    await api('POST', `/v1/surveys/${id}/publish`);
    const submission = { body: { data: lunchAnswers } };
    const kept = (await api('POST', `/v1/public/surveys/${id}/responses`, submission)).body;
    const deleted = (await api('POST', `/v1/public/surveys/${id}/responses`, submission)).body;
    await api('PATCH', `/v1/responses/${kept.id}`, { body: { data: { comment: 'corrected' } } });
    await api('DELETE', `/v1/responses/${deleted.id}`);
    await api('POST', `/v1/surveys/${id}/close`);

    // Three events of the survey (created, published, closed) and four of responses (two submitted, one updated, one
    // deleted).
    await poll(() => receiver.accepted().length === 7);
    const messages = receiver.accepted();
    const arrived = messages.map(({ event }) => event);
    expect(arrived.indexOf('survey.published')).toBeGreaterThan(arrived.indexOf('survey.closed'));
    expect(arrived.lastIndexOf('response.submitted')).toBeGreaterThan(arrived.indexOf('response.deleted'));

    const copy = copyOf(messages);
    expect(copy.get(id)).toMatchObject({ status: 'closed' });
    const read = await api('GET', `/v1/responses/${kept.id}`);
    expect(copy.get(kept.id)).toMatchObject({
      revision: 2,
      status: read.body.status,
      occurred_at: read.body.updated_at,
    });
    const last = messages.find(({ event }) => event === 'response.deleted');
    expect(copy.get(deleted.id)).toEqual(last?.data);
    // Each change of a record has its own revision.
    expect(new Set(messages.map((message) => `${recordOf(message)} ${message.data.revision}`)).size).toBe(7);
  } finally {
    await receiver.close();
  }
});
