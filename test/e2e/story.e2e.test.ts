import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, describe, expect, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createApi, createTenant } from '../support/platform.ts';
import { isSigned, type Receiver, startReceiver } from '../support/receiver.ts';

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function receive(statusOf?: (nth: number) => number): Promise<Receiver> {
  const receiver = await startReceiver(statusOf);
  receivers.push(receiver);
  return receiver;
}

const respondent = () => createApi();

async function publishedSurvey(api: ReturnType<typeof createApi>): Promise<string> {
  const { body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
  return body.id;
}

describe('the main job', () => {
  it('brings a response from a respondent to a signed webhook', async () => {
    const { api, tenantId } = await createTenant();
    const receiver = await receive();
    const webhook = await api('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['response.submitted'] },
    });
    expect(webhook.status).toBe(201);
    const surveyId = await publishedSurvey(api);

    const shown = await respondent()('GET', `/v1/public/surveys/${surveyId}`);
    expect(shown.body).toMatchObject({ id: surveyId, version: 1, definition: lunchSurvey.survey, languages: ['en'] });

    const submitted = await respondent()('POST', `/v1/public/surveys/${surveyId}/responses`, {
      body: { status: 'completed', data: lunchAnswers },
    });
    expect(submitted.status).toBe(201);
    expect(submitted.body).toMatchObject({ status: 'completed', survey_id: surveyId });

    const arrived = await poll(() => receiver.received[0]);
    expect(isSigned(arrived, webhook.body.secret)).toBe(true);
    expect(arrived.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Survey-Webhook/1.0' });
    const message = JSON.parse(arrived.raw.toString());
    expect(Object.keys(message)).toEqual(['api_version', 'data', 'delivery_id', 'event', 'timestamp']);
    expect(message).toMatchObject({
      api_version: 'v1',
      event: 'response.submitted',
      delivery_id: arrived.headers['x-service-delivery'],
      data: { response_id: submitted.body.id, survey_id: surveyId, survey_version: 1, status: 'completed' },
    });
    expect(JSON.stringify(message)).not.toContain('Zoë');

    const read = await api('GET', `/v1/responses/${submitted.body.id}`);
    expect(read.body).toMatchObject({
      tenant_id: tenantId,
      survey_id: surveyId,
      status: 'completed',
      data: lunchAnswers,
    });

    const delivery = await poll(async () => {
      const { body } = await api('GET', `/v1/webhook-deliveries/${message.delivery_id}`);
      return body.status === 'delivered' ? body : undefined;
    });
    expect(delivery).toMatchObject({
      webhook_id: webhook.body.id,
      event_type: 'response.submitted',
      payload: message,
      attempts: [
        { number: 1, status_code: 200, content_type: 'text/plain; charset=utf-8', response_excerpt: 'reply 1' },
      ],
    });
  });

  it('sends the same bytes again to a receiver that fails twice', async () => {
    const { api } = await createTenant();
    const receiver = await receive((nth) => (nth <= 2 ? 500 : 200));
    const webhook = await api('POST', '/v1/webhooks', { body: { url: receiver.url, event_types: ['survey.created'] } });
    await api('POST', '/v1/surveys', { body: lunchSurvey });

    await poll(() => receiver.received.length === 3);
    const [first, second, third] = receiver.received;
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(third?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    for (const attempt of receiver.received) expect(isSigned(attempt, webhook.body.secret)).toBe(true);
    const delivery = await poll(async () => {
      const { body } = await api('GET', `/v1/webhooks/${webhook.body.id}/deliveries`);
      return body[0]?.status === 'delivered' ? body[0] : undefined;
    });
    expect(delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([500, 500, 200]);
  });
});

describe('submitting', () => {
  it('returns the first response for a repeated idempotency key and counts it once', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const path = `/v1/public/surveys/${surveyId}/responses`;
    const headers = { 'idempotency-key': randomUUID() };
    const submit = (data: object) => respondent()('POST', path, { body: { status: 'completed', data }, headers });
    const first = await submit(lunchAnswers);
    const second = await submit(lunchAnswers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await submit({ ...lunchAnswers, taste: 1 });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await api('GET', `/api/v1/surveys/${surveyId}/responses/count`)).body).toEqual({ count: 1 });
  });

  it('rejects invalid answers with one error per question, and stores nothing', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const data = { came: 'perhaps', taste: 9, dishes: ['Soup', 'Soup'], nothing: 1 };
    const rejected = await respondent()('POST', `/v1/public/surveys/${surveyId}/responses`, {
      body: { status: 'completed', data },
    });
    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ code: 'INVALID_ANSWERS', detail: expect.any(String) });
    const paths = rejected.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/data/came', '/data/nothing']));
    expect(new Set(paths).size).toBe(paths.length);
    expect((await api('GET', `/v1/surveys/${surveyId}/responses/count`)).body).toEqual({ count: 0 });
  });

  it('drops the answer to a hidden question', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const { body } = await respondent()('POST', `/v1/public/surveys/${surveyId}/responses`, {
      body: { status: 'completed', data: { came: 'no', taste: 5 } },
    });
    expect((await api('GET', `/v1/responses/${body.id}`)).body.data).toEqual({ came: 'no' });
  });

  it('is rejected within two seconds after the survey is closed', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    await respondent()('GET', `/v1/public/surveys/${surveyId}`);
    await api('POST', `/v1/surveys/${surveyId}/close`);
    const rejected = await poll(async () => {
      const reply = await respondent()('POST', `/v1/public/surveys/${surveyId}/responses`, {
        body: { data: lunchAnswers },
      });
      return reply.status === 409 ? reply : undefined;
    });
    expect(rejected.body.code).toBe('SURVEY_CLOSED');
  });
});
