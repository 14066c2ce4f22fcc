import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, type TestTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

// The data of lists and pages of a console, which reads only the public API.

let tenant: TestTenant;
let receiver: Receiver;
let surveyId: string;

beforeAll(async () => {
  tenant = await createTenant();
  receiver = await startReceiver();
  const { api } = tenant;
  surveyId = (await api('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
  await api('POST', `/v1/surveys/${surveyId}/publish`);
});
afterAll(() => receiver.close());

describe('a console', () => {
  it('lists surveys with numbers of responses, and links with theirs', async () => {
    const { api } = tenant;
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: {} });
    const submission = { status: 'completed', data: lunchAnswers };
    await poll(async () => {
      const reply = await api('POST', `/v1/public/links/${link.slug}/responses`, { body: submission });
      return reply.status === 201;
    });
    const { body: listed } = await api('GET', '/v1/surveys?limit=10');
    const query = listed.map(({ id }: { id: string }) => `survey_ids=${id}`).join('&');
    const { body: counts } = await api('GET', `/v1/response-counts?${query}`);
    expect(counts).toMatchObject([{ survey_id: surveyId, total: 1, completed: 1, in_progress: 0 }]);
    const { body: links } = await api('GET', `/v1/surveys/${surveyId}/responses/counts-by-link`);
    expect(links).toMatchObject([{ link_id: link.id, completed: 1 }]);
    expect((await api('GET', `/v1/surveys/${surveyId}/versions/1`)).body.published_by).toBe(tenant.userId);
  });

  it('shows the history and files of a response', async () => {
    const { api, userId } = tenant;
    const body = { data: lunchAnswers };
    const { body: response } = await api('POST', `/v1/surveys/${surveyId}/responses`, { body });
    await api('PATCH', `/v1/responses/${response.id}`, { body: { data: { taste: 2 } } });
    const { body: history } = await api('GET', `/v1/responses/${response.id}/history`);
    expect(history).toMatchObject([{ revision: 2, corrected_by: userId, question_ids: ['taste'] }]);
    expect((await api('GET', `/v1/responses/${response.id}/files`)).body).toEqual([]);
  });

  it('shows the health of a webhook, and the request of an attempt', async () => {
    const { api } = tenant;
    const { body: webhook } = await api('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['survey.closed'], headers: { 'X-Token': 'hidden' } },
    });
    const { body: tested } = await api('POST', `/v1/webhooks/${webhook.id}/test`);
    expect(tested.attempts[0].request).toMatchObject({ url: receiver.url, headers: { 'X-Token': '********' } });
    const health = await api('GET', `/v1/webhooks/${webhook.id}/health`);
    expect(health.body).toMatchObject({
      circuit: 'closed',
      last_hour: { deliveries: 1, attempts: 1, succeeded: 1, success_rate: 1 },
      pending: 0,
      failed: 0,
    });
  });

  it('shows row and column of a rejected row, and the use of limits', async () => {
    const { api } = tenant;
    const responses = 'id,came,taste\n1,yes,4\n2,maybe,1\n';
    const { body: report } = await api('POST', `/v1/surveys/${surveyId}/responses/import`, {
      body: { format: 'csv', responses, dry_run: true },
    });
    expect(report).toMatchObject({ failed: 1, errors: [{ index: 1, id: '2', row: 3, column: 'came' }] });
    const { body: usage } = await api('GET', '/v1/tenant/usage');
    expect(usage.rate_limits).toMatchObject([
      { policy: 'default', requests_per_minute: expect.any(Number) },
      { policy: 'heavy', requests_per_minute: expect.any(Number) },
    ]);
    expect(usage.rate_limits[0].used).toBeGreaterThan(0);
  });
});
