import { poll } from '@survey/runtime/testing/poll';
import { expect, inject, it } from 'vitest';
import { type Api, createApi, createTenant } from '../support/platform.ts';

const survey = {
  title: 'Application',
  supported_languages: ['en'],
  pages: [
    {
      questions: [
        { id: 'cv', type: 'file_upload', title: 'Your CV' },
        { id: 'name', type: 'text', title: 'Your name' },
      ],
    },
  ],
};

/** A published survey with a response that has a file. */
async function startSurvey(api: Api) {
  const { body: created } = await api('POST', '/v1/surveys', {
    body: { schema_version: '1.0', version: 1, survey },
  });
  await api('POST', `/v1/surveys/${created.id}/publish`);
  const uploads = `${inject('stack').gateway}/v1/public/surveys/${created.id}/files?question_id=cv`;
  const uploaded = await fetch(uploads, { method: 'POST', body: 'about me' });
  const { file_id: fileId } = (await uploaded.json()) as { readonly file_id: string };
  const submit = () =>
    createApi()('POST', `/v1/public/surveys/${created.id}/responses`, {
      body: { data: { cv: [{ file_id: fileId }], name: 'Zoë' } },
    });
  const { body: response } = await submit();
  return { surveyId: String(created.id), responseId: String(response.id), fileId };
}

it('responses and files of a deleted survey are not found until it is restored', async () => {
  const { api } = await createTenant();
  const { surveyId, responseId, fileId } = await startSurvey(api);
  const paths = [`/v1/responses/${responseId}`, `/v1/files/${fileId}`];
  const statuses = () => Promise.all(paths.map(async (path) => (await api('GET', path)).status));
  await poll(async () => (await statuses()).every((status) => status === 200));

  expect((await api('DELETE', `/v1/surveys/${surveyId}`)).status).toBe(204);
  await poll(async () => (await api('GET', `/v1/surveys/${surveyId}/responses`)).status === 404);
  await poll(async () => (await statuses()).every((status) => status === 404));
  const [one, file] = await Promise.all(paths.map((path) => api('GET', path)));
  expect([one?.body.code, file?.body.code]).toEqual(['RESPONSE_NOT_FOUND', 'FILE_NOT_FOUND']);
  const changed = await api('PATCH', `/v1/responses/${responseId}`, { body: { data: { name: 'Zoe' } } });
  expect(changed.status).toBe(404);

  expect((await api('POST', `/v1/surveys/${surveyId}/restore`)).status).toBe(200);
  await poll(async () => (await statuses()).every((status) => status === 200));
});
