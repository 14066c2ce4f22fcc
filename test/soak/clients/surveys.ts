import { randomUUID } from 'node:crypto';
import { type ClientContext, sendAs } from './client.ts';

/** A survey with the questions that clients need: a text to change, a number, a file. */
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

/** Creates and publishes a survey. Returns its id. */
export async function publishSurvey(context: ClientContext, settings: object): Promise<string> {
  const { ledger } = context;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { ...survey, settings };
  const made = await sendAs(context, { method: 'POST', path: '/v1/surveys', body, headers }, 201);
  const id: string = made.body.id;
  ledger.setSurvey({ id, isDeleted: false }, 'survey created');
  // 409 if an earlier attempt without a reply has published it.
  await sendAs(context, { method: 'POST', path: `/v1/surveys/${id}/publish` }, 200, 409);
  ledger.setSurvey({ id, isDeleted: false }, 'survey published');
  return id;
}

/** A user who creates surveys and deletes some. */
export function createSurveyAuthor(context: ClientContext, pause: () => Promise<void>) {
  return async () => {
    await pause();
    const id = await publishSurvey(context, {});
    if (context.random() < 0.5) return;
    // 404 if an earlier attempt without a reply has deleted it.
    await sendAs(context, { method: 'DELETE', path: `/v1/surveys/${id}` }, 204, 404);
    context.ledger.setSurvey({ id, isDeleted: true }, 'survey deleted');
  };
}
