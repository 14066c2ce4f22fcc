import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readFormbricksResponses } from './responses.ts';
import { readFormbricksSurvey } from './survey.ts';

const file = (name: string) => Buffer.from(fixture(import.meta.url, name));
const { payload } = await readSurveyFile(readFormbricksSurvey, file('survey.json'));
const read = (contents: string | Uint8Array) => readResponseFile(readFormbricksResponses, contents, payload);

const ANSWERS = {
  meal: 'c1',
  drinks: { options: ['d1'], other: 'Saft' },
  taste: 6,
  recommend: 9,
  why: 'Good',
  spent: '12.5',
  day: '2024-05-01',
  agree: 'accepted',
  look: 'clicked',
  pictures: ['p2'],
  grid: { r1: '0' },
  order: { o2: '1', o1: '2' },
  home_addressLine1: '1 Main Street',
  home_city: 'Ulm',
  home_zip: '89073',
  you_firstName: 'Ann',
  you_email: 'ann@example.com',
  meeting: 'booked',
  odd: '["a","b"]',
};

describe('responses of Formbricks', () => {
  it('are read from a page of the API', async () => {
    const { responses, stored, failures, warnings } = await read(file('responses.json'));
    expect(stored).toEqual([ANSWERS, { meal: { option: 'other', text: 'Pizza' }, taste: 2, home_addressLine1: 'x' }]);
    expect(failures).toEqual(['UNFINISHED in_progress', 'WRONG_TYPE The response must be an object']);
    expect(responses[0]).toMatchObject({
      id: 'cm1response000000000000001',
      startedAt: new Date('2024-05-01T09:50:00Z'),
      completedAt: new Date('2024-05-01T10:00:00Z'),
      language: 'de',
      metadata: {
        meta: { source: 'mail' },
        ttc: { _total: 5000 },
        data: { campaign: 'spring' },
        files: { file: ['https://example.com/a.png'] },
      },
    });
    expect(responses[1]).toMatchObject({
      language: undefined,
      metadata: { data: { gone: 'lost' } },
      unassigned: [{ column: 'gone', code: 'UNKNOWN_QUESTION', keptAs: ['data', 'gone'] }],
    });
    expect(responses[0]).not.toHaveProperty('unassigned');
    expect(warnings.map(({ code }) => code)).toEqual(['NOT_IMPORTED', 'KEPT_AS_METADATA']);
  });

  it('are in one file with their survey', async () => {
    const both = (responses: unknown) =>
      JSON.stringify({ survey: JSON.parse(file('survey.json').toString()), responses });
    const page = JSON.parse(file('responses.json').toString());
    for (const responses of [page, page.data]) {
      const survey = await readSurveyFile(readFormbricksSurvey, both(responses));
      const found = await Array.fromAsync(survey.responses?.(() => {}) ?? []);
      expect(validateResponses(found, survey.payload).stored).toHaveLength(2);
    }
  });

  it('are not in memory while their survey is read', async () => {
    const items = Array.from({ length: 600_000 }, () => 1);
    const survey = JSON.parse(file('survey.json').toString());
    for (const responses of [items, { data: items }]) {
      const { problems } = await readSurveyFile(readFormbricksSurvey, JSON.stringify({ survey, responses }));
      expect(problems).toEqual([]);
    }
  });

  it('match their questions after the ids were renewed', async () => {
    let last = 0;
    const renewed = renewIds(payload, () => `new-${last++}`);
    const { stored } = await readResponseFile(readFormbricksResponses, file('responses.json'), renewed.payload);
    expect(stored[0]).toEqual(renewed.renameIdsInAnswers(ANSWERS));
  });

  it('of another survey are rejected', async () => {
    const { failures } = await read('[{"id": "1", "finished": true, "data": {"z": 1}}]');
    expect(failures).toEqual([expect.stringContaining('NO_ANSWERS')]);
  });

  it('keep values that fit no question, for the report', async () => {
    const data = { meal: ['Soup', 'Bread'], taste: 'Very good', day: '2024-05-01 or later' };
    const readOne = async (given: object) =>
      (await read(JSON.stringify([{ id: '1', finished: true, data: given }]))).responses[0];
    expect(await readOne(data)).toMatchObject({
      answers: { meal: ['c1', 'c2'], taste: 'Very good', day: '2024-05-01 or later' },
    });
    expect(await readOne({ meal: ['Soup', 'Pizza'] })).toMatchObject({ answers: { meal: ['c1', 'Pizza'] } });
    expect(await readOne({ taste: '5', day: '2024-05-01T10:00:00Z' })).toMatchObject({
      answers: { taste: 5, day: '2024-05-01' },
    });
  });

  it.each([[['x']], ['x']])('report data that is %j', async (data) => {
    const { responses } = await read(JSON.stringify([{ id: '1', finished: true, data }]));
    expect(responses).toMatchObject([
      { answers: {}, unassigned: [{ column: 'data', code: 'NOT_AN_ANSWER', value: data }] },
    ]);
  });

  it('report fields of an address that are not shown any more', async () => {
    const data = { home: ['1 Main Street', 'Back door', '', '', '', ''], you: 'odd' };
    const { responses } = await read(JSON.stringify([{ id: '1', finished: true, data }]));
    const code = 'UNKNOWN_QUESTION';
    expect(responses).toMatchObject([
      {
        answers: { home_addressLine1: '1 Main Street' },
        unassigned: [
          { column: 'home', code, value: { 1: 'Back door' } },
          { column: 'you', code, value: 'odd' },
        ],
      },
    ]);
  });

  it('can be an empty page', async () => {
    expect((await read('{"data": []}')).responses).toEqual([]);
  });

  it.each(['7', '{"a": 1}'])('%s is rejected', async (contents) => {
    expect(await rejectionOf(read(contents))).toMatchObject([{ code: 'WRONG_TYPE' }]);
  });
});
