import { readFileSync } from 'node:fs';
import { compile } from '@survey/questionnaire/compile';
import { findUnknownMembers } from '@survey/questionnaire/definition/unknown-members';
import { createRandom } from '@survey/runtime/testing/seeded-random';
import { describe, expect, inject, it } from 'vitest';
import { fileOf } from './files/import-file.ts';
import { planImport } from './plans/plan-import.ts';
import { findResponseReader, findSurveyReader } from './sources.ts';
import { DETECT_ALL } from './tables/table-options.ts';
import { amplifiedFile, chainedFile, hostileFiles } from './testing/hostile-files.ts';
import { mutate } from './testing/mutate.ts';
import { parseRows } from './testing/parse-rows.ts';
import { tryAsResponses, tryAsSurvey } from './testing/read-any.ts';
import { readSurveyFile } from './testing/read-files.ts';
import { withinBounds } from './testing/within-bounds.ts';
import { toXlsxParts, writeXlsx } from './testing/write-xlsx.ts';
import { writeZip } from './testing/write-zip.ts';

const isAll = inject('testScope') === 'all';
/** Number of random changes for each file. */
const RUNS = isAll ? 300 : 20;
/** Each reader gets every n-th malicious file. `npm run test:all` gives every file to every reader. */
const ONE_IN = isAll ? 1 : 10;
/** Normally, reading a changed file takes milliseconds. */
const TIMEOUT = 120_000;

const fixture = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));

const CUSTOM = Buffer.from(
  JSON.stringify({
    survey: {
      title: 'Lunch',
      questions: [
        { id: 'ate', type: 'single_choice', title: { en: 'Did you eat?' }, options: ['yes', 'no'], required: true },
        { id: 'taste', type: 'rating', title: 'How was it?', min: 1, max: 5 },
      ],
      logic: [
        {
          question_id: 'taste',
          conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes', action: 'show' }],
        },
      ],
    },
    responses: [{ id: 'r1', submitted_at: '2024-05-01T10:00:00Z', answers: [{ question_id: 'ate', value: 'yes' }] }],
  }),
);
const CUSTOM_CSV = Buffer.from(
  'question_id,question_type,question_title,question_required,question_options,logic_conditions\n' +
    'ate,single_choice,"Did you, eat?",true,yes|no,\ntaste,rating,How?,false,1-5,ate:equals:yes\n',
);

const FORM = Buffer.from(
  'Timestamp,How was it?,Which days?,Agree? [Fast],Agree? [Good],Since\n' +
    '2024-01-15 10:23:45,4,"Mon, Tue",yes,no,2024-02-29\n2024-01-16 09:00:01,5,Mon,no,no,2023-01-31\n' +
    '2024-01-17 23:59:59,3,"Tue, Mon",yes,yes,2020-12-24\n',
);

const MICROSOFT_FORMS = Buffer.from(
  'ID,Start time,Completion time,Email,Name,"Did you, eat?",How?\n' +
    '1,2024-05-01 10:00:00,2024-05-01 10:05:00,anonymous,,yes,4\n2,,,,Zoë,no;,5\n',
);

interface Target {
  readonly source: string;
  readonly format: string;
  readonly name: string;
  readonly file: Buffer;
}

const survey = (source: string, format: string, folder: string, ...names: readonly string[]): Target[] =>
  names.map((name) => ({ source, format, name, file: fixture(`./${folder}/fixtures/${name}`) }));

const form = fixture('./xlsform/fixtures/all.csv');
const workbook = await writeXlsx(await parseRows(form));

const repeats = await writeXlsx({
  Lunch: [
    ['name', 'age', 'eats', '_uuid', '_index'],
    ['Ann', 41, 'yes', 'u1', 1],
    ['Zoe', 42, 'no', 'u2', 2],
  ],
  child: [
    ['child_name', '_index', '_parent_table_name', '_parent_index'],
    ['Tim', 1, 'Lunch', 1],
    ['Tom', 2, 'Lunch', 2],
  ],
});
const limesurvey = await writeZip({
  'survey_495001.lss': fixture('./limesurvey/fixtures/kinds.lss'),
  'survey_495001_responses.lsr': fixture('./limesurvey/fixtures/responses.lsr'),
});

