import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readLimesurveyTsvSurvey } from './survey.ts';

const read = (contents: string | Uint8Array) => readSurveyFile(readLimesurveyTsvSurvey, contents);
const files = corpusFiles('limesurvey', '.tsv');

describe('the tab-separated structure of a LimeSurvey survey', async () => {
  const { survey, questions, problems, warnings } = await read(fixture(import.meta.url, 'structure.tsv'));

  it('passes lint and has its languages', () => {
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: { en: 'Canteen', de: 'Kantine' },
      supported_languages: ['en', 'de'],
      pages: [
        { title: { en: 'Lunch', de: 'Mittag' }, description: { en: 'About lunch', de: 'Zum Mittag' } },
        { title: { en: 'Rest', de: 'Rest' } },
      ],
      source_data: { source_id: '495002', settings: { anonymized: 'Y' }, quota: [{ name: 'Full', text: '10' }] },
    });
  });

  it('has questions with options and translations', () => {
    expect([...questions.keys()]).toEqual(['meal', 'drinks', 'dual_1', 'dual_2', 'zip']);
    expect(questions.get('meal')).toMatchObject({
      type: 'single_choice',
      title: { en: 'Which meal?', de: 'Welches Essen?' },
      description: { en: 'One of them' },
      required: true,
      allow_other: true,
      options: [
        { id: 'A1', text: { en: 'Soup', de: 'Suppe' } },
        { id: 'A2', text: { en: 'Bread, "fresh"', de: 'Brot' } },
      ],
      source_data: { attributes: { random_order: '1' } },
    });
    expect(questions.get('drinks')).toMatchObject({ type: 'multiple_choice', max_selections: 2 });
    expect(questions.get('dual_2')).toMatchObject({ type: 'likert', options: [{ id: '1' }] });
    expect(questions.get('zip')).toMatchObject({ pattern: '^[0-9]{5}$' });
    expect(survey['logic']).toMatchObject([{ question_id: 'drinks' }]);
  });

  it('has warnings with rows', () => {
    expect(warnings.map(({ path }) => path)).toEqual(warnings.map(() => ''));
    expect(warnings.map(({ detail }) => detail)).toContain(
      'row 10: random_order has no equivalent and is kept in source_data of the question',
    );
  });

  it('can have many columns that most rows leave empty', async () => {
    const names = ['class', 'type/scale', 'name', 'text', ...Array.from({ length: 5_000 }, (_, at) => `a${at}`)];
    const rows = Array.from({ length: 900 }, (_, at) => `Q\tS\tq${at}\tText${at === 0 ? '\t1' : ''}`);
    // 4.5 million attributes without values are within the limit of 200,000.
    const wide = await read([names.join('\t'), ...rows].join('\n'));
    expect(wide.questions.size).toBe(900);
    expect(wide.questions.get('q0')).toMatchObject({ source_data: { attributes: { a0: '1' } } });
  });

  it('keeps the attributes and default values of all kinds of rows', async () => {
    const rows = [
      'class\ttype/scale\tname\ttext\tdefault\trandom_group\tcolour',
      'G\t\tOne\t\t\tr1\tred',
      'Q\tM\tq\tWhich?\t\t\t',
      'SQ\t0\ts\tThis\tY\t\tblue',
      'A\t0\ta\tThat\t\t\tgreen',
    ];
    const { survey: made, questions: byId, warnings: reports } = await read(rows.join('\n'));
    expect(made).toMatchObject({
      pages: [{ source_data: { randomization_group: 'r1', colour: 'red' } }],
      source_data: { defaultvalues: [{ qid: 'q1', sqid: 's1', defaultvalue: 'Y' }] },
    });
    expect(made).not.toHaveProperty('pages.0.source_data.random_group');
    expect(byId.get('q')).toMatchObject({
      source_data: { subquestions: [{ attributes: { colour: 'blue' } }], answers: [{ colour: 'green' }] },
    });
    expect(reports.map(({ detail }) => detail)).toContain(
      'row 5: colour of answers and subquestions has no equivalent and is kept in source_data of the question',
    );
  });

  it('is rejected with too many attributes', async () => {
    const names = ['class', 'type/scale', 'name', 'text', ...Array.from({ length: 300 }, (_, at) => `a${at}`)];
    const values = '\t1'.repeat(300);
    const rows = Array.from({ length: 700 }, (_, at) => `Q\tS\tq${at}\tText${values}`);
    const rejection = await rejectionOf(read([names.join('\t'), ...rows].join('\n')));
    expect(rejection).toMatchObject([
      { code: 'TOO_LARGE', detail: expect.stringContaining('200000 rows and attributes') },
    ]);
  });

  it('can have questions without a group, and groups without numbers', async () => {
    const rows = [
      'class\ttype/scale\tname\ttext\tlanguage',
      'Q\tS\tfirst\tFirst?\t',
      'G\t\tOne\t\t',
      'Q\tS\tsecond\tSecond?\t',
      'G\t\tTwo\t\t',
      'Q\tS\tsecond\tOnce more?\t',
    ];
    const { survey: made, questions: byId, codes } = await read(rows.join('\n'));
    expect(made['pages']).toMatchObject([{ questions: [{}] }, { title: 'One' }, { title: 'Two' }]);
    expect(byId.size).toBe(3);
    expect(codes).toContain('ID_CHANGED');
  });

  it('can have questions without a group at the beginning of each language', async () => {
    const rows = [
      'class\ttype/scale\tname\ttext\tlanguage',
      'S\t\tlanguage\ten\t',
      'S\t\tadditional_languages\tde\t',
      ...['en', 'de'].flatMap((language) => [
        `Q\tS\tfirst\tFirst ${language}\t${language}`,
        ...(language === 'de' ? ['Q\tS\tonly\tOnly de\tde'] : []),
        `G\t\tOne ${language}\t\t${language}`,
        `Q\tS\tsecond\tSecond ${language}\t${language}`,
        `G\t\tTwo ${language}\t\t${language}`,
        `Q\tS\tthird\tThird ${language}\t${language}`,
      ]),
    ];
    const { survey: made } = await read(rows.join('\n'));
    const textIn = (text: string) => ({ en: `${text} en`, de: `${text} de` });
    expect(made['pages']).toMatchObject([
      { questions: [{ title: textIn('First') }, { id: 'only' }] },
      { title: textIn('One'), questions: [{ title: textIn('Second') }] },
      { title: textIn('Two'), questions: [{ title: textIn('Third') }] },
    ]);
  });

  it('keeps the fields of subquestions', async () => {
    const rows = ['class\ttype/scale\tname\ttext\thelp\tmandatory', 'Q\tM\tq\tWhich?\t\t', 'SQ\t0\ts\tThis\tMore\tN'];
    const { questions: byId, warnings: reports } = await read(rows.join('\n'));
    expect(byId.get('q')).toMatchObject({ source_data: { subquestions: [{ code: 's', help: 'More' }] } });
    expect(reports.map(({ detail }) => detail)).toContain(
      'row 3: help of answers and subquestions has no equivalent and is kept in source_data of the question',
    );
  });

  it.each([
    ['nothing', '', 'BAD_HEADER', 'no header row'],
    ['another table', 'a;b\n1;2\n', 'WRONG_TYPE', 'row 1: '],
    ['no column of texts', 'class\ttype/scale\tname\nQ\tS\tq\n', 'WRONG_TYPE', 'no column text (separator tab'],
    ['a column twice', 'class\ttype/scale\tname\ttext\ttext\n', 'BAD_HEADER', 'column text'],
  ])('is rejected with %s', async (_case, contents, code, detail) => {
    expect(await rejectionOf(read(contents))).toMatchObject([{ code, detail: expect.stringContaining(detail) }]);
  });

  it.each(files)('of a published survey passes lint: $name', async (one) => {
    const { problems: found, questions: byId } = await read(one.read());
    expect(found).toEqual([]);
    expect(byId.size).toBeGreaterThan(0);
  });
});
