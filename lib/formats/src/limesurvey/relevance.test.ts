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

  const choices = (qid: string, ...codes: string[]) =>
    codes.map((code) => ({ qid, code, answer: code, language: 'en' }));
  const conditionsOf = async (text: string, id: string) => {
    const { survey, codes } = await readText(text);
    const entries = survey['logic'] as readonly JsonObject[] | undefined;
    const found = (entries ?? []).filter((entry) => entry['question_id'] === id).map((entry) => entry['conditions']);
    return { codes, conditions: found.flat() };
  };

  it.each([
    ['a choice with the code 0', { type: 'L' }, [{ operator: 'is_answered' }, { operator: 'not_equals', value: '0' }]],
    ['a number', { type: 'N' }, [{ operator: 'is_answered' }, { operator: 'not_equals', value: 0 }]],
    ['a text', { type: 'S' }, [{ operator: 'is_answered' }, { operator: 'not_equals', value: '0' }]],
    ['a date', { type: 'D' }, [{ operator: 'is_answered' }]],
  ])('takes the truth of %s as in PHP', async (_case, question, expected) => {
    const file = lss([question, { relevance: 'Q1.NAOK' }], table('answers', choices('1', '0', '1', '2')));
    const { conditions, codes } = await conditionsOf(file, 'Q2');
    expect(codes).toEqual([]);
    expect(conditions).toMatchObject(expected);
  });

  it.each([
    ['Q1.NAOK == "-oth-"', 'Q2', [{ source_question: 'Q1', operator: 'is_answered' }]],
    ['Q1.NAOK != "-oth-"', 'Q2', [{ source_question: 'Q1', operator: 'is_not_answered' }]],
    ['Q1_other.NAOK == "x"', 'Q2', [{ source_question: 'Q1', operator: 'equals', value: 'x' }]],
  ])('%s tests a choice whose only option is "other"', async (relevance, id, expected) => {
    const { conditions, codes } = await conditionsOf(lss([{ type: 'L', other: 'Y' }, { relevance }]), id);
    expect(codes).toEqual([]);
    expect(conditions).toMatchObject(expected);
  });

  const valueCondition = (value: string) => ({
    ...{ cid: '1', qid: '2', cqid: '1', cfieldname: '1X1X1', method: '==', value, scenario: '1' },
  });

  it('is kept if an older condition has an expression in braces', async () => {
    const file = lss([{}, {}], table('conditions', [valueCondition('{TOKEN:FIRSTNAME}')]));
    const { questions, codes } = await readText(file);
    expect(codes).toEqual(['LOGIC_NOT_CONVERTED']);
    expect(questions.get('Q2')).toMatchObject({
      source_data: { logic: ['((1X1X1.NAOK == TOKEN:FIRSTNAME))'] },
    });
    const constant = lss([{ type: 'N' }, {}], table('conditions', [valueCondition('{5}')]));
    expect((await conditionsOf(constant, 'Q2')).conditions).toMatchObject([{ operator: 'equals', value: 5 }]);
  });

  it.each([
    ['Q2', true],
    ['Q2.code', true],
    ['Q2.value', true],
    ['Q2.NAOK', false],
    ['Q2.valueNAOK', false],
  ])('with the name %s needs a shown question: %s', async (name, isStrict) => {
    const questions = [{ type: 'Y' }, { type: 'L', relevance: 'Q1.NAOK == "Y"' }, { relevance: `${name} != "A"` }];
    const { conditions, codes } = await conditionsOf(lss(questions, table('answers', choices('2', 'A', 'B'))), 'Q3');
    expect(codes).toEqual([]);
    expect(JSON.stringify(conditions).includes('Q1')).toBe(isStrict);
  });

  it('is kept if it tests the assessment value of a choice', async () => {
    const file = lss([{ type: 'L' }, { relevance: 'Q1.value == 3' }], table('answers', choices('1', '3', '4')));
    expect((await readText(file)).codes).toEqual([]);
    const assessed = file.replace('<language>', '<assessments>Y</assessments><language>');
    const { warnings } = await readText(assessed);
    expect(warnings).toContainEqual({
      path: '/questions/rows/1/relevance',
      code: 'LOGIC_NOT_CONVERTED',
      detail: expect.stringContaining('Q1.value is an assessment value'),
    });
  });

  it.each(['Q1.NAOK == "Y"', 'foo() + 1'])('of a text is reported: %s', async (relevance) => {
    const { warnings } = await readText(lss([{ type: 'Y' }, { type: 'X', relevance }, { type: '*', relevance }]));
    expect(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED')).toEqual([
      {
        path: '/questions/rows/1/relevance',
        code: 'LOGIC_NOT_CONVERTED',
        detail: 'Logic of texts is not converted; they are always shown',
      },
    ]);
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
