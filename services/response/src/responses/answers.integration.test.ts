import { randomUUID } from 'node:crypto';
import { AnswerService } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { itReturnsAnswers } from '@survey/runtime/testing/contracts/answer-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse, submittedAnswers } from '../testing/submitted-response.ts';

let app: TestApp;
let connection: ServiceConnection;

beforeAll(async () => {
  app = await startResponseApp();
  const address = `127.0.0.1:${app.ports().grpcPort}`;
  connection = await app.keys.connectAs('webhook', 'response', address);
});
afterAll(async () => {
  connection.close();
  await app.close();
});

const ask = (tenantId: string, responseIds: string[]) =>
  connection.client(AnswerService).getAnswers({ responseIds }, callOptionsFor({ claims: { tenantId } }));

async function submitLinked() {
  const survey = app.survey.add();
  const { slug } = app.survey.addLink(survey);
  const body = { data: submittedAnswers };
  const { body: made } = await app.call('POST', `/v1/public/links/${slug}/responses`, { body });
  return { id: String(made.id), tenantId: survey.tenantId };
}

describe('the answers of responses', () => {
  itReturnsAnswers(() => ({
    connection,
    async addResponse() {
      const { id, tenantId } = await submitResponse(app);
      return { responseId: id, tenantId, data: submittedAnswers };
    },
    async removeResponse({ responseId, tenantId }) {
      const permissions = ['responses:delete'];
      expect((await app.call('DELETE', `/v1/responses/${responseId}`, { tenantId, permissions })).status).toBe(204);
    },
  }));

  it('are the corrected ones, with their revision', async () => {
    const response = await submitResponse(app);
    await response.patch({ data: { comment: 'corrected' } });
    const { answers } = await ask(response.tenantId, [response.id]);
    expect(answers).toMatchObject([{ revision: 2, data: { ...submittedAnswers, comment: 'corrected' } }]);
  });

  it('come with the metadata fields of the survey, and no other metadata', async () => {
    const metadataFields = [{ name: 'campaign', type: 'string', from: ['url'] }] as const;
    const { surveyId, tenantId } = app.survey.add({ settings: { metadataFields } });
    const body = { data: submittedAnswers, metadata: { campaign: 'spring', other: 1 } };
    const { body: made } = await app.submit(surveyId, body);
    expect((await ask(tenantId, [made.id])).answers).toMatchObject([{ metadata: { campaign: 'spring' } }]);
    const plain = await submitResponse(app, { body: { metadata: { campaign: 'spring' } } });
    expect((await ask(plain.tenantId, [plain.id])).answers[0]?.metadata).toBeUndefined();
  });

  it('omit a deleted response whose tombstone has a tenant, since it came through a link', async () => {
    const [kept, deleted] = [await submitLinked(), await submitLinked()];
    const permissions = ['responses:delete'];
    const path = `/v1/responses/${deleted.id}`;
    expect((await app.call('DELETE', path, { tenantId: deleted.tenantId, permissions })).status).toBe(204);
    expect(await app.responses.findOne({ _id: deleted.id })).toMatchObject({ tenant_id: deleted.tenantId });
    expect((await ask(deleted.tenantId, [deleted.id])).answers).toEqual([]);
    expect((await ask(kept.tenantId, [kept.id])).answers).toMatchObject([{ responseId: kept.id }]);
  });

  it('are returned in parts if they are long, at least one per call', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const submitted = [1, 2, 3].map(() => app.submit(surveyId, { data: { ate: 'no' } }));
    const ids = (await Promise.all(submitted)).map(({ body }) => String(body.id));
    const padding = 'x'.repeat(4 * 1024 * 1024);
    await app.responses.updateMany({ survey_id: surveyId }, { $set: { padding } });
    const received: string[] = [];
    let asked = ids;
    while (asked.length > 0) {
      const { answers, postponedIds } = await ask(tenantId, asked);
      received.push(...answers.map(({ responseId }) => responseId));
      expect(postponedIds).toHaveLength(asked.length - 1);
      asked = postponedIds;
    }
    expect(received.sort()).toEqual(ids.sort());
  });

  it('are not in the REST API', async () => {
    const path = '/survey.responses.v1.AnswerService/GetAnswers';
    expect((await app.call('POST', path, { tenantId: randomUUID(), body: {} })).status).toBe(404);
  });
});
