import { ApiError, createClient, readNdjson, type Survey } from '@survey/client';

const client = createClient({
  baseUrl: 'http://gateway',
  token: 'svk_test',
  maxRetries: 0,
  fetch: async (url, init) => {
    console.log(init?.method, String(url));
    if (init?.method === 'DELETE') return Response.error();
    if (String(url).includes('/export')) return new Response('{"id":"r1"}\n');
    if (String(url).includes('?')) return Response.json([{ id: 's1' }]);
    return Response.json({ id: 's1' });
  },
});

const survey: Survey = await client.surveys.create({
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [{ questions: [{ id: 'taste', type: 'rating', title: 'How was it?' }] }],
  },
});
// @ts-expect-error there is no such type of question
const misspelt: Survey['definition']['pages'][number]['questions'][number] = { type: 'single_choise', title: 'Drink?' };
void misspelt;
// @ts-expect-error there is no such status
client.surveys.list({ status: 'none' });
// @ts-expect-error only some operations take an idempotency key
void (() => client.surveys.get(survey.id, { idempotencyKey: 'k' }));
for await (const { id, status } of client.surveys.list({ limit: 1 })) console.log(id, status);
for await (const row of readNdjson(await client.responses.export(survey.id))) console.log(row);
const error = await client.surveys.delete(survey.id).catch((failure: unknown) => failure);
if (!(error instanceof ApiError)) throw error;
console.log(error.code, error.status, error.errors.length);
