import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TestSurvey } from '../testing/fake-survey-service.ts';
import { startResponseApp, type TestApp, watchReads } from '../testing/response-app.ts';
import { endWindows } from '../testing/test-stores.ts';

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

async function exportedIds(survey: TestSurvey, asked: Asked, format: string): Promise<readonly string[]> {
  const { status, body } = await post(survey, '/responses/export', { ...asked, format });
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
    for (const format of ['csv', 'ndjson', 'json'])
      expect(await exportedIds(survey, { where: unhappy }, format)).toEqual([bad]);
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
    const lackingOf = async (path: string, asked: Asked) =>
      (await get(survey, path, asked)).headers.get('x-lacking-question');
    for (const path of ['/responses', '/questions/added/answers', '/responses/export']) {
      expect([path, await lackingOf(path, { where })]).toEqual([path, '3']);
      expect([path, await lackingOf(path, {})]).toEqual([path, null]);
    }
    for (const format of ['csv', 'xlsx', 'json', 'ndjson'])
      expect([format, await lackingOf('/responses/export', { where, format })]).toEqual([format, '3']);
    expect(await lackingOf('/responses/export', { where, version: 2 })).toBe('0');
    expect(await lackingOf('/responses/export', { where, language: 'de' })).toBe('1');
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

  it('in counts and summaries that are cached until the next write', async () => {
    const { survey } = await setUp();
    await endWindows(app.db);
    const answered = { source_question: 'size', operator: 'is_answered' };
    const [few] = unhappy.conditions;
    const ask = async (conditions: readonly unknown[]) => {
      const { body: count } = await get(survey, '/responses/count', { where: { conditions } });
      const { body: summary } = await get(survey, '/summary', { where: { conditions } });
      return [count.count, summary.responses];
    };
    expect(await ask([answered, few])).toEqual([1, 1]);
    const reads = await watchReads(app.db, survey.tenantId);
    const again = await ask([few, answered]);
    expect([again, await reads.stop()]).toEqual([[1, 1], 0]);
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

type Holds = (answer: unknown, value: never) => boolean;

/** The operators by their definition, for plain answers of the generated surveys. */
const POSITIVE: Readonly<Record<string, Holds>> = {
  equals: (answer, value: unknown) =>
    Array.isArray(answer) ? isDeepStrictEqual(answer.toSorted(), [value].flat().toSorted()) : answer === value,
  in: (answer, value: readonly unknown[]) => [answer].flat().some((one) => value.includes(one)),
  contains: (answer, value: string) =>
    Array.isArray(answer)
      ? answer.includes(value)
      : answer !== undefined && String(answer).toUpperCase().includes(value.toUpperCase()),
  is_answered: (answer) => answer !== undefined,
};
const negated = Object.entries(POSITIVE).map(([name, holds]): [string, Holds] => [
  name.replace(/^(is_)?/, '$1not_'),
  (answer, value) => !holds(answer, value),
]);
const OPERATORS: Readonly<Record<string, Holds>> = {
  ...POSITIVE,
  ...Object.fromEntries(negated),
  less_than: (answer, value) => answer !== undefined && Number(answer) < Number(value),
  less_or_equal: (answer, value) => answer !== undefined && Number(answer) <= Number(value),
  greater_than: (answer, value) => answer !== undefined && Number(answer) > Number(value),
  greater_or_equal: (answer, value) => answer !== undefined && Number(answer) >= Number(value),
  matches: (answer, value) => answer !== undefined && new RegExp(value, 'u').test(String(answer)),
};

const sizes = ['S', 'M', 'L'] as const;
const size = fc.constantFrom(...sizes);
const stars = fc.integer({ min: 1, max: 5 });
const word = fc.constantFrom('red', 'Red car', 'blue', 'ear');
const seconds = fc.constantFrom(0, 5, 90.5, 3_600);
const link = fc.constantFrom('0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10', '0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c11');
const anyStatus = fc.constantFrom('completed', 'completed', 'in_progress', 'abandoned', 'disqualified');
const equality = ['equals', 'not_equals'];
const membership = ['in', 'not_in'];
const order = ['less_than', 'less_or_equal', 'greater_than', 'greater_or_equal'];
const presence = fc.constantFrom('is_answered', 'is_not_answered').map((operator) => ({ operator, value: undefined }));

function tests(values: fc.Arbitrary<unknown>, ...single: readonly string[]) {
  return fc.oneof(
    presence,
    fc.record({ operator: fc.constantFrom(...single), value: values }),
    fc.record({ operator: fc.constantFrom(...membership), value: fc.array(values, { minLength: 1, maxLength: 3 }) }),
  );
}

const testsOfText = (values: fc.Arbitrary<string>) =>
  fc.oneof(
    tests(values, ...equality, 'contains', 'not_contains'),
    fc.record({ operator: fc.constant('matches'), value: fc.constantFrom('^red', 'ar$', '10$', '^d') }),
  );
const testsOfChoices = fc.oneof(
  tests(size, ...equality, 'contains', 'not_contains'),
  fc.record({ operator: fc.constantFrom(...equality), value: fc.uniqueArray(size, { minLength: 1 }) }),
);

const anyCondition = fc.oneof(
  fc.tuple(fc.constant({ source_question: 'size' }), tests(size, ...equality)),
  fc.tuple(fc.constant({ source_question: 'sizes' }), testsOfChoices),
  fc.tuple(fc.constant({ source_question: 'stars' }), tests(stars, ...equality, ...order)),
  fc.tuple(fc.constant({ source_question: 'why' }), testsOfText(word)),
  fc.tuple(fc.constant({ source: 'metadata.tag' }), testsOfText(word)),
  fc.tuple(fc.constant({ source: 'language' }), testsOfText(fc.constantFrom('en', 'de'))),
  fc.tuple(fc.constant({ source: 'external_id' }), testsOfText(word)),
  fc.tuple(fc.constant({ source: 'link_id' }), testsOfText(link)),
  fc.tuple(fc.constant({ source: 'duration' }), tests(seconds, ...equality, ...order)),
);

const anyResponse = fc.record(
  {
    version: fc.constantFrom(1, 2),
    status: anyStatus,
    size,
    sizes: fc.uniqueArray(size, { minLength: 1 }),
    stars,
    why: word,
    tag: word,
    language: fc.constantFrom('en', 'de'),
    externalId: word,
    link,
    seconds,
  },
  { requiredKeys: ['version', 'status'] },
);

const anyCase = fc.record({
  responses: fc.array(anyResponse, { minLength: 1, maxLength: 8 }),
  asked: anyStatus,
  match: fc.constantFrom('all', 'any'),
  conditions: fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
  limit: fc.integer({ min: 1, max: 4 }),
});

// Version 2 hides `why` from those who chose S, and lacks `stars`.
const choices = { id: 'sizes', type: 'multiple_choice', title: 'sizes', options: sizes };
const first = definitionOf(choice('size', sizes), choices, rating('stars'), text('why'));
const second: JsonObject = {
  ...definitionOf(choice('size', sizes), choices, text('why')),
  logic: [
    { question_id: 'why', action: 'hide', conditions: [{ source_question: 'size', operator: 'equals', value: 'S' }] },
  ],
};

const isAll = inject('testScope') === 'all';
const RUNS = 25;
/** Parts of 25 surveys each, since one test of all 300 takes minutes. */
const parts = isAll ? Array.from({ length: 12 }, (_, index) => index) : [0];

it.each(parts)('every operation selects the same responses as brute force over plain data (%i)', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ responses, asked, match, conditions, limit }) => {
      const survey = app.survey.add({ definition: first });
      app.survey.set(survey.surveyId, { version: 2, definition: second });
      const expected: string[] = [];
      for (const given of responses) {
        const { version, status: state, tag, language, externalId, link: linkId, seconds: lasted, ...answers } = given;
        const { stars: _, ...withoutStars } = answers;
        const data: Record<string, unknown> = version === 1 ? answers : withoutStars;
        const metadata = tag === undefined ? undefined : { tag };
        const id = await submit(survey, {
          data,
          survey_version: version,
          ...(metadata && { metadata }),
          ...(language && { language }),
        });
        const hasEnded = state === 'completed' || state === 'disqualified';
        const duration = hasEnded ? lasted : undefined;
        // The same link submits, imports and lasts as long as the test wants only in the database.
        await app.responses.updateOne({ _id: id }, [
          {
            $set: {
              status: state,
              external_id: externalId ?? null,
              link_id: linkId ?? null,
              started_at: duration === undefined ? null : { $subtract: ['$completed_at', duration * 1_000] },
              completed_at: hasEnded ? '$completed_at' : null,
            },
          },
        ]);
        if (version === 2 && data['size'] === 'S') delete data['why'];
        const sources: Record<string, unknown> = {
          'metadata.tag': tag,
          language,
          external_id: externalId,
          link_id: linkId,
          duration,
        };
        const holds = ([source, { operator, value }]: (typeof conditions)[number]) =>
          OPERATORS[operator]?.(
            'source' in source ? sources[source.source] : data[source.source_question],
            value as never,
          );
        if (state === asked && (match === 'all' ? conditions.every(holds) : conditions.some(holds))) expected.push(id);
      }
      const where = {
        match,
        conditions: conditions.map(([source, { operator, value }]) => ({
          ...source,
          operator,
          ...(value !== undefined && { value }),
        })),
      };
      const selected = { where, status: asked };
      expect(await listAll(survey, { ...selected, limit, order: 'asc' })).toEqual(expected);
      expect((await get(survey, '/responses/count', selected)).body.count).toBe(expected.length);
      expect((await get(survey, '/summary', selected)).body.responses).toBe(expected.length);
      expect(await exportedIds(survey, selected, 'ndjson')).toEqual(expected);
      const sample = await get(survey, '/responses', { ...selected, random: true, limit: 1_000 });
      expect(sample.body.map(({ id }: { id: string }) => id).sort()).toEqual(expected.toSorted());
    }),
    { numRuns: RUNS, ...(!isAll && { seed: 62 }) },
  );
});
