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
// As `survey types` prints it.
type Answers = { taste?: number; dish?: 'soup' | 'rice' };
type Condition =
  | { source_question: 'dish'; operator: 'in' | 'not_in'; value: ('soup' | 'rice')[] }
  | { source_question: 'dish'; operator: 'is_answered' | 'is_not_answered' }
  | { source: 'language' | `metadata.${string}`; operator: 'contains'; value: string };
type Where = { match?: 'all' | 'any'; conditions: Condition[] };
const where: Where = { conditions: [{ source_question: 'dish', operator: 'in', value: ['rice'] }] };
interface OwnAnswers {
  taste?: number;
}
const data: Answers = { taste: 4 };
const own: OwnAnswers = { taste: 4 };
async function useTypedAnswers(): Promise<void> {
  const record: Record<string, unknown> = data;
  await client.respondents.submitResponse(survey.id, { data: record });
  await client.respondents.submitResponse(survey.id, { data });
  await client.respondents.submitLinkResponse('slug', { data: own });
  const created = await client.responses.create<OwnAnswers>(survey.id, { data: own });
  const read: readonly (number | undefined)[] = [created.data.taste];
  for await (const one of client.responses.list<Answers>(survey.id, { random: true, limit: 5 }))
    console.log(one.data.dish, read);
  for await (const one of readNdjson(await client.responses.export<Answers>(survey.id, { format: 'ndjson' })))
    console.log(one.data.dish);
  for await (const { changes } of client.responses.follow<Answers>(survey.id))
    for (const { response } of changes) console.log(response?.data.dish);
  for await (const one of client.responses.listByQuery<Answers>(survey.id, { where })) console.log(one.data.dish);
  console.log((await client.responses.countByQuery(survey.id, { where })).count);
  await client.responses.update<Answers>('id', { data: { taste: null } });
  // @ts-expect-error there is no such dish
  await client.responses.update<Answers>('id', { data: { dish: 'pizza' } });
  // @ts-expect-error there is no such question
  console.log((await client.responses.get<Answers>('id')).data.drink);
  console.log((await client.surveys.getVersion(survey.id, 3)).version, await client.links.create(survey.id));
}
void useTypedAnswers;
const error = await client.surveys.delete(survey.id).catch((failure: unknown) => failure);
if (!(error instanceof ApiError)) throw error;
console.log(error.code, error.status, error.errors.length);
