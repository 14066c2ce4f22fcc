import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { collectionsWithText } from './scan-collections.ts';

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

describe('an answer that a receiver repeats', () => {
  const id = crypto.randomUUID();
  const marker = `é"\\ ${id}`;
  const escaped = JSON.stringify(marker).slice(1, -1);
  const encodings = [marker, escaped, encodeURIComponent(marker), Buffer.from(marker).toString('base64')];

  it('is in no collection, in any encoding, also after corrections, imports and the deletion', {
    timeout: 240_000,
  }, async () => {
    const { api } = await createTenant();
    const echo = await startReceiver(
      () => 200,
      (raw) => [...encodings, raw.toString()].join('\n'),
    );
    const client = await new MongoClient(inject('stack').mongodb_uri).connect();
    try {
      const questions = [
        { id: 'note', type: 'text', title: 'Note?' },
        { id: 'score', type: 'rating', title: 'Score?', min: 0, max: 10 },
      ];
      const survey = { title: 'Echo', supported_languages: ['en'], pages: [{ questions }] };
      const { body: made } = await api('POST', '/v1/surveys', { body: { schema_version: '1.0', version: 1, survey } });
      await api('POST', `/v1/surveys/${made.id}/publish`);
      const webhook = { url: echo.url, event_types: ['response.*', 'import.*'], include_answers: true };
      const { body: hook } = await api('POST', '/v1/webhooks', { body: webhook });
      const responses = `/v1/surveys/${made.id}/responses`;
      const { body: response } = await api('POST', responses, {
        body: { data: { note: marker }, external_id: marker },
      });
      await api('PATCH', `/v1/responses/${response.id}`, { body: { data: { note: `${marker}!` } } });
      // Values that do not fit are reported, and kept in the metadata.
      for (const on_invalid_answer of ['keep', 'reject', 'blank']) {
        const answers = ['note', 'score', 'none'].map((question) => ({ question_id: question, value: marker }));
        const imported = [{ id: crypto.randomUUID(), external_id: marker, submitted_at: marker, answers }];
        const body = { format: 'json', responses: imported, on_invalid_answer };
        const { status, body: report } = await api('POST', `${responses}/import`, { body });
        expect([status, report.total]).toEqual([200, 1]);
      }
      const csv = `id,note,score,another\n1,"${marker.replaceAll('"', '""')}",${id},${id}\n`;
      const table = { format: 'csv', responses: csv, on_invalid_answer: 'keep' };
      expect((await api('POST', `${responses}/import`, { body: table })).body).toMatchObject({ imported_in_part: 1 });
      const all = await poll(async () => {
        const { body } = await api('GET', `/v1/webhooks/${hook.id}/deliveries?limit=100`);
        const isOver = body.length >= 8 && body.every(({ status }: { status: string }) => status === 'delivered');
        return isOver && body;
      });
      const excerpts = all.flatMap(({ attempts }: { attempts: { response_excerpt?: string }[] }) =>
        attempts.map(({ response_excerpt: excerpt }) => excerpt),
      );
      expect(excerpts.every((excerpt: string) => encodings.every((one) => excerpt.includes(one)))).toBe(true);
      await poll(async () => (await api('GET', '/v1/audit-events?action=response.updated')).body.length > 0);
      expect(await collectionsWithText(client, ...encodings, id)).toEqual([]);

      await api('DELETE', `/v1/responses/${response.id}`);
      await poll(async () => {
        const { body } = await api('GET', `/v1/webhooks/${hook.id}/deliveries?limit=100`);
        const ofResponse = body.filter(
          ({ payload, event_type: type }: { payload: { data: { response_id?: string } }; event_type: string }) =>
            payload.data.response_id === response.id && type !== 'response.deleted',
        );
        return (
          ofResponse.length === 2 &&
          ofResponse.every(({ attempts }: { attempts: object[] }) =>
            attempts.every((attempt) => !('response_excerpt' in attempt)),
          )
        );
      });
      expect(await collectionsWithText(client, ...encodings, id)).toEqual([]);
    } finally {
      await client.close();
      await echo.close();
    }
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
