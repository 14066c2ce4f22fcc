import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, fileAnswer, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse } from '../testing/submitted-response.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const list = (tenantId: string, responseId: string) =>
  app.call('GET', `/v1/responses/${responseId}/files`, { tenantId });

describe('the files of a response', () => {
  it('have name, type and size, in the order of the answers', async () => {
    const survey = addFileSurvey(app);
    const picture = await survey.store(pictureOf(100), { filename: 'Foto.png' });
    const text = await survey.store(Buffer.from('about me'), { questionId: 'more' });
    // No answer names this file.
    await survey.store(pictureOf(50));
    const { body } = await survey.submit({ cv: fileAnswer(picture), more: fileAnswer(text) });
    expect(await list(survey.tenantId, body.id)).toMatchObject({
      status: 200,
      body: [
        { file_id: picture, question_id: 'cv', filename: 'Foto.png', content_type: 'image/png', size: 100 },
        { file_id: text, question_id: 'more', content_type: 'text/plain', size: 8 },
      ],
    });
    expect((await list(survey.tenantId, body.id)).body[1]).not.toHaveProperty('filename');
  });

  it('are none without files, and not found for another tenant', async () => {
    const { id, tenantId } = await submitResponse(app);
    expect((await list(tenantId, id)).body).toEqual([]);
    expect((await list(randomUUID(), id)).body.code).toBe('RESPONSE_NOT_FOUND');
  });
});
