import { randomUUID } from 'node:crypto';
import { type ClientContext, sendAs } from './client.ts';

/** Has what each kind of client needs: a text that is changed, a number, a file. */
const survey = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Soak',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'comment', type: 'textarea', title: 'Anything to say?' },
          { id: 'taste', type: 'rating', title: 'How was it?', required: true },
          { id: 'photo', type: 'file_upload', title: 'A photo' },
        ],
      },
    ],
  },
};

/** Makes a survey and publishes it. Gives its id. */
export async function publishSurvey(context: ClientContext, settings: object): Promise<string> {
  const { ledger } = context;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { ...survey, settings };
  const made = await sendAs(context, { method: 'POST', path: '/v1/surveys', body, headers }, 201);
  const id: string = made.body.id;
  ledger.setSurvey({ id, isDeleted: false }, 'survey created');
  // 409 when an attempt that got no answer has published it.
  await sendAs(context, { method: 'POST', path: `/v1/surveys/${id}/publish` }, 200, 409);
  ledger.setSurvey({ id, isDeleted: false }, 'survey published');
  return id;
}

/** Somebody who makes surveys, and deletes some of them. */
export function createSurveyAuthor(context: ClientContext, pause: () => Promise<void>) {
  return async () => {
    await pause();
    const id = await publishSurvey(context, {});
    if (context.random() < 0.5) return;
    // 404 when an attempt that got no answer has deleted it.
    await sendAs(context, { method: 'DELETE', path: `/v1/surveys/${id}` }, 204, 404);
    context.ledger.setSurvey({ id, isDeleted: true }, 'survey deleted');
  };
}
