import { describe, expect, it } from 'vitest';
import { readSurveyFile } from '../testing/read-files.ts';
import { lss, table } from '../testing/write-lss.ts';
import { readLimesurveySurvey } from './survey.ts';

type Texts = Readonly<Record<string, string>>;

const item = (title: string, scale = '0') => ({
  ...{ qid: `1${scale}${title}`, parent_qid: '1', title, question: title, language: 'en', scale_id: scale },
});
const TABLE = [item('a'), item('b', '1')];
const INTEGER_SLIDER = { slider_layout: '1', slider_min: '0', slider_max: '5', num_value_int_only: '1' };
const ITEMS = [item('a'), item('b')];

/** Reads a survey with one question. Its kept attributes are `source_data.attributes`, each with a warning. */
async function read(question: Texts, attributes: Texts, subquestions: readonly Texts[] = []) {
  const rows = Object.entries(attributes).map(([attribute, value]) => ({ qid: '1', attribute, value }));
  const more = table('subquestions', subquestions) + table('question_attributes', rows);
  const { questions, warnings } = await readSurveyFile(readLimesurveySurvey, lss([question], more));
  const [first = {}] = questions.values();
  const details = warnings.filter(({ code }) => code === 'KEPT_AS_SOURCE_DATA').map(({ detail }) => detail);
  return { first, data: first['source_data'], details };
}

describe('attributes of LimeSurvey', () => {
  it.each([
    ['a length of texts in a table', { type: ';' }, { maximum_chars: '9' }, TABLE, { max_length: 9 }],
    ['a number in a short text', { type: 'S' }, { numbers_only: '1' }, [], { format: 'number' }],
    ['a list without an exclusive option', { type: 'M' }, { exclude_all_others: 'b' }, ITEMS, {}],
    ['limits of a list of numbers', { type: ':' }, { multiflexible_min: '0' }, TABLE, { min: 0, max: 10 }],
    ['only integers of a slider', { type: 'K' }, INTEGER_SLIDER, [item('a')], { min: 0, max: 5 }],
    ['limits of a time', { type: 'D' }, { date_format: 'HH:MM', date_min: '2020-01-01' }, [], { type: 'time' }],
    ['a default', { type: 'S' }, { save_as_default: 'N', page_break: '0' }, [], {}],
  ])('are converted: %s', async (_case, question, attributes, subquestions, members) => {
    const { first, data, details } = await read(question, attributes, subquestions);
    expect(first).toMatchObject(members);
    expect(data).not.toHaveProperty('attributes');
    expect(details).toEqual([]);
  });

  it.each([
    ['numbers only in a long text', { type: 'T' }, { numbers_only: '1' }, []],
    ['dates that contradict each other', { type: 'D' }, { date_min: '2024-12-01', date_max: '2024-01-01' }, []],
    ['a suffix N', { type: 'N' }, { suffix: 'N' }, []],
    ['a prefix 0', { type: 'N' }, { prefix: '0' }, []],
    ['a minimum of zero in boxes', { type: ':' }, { multiflexible_min: '0' }, TABLE],
    ['an exclusive "other"', { type: 'M', other: 'Y' }, { exclude_all_others: 'a;other' }, ITEMS],
    ['an exclusive option that does not exist', { type: 'P' }, { exclude_all_others: 'z' }, ITEMS],
  ])('are kept with a warning: %s', async (_case, question, attributes, subquestions) => {
    const boxes = 'multiflexible_min' in attributes ? { input_boxes: '1' } : {};
    const { data, details } = await read(question, { ...attributes, ...boxes }, subquestions);
    expect(data).toMatchObject({ attributes });
    expect(details).toEqual(
      Object.keys(attributes).map((name) => `${name} has no equivalent and is kept in source_data of the question`),
    );
  });
});

describe('patterns of LimeSurvey', () => {
  it.each([
    ['a text without items', { type: 'Q' }, {}, 'preg has no equivalent and is kept in source_data of the question'],
    ['a long text', { type: 'T' }, {}, 'The pattern of Q1 is not supported and is kept in source_data'],
  ])('are kept with one warning: %s', async (_case, question, attributes, detail) => {
    const { data, details } = await read({ ...question, preg: '/^a/' }, attributes);
    expect(data).toMatchObject({ preg: '/^a/' });
    expect(details).toEqual([detail]);
  });

  it('are kept beside other attributes', async () => {
    const { details } = await read({ type: 'T', preg: '/^a/' }, { numbers_only: '1' });
    expect(details).toEqual([
      'The pattern of Q1 is not supported and is kept in source_data',
      'numbers_only has no equivalent and is kept in source_data of the question',
    ]);
  });
});
