import { expect } from 'vitest';
import { lunchSurvey } from '../lunch-survey.ts';
import { createApi, createTenant, listIds, type TestTenant } from '../platform.ts';
import { type Receiver, startReceiver, untilReceived } from '../receiver.ts';
import { retryUntilReply } from './retrying-client.ts';

/** A published survey of a new tenant. Its responses go to a webhook. */
export interface AnsweredSurvey {
  readonly surveyId: string;
  readonly tenant: TestTenant;
  /** The received webhooks. */
  readonly received: Receiver['received'];
  /** Asserts that exactly these responses are stored, once each. */
  expectStored(ids: readonly string[]): Promise<void>;
  /** Resolves when the webhook of each response has arrived. */
  untilDelivered(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when respondents can read the survey. Services may still be reconnecting to a restarted dependency. */
export async function startAnsweredSurvey(): Promise<AnsweredSurvey> {
  const tenant = await createTenant();
  const { api } = tenant;
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, event_types: ['response.submitted'] };
  expect(await api('POST', '/v1/webhooks', { body: webhook })).toMatchObject({ status: 201 });
  const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  expect(await api('POST', `/v1/surveys/${survey.id}/publish`)).toMatchObject({ status: 200 });
  const shown = await retryUntilReply(() => createApi()('GET', `/v1/public/surveys/${survey.id}`));
  expect(shown).toMatchObject({ status: 200 });
  return {
    surveyId: survey.id,
    tenant,
    received: receiver.received,
    async expectStored(ids) {
      expect(new Set(ids).size).toBe(ids.length);
      const stored = await listIds(api, `/v1/surveys/${survey.id}/responses?limit=1000`);
      expect([...stored].sort()).toEqual([...ids].sort());
      const count = await api('GET', `/v1/surveys/${survey.id}/responses/count`);
      expect(count.body).toEqual({ count: ids.length });
    },
    untilDelivered: (ids) => untilReceived(receiver, ids, ({ data }) => String(data.response_id)),
    close: receiver.close,
  };
}
