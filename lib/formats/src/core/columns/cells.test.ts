import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { judgeFile } from '../../testing/read-files.ts';
import { type Sheets, writeXlsx } from '../../testing/write-xlsx.ts';

const inTool = (name: string) => ({ source_data: { source_id: name, export_tag: name, date_format: 'dd/mm/yyyy' } });
const optionsOf = (...texts: readonly string[]) => texts.map((text) => ({ id: text, text, ...inTool(text) }));
const QUESTIONS: readonly JsonObject[] = [
  { id: 'who', type: 'text', title: 'Who' },
  { id: 'zip', type: 'text', title: 'Postcode' },
  { id: 'pick', type: 'single_choice', title: 'Pick', options: optionsOf('Red', '2.00', '7'), allow_other: true },
  { id: 'years', type: 'single_choice', title: 'Years', options: optionsOf('1-5', '6-10', '11+'), allow_other: true },
  { id: 'both', type: 'single_choice', title: 'Both', options: optionsOf('3-4', '4-3') },
  { id: 'days', type: 'multiple_choice', title: 'Days', options: optionsOf('Mon', 'Tue') },
  { id: 'n', type: 'text', title: 'Number', format: 'number' },
  { id: 'born', type: 'date', title: 'Born' },
].map((question) => ({ ...question, ...inTool(question.id) }));
const questionsFor = (source: string) =>
  QUESTIONS.map((question) => ({
    ...question,
    // SurveyMonkey has names for the order of days and months.
    ...(source === 'surveymonkey' && { source_data: { source_id: '1', date_format: 'date_intl' } }),
  }));

/** The heading of the time at which a response was completed. */
const TITLED: Readonly<Record<string, string>> = {
  custom: 'submitted_at',
  table: 'Timestamp',
  google_forms: 'Timestamp',
  microsoft_forms: 'Completion time',
  typeform: 'Submit Date (UTC)',
  surveymonkey: 'End Date',
};
const CODED: Readonly<Record<string, string>> = {
  qualtrics: 'EndDate',
  limesurvey: 'submitdate',
  xlsform: '_submission_time',
};
const TIMES = { ...TITLED, ...CODED };
/** Headings of the column of an option. */
const FLAGS: Readonly<Record<string, string>> = { qualtrics: 'days_Mon', limesurvey: 'days[Mon]', xlsform: 'days/Mon' };

/** The headings of questions in a tool. */
function headingsOf(source: string, ...ids: readonly string[]): readonly string[] {
  const titles = new Map(QUESTIONS.map(({ id, title }) => [id, String(title)]));
  return ids.map((id) => {
    if (id === 'time') return TIMES[source] ?? '';
    if (id === 'flag') return FLAGS[source] ?? 'Days [Mon]';
    return source in CODED ? id : (titles.get(id) ?? id);
  });
}

const readCsv = (source: string, ids: readonly string[], rows: string) =>
  judgeFile(source, 'csv', `${headingsOf(source, ...ids).join()}\n${rows}`, questionsFor(source));
const readXlsx = async (source: string, ids: readonly string[], ...rows: Sheets[string]) =>
  judgeFile(
    source,
    'xlsx',
    await writeXlsx({ responses: [headingsOf(source, ...ids), ...rows] }),
    questionsFor(source),
  );

