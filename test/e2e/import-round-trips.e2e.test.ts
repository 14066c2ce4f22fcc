import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, createTenant } from '../support/platform.ts';
import { byToolId, exportOf } from './exported.ts';

const SOURCES = new URL('../../lib/formats/src/', import.meta.url);
const MEDIA_TYPES: Readonly<Record<string, string>> = { csv: 'text/csv', lss: 'application/xml' };

/** A file of a tool, and its format. */
interface ToolFile {
  readonly format: string;
  readonly contents: string;
}

interface Tool {
  readonly source: string;
  readonly survey: ToolFile;
  readonly responses: ToolFile;
}

function fixture(folder: string, name: string): ToolFile {
  const contents = readFileSync(new URL(`${folder}/fixtures/${name}`, SOURCES), 'utf8');
  return { contents, format: name.slice(name.lastIndexOf('.') + 1) };
}

function tool(source: string, survey: string, responses: string): Tool {
  const folder = source.replaceAll('_', '-');
  return { source, survey: fixture(folder, survey), responses: fixture(folder, responses) };
}

const own = {
  title: 'Our own',
  questions: [
    { id: 'q1', type: 'multiple_choice', title: 'Colour?', options: [{ id: 'r', text: 'Red' }], allow_other: true },
    { id: 'q2', type: 'rating', title: 'Stars?', required: true, theirs: 'kept' },
  ],
  logic: [{ question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'contains', value: 'r' }] }],
};
const ownResponses = [{ id: 'a-1', data: { q1: { options: ['r'], other: 'Green' }, q2: 4 } }];
const custom: Tool = {
  source: 'custom',
  survey: { format: 'json', contents: JSON.stringify({ survey: own }) },
  responses: { format: 'json', contents: JSON.stringify(ownResponses) },
};

const tools: readonly Tool[] = [
  custom,
  tool('typeform', 'all-types.json', 'responses.json'),
  tool('typeform', 'all-types.json', 'responses.csv'),
  tool('surveymonkey', 'details.json', 'bulk.json'),
  tool('surveymonkey', 'details.json', 'expanded.csv'),
  tool('google_forms', 'all-kinds.json', 'responses.json'),
  tool('formbricks', 'survey.json', 'responses.json'),
  tool('qualtrics', 'kinds.qsf', 'responses-values.csv'),
  tool('limesurvey', 'kinds.lss', 'responses-codes.csv'),
  { ...tool('limesurvey', 'kinds.lss', 'vv.txt'), responses: { ...fixture('limesurvey', 'vv.txt'), format: 'csv' } },
  tool('surveyjs', 'kinds.json', 'results.json'),
  tool('xlsform', 'all.csv', 'central.csv'),
  tool('xlsform', 'tables.csv', 'tables-central.csv'),
];

let api: Api;
let stranger: Api;

beforeAll(async () => {
  [api, stranger] = [(await createTenant()).api, (await createTenant()).api];
});

/** Imports a file. */
async function importFile(of: Api, path: string, source: string, { format, contents }: ToolFile, query = '') {
  const headers = { 'content-type': MEDIA_TYPES[format] ?? 'application/json' };
  return of('POST', `${path}?source=${source}&format=${format}${query}`, { body: contents, headers });
}

async function makeSurvey(of: Api, source: string, file: ToolFile, query = '') {
  const { status, body } = await importFile(of, '/v1/surveys/import', source, file, query);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}

/** Responses without a time were completed at the import, so remove these times. */
function withGivenTimes(byId: ReturnType<typeof byToolId>, begun: string) {
  const rows = Object.entries(byId).map(([id, { completed_at: at, ...row }]) => [
    id,
    { ...row, completed_at: String(at) < begun ? at : 'now' },
  ]);
  return Object.fromEntries(rows);
}

describe.each(tools)('a survey of $source', ({ source, survey, responses }) => {
  it('is unchanged with its responses after an export and import', async () => {
    const first = await makeSurvey(api, source, survey);
    const exported = await exportOf(api, `/v1/surveys/${first.id}`);
    const second = await makeSurvey(stranger, 'custom', { format: 'json', contents: JSON.stringify(exported) });
    expect(second.import.warnings).toEqual([]);
    expect(await exportOf(stranger, `/v1/surveys/${second.id}`)).toEqual(exported);

    // The copy also knows the names of the questions in the tool.
    const begun = new Date().toISOString();
    const kept = [];
    for (const [of, id] of [
      [api, first.id],
      [stranger, second.id],
    ] as const) {
      const { status, body } = await importFile(of, `/v1/surveys/${id}/responses/import`, source, responses);
      expect(status).toBe(200);
      expect(body.imported).toBeGreaterThan(0);
      kept.push(byToolId(await exportOf(of, `/v1/surveys/${id}/responses`)));
    }
    const [stored = {}, inCopy = {}] = kept;
    expect(withGivenTimes(inCopy, begun)).toEqual(withGivenTimes(stored, begun));

    const responsesOf = await exportOf(api, `/v1/surveys/${first.id}/responses`);
    const contents = JSON.stringify({ ...exported, responses: responsesOf });
    // Imported responses may lack answers to required questions.
    const third = await makeSurvey(stranger, 'custom', { format: 'json', contents }, '&on_invalid_answer=keep');
    expect(third.import).toMatchObject({ failed: 0, imported: Object.keys(stored).length, warnings: [] });
    expect(byToolId(await exportOf(stranger, `/v1/surveys/${third.id}/responses`))).toEqual(stored);
  });

  it('is unchanged when it is imported again', async () => {
    const [first, second] = [await makeSurvey(api, source, survey), await makeSurvey(api, source, survey)];
    expect(second.definition).toEqual(first.definition);
    expect(second.import.warnings).toEqual(first.import.warnings);
  });
});