const SURVEYS: readonly Target[] = [
  { source: 'custom', format: 'json', name: 'lunch.json', file: CUSTOM },
  { source: 'custom', format: 'csv', name: 'lunch.csv', file: CUSTOM_CSV },
  ...survey('typeform', 'json', 'typeform', 'all-types.json', 'form-with-all.json', 'webhook.json'),
  ...survey('surveymonkey', 'json', 'surveymonkey', 'details.json'),
  ...survey('google_forms', 'json', 'google-forms', 'all-kinds.json', 'sections.json'),
  { source: 'microsoft_forms', format: 'csv', name: 'results.csv', file: MICROSOFT_FORMS },
  ...survey('formbricks', 'json', 'formbricks', 'survey.json'),
  ...survey('qualtrics', 'qsf', 'qualtrics', 'kinds.qsf', 'logic.qsf', 'translated.qsf'),
  ...survey(
    'limesurvey',
    'lss',
    'limesurvey',
    'kinds.lss',
    'kinds-old.lss',
    'conditions.lss',
    'logic.lss',
    'languages.lss',
  ),
  { source: 'limesurvey', format: 'lsa', name: 'archive.lsa', file: limesurvey },
  ...survey('limesurvey', 'tsv', 'limesurvey', 'structure.tsv'),
  ...survey('surveyjs', 'json', 'surveyjs', 'kinds.json', 'logic.json'),
  ...survey('xlsform', 'csv', 'xlsform', 'all.csv', 'tables.csv'),
  ...survey('xlsform', 'json', 'xlsform', 'asset.json'),
  { source: 'xlsform', format: 'xlsx', name: 'all.xlsx', file: workbook },
  { source: 'table', format: 'csv', name: 'form.csv', file: FORM },
];

/** Response files with their surveys. */
const RESPONSES: readonly (Target & { readonly to: string; readonly toSource?: string })[] = [
  ...survey('typeform', 'json', 'typeform', 'responses.json').map((one) => ({ ...one, to: 'all-types.json' })),
  ...survey('typeform', 'csv', 'typeform', 'responses.csv').map((one) => ({ ...one, to: 'all-types.json' })),
  ...survey('surveymonkey', 'csv', 'surveymonkey', 'expanded.csv').map((one) => ({ ...one, to: 'details.json' })),
  ...survey('surveymonkey', 'json', 'surveymonkey', 'bulk.json').map((one) => ({ ...one, to: 'details.json' })),
  ...survey('google_forms', 'json', 'google-forms', 'responses.json').map((one) => ({ ...one, to: 'all-kinds.json' })),
  ...survey('formbricks', 'json', 'formbricks', 'responses.json').map((one) => ({ ...one, to: 'survey.json' })),
  ...survey('qualtrics', 'csv', 'qualtrics', 'responses-values.csv', 'responses-legacy.csv').map((one) => ({
    ...one,
    to: 'kinds.qsf',
  })),
  ...survey('limesurvey', 'csv', 'limesurvey', 'responses-codes.csv', 'vv.txt').map((one) => ({
    ...one,
    to: 'kinds.lss',
  })),
  ...survey('limesurvey', 'json', 'limesurvey', 'responses.json').map((one) => ({ ...one, to: 'kinds.lss' })),
  { source: 'limesurvey', format: 'lsa', name: 'archive.lsa', file: limesurvey, to: 'kinds.lss' },
  ...survey('surveyjs', 'json', 'surveyjs', 'results.json').map((one) => ({ ...one, to: 'kinds.json' })),
  ...survey('xlsform', 'csv', 'xlsform', 'central.csv', 'kobo-labels.csv').map((one) => ({ ...one, to: 'all.csv' })),
  { source: 'xlsform', format: 'xlsx', name: 'repeats.xlsx', file: repeats, to: 'all.csv' },
  ...survey('xlsform', 'csv', 'xlsform', 'kobo-repeats.csv').map((one) => ({ ...one, to: 'all.csv' })),
  ...survey('xlsform', 'json', 'xlsform', 'kobo.json', 'central.json').map((one) => ({ ...one, to: 'all.csv' })),
  ...survey('xlsform', 'csv', 'xlsform', 'tables-central.csv').map((one) => ({ ...one, to: 'tables.csv' })),
  ...survey('xlsform', 'json', 'xlsform', 'tables-kobo.json').map((one) => ({ ...one, to: 'tables.csv' })),
  { source: 'google_forms', format: 'csv', name: 'form.csv', file: FORM, to: 'form.csv', toSource: 'table' },
  { source: 'microsoft_forms', format: 'csv', name: 'responses.csv', file: MICROSOFT_FORMS, to: 'results.csv' },
  {
    source: 'custom',
    format: 'json',
    name: 'responses.json',
    file: Buffer.from(
      '[{"id":"r1","submitted_at":"2024-05-01T10:00:00Z","answers":[{"question_id":"ate","value":"yes"}]},' +
        '{"id":"r2","status":"partial","language":"en","metadata":{"note":["x"]},"data":{"taste":4}}]',
    ),
    to: 'lunch.json',
  },
  {
    source: 'custom',
    format: 'csv',
    name: 'responses.csv',
    file: Buffer.from('id,submitted_at,ate,taste\nr1,2024-05-01T10:00:00Z,yes,4\n"r,2",,no,\n'),
    to: 'lunch.json',
  },
  {
    source: 'custom',
    format: 'ndjson',
    name: 'responses.ndjson',
    file: Buffer.from('{"id":"r1","answers":[{"question_id":"ate","value":"yes"}]}\n{"data":{"taste":4}}\n'),
    to: 'lunch.json',
  },
];

