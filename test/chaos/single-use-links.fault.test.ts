import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ResponseReplicas, startResponseReplicas } from '../support/faults/response-replicas.ts';
import { retryUntilReply } from '../support/faults/retrying-client.ts';
import { kill } from '../support/faults/supervised.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createApi, createTenant } from '../support/platform.ts';

const CLIENTS = 200;

describe('200 concurrent first saves with one token of a single-use link', () => {
  let replicas: ResponseReplicas;
  beforeAll(async () => {
    replicas = await startResponseReplicas();
  });
  afterAll(() => replicas.close());

  it('leave one response while replicas are killed, also after the first one was deleted', async () => {
    const { api } = await createTenant();
    const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    await api('POST', `/v1/surveys/${survey.id}/publish`);
    const { body: link } = await api('POST', `/v1/surveys/${survey.id}/links`, { body: { single_use: true } });
    const respondent = createApi(undefined, replicas.gateway);
    const path = `/v1/public/links/${link.slug}`;
    const saveAtOnce = () => {
      const body = { status: 'in_progress', data: lunchAnswers };
      return Array.from({ length: CLIENTS }, async () => {
        const headers = { 'idempotency-key': randomUUID(), 'link-token': link.tokens[0] };
        return retryUntilReply(() => respondent('POST', `${path}/responses`, { body, headers }));
      });
    };
    const stored = new Set<string>();
    for (const replica of replicas.all.slice(1)) {
      const saves = saveAtOnce();
      await Promise.race(saves);
      await kill(replica);
      const replies = await Promise.all(saves);
      const [first, ...more] = replies.filter(({ status }) => status === 201);
      const rejected = replies.filter(({ status }) => status !== 201);
      expect([more, rejected.length]).toEqual([[], CLIENTS - 1]);
      for (const { status, body } of rejected)
        expect([status, body.code, body.response_id]).toEqual([409, 'RESPONSE_IN_PROGRESS', first?.body.id]);
      const { body: list } = await api('GET', `/v1/surveys/${survey.id}/responses`);
      expect(list).toMatchObject([{ id: first?.body.id, status: 'in_progress' }]);
      stored.add(first?.body.id);
      expect((await retryUntilReply(() => api('DELETE', `/v1/responses/${first?.body.id}`))).status).toBe(204);
    }
    expect(stored.size).toBe(2);
  });
});
