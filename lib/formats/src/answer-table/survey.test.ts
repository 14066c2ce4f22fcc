import { readFileSync } from 'node:fs';
import { toCsvText } from '@survey/questionnaire/columns/csv';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRejected } from '../core/responses/response.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readResponsesToEnd, readSurveyToEnd } from '../testing/read-to-end.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readAnswerTable, readTableSurvey } from './survey.ts';

/** As Google Sheets writes the answers to a form. */
const FORM = `Timestamp,Email Address,How old are you?,Which days?,Rate us,Agree? [Fast],Agree? [Good],When? [Soup],When? [Rice],Born,Why?,Again?
1/15/2024 10:23:45,a@b.example,34,"Monday, Wednesday, sometimes",4,yes,no,"noon, night",noon,1/31/1990,"It was good, but slow.",Yes
1/16/2024 9:00:01,b@b.example,7,Monday,5,no,,noon,"noon, night",2/28/2001,"Lovely!",No
1/17/2024 23:59:59,c@b.example,61,"Tuesday, Monday",3,yes,yes,night,,12/24/1985,,Yes
`;

const read = (text: string, columns: Readonly<Record<string, string>> = {}) =>
  readSurveyToEnd(readTableSurvey, text, {
    table: { ...DETECT_ALL, columns: Object.entries(columns).map(([heading, target]) => ({ heading, target })) },
  });
const questionsOf = (payload: unknown) => {
  const survey = isObject(payload) && isObject(payload['survey']) ? payload['survey'] : {};
  return itemsOf(survey['pages']).flatMap((page) => (isObject(page) ? itemsOf(page['questions']) : []));
};