/** The malicious files for the reader at an index. */
function hostileFilesFor(target: Target, index: number): readonly (readonly [name: string, file: Buffer])[] {
  return [...hostileFiles(target)].filter((_, position) => (position + index) % ONE_IN === 0);
}

const isJson = ({ format }: Target) => format === 'json' || format === 'qsf';

function surveyReaderOf(target: Target) {
  const read = findSurveyReader(target);
  if (read === undefined) throw new Error(`There is no reader of ${target.source} ${target.format}`);
  return read;
}

function responseReaderOf(target: Target) {
  const read = findResponseReader(target);
  if (read === undefined) throw new Error(`There is no reader of responses of ${target.source} ${target.format}`);
  return read;
}

async function payloadOf(source: string, name: string) {
  const target = SURVEYS.find((one) => one.source === source && one.name === name);
  if (target === undefined) throw new Error(`There is no ${name}`);
  return (await readSurveyFile(surveyReaderOf(target), target.file)).payload;
}

describe('the survey of a file', () => {
  it.each(SURVEYS)('has only known members: $source $name', async (target) => {
    const { payload } = await readSurveyFile(surveyReaderOf(target), target.file);
    expect(findUnknownMembers(payload)).toEqual([]);
  });
});

describe('files with random changes are read or rejected, and nothing else', () => {
  it.each(SURVEYS)('$source $name', { timeout: TIMEOUT }, async (target) => {
    const [read, random] = [surveyReaderOf(target), createRandom(1)];
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const changed = mutate(target.file, random, isJson(target));
      outcomes.add(await withinBounds(`change ${run}`, () => tryAsSurvey(read, changed)));
    }
    // The test proves nothing if all changed files are valid, or all are rejected.
    expect([...outcomes].toSorted()).toEqual(['read', 'rejected']);
    expect(await tryAsSurvey(read, target.file)).toBe('read');
  });

  it.each(RESPONSES)('responses of $source, $name', { timeout: TIMEOUT }, async (target) => {
    const [read, random] = [responseReaderOf(target), createRandom(2)];
    const payload = await payloadOf(target.toSource ?? target.source, target.to);
    let answered = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const changed = mutate(target.file, random, isJson(target));
      const result = await withinBounds(`change ${run}`, () => tryAsResponses(read, changed, payload));
      answered += result.answered;
    }
    // A changed archive has a wrong checksum.
    if (!['lsa', 'xlsx'].includes(target.format)) expect(answered).toBeGreaterThan(0);
    expect(await tryAsResponses(read, target.file, payload)).toMatchObject({ outcome: 'read' });
  });

  it('are planned without errors, as far as they are tables', { timeout: TIMEOUT }, async () => {
    const random = createRandom(5);
    const payload = await payloadOf('table', 'form.csv');
    const given = { given: {}, filename: '', unmask: undefined, table: DETECT_ALL };
    const surveys = [undefined, { payload, definition: compile(payload) }];
    let planned = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const file = fileOf(mutate(FORM, random, false));
      for (const one of surveys) {
        const request = { ...given, survey: one, isPartial: run % 2 === 0 };
        planned += (await withinBounds(`change ${run}`, () => planImport(file, request))).columns.length;
      }
    }
    expect(planned).toBeGreaterThan(0);
  });

  it('the responses of an archive', { timeout: TIMEOUT }, async () => {
    const read = responseReaderOf({ source: 'limesurvey', format: 'lsa', name: '', file: limesurvey });
    const random = createRandom(4);
    const payload = await payloadOf('limesurvey', 'kinds.lss');
    const responses = fixture('./limesurvey/fixtures/responses.lsr');
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const changed = await writeZip({ 'a.lss': '', 'a.lsr': mutate(responses, random, false) });
      outcomes.add((await withinBounds(`change ${run}`, () => tryAsResponses(read, changed, payload))).outcome);
    }
    expect(outcomes).toContain('rejected');
  });

  it('parts of a workbook', { timeout: TIMEOUT }, async () => {
    const [read, random] = [
      surveyReaderOf({ source: 'xlsform', format: 'xlsx', name: '', file: workbook }),
      createRandom(3),
    ];
    const parts = toXlsxParts(await parseRows(form));
    const names = Object.keys(parts);
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const name = names[run % names.length] ?? '';
      const changed = await writeZip({ ...parts, [name]: mutate(Buffer.from(parts[name] ?? ''), random, false) });
      outcomes.add(await withinBounds(`change ${run} of ${name}`, () => tryAsSurvey(read, changed)));
    }
    expect([...outcomes].toSorted()).toEqual(['read', 'rejected']);
  });
});

