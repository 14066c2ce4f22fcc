import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readSurveyjsResponses } from './responses.ts';
import { readSurveyjsSurvey } from './survey.ts';

const results = fixture(import.meta.url, 'results.json');
const { payload } = await readSurveyFile(readSurveyjsSurvey, fixture(import.meta.url, 'kinds.json'));
const read = await readResponseFile(readSurveyjsResponses, results, payload);

describe('results of SurveyJS', () => {
  it('every value becomes an answer to its question', () => {
    expect(read.responses[0]).toMatchObject({
      index: 0,
      id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
      startedAt: undefined,
      completedAt: new Date('2024-05-01T10:00:00Z'),
      language: 'de',
    });
    expect(read.stored[0]).toEqual({
      ate: 'yes',
      dishes: ['soup', 'other_option'],
      seat: '3',
      country: 'Peru',
      tags: '["a","b"]',
      face: ['a'],
      again: 'true',
      order: { price: '2', taste: '1' },
      name: 'Ann',
      full_name: 'Ann Lee',
      mail: 'ann@example.org',
      age: '41',
      day: '2024-02-29',
      at: '09:30',
      moment: '2024-05-01T09:30',
      more: 'first\nsecond',
      'address.street': 'Main',
      'address.zip': '12345',
      sum: '42',
      taste: 4,
      'taste-Comment': 'salty',
      stars: 7,
      steps: 4,
      words: 'low',
      heat: 15,
      range: '[1,2]',
      quality: { food: '1' },
      checks: { r: ['a', 'b'] },
      scale: 'high',
      'budget.people': { q1: 'few', q2: 'many' },
      'budget.kinds': { q1: ['y'] },
      'budget.note.q1': 'n',
      'budget.score': { q1: '5' },
      team: '[{"n":"x"}]',
      children: '[{"child":"Tim"}]',
      odd: 'y',
    });
  });

  it('files are not imported, and other members are kept, each with a warning', () => {
    expect(read.responses[0]).toMatchObject({
      metadata: { source_data: { cv: [{ name: 'cv.pdf', type: 'application/pdf' }], device: 'phone' } },
    });
    expect(read.warnings).toMatchObject([
      { path: '/0/cv', code: 'NOT_IMPORTED' },
      { path: '/0/device', code: 'KEPT_AS_SOURCE_DATA' },
    ]);
  });

  it('the text of "other" is in the comment', () => {
    expect(read.stored[1]).toMatchObject({ ate: { option: 'other', text: 'a little' }, again: 'never' });
  });

  it('an invalid result is rejected by itself, with the reason', () => {
    expect(read.stored).toHaveLength(2);
    expect(read.failures).toEqual([
      expect.stringContaining('UNKNOWN_OPTION /data/dishes'),
      expect.stringContaining('UNKNOWN_OPTION /data/quality'),
      'WRONG_TYPE The result must be an object',
      'BAD_TIME completed_at The time of the result must be an RFC 3339 time',
    ]);
  });

  it('answers match their questions after the ids were renewed', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const renewed = renewIds(payload, () => ids.pop() ?? '');
    const again = await readResponseFile(readSurveyjsResponses, results, renewed.payload);
    const [first] = again.responses;
    expect(again.stored).toHaveLength(2);
    const [original] = read.responses;
    if (first === undefined || original === undefined || !('answers' in first) || !('answers' in original))
      throw new Error('rejected');
    expect(first.answers).toEqual(renewed.renameIdsInAnswers(original.answers));
  });

  it.each([
    ['beside a survey', { responses: [{ odd: 'y' }] }],
    ['of the service', { Data: [{ odd: 'y' }], ResultCount: 1 }],
    ['alone', { odd: 'y' }],
  ])('are read %s', async (_, file) => {
    const { responses } = await readResponseFile(readSurveyjsResponses, JSON.stringify(file), payload);
    expect(responses).toMatchObject([{ index: 0, answers: { odd: 'y' } }]);
  });

  it('of another survey are rejected', async () => {
    const file = JSON.stringify([{ id: '7', elsewhere: 'y' }, { id: '8', elsewhere: 'y', odd: 'y' }, { id: '9' }]);
    const { responses, failures } = await readResponseFile(readSurveyjsResponses, file, payload);
    expect(responses).toMatchObject([{ id: '7' }, { id: '8', answers: { odd: 'y' } }, { id: '9', answers: {} }]);
    expect(failures).toContainEqual(expect.stringMatching(/^NO_ANSWERS /));
  });

  it('are read from the file of the survey', async () => {
    const file = JSON.stringify({ survey: { elements: [{ type: 'text', name: 'a' }] }, responses: [{ a: 'x' }] });
    const survey = await readSurveyFile(readSurveyjsSurvey, file);
    const found = [];
    for await (const response of survey.responses?.(() => {}) ?? []) found.push(response);
    expect(validateResponses(found, survey.payload).stored).toEqual([{ a: 'x' }]);
  });

  it('an empty list has none', async () => {
    expect((await readResponseFile(readSurveyjsResponses, '{"results": []}', payload)).responses).toEqual([]);
  });

  it.each(['7', '"text"', '{"a": ['])('%s is rejected', async (contents) => {
    expect(await rejectionOf(readResponseFile(readSurveyjsResponses, contents, payload))).toHaveLength(1);
  });
});
