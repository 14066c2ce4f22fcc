import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TestSurvey } from '../testing/fake-survey-service.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const permissions = ['responses:read', 'responses:write', 'responses:export', 'responses:delete'];
const choice = (id: string, options: readonly unknown[]) => ({ id, type: 'single_choice', title: id, options });
const rating = (id: string) => ({ id, type: 'rating', title: id });
const text = (id: string) => ({ id, type: 'text', title: id });

function definitionOf(...questions: readonly object[]): JsonObject {
  return { title: 'Test', supported_languages: ['en', 'de'], pages: [{ questions }] } as unknown as JsonObject;
}

type Where = { readonly match?: string; readonly conditions: readonly object[] };
interface Asked {
  readonly where?: unknown;
  readonly [parameter: string]: unknown;
}

/** Asks with the conditions in the query. */
async function get({ surveyId, tenantId }: TestSurvey, path: string, { where, ...others }: Asked = {}) {
  const query = new URLSearchParams(
    Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (where !== undefined) query.set('where', JSON.stringify(where));
  return app.call('GET', `/v1/surveys/${surveyId}${path}?${query}`, { tenantId, permissions });
}

/** Asks with the conditions in the body. */
async function post({ surveyId, tenantId }: TestSurvey, path: string, body: Asked) {
  return app.call('POST', `/v1/surveys/${surveyId}${path}/query`, { tenantId, permissions, body });
}

async function submit({ surveyId, tenantId }: TestSurvey, body: object): Promise<string> {
  const { status, body: made } = await app.call('POST', `/v1/surveys/${surveyId}/responses`, {
    tenantId,
    permissions,
    body,
  });
  expect([status, made]).toEqual([201, made]);
  return made.id;
}

/** Follows the pages of a list, also those that are short. */
async function listAll(survey: TestSurvey, asked: Asked): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; cursor !== ''; ) {
    const { status, body } = await post(survey, '/responses', { ...asked, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    ids.push(...body.responses.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

async function exportedIds(survey: TestSurvey, where: unknown, format: string): Promise<readonly string[]> {
  const { status, body } = await post(survey, '/responses/export', { where, format });
  expect(status).toBe(200);
  if (format === 'json') return body.map(({ id }: { id: string }) => id);
  const lines = String(body ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (format === 'ndjson') return lines.map((line) => JSON.parse(line).id);
  return lines.slice(1).map((line) => line.split(',')[0] ?? '');
}

describe('conditions select responses', () => {
  const setUp = async () => {
    const survey = app.survey.add({
      definition: definitionOf(choice('size', ['S', 'M']), rating('stars'), text('why')),
    });
    const bad = await submit(survey, {
      data: { size: 'S', stars: 1, why: 'It broke' },
      metadata: { campaign: 'spring' },
    });
    const good = await submit(survey, { data: { size: 'S', stars: 5 }, language: 'de' });
    const silent = await submit(survey, { data: { size: 'M' } });
    return { survey, bad, good, silent };
  };
  const unhappy: Where = { conditions: [{ source_question: 'stars', operator: 'less_than', value: 3 }] };

  it('in lists, samples, counts, summaries, answers and exports', async () => {
    const { survey, bad } = await setUp();
    const list = await get(survey, '/responses', { where: unhappy });
    expect([list.status, list.body.map(({ id }: { id: string }) => id)]).toEqual([200, [bad]]);
    expect((await get(survey, '/responses', { where: unhappy, random: true })).body).toMatchObject([{ id: bad }]);
    expect((await get(survey, '/responses/count', { where: unhappy })).body).toMatchObject({ count: 1 });
    const summary = await get(survey, '/summary', { where: unhappy });
    expect(summary.body).toMatchObject({ responses: 1, completion: { started: 1, completed: 1 }, lacking_question: 0 });
    expect(summary.body.questions[1]).toMatchObject({ question_id: 'stars', answered: 1, mean: 1 });
    expect((await get(survey, '/questions/why/answers', { where: unhappy })).body).toMatchObject([
      { response_id: bad, answer: 'It broke' },
    ]);
    for (const format of ['csv', 'ndjson', 'json']) expect(await exportedIds(survey, unhappy, format)).toEqual([bad]);
    const xlsx = await get(survey, '/responses/export', { where: unhappy, format: 'xlsx' });
    expect([xlsx.status, xlsx.headers.get('x-total-count')]).toEqual([200, '1']);
  });

  it('in the body of a POST, whose reply says how far the search came', async () => {
    const { survey, bad } = await setUp();
    const { status, body } = await post(survey, '/responses', { where: unhappy });
    expect([status, body]).toEqual([
      200,
      {
        responses: [expect.objectContaining({ id: bad })],
        next_cursor: '',
        scanned: 3,
        complete: true,
        lacking_question: 0,
      },
    ]);
    expect((await post(survey, '/responses/count', { where: unhappy })).body).toEqual({
      count: 1,
      lacking_question: 0,
    });
    expect((await post(survey, '/summary', { where: unhappy, interval: 'day' })).body).toMatchObject({ responses: 1 });
    expect((await post(survey, '/questions/why/answers', { where: unhappy })).body).toMatchObject({
      answers: [{ response_id: bad }],
      complete: true,
    });
  });

  it('together with the other filters', async () => {
    const { survey, good } = await setUp();
    const small: Where = { conditions: [{ source_question: 'size', operator: 'equals', value: 'S' }] };
    expect(await listAll(survey, { where: small, language: 'de' })).toEqual([good]);
    expect((await get(survey, '/responses/count', { where: small, status: 'disqualified' })).body.count).toBe(0);
    expect((await get(survey, '/summary', { where: small, language: 'de' })).body.responses).toBe(1);
  });

  it('by metadata, language and duration', async () => {
    const { survey, bad, good, silent } = await setUp();
    const ofSource = (source: string, operator: string, value?: unknown) =>
      listAll(survey, {
        where: { conditions: [{ source, operator, ...(value !== undefined && { value }) }] },
        order: 'asc',
      });
    expect(await ofSource('metadata.campaign', 'equals', 'spring')).toEqual([bad]);
    expect(await ofSource('metadata.campaign', 'is_not_answered')).toEqual([good, silent]);
    expect(await ofSource('language', 'equals', 'de')).toEqual([good]);
    const timed = await submit(survey, {
      data: { size: 'S' },
      started_at: new Date(Date.now() - 60_000).toISOString(),
    });
    expect(await ofSource('duration', 'greater_than', 30)).toEqual([timed]);
  });

  it('of each version, and the reply counts those that lack the question', async () => {
    const { survey, silent } = await setUp();
    const changed = definitionOf(choice('size', [{ id: 'L', text: 'Large' }]), text('added'));
    app.survey.set(survey.surveyId, { version: 2, definition: changed });
    const added = await submit(survey, { data: { added: 'x' }, survey_version: 2 });
    const where: Where = { conditions: [{ source_question: 'added', operator: 'is_answered' }] };
    const { body } = await post(survey, '/responses', { where, at_least_version: undefined });
    expect(body).toMatchObject({ responses: [{ id: added }], lacking_question: 3, scanned: 4 });
    expect((await get(survey, '/responses/count', { where })).body).toEqual({ count: 1, lacking_question: 3 });
    expect((await get(survey, '/summary', { where })).body).toMatchObject({ responses: 1, lacking_question: 3 });
    // The latest version has no option M.
    expect(
      await listAll(survey, { where: { conditions: [{ source_question: 'size', operator: 'equals', value: 'M' }] } }),
    ).toEqual([silent]);
  });

  it('of versions without a match, also after responses arrive', async () => {
    const { survey } = await setUp();
    app.survey.set(survey.surveyId, { version: 2, definition: definitionOf(text('added')) });
    const where: Where = { conditions: [{ source_question: 'added', operator: 'is_answered' }] };
    for (let matches = 1; matches <= 3; matches += 1) {
      await submit(survey, { data: { added: 'x' }, survey_version: 2 });
      const { body } = await get(survey, '/summary', { where });
      expect(body).toMatchObject({ responses: matches, lacking_question: 3, versions: [2] });
      expect((await get(survey, '/responses/count', { where })).body).toEqual({ count: matches, lacking_question: 3 });
    }
  });

  it('in a sample of a single page', async () => {
    const { survey, bad } = await setUp();
    const { body } = await post(survey, '/responses', { where: unhappy, random: true });
    expect(body).toMatchObject({ responses: [{ id: bad }], next_cursor: '', scanned: 3, complete: true });
    expect(await post(survey, '/responses', { where: unhappy, random: true, cursor: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });

  it('and other cursors are rejected', async () => {
    const { survey } = await setUp();
    const where: Where = { conditions: [{ source_question: 'size', operator: 'is_answered' }] };
    const { body } = await post(survey, '/responses', { where, limit: 1 });
    expect(body.next_cursor).not.toBe('');
    const next = (asked: Asked) => post(survey, '/responses', { limit: 1, cursor: body.next_cursor, ...asked });
    expect(await next({ where })).toMatchObject({ status: 200 });
    expect(await next({ where: unhappy })).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    expect(await next({})).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    expect(await next({ where, status: 'completed' })).toMatchObject({ status: 400 });
  });

  it('or are rejected with pointers', async () => {
    const { survey } = await setUp();
    const where = { conditions: [{ source_question: 'nope', operator: 'equals', value: 1 }] };
    for (const path of ['/responses', '/responses/count', '/summary', '/responses/export', '/questions/why/answers']) {
      expect(await post(survey, path, { where })).toMatchObject({
        status: 422,
        body: {
          code: 'VALIDATION_FAILED',
          errors: [{ code: 'UNKNOWN_SOURCE', path: '/where/conditions/0/source_question' }],
        },
      });
      expect(await get(survey, path, { where })).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'UNKNOWN_SOURCE', path: '?where/conditions/0/source_question' }] },
      });
    }
    expect(await get(survey, '/responses', { where: [] })).toMatchObject({ status: 400 });
  });

  it('of the own tenant only', async () => {
    const { survey } = await setUp();
    const stranger = { ...survey, tenantId: 'stranger' };
    expect(await post(stranger, '/responses', { where: unhappy })).toMatchObject({ status: 404 });
  });
});

/** The operators by their definition, for plain answers of the generated surveys. */
const OPERATORS: Readonly<Record<string, (answer: unknown, value: never) => boolean>> = {
  equals: (answer, value) => answer === value,
  not_equals: (answer, value) => answer !== value,
  in: (answer, value: readonly unknown[]) => value.includes(answer),
  not_in: (answer, value: readonly unknown[]) => !value.includes(answer),
  less_than: (answer, value) => answer !== undefined && Number(answer) < Number(value),
  greater_or_equal: (answer, value) => answer !== undefined && Number(answer) >= Number(value),
  contains: (answer, value: string) =>
    answer !== undefined && String(answer).toUpperCase().includes(value.toUpperCase()),
  not_contains: (answer, value: string) =>
    answer === undefined || !String(answer).toUpperCase().includes(value.toUpperCase()),
  is_answered: (answer) => answer !== undefined,
  is_not_answered: (answer) => answer === undefined,
};

const size = fc.constantFrom('S', 'M', 'L');
const stars = fc.integer({ min: 1, max: 5 });
const word = fc.constantFrom('red', 'Red car', 'blue', 'ear');
const equality = ['equals', 'not_equals'];
const membership = ['in', 'not_in'];
const presence = fc.constantFrom('is_answered', 'is_not_answered').map((operator) => ({ operator, value: undefined }));

function tests(values: fc.Arbitrary<unknown>, ...single: readonly string[]) {
  return fc.oneof(
    presence,
    fc.record({ operator: fc.constantFrom(...single), value: values }),
    fc.record({ operator: fc.constantFrom(...membership), value: fc.array(values, { minLength: 1, maxLength: 3 }) }),
  );
}

const anyCondition = fc.oneof(
  fc.tuple(fc.constant({ source_question: 'size' }), tests(size, ...equality)),
  fc.tuple(fc.constant({ source_question: 'stars' }), tests(stars, ...equality, 'less_than', 'greater_or_equal')),
  fc.tuple(fc.constant({ source_question: 'why' }), tests(word, ...equality, 'contains', 'not_contains')),
  fc.tuple(fc.constant({ source: 'metadata.tag' }), tests(word, ...equality, 'contains', 'not_contains')),
  fc.tuple(fc.constant({ source: 'language' }), tests(fc.constantFrom('en', 'de'), ...equality)),
);

const anyResponse = fc.record(
  {
    version: fc.constantFrom(1, 2),
    size,
    stars,
    why: word,
    tag: word,
    language: fc.constantFrom('en', 'de'),
  },
  { requiredKeys: ['version'] },
);

const anyCase = fc.record({
  responses: fc.array(anyResponse, { minLength: 1, maxLength: 8 }),
  match: fc.constantFrom('all', 'any'),
  conditions: fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
  limit: fc.integer({ min: 1, max: 4 }),
});

// Version 2 hides `why` from those who chose S, and lacks `stars`.
const first = definitionOf(choice('size', ['S', 'M', 'L']), rating('stars'), text('why'));
const second: JsonObject = {
  ...definitionOf(choice('size', ['S', 'M', 'L']), text('why')),
  logic: [
    { question_id: 'why', action: 'hide', conditions: [{ source_question: 'size', operator: 'equals', value: 'S' }] },
  ],
};

it('every operation selects the same responses as brute force over plain data', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ responses, match, conditions, limit }) => {
      const survey = app.survey.add({ definition: first });
      app.survey.set(survey.surveyId, { version: 2, definition: second });
      const expected: string[] = [];
      for (const { version, tag, language, ...answers } of responses) {
        const { stars: _, ...withoutStars } = answers;
        const data: Record<string, unknown> = version === 1 ? answers : withoutStars;
        const metadata = tag === undefined ? undefined : { tag };
        const id = await submit(survey, {
          data,
          survey_version: version,
          ...(metadata && { metadata }),
          ...(language && { language }),
        });
        if (version === 2 && data['size'] === 'S') delete data['why'];
        const parts: Record<string, unknown> = { 'metadata.tag': tag, language };
        const holds = ([source, { operator, value }]: (typeof conditions)[number]) =>
          OPERATORS[operator]?.(
            'source' in source ? parts[source.source] : data[source.source_question],
            value as never,
          );
        if (match === 'all' ? conditions.every(holds) : conditions.some(holds)) expected.push(id);
      }
      const where = {
        match,
        conditions: conditions.map(([source, { operator, value }]) => ({
          ...source,
          operator,
          ...(value !== undefined && { value }),
        })),
      };
      expect(await listAll(survey, { where, limit, order: 'asc' })).toEqual(expected);
      expect((await get(survey, '/responses/count', { where })).body.count).toBe(expected.length);
      expect((await get(survey, '/summary', { where })).body.responses).toBe(expected.length);
      expect(await exportedIds(survey, where, 'ndjson')).toEqual(expected);
      const sample = await get(survey, '/responses', { where, random: true, limit: 1_000 });
      expect(sample.body.map(({ id }: { id: string }) => id).sort()).toEqual(expected.toSorted());
    }),
    inject('testScope') === 'all' ? { numRuns: 300 } : { numRuns: 25, seed: 62 },
  );
});
