import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import type { ResponseDocument } from './response-document-store.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const day = (number: number) => new Date(Date.UTC(2024, 4, number));

/** Stores one response for each given set of fields, oldest first. */
async function surveyWith(given: readonly Partial<ResponseDocument>[]) {
  const { surveyId, tenantId } = app.survey.add();
  const ids: string[] = [];
  for (const fields of given) {
    const { body } = await app.submit(surveyId, { data: { ate: 'no' } });
    await app.responses.updateOne({ _id: body.id }, { $set: fields });
    ids.push(body.id);
  }
  const path = `/v1/surveys/${surveyId}/responses`;
  const get = (address: string) => app.call('GET', address, { tenantId });
  return {
    surveyId,
    ids,
    list: (query: string) => get(`${path}?${query}`),
    count: (query: string) => get(`${path}/count?${query}`),
    /** The cursor of the next page, from the `Link` header. */
    cursorOf: (page: { headers: Headers }) => /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '',
  };
}

const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id);

describe('a filter', () => {
  const linkId = randomUUID();
  let survey: Awaited<ReturnType<typeof surveyWith>>;

  beforeAll(async () => {
    survey = await surveyWith([
      { created_at: day(1), updated_at: day(9), completed_at: day(1), status: 'completed', language: 'en' },
      {
        created_at: day(2),
        updated_at: day(2),
        completed_at: null,
        status: 'in_progress',
        language: 'de',
        link_id: linkId,
      },
      {
        created_at: day(3),
        updated_at: day(3),
        completed_at: day(4),
        status: 'disqualified',
        link_id: linkId,
        survey_version: 2,
      },
      { created_at: day(4), updated_at: day(4), completed_at: null, status: 'abandoned', language: 'de' },
      {
        created_at: day(5),
        updated_at: day(5),
        completed_at: day(3),
        status: 'completed',
        language: 'de',
        link_id: randomUUID(),
        survey_version: 2,
      },
    ]);
  });

  it.each([
    ['', [0, 1, 2, 3, 4]],
    ['status=completed', [0, 4]],
    ['status=in_progress', [1]],
    ['status=disqualified', [2]],
    ['status=abandoned', [3]],
    [`link_id=${linkId}`, [1, 2]],
    [`link_id=${linkId.toUpperCase()}`, [1, 2]],
    [`link_id=${randomUUID()}`, []],
    ['language=de', [1, 3, 4]],
    ['language=de_AT', [1, 3, 4]],
    ['language=fr', []],
    ['version=2', [2, 4]],
    ['version=3', []],
    ['since=2024-05-03T00:00:00Z', [2, 3, 4]],
    ['until=2024-05-03T00:00:00Z', [0, 1]],
    ['since=2024-05-02T02:00:00%2B02:00&until=2024-05-04T00:00:00Z', [1, 2]],
    ['since=2024-05-04T00:00:00Z&until=2024-05-02T00:00:00Z', []],
    ['updated_since=2024-05-04T00:00:00Z', [0, 3, 4]],
    ['completed_since=2024-05-03T00:00:00Z', [2, 4]],
    ['completed_until=2024-05-04T00:00:00Z', [0, 4]],
    ['completed_since=2024-05-02T00:00:00Z&completed_until=2024-05-04T00:00:00Z', [4]],
    ['status=completed&language=de&since=2024-05-01T00:00:00Z', [4]],
    [`status=completed&link_id=${linkId}`, []],
  ] as const)('selects the same responses in a list, a count and a sample: %j', async (query, fitting) => {
    const wanted = fitting.map((index) => survey.ids[index]);
    expect(idsOf(await survey.list(query))).toEqual(wanted.toReversed());
    expect(idsOf(await survey.list(`${query}&order=asc`))).toEqual(wanted);
    expect((await survey.count(query)).body).toEqual({ count: wanted.length });
    expect(idsOf(await survey.list(`${query}&random=true`)).toSorted()).toEqual(wanted.toSorted());
  });

  it('also finds the language of an earlier version, as it is spelled', async () => {
    const earlier = await surveyWith([
      { created_at: day(1), language: 'de-AT' },
      { created_at: day(2), language: 'de' },
      { created_at: day(3), language: 'fr' },
    ]);
    const found = async (language: string) => idsOf(await earlier.list(`language=${language}&order=asc`));
    expect(await found('de-AT')).toEqual([earlier.ids[0], earlier.ids[1]]);
    expect(await found('de')).toEqual([earlier.ids[1]]);
    expect(await found('fr')).toEqual([earlier.ids[2]]);
  });

  it.each([
    'status=started',
    'status=',
    'link_id=mine',
    'language=',
    `language=${'x'.repeat(65)}`,
    'version=0',
    'version=latest',
    'since=yesterday',
    'until=2024-05-01',
    'updated_since=1',
    'completed_since=yesterday',
    'completed_until=1',
    'limit=0',
    'limit=1001',
  ])('that is invalid is rejected: %s', async (query) => {
    expect(await survey.list(query)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    if (!query.startsWith('limit')) expect((await survey.count(query)).status).toBe(400);
  });

  it('shows language, link and end of a response', async () => {
    const { body } = await survey.list('language=de&order=asc&limit=1');
    expect(body).toMatchObject([{ status: 'in_progress', language: 'de', link_id: linkId }]);
    const { body: first } = await survey.list('order=asc&limit=1');
    expect(first[0]).not.toHaveProperty('link_id');
  });
});

describe('a list', () => {
  it.each(['asc', 'desc'])('is complete although responses arrive between pages: order=%s', async (order) => {
    const survey = await surveyWith(Array.from({ length: 5 }, (_, index) => ({ created_at: day(1 + (index >> 1)) })));
    const seen: string[] = [];
    let page = await survey.list(`order=${order}&limit=2`);
    for (;;) {
      seen.push(...idsOf(page));
      const cursor = survey.cursorOf(page);
      if (cursor === '') break;
      if (seen.length === 2) await app.submit(survey.surveyId, { data: { ate: 'no' } });
      page = await survey.list(`order=${order}&limit=2&cursor=${cursor}`);
    }
    const listed = seen.filter((id) => survey.ids.includes(id));
    expect(new Set(listed).size).toBe(5);
    expect(listed).toHaveLength(5);
    // Only the ascending order lists the later response, at the end.
    expect(seen).toHaveLength(order === 'asc' ? 6 : 5);
  });

  it('rejects a cursor of the other order, and a modified one', async () => {
    const survey = await surveyWith([{}, {}, {}]);
    const cursor = survey.cursorOf(await survey.list('order=asc&limit=1'));
    for (const query of [`cursor=${cursor}`, `order=desc&cursor=${cursor}`, `order=asc&cursor=${cursor}x`])
      expect(await survey.list(query)).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    expect((await survey.list(`order=asc&cursor=${cursor}`)).status).toBe(200);
  });

  it('rejects an unknown order', async () => {
    const survey = await surveyWith([]);
    expect(await survey.list('order=up')).toMatchObject({ status: 400, body: { errors: [{ path: '?order' }] } });
  });

  it('rejects an order with a random sample, and the cursor of a list', async () => {
    const survey = await surveyWith([{}, {}]);
    expect(await survey.list('random=true&order=asc')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: [{ path: '?order', code: 'NOT_WITH_RANDOM' }] },
    });
    const cursor = survey.cursorOf(await survey.list('limit=1'));
    expect(await survey.list(`random=true&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });
});
