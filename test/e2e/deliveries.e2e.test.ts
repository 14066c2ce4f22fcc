import { poll } from '@survey/runtime/testing/poll';
import { afterAll, describe, expect, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let receiver: Receiver;
afterAll(() => receiver.close());

describe('a delivery', () => {
  it('has the fixed members; the reply of the receiver is cut off after 1,000 characters', async () => {
    receiver = await startReceiver(() => 200, '😀'.repeat(5_000));
    const { api } = await createTenant();
    const webhook = await api('POST', '/v1/webhooks', { body: { url: receiver.url, event_types: ['survey.created'] } });
    await api('POST', '/v1/surveys', { body: lunchSurvey });
    const listed = await poll(async () => {
      const { body } = await api('GET', `/v1/webhooks/${webhook.body.id}/deliveries?limit=10`);
      return body[0]?.status === 'delivered' ? body[0] : undefined;
    });
    const { status, body } = await api('GET', `/v1/webhook-deliveries/${listed.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      webhook_id: webhook.body.id,
      event_id: expect.stringMatching(UUID),
      event_type: 'survey.created',
      payload: JSON.parse(receiver.received[0]?.raw.toString() ?? ''),
      status: 'delivered',
      created_at: expect.stringMatching(TIME),
      attempts: [
        {
          number: 1,
          trigger: 'schedule',
          started_at: expect.stringMatching(TIME),
          duration_ms: expect.any(Number),
          status_code: 200,
          request: {
            url: receiver.url,
            headers: expect.objectContaining({ 'webhook-id': body.id, 'webhook-signature': '********' }),
          },
          content_type: 'text/plain; charset=utf-8',
          response_excerpt: '😀'.repeat(1_000),
        },
      ],
    });
  });
});

describe('survey_ids of a webhook', () => {
  it('are rejected with pointers for surveys of another tenant, deleted surveys and unknown ids', async () => {
    const [{ api }, { api: stranger }] = [await createTenant(), await createTenant()];
    const makeSurvey = async (of: typeof api) => (await of('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
    const [mine, deleted, foreign] = [await makeSurvey(api), await makeSurvey(api), await makeSurvey(stranger)];
    await api('DELETE', `/v1/surveys/${deleted}`);
    const register = (survey_ids: readonly string[]) =>
      api('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', event_types: ['*'], survey_ids } });
    const rejected = await register([foreign, mine, deleted, crypto.randomUUID()]);
    expect([rejected.status, rejected.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(rejected.body.errors).toEqual(
      [0, 2, 3].map((index) => ({
        path: `/survey_ids/${index}`,
        code: 'UNKNOWN_SURVEY',
        detail: 'There is no survey with this id',
      })),
    );
    expect((await register([mine])).status).toBe(201);
    await api('DELETE', `/v1/surveys/${mine}`);
    const [webhook] = (await api('GET', '/v1/webhooks')).body;
    const kept = await api('PATCH', `/v1/webhooks/${webhook.id}`, { body: { description: 'x', survey_ids: [mine] } });
    expect([kept.status, kept.body.survey_ids]).toEqual([200, [mine]]);
  });
});