describe.each(Object.keys(TIMES))('a workbook read as %s', (source) => {
  it('has numbers as they are displayed in texts, and their values in numbers and options', async () => {
    const { judged } = await readXlsx(
      source,
      ['who', 'zip', 'pick', 'n'],
      ['x', { value: 1234, format: '00000' }, { value: 2, format: '0.00' }, { value: 2.5, format: '0' }],
      [{ value: 2.5, format: '0.00' }, 98_765, { value: 7, format: '0.00' }, { value: 1250, format: '#,##0.00' }],
    );
    expect(judged).toMatchObject([
      { answers: { zip: '01234', pick: '2.00', n: '2.5' }, lacksValues: false },
      { answers: { who: '2.50', zip: '98765', pick: '7', n: '1250' }, lacksValues: false },
    ]);
  });

  it('has no answers in cells with errors, and reports them', async () => {
    const { judged } = await readXlsx(
      source,
      ['who', 'zip', 'pick', 'n', 'flag', 'Unknown', 'born', 'time'],
      [
        'x',
        ...['#N/A', '#REF!', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!'].map((error) => ({ error })),
        { error: '#NULL!' },
      ],
      ['y', 'fine', 'Red', 3, 1, '', '', '2026-03-02 10:00:00'],
    );
    expect(judged).toMatchObject([
      {
        answers: { who: 'x' },
        completedAt: undefined,
        lacksValues: true,
        metadata: { invalid_answers: { zip: '#N/A', pick: '#REF!', n: '#DIV/0!' } },
      },
      { answers: { who: 'y', zip: 'fine', pick: 'Red', n: '3', days: ['Mon'] }, lacksValues: false },
    ]);
    expect(judged[0]).not.toHaveProperty('status');
    const [first] = judged;
    const omissions = first !== undefined && 'omissions' in first ? first.omissions : [];
    expect(omissions.map(({ code, action }) => `${code} ${action}`).toSorted()).toEqual([
      'CELL_ERROR dropped',
      ...Array.from({ length: 6 }, () => 'CELL_ERROR kept'),
    ]);
  });

  it('has booleans in the columns of options', async () => {
    const { judged } = await readXlsx(source, ['who', 'flag'], ['x', true], ['y', false]);
    expect(judged).toMatchObject([{ answers: { who: 'x', days: ['Mon'] } }, { answers: { who: 'y' } }]);
    expect(judged[1]).not.toHaveProperty('answers.days.0');
  });
});

describe.each(Object.keys(TITLED))('options that a spreadsheet turned into dates, read as %s', (source) => {
  it('are the options in a workbook', async () => {
    const { judged, codes } = await readXlsx(
      source,
      ['who', 'years', 'both'],
      ['x', { value: 46_027, format: 'd-mmm' }, 'none'],
      ['y', '11+', { value: 46_085, format: 'd-mmm' }],
    );
    expect(judged).toMatchObject([
      { answers: { years: '1-5' } },
      { answers: { years: '11+' }, metadata: { invalid_answers: { both: '2026-03-04' } } },
    ]);
    expect(codes).toContain('READ_AS_OPTION');
  });

  it('are the options in a text, and never other', async () => {
    const { judged, codes } = await readCsv(
      source,
      ['who', 'years', 'both'],
      'x,5-Jan,3-Apr\ny,10-Jun,\nz,7-Jul,3-4\n',
    );
    expect(judged).toMatchObject([
      { answers: { years: '1-5' }, metadata: { invalid_answers: { both: '3-Apr' } } },
      { answers: { years: '6-10' }, lacksValues: false },
      { answers: { both: '3-4' }, metadata: { invalid_answers: { years: '7-Jul' } } },
    ]);
    expect(codes.filter((code) => code === 'READ_AS_OPTION')).toHaveLength(1);
  });
});

it.each(Object.keys(CODED))('options that a spreadsheet turned into dates are never other in %s', async (source) => {
  const { judged } = await readCsv(source, ['who', 'years'], 'x,5-Jan\ny,11+\n');
  expect(judged).toMatchObject([
    { answers: { who: 'x' }, metadata: { invalid_answers: { years: '5-Jan' } } },
    { answers: { who: 'y', years: '11+' } },
  ]);
});

describe.each(Object.keys(TIMES))('a text read as %s', (source) => {
  it('has no dates of other calendars', async () => {
    const { judged } = await readCsv(source, ['who', 'born'], 'x,15/3/2569\ny,15/3/1997\n');
    expect(judged).toMatchObject([
      { answers: { who: 'x' }, omissions: [{ column: 'born', code: 'UNUSUAL_YEAR', action: 'kept' }] },
      { answers: { born: '1997-03-15' }, omissions: [] },
    ]);
  });

  it('has no times that cannot be read, and reports each of them', async () => {
    const { judged } = await readCsv(
      source,
      ['who', 'time'],
      [
        'a,2026-03-02 10:00:00',
        'b,about noon',
        'c,"Tuesday, March 3, 2026 10:00:00 AM UTC"',
        'd,2569-03-02 10:00:00',
        'e,1404-12-11 10:00:00',
        'f,Wed Mar 04 2026 10:00:00 GMT+0100 (Central European Standard Time)',
      ].join('\n'),
    );
    const times = judged.map((one) =>
      'completedAt' in one ? one.completedAt?.toISOString().slice(0, 16) : 'rejected',
    );
    expect(times).toEqual([
      '2026-03-02T10:00',
      undefined,
      '2026-03-03T10:00',
      undefined,
      undefined,
      '2026-03-04T09:00',
    ]);
    const codesOf = (at: number) => {
      const one = judged[at];
      return one !== undefined && 'omissions' in one ? one.omissions.map(({ code }) => code) : [];
    };
    expect([1, 3, 4].map(codesOf)).toEqual([['BAD_TIME'], ['UNUSUAL_YEAR'], ['UNUSUAL_YEAR']]);
    for (const one of judged) expect(one).not.toHaveProperty('status');
  });

  it.each([';', '\t', '|'])('is divided at %j, though its cells have more commas', async (separator) => {
    const rows = ['Ann, Bob, Cem', 'Dan, or Eve', 'Fay, Gus'].map((who, at) => [who, `1, 2, ${at}`, `${at}`]);
    const lines = [headingsOf(source, 'who', 'zip', 'n'), ...rows].map((cells) => cells.join(separator));
    const { judged } = await judgeFile(source, 'csv', `${lines.join('\n')}\n`, questionsFor(source));
    expect(judged).toMatchObject(rows.map(([who, zip, n]) => ({ answers: { who, zip, n } })));
  });

  it('of another survey is rejected with its separator', async () => {
    await expect(judgeFile(source, 'csv', 'a;b;c\n1;2;3\n', QUESTIONS)).rejects.toMatchObject({
      code: 'INVALID_IMPORT',
      errors: [{ detail: expect.stringContaining('separator ";"') }],
    });
  });
});