describe('a survey from a table of answers', () => {
  it('has a question for each column, with types from values', async () => {
    const { payload, problems, codes } = await readSurveyFile(readTableSurvey, FORM);
    expect(problems).toEqual([]);
    expect(codes).toEqual([]);
    expect(questionsOf(payload)).toMatchObject([
      { id: 'How_old_are_you', type: 'text', title: 'How old are you?', format: 'number', required: false },
      { type: 'multiple_choice', title: 'Which days?', options: ['Monday', 'Wednesday, sometimes', 'Tuesday'] },
      { type: 'rating', title: 'Rate us', min: 1, max: 5 },
      { type: 'likert', title: 'Agree?', rows: ['Fast', 'Good'], options: ['yes', 'no'] },
      { type: 'matrix', title: 'When?', rows: ['Soup', 'Rice'], columns: ['noon', 'night'], multiple: true },
      { type: 'date', title: 'Born' },
      { type: 'text', title: 'Why?' },
      { type: 'single_choice', title: 'Again?', options: ['Yes', 'No'] },
    ]);
  });

  it('is in docs/import.md', async () => {
    const page = readFileSync(new URL('../../../../docs/import.md', import.meta.url), 'utf8');
    const [, text = ''] = /^```csv form\n(.*?)\n```$/ms.exec(page) ?? [];
    const { payload, responses } = await read(text);
    expect(validateResponses(responses, payload)).toMatchObject({ failures: [], stored: [{}, {}, {}] });
    expect(questionsOf(payload).map((question) => isObject(question) && question['type'])).toEqual([
      ...['text', 'multiple_choice', 'rating', 'likert', 'text'],
    ]);
  });

  it('has the responses of the file', async () => {
    const { payload, responses, warnings } = await read(FORM);
    const { stored, failures } = validateResponses(responses, payload);
    expect(failures).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
    expect(responses[0]).toMatchObject({
      completedAt: new Date('2024-01-15T10:23:45Z'),
      metadata: { email: 'a@b.example' },
    });
    expect(stored).toEqual([
      {
        How_old_are_you: '34',
        Which_days: ['Monday', 'Wednesday, sometimes'],
        Rate_us: 4,
        Agree: { Fast: 'yes', Good: 'no' },
        When: { Soup: ['noon', 'night'], Rice: ['noon'] },
        Born: '1990-01-31',
        Why: 'It was good, but slow.',
        Again: 'Yes',
      },
      expect.objectContaining({ Which_days: ['Monday'], Agree: { Fast: 'no' } }),
      expect.objectContaining({ Which_days: ['Monday', 'Tuesday'] }),
    ]);
  });

  it('takes the same file again, by titles, when its ids have changed', async () => {
    const { payload, definition } = await readSurveyFile(readTableSurvey, FORM);
    const first = await readResponsesToEnd(readAnswerTable, FORM, { payload, definition });
    const renamed = JSON.parse(JSON.stringify(payload).replaceAll(/"id":"(\w+)"/g, '"id":"new_$1"'));
    const { responses } = await readResponsesToEnd(readAnswerTable, FORM, {
      payload: renamed,
      definition: (await import('@survey/questionnaire/compile')).compile(renamed),
    });
    expect(validateResponses(responses, renamed).failures).toEqual([]);
    expect(responses.map((one) => !isRejected(one) && Object.values(one.answers))).toEqual(
      first.responses.map((one) => !isRejected(one) && Object.values(one.answers)),
    );
  });

  it('takes types and targets of columns, and excludes some', async () => {
    const { payload, responses } = await read(
      'When,Age,Code,Note\n2026-03-02T12:10:00Z,34,7,x\n2026-03-02T12:10:00Z,34,8,y\n',
      {
        When: 'submitted_at',
        Age: 'single_choice',
        Code: 'id',
        '#4': '',
      },
    );
    expect(questionsOf(payload)).toMatchObject([{ title: 'Age', type: 'single_choice', options: ['34'] }]);
    expect(responses).toMatchObject([{ id: '7', completedAt: new Date('2026-03-02T12:10:00Z') }, { id: '8' }]);
  });

  it('has the other columns of a group in one question, if the option columns excludes one or names its type', async () => {
    const text = 'S [a],S [b],S [c]\n"x, y",p,x\nx,q,"y, x"\n';
    const matrix = { title: 'S', type: 'matrix', rows: ['a', 'c'], columns: ['x', 'y'], multiple: true };
    const excluded = await read(text, { 'S [b]': '' });
    expect(questionsOf(excluded.payload)).toMatchObject([matrix]);
    const { stored, failures } = validateResponses(excluded.responses, excluded.payload);
    expect(failures).toEqual([]);
    expect(stored).toEqual([{ S: { a: ['x', 'y'], c: ['x'] } }, { S: { a: ['x'], c: ['x', 'y'] } }]);
    const typed = await read(text, { 'S [b]': 'single_choice' });
    expect(questionsOf(typed.payload)).toMatchObject([
      matrix,
      { title: 'S [b]', type: 'single_choice', options: ['p', 'q'] },
    ]);
  });

  it('has the options of several columns in the order of the rows', async () => {
    const { payload } = await read('G [a],G [b]\nlow,mid\nhigh,low\nmid,high\nlow,mid\n');
    expect(questionsOf(payload)).toMatchObject([{ type: 'likert', options: ['low', 'mid', 'high'] }]);
  });

  it('allows the longest text of a column whose type is chosen', async () => {
    const { payload } = await read(`Note\n${'x'.repeat(30_000)}\n`, { Note: 'textarea' });
    expect(questionsOf(payload)).toMatchObject([{ type: 'textarea', max_length: 30_000 }]);
  });

  it('takes codes with leading zeros as options, not as a rating', async () => {
    const { payload } = await read('Ward\n01\n02\n07\n01\n02\n07\n');
    expect(questionsOf(payload)).toMatchObject([{ type: 'single_choice', options: ['01', '02', '07'] }]);
  });

  it('finds columns with types like those with targets: by a similar heading, and only one', async () => {
    const { payload } = await read('Age?,Note\n34,x\n', { age: 'textarea' });
    expect(questionsOf(payload)).toMatchObject([{ title: 'Age?', type: 'textarea' }, { title: 'Note' }]);
    expect(await rejectionOf(read('Age?,age\n34,x\n', { AGE: 'text', Gone: 'text' }))).toMatchObject([
      { code: 'AMBIGUOUS_COLUMN', detail: 'columns: the table has several columns AGE; name them #1, #2' },
      { code: 'UNKNOWN_COLUMN', detail: 'columns: the table has no column Gone; it has Age?, age' },
    ]);
  });

  it('rejects duplicate headings, types that do not fit, and tables without questions', async () => {
    expect(await rejectionOf(read('a,b,a\n1,2,3\n'))).toMatchObject([
      {
        code: 'BAD_HEADER',
        detail:
          'row 1, column a: an earlier column has this heading; rename the column, or exclude it with the option columns',
      },
    ]);
    expect(await rejectionOf(read('a\nx\n', { a: 'date' }))).toMatchObject([
      { detail: 'row 1, column a: the values of the column do not fit date' },
    ]);
    expect(await rejectionOf(read('id,submitted_at\n1,\n'))).toMatchObject([{ code: 'BAD_HEADER' }]);
    expect(await rejectionOf(read(''))).toMatchObject([{ detail: 'there is no header row' }]);
  });

  it('takes no day or month of zero for a date', async () => {
    const { payload } = await read('When?\n00/00/20\n31/12/99\n0.0.99\n00/05/20\n');
    expect(questionsOf(payload)).not.toMatchObject([{ type: 'date' }]);
    expect(await rejectionOf(read('When?\n31/12/99\n30/11/99\n'))).toMatchObject([
      { detail: expect.stringContaining('the year of the date has two digits') },
    ]);
  });

  it('takes decimals with many digits for numbers, not for codes or times', async () => {
    const { payload, responses } = await read('Mean\n0.3333333333333333\n0.30000000000000004\n1.6666666666666667\n');
    expect(questionsOf(payload)).toMatchObject([{ type: 'text', format: 'number' }]);
    expect(validateResponses(responses, payload)).toMatchObject({ failures: [], stored: [{}, {}, {}] });
    const codes = await read('Code\n1234567890123456\n2234567890123456\n3234567890123456\n');
    expect(questionsOf(codes.payload)).not.toMatchObject([{ format: 'number' }]);
  });

  it('reads times of responses whose year has two digits, if their order is given', async () => {
    const file = 'Timestamp,Note\n1/13/23 10:00,a b\n1/14/23 11:00 PM,c d\n1/15/23 0:00,e f\n';
    expect(await rejectionOf(read(file))).toMatchObject([
      { code: 'AMBIGUOUS_DATE', detail: expect.stringContaining('two digits') },
    ]);
    const table = { ...DETECT_ALL, dateFormat: 'MM/DD/YY' };
    const { payload, responses } = await readSurveyToEnd(readTableSurvey, file, { table });
    expect(questionsOf(payload)).toMatchObject([{ title: 'Note' }]);
    expect(responses[1]).toMatchObject({ completedAt: new Date('2023-01-14T23:00:00Z') });
  });

  it.each([',', ', ', ' , '])('keeps %j in an option that goes on in lower case', async (comma) => {
    const cell = ['Red', 'Late', 'sometimes'].join(comma);
    const { payload, responses } = await read(`Why\n"${cell}"\n"${cell}"\nRed\n`);
    expect(questionsOf(payload)).toMatchObject([{ options: ['Red', `Late${comma}sometimes`] }]);
    const { stored, failures } = validateResponses(responses, payload);
    expect([stored[0], failures]).toEqual([{ Why: ['Red', `Late${comma}sometimes`] }, []]);
  });

  it('asks for the order of dates that can be two', async () => {
    expect(await rejectionOf(read('Born,x\n3/4/1990,a\n5/6/1991,b\n'))).toMatchObject([{ code: 'AMBIGUOUS_DATE' }]);
  });

  it('leaves columns that only look like details of a response as questions', async () => {
    const { payload } = await read(
      'status,language,Start time\nmarried,English,9:30\nsingle,German,10:00\nsingle,German,11:00\nmarried,English,12:00\n',
    );
    expect(questionsOf(payload)).toMatchObject([
      { title: 'status' },
      { title: 'language' },
      { title: 'Start time', type: 'time' },
    ]);
  });

  it.each(['ID', 'Response ID', 'id'])('has a question for a column %s whose values repeat', async (heading) => {
    const rows = (last: string) =>
      [...Array.from({ length: 60 }, (_, at) => `${at}`), last].map((id) => `${id},good\n`).join('');
    const repeated = await read(`${heading},Mood\n${rows('7')}`);
    expect(questionsOf(repeated.payload)).toMatchObject([{ title: heading }, { title: 'Mood' }]);
    const { failures, stored } = validateResponses(repeated.responses, repeated.payload);
    expect([failures, stored.length]).toEqual([[], 61]);
    const several = await read(`${heading},Mood\n"a, b",good\n"a, b",good\n`);
    const chosen = { [heading.replace(' ', '_')]: ['a', 'b'], Mood: 'good' };
    expect(validateResponses(several.responses, several.payload).stored).toEqual([chosen, chosen]);
    const unique = await read(`${heading},Mood\n${rows('x')}`);
    expect(questionsOf(unique.payload)).toMatchObject([{ title: 'Mood' }]);
    expect(unique.responses.at(-1)).toMatchObject({ id: 'x' });
  });

  it.each(['Timestamp', 'Completion time', 'Start Date (UTC),Submit Date (UTC)'])(
    'keeps the column %s about the response, though a time cannot be read',
    async (heading) => {
      const times = [
        '2026-03-02 10:00:00',
        'about noon',
        'Tuesday, March 3, 2026 10:00:00 AM UTC',
        '2026-03-04 10:00:00',
      ];
      const cells = times.map((time) => heading.split(',').map(() => `"${time}"`));
      const text = `${heading},Why?\n${cells.map((one, at) => `${one.join()},text ${at}\n`).join('')}`;
      const { payload, responses } = await read(text);
      expect(questionsOf(payload)).toMatchObject([{ title: 'Why?' }]);
      expect(responses).toMatchObject([
        { completedAt: new Date('2026-03-02T10:00:00Z') },
        { completedAt: undefined, unread: heading.split(',').map(() => ({ code: 'BAD_TIME', value: 'about noon' })) },
        { completedAt: new Date('2026-03-03T10:00:00Z') },
        { completedAt: new Date('2026-03-04T10:00:00Z') },
      ]);
    },
  );

  it('has the codes, numbers and dates of a workbook as it displays them, and no answers in errors', async () => {
    const rows = [1, 2, 3, 4].map((at) => [
      { value: at, format: '000' },
      { value: at / 2, format: '0.00' },
      { value: 46_000 + at, format: 'yyyy-mm-dd' },
      at === 2 ? { error: '#N/A' } : `text ${at}`,
    ]);
    const file = await writeXlsx({ Sheet1: [['Ward', 'Weight', 'Born', 'Why?'], ...rows] });
    const { payload, responses } = await readSurveyToEnd(readTableSurvey, file);
    expect(questionsOf(payload)).toMatchObject([
      { title: 'Ward', type: 'text' },
      { title: 'Weight', format: 'number' },
      { title: 'Born', type: 'date' },
      { title: 'Why?', type: 'text' },
    ]);
    expect(responses[1]).toMatchObject({
      answers: { Ward: '002', Weight: '1', Born: '2025-12-11' },
      unread: [{ code: 'CELL_ERROR', value: '#N/A' }],
    });
  });

  it.each([
    ['Gesamtpunktzahl', 'Punktzahl', 'Feedback'],
    ['Puntuación total', 'Puntuación', 'Comentarios'],
    ['Score total', 'Score', 'Commentaires'],
  ])('has no questions for %s, %s and %s of a quiz', async (total, score, feedback) => {
    const { payload } = await read(
      `Timestamp,${total},Capital?,Capital? [${score}],Capital? [${feedback}]\n1/15/2024 10:23:45,1.00 / 2,Lima,1.00 / 1,\n1/16/2024 10:23:45,0.00 / 2,Quito,0.00 / 1,sorry\n`,
    );
    expect(questionsOf(payload)).toMatchObject([{ title: 'Capital?' }]);
  });

  it('fits all of its responses, for any table', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        '',
        'Yes',
        'No',
        'a;b',
        'b;c',
        'a, b',
        'B, c',
        '1',
        '3',
        '5',
        '10',
        'other',
        '29.02.2024',
        '10:30',
        'TRUE',
        '1.5',
        '012',
        '\u200b',
        'q[a]',
      ),
      fc.string(),
    );
    const heading = fc.oneof(
      fc.constantFrom('Q', 'G [a]', 'G [b]', 'G', 'id', 'Timestamp', 'other', 'a;b'),
      fc.string({ minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(heading, { minLength: 1, maxLength: 6 }),
        fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 }),
        async (headings, rows) => {
          const text = toCsvText([headings, ...rows.map((row) => headings.map((_, at) => row[at] ?? ''))]);
          let found: Awaited<ReturnType<typeof read>>;
          try {
            found = await read(text);
          } catch (error) {
            expect(error).toMatchObject({ code: 'INVALID_IMPORT' });
            return;
          }
          const read2 = found.responses.filter(
            (response) => !isRejected(response) || !['BAD_TIME', 'BAD_ID'].includes(response.code),
          );
          expect(validateResponses(read2, found.payload).failures).toEqual([]);
        },
      ),
    );
  });
});
