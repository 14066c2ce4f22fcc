import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile } from '../testing/read-files.ts';
import { lss, table } from '../testing/write-lss.ts';
import { readLimesurveySurvey } from './survey.ts';

const read = (name: string) => readSurveyFile(readLimesurveySurvey, fixture(import.meta.url, name));
const readText = (text: string) => readSurveyFile(readLimesurveySurvey, text);

describe('relevance of LimeSurvey', async () => {
  const { definition, questions, problems, warnings } = await read('logic.lss');
  const shown = (answers: JsonObject) => {
    const texts = [...questions]
      .filter(([, { type }]) => type === 'text')
      .map(([id]) => [id, id === 'cost' ? '1' : 'x']);
    return Object.keys(definition.validate({ ...Object.fromEntries(texts), ...answers }, { partial: true }).data);
  };

  it('passes lint', () => {
    expect(problems).toEqual([]);
  });

  it.each([
    ['meal', { ate: 'Y', meal: '1' }, { ate: 'N', meal: '1' }],
    ['late', { ate: 'Y', meal: '3' }, { ate: 'Y', meal: '1' }],
    ['sweet', { drinks: ['tea'], name: 'Ada' }, { drinks: ['tea'], name: '' }],
    ['dry', { drinks: ['tea'], cost: '5' }, { drinks: ['water'], cost: '5' }],
    ['dry', { drinks: ['water'], cost: '11' }, { drinks: ['water'], cost: '10' }],
    ['word', { ate: 'Y', meal: { option: 'other', text: 'Brunch' } }, { ate: 'Y', meal: '1' }],
    ['byNumber', { ate: 'Y' }, { ate: 'N' }],
    ['third', { ate: 'N' }, { ate: 'Y' }],
    ['both', { ate: 'N', cost: '4' }, { ate: 'N', cost: '5' }],
    ['both', { ate: 'N', cost: '4' }, { ate: 'Y', cost: '4' }],
  ])('shows %s with %j and not with %j', (id, some, others) => {
    expect(shown(some)).toContain(id);
    expect(shown(others)).not.toContain(id);
  });

  it('is false for a hidden question, except with .NAOK', () => {
    expect(shown({ ate: 'Y', meal: '1' })).toContain('notLunch');
    expect(shown({ ate: 'Y', meal: '2' })).not.toContain('notLunch');
    expect(shown({ ate: 'N' })).not.toContain('notLunch');
    expect(shown({ ate: 'N' })).toContain('notLunchOk');
    expect(shown({ ate: 'Y', meal: '2' })).not.toContain('notLunchOk');
  });

  it('is kept with a warning if it is not supported, and its question is optional', () => {
    const unsupported = warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED');
    expect(unsupported.map(({ path, detail }) => `${path} ${detail}`)).toEqual([
      expect.stringMatching(/list: Logic of subquestions/),
      expect.stringMatching(/^\/questions\/rows\/12\/relevance never is always shown.*it never holds/),
      expect.stringMatching(
        /^\/questions\/rows\/13\/relevance sum is always shown and not required: an operator or the end is missing at character/,
      ),
      expect.stringMatching(/^\/questions\/rows\/14\/relevance call is always shown/),
    ]);
    expect(questions.get('sum')).toMatchObject({ required: false, source_data: { logic: ['cost + 1 > 3'] } });
  });

  it('is read from the conditions of older surveys', async () => {
    const { survey, warnings: reported } = await read('conditions.lss');
    expect(survey['logic']).toEqual([
      {
        question_id: 'follow',
        conditions: [
          { source_question: 'ate', operator: 'equals', value: 'Y', action: 'show' },
          { source_question: 'kind', operator: 'in', value: ['a', 'b'], action: 'show' },
        ],
      },
      {
        question_id: 'other',
        conditions: [{ source_question: 'drinks', operator: 'contains', value: 'tea', action: 'show' }],
      },
    ]);
    expect(reported).toContainEqual(
      expect.objectContaining({ code: 'LOGIC_NOT_CONVERTED', path: '/conditions/rows/4' }),
    );
  });

  it.each([
    ['Q1.NAOK == -"5"', undefined],
    ['Q1.NAOK == -"x"', 'it compares with something that is not a constant'],
  ])('%s is a comparison with a number, or the reason is reported', async (relevance, reason) => {
    const { warnings: reported } = await readText(lss([{}, { relevance }]));
    const details = reported.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ detail }) => detail);
    expect(details).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
  });

  it('is read from conditions on missing answers and multiple choice', async () => {
    const condition = (qid: string, cfieldname: string, method: string, value: string) => ({
      cid: qid,
      qid,
      cfieldname,
      method,
      value,
      scenario: '1',
    });
    const items = [{ qid: '20', parent_qid: '2', title: 'SQ1', question: 'One', language: 'en' }];
    const conditions = [
      condition('3', '1X1X1', '!=', ' '),
      condition('4', '1X1X1', '==', ' '),
      condition('5', '1X1X2', '==', 'SQ1'),
    ];
    const questions = [{}, { type: 'M' }, {}, {}, {}];
    const file = lss(questions, table('subquestions', items) + table('conditions', conditions));
    const { survey, codes } = await readText(file);
    expect(codes).toEqual([]);
    expect(survey['logic']).toEqual([
      { question_id: 'Q3', conditions: [{ source_question: 'Q1', operator: 'is_answered', action: 'show' }] },
      { question_id: 'Q4', conditions: [{ source_question: 'Q1', operator: 'is_not_answered', action: 'show' }] },
      {
        question_id: 'Q5',
        conditions: [{ source_question: 'Q2', operator: 'contains', value: 'SQ1', action: 'show' }],
      },
    ]);
  });

  it.each([
    ['a quote in a text, and a name of the database', 'Q1.NAOK == "5\\"" and 1X1X1.NAOK != ""', ['5"']],
    ['a name of the database in a text', 'Q1.NAOK == "5\\" 1X1X1"', ['5" 1X1X1']],
    ['a text that PHP takes for true', '"0.0"', []],
  ])('is converted with %s', async (_, relevance, values) => {
    const { survey, codes } = await readText(lss([{}, { relevance }]));
    expect(codes).toEqual([]);
    const conditions = JSON.stringify(survey['logic'] ?? []).matchAll(/"value":("(?:[^"\\]|\\.)*")/g);
    expect([...conditions].map(([, value = '']) => JSON.parse(value))).toEqual(values);
  });

  it.each([
    ['relevance of a subquestion', { relevance: 'Q1 == "x"' }, ''],
    [
      'an array filter',
      {},
      table('question_attributes', [{ qid: '2', attribute: 'array_filter', value: 'Q1', language: '' }]),
    ],
  ])('does not require an array with %s', async (_case, more, attributes) => {
    const item = { qid: '20', parent_qid: '2', title: 'SQ1', question: 'One', language: 'en', ...more };
    const questions = [{ mandatory: 'Y' }, { type: 'A', mandatory: 'Y' }];
    const { questions: made, warnings } = await readText(lss(questions, table('subquestions', [item]) + attributes));
    expect(made.get('Q1')).toMatchObject({ required: true });
    expect(made.get('Q2')).toMatchObject({ required: false, source_data: { required: true } });
    expect(warnings).toContainEqual({
      path: '/questions/rows/1',
      code: 'KEPT_AS_SOURCE_DATA',
      detail: expect.stringMatching(/^Q2: The question is not required/),
    });
  });

  it.each([
    ['itself', 'Q1.NAOK == "x"'],
    ['no question', 'Q9.NAOK == "x"'],
    ['nothing that can be read', '(((('],
    ['a number of no question', '1X2X3.NAOK == 1'],
  ])('is not converted if it uses %s', async (_case, relevance) => {
    const { problems: wrong, codes } = await readText(lss([{ relevance }, {}]));
    expect([wrong, codes]).toEqual([[], ['LOGIC_NOT_CONVERTED']]);
  });
});