describe('hostile files are rejected, or harmless', () => {
  const readers = SURVEYS.filter(
    (one, index) => SURVEYS.findIndex(({ source, format }) => source === one.source && format === one.format) === index,
  );
  const indexed = <T>(targets: readonly T[]) => targets.map((target, index) => ({ ...target, index }));

  it.each(indexed(readers))('to $source as $format', { timeout: TIMEOUT }, async ({ index, ...target }) => {
    const read = surveyReaderOf(target);
    const outcomes = new Map<string, string>();
    for (const [name, file] of hostileFilesFor(target, index)) {
      outcomes.set(name, await withinBounds(name, () => tryAsSurvey(read, file)));
    }
    // A truncated table is still a table.
    if (!['csv', 'tsv'].includes(target.format)) expect([...new Set(outcomes.values())]).toEqual(['rejected']);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it.each(indexed(RESPONSES))('to responses of $source, $name', { timeout: TIMEOUT }, async ({ index, ...target }) => {
    const read = responseReaderOf(target);
    const payload = await payloadOf(target.toSource ?? target.source, target.to);
    for (const [name, file] of hostileFilesFor(target, index)) {
      const { answered } = await withinBounds(name, () => tryAsResponses(read, file, payload));
      // A truncated file can contain complete responses.
      if (name !== 'a cut off file') expect([name, answered]).toEqual([name, 0]);
    }
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it.each(readers.filter((one) => amplifiedFile(one) !== undefined))(
    'a small one that asks for a million questions or options, to $source as $format',
    { timeout: TIMEOUT },
    async (target) => {
      const file = amplifiedFile(target) ?? target.file;
      expect(await withinBounds('it', () => tryAsSurvey(surveyReaderOf(target), file))).toBe('rejected');
    },
  );

  it.each(readers.filter((one) => chainedFile(one) !== undefined))(
    'a condition of thousands of parts, to $source as $format',
    { timeout: TIMEOUT },
    async (target) => {
      const file = chainedFile(target) ?? target.file;
      expect(await withinBounds('it', () => tryAsSurvey(surveyReaderOf(target), file))).toBe('read');
    },
  );
});
