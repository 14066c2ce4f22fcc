import { readFileSync } from 'node:fs';
import { writeXlsx } from '@survey/formats/testing/write-xlsx';
import { writeZip } from '@survey/formats/testing/write-zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

const read = (name: string) => readFileSync(new URL(`../../../lib/formats/src/${name}`, import.meta.url), 'utf8');

const TOOLS = [
  {
    source: 'qualtrics',
    format: 'qsf',
    survey: read('qualtrics/fixtures/kinds.qsf'),
    responses: read('qualtrics/fixtures/responses-values.csv'),
    counts: { total: 3, imported: 2, failed: 0, left_out: 1 },
    statuses: ['completed', 'in_progress'],
  },
  {
    source: 'limesurvey',
    format: 'lss',
    survey: read('limesurvey/fixtures/kinds.lss'),
    responses: read('limesurvey/fixtures/responses-codes.csv'),
    counts: { total: 3, imported: 3, failed: 0, left_out: 0 },
    statuses: ['completed', 'completed', 'in_progress'],
  },
];

const stream = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)]).stream();

describe('tables of responses', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startImportApp();
  });
  afterAll(() => app.close());

  it.each(TOOLS)('are imported from $source after their survey, even with new ids', async (tool) => {
    const { source, format, survey, responses, counts, statuses } = tool;
    for (const preserve of [true, false]) {
      const tenantId = crypto.randomUUID();
      const query = `source=${source}&format=${format}&preserve_ids=${preserve}`;
      const made = await app.send(`/surveys/import?${query}`, survey, { tenantId });
      expect(made.body).toMatchObject({ status: 'draft', import: { status: 'completed', source, format } });
      const path = `/surveys/${made.body.id}/responses/import?source=${source}&format=csv`;
      const report = await app.send(path, responses, { tenantId });
      expect(report.body).toMatchObject({ status: 'completed', source, ...counts, errors: [] });
      const all = [...app.fakes.responses.values()].filter((response) => response.tenantId === tenantId);
      expect(all.map(({ status }) => status).toSorted()).toEqual(statuses);
      expect((await app.send(path, responses, { tenantId })).body).toMatchObject({
        imported: 0,
        skipped: statuses.length,
      });
    }
  });

  it('are imported with their survey from an archive of LimeSurvey, and once more into it', async () => {
    const tenantId = crypto.randomUUID();
    const archive = await writeZip({
      'survey_495001.lss': read('limesurvey/fixtures/kinds.lss'),
      'survey_495001_responses.lsr': read('limesurvey/fixtures/responses.lsr'),
    });
    const made = await app.send('/surveys/import?source=limesurvey&format=lsa', stream(archive), { tenantId });
    expect(made.body).toMatchObject({ import: { imported: 3, failed: 0 } });
    const path = `/surveys/${made.body.id}/responses/import?source=limesurvey&format=lsa`;
    const report = await app.send(path, stream(archive), { tenantId });
    expect(report.body).toMatchObject({ imported: 0, skipped: 3, failed: 0 });
    const inJson = await app.post('/surveys/import', { source: 'limesurvey', format: 'lsa', data: 'PK' }, { tenantId });
    expect(inJson.body).toMatchObject({ code: 'INVALID_IMPORT', errors: [{ code: 'WRONG_TYPE' }] });
  });

  it('are imported from a workbook of Microsoft Forms, with the survey that is made of it', async () => {
    const tenantId = crypto.randomUUID();
    const own = ['ID', 'Start time', 'Completion time', 'Email', 'Name', 'Dish?', 'Points - Dish?', 'Days?'];
    const rows = Array.from({ length: 6 }, (_, index) => [
      ...[index + 1, '2024-05-31T10:00:00', '2024-05-31T10:05:30', 'anonymous', ''],
      ...[index % 2 === 0 ? 'Soup' : 'Pasta', 1, index % 3 === 0 ? 'Mo;Tu;' : 'Mo;'],
    ]);
    const workbook = await writeXlsx({ Sheet1: [own, ...rows] });
    const query = 'source=microsoft_forms&format=xlsx';
    const headers = { 'content-type': 'application/octet-stream' };
    const planned = await app.send(`/surveys/import/plan?${query}`, stream(workbook), { tenantId, headers });
    expect(planned.body.problems).toEqual([]);
    expect(planned.body.columns.map(({ target }: { target: string }) => target)).toEqual([
      ...['id', 'started_at', 'submitted_at', 'metadata.email', 'metadata.name'],
      ...['single_choice', 'metadata.Points - Dish?', 'multiple_choice'],
    ]);
    const made = await app.send(`/surveys/import?${query}&title=Lunch`, stream(workbook), { tenantId });
    expect(made.body).toMatchObject({ status: 'closed', import: { imported: 6, failed: 0, questions: 2 } });
    const stored = () => [...app.fakes.responses.values()].filter((response) => response.tenantId === tenantId);
    expect(stored()[0]).toMatchObject({
      externalId: '1',
      completedAt: new Date('2024-05-31T10:05:30Z'),
      metadata: { email: 'anonymous', 'Points - Dish?': '1' },
    });
    const [first] = stored();
    expect(Object.values(first?.data ?? {})).toEqual(['Soup', ['Mo', 'Tu']]);
    const path = `/surveys/${made.body.id}/responses/import?${query}`;
    const more = await writeXlsx({ Sheet1: [own, ...rows, [7, ...(rows[0] ?? []).slice(1)]] });
    for (const dryRun of [true, false]) {
      const report = await app.send(`${path}&dry_run=${dryRun}`, stream(more), { tenantId });
      expect(report.body).toMatchObject({ total: 7, imported: 1, skipped: 6, failed: 0 });
    }
    expect(stored()).toHaveLength(7);
  });

  const CANTEEN = {
    title: 'Canteen',
    questions: [
      { id: 'why', type: 'textarea', title: 'Why?' },
      { id: 'since', type: 'date', title: 'Since?' },
      { id: 'spend', type: 'text', title: 'Spend?', format: 'number' },
    ],
  };
  const startCanteen = async () => {
    const tenantId = crypto.randomUUID();
    const body = JSON.stringify({ survey: CANTEEN });
    const made = await app.send('/surveys/import?source=custom&format=json', body, { tenantId });
    return {
      path: `/surveys/${made.body.id}/responses/import?source=custom`,
      tenantId,
      stored: () =>
        [...app.fakes.responses.values()].filter((one) => one.tenantId === tenantId).map(({ data }) => data),
    };
  };
  const TEXT = 'why;since;spend\nsüß;03/04/2024;1.250,5\n';
  const ANSWERS = { why: 'süß', since: '2024-04-03', spend: '1250.5' };

  it.each(['', 'respond-async'])('are read as options say, with Prefer: %s', async (prefer) => {
    const { path, tenantId, stored } = await startCanteen();
    const query = '&format=csv&encoding=windows-1252&date_format=DD/MM/YYYY&decimal=,';
    const headers = prefer === '' ? {} : { prefer: 'respond-async, wait=20' };
    const { body } = await app.send(`${path}${query}`, stream(Buffer.from(TEXT, 'latin1')), { tenantId, headers });
    expect(body).toMatchObject({ status: 'completed', imported: 1, failed: 0, warnings: [{ code: 'TIME_ASSUMED' }] });
    expect(stored()).toEqual([ANSWERS]);
  });

  it.each(['csv', 'xlsx'])('have times in the time zone of the import, in %s', async (format) => {
    const rows = [
      ['submitted_at', 'why'],
      ['2024-07-01 12:00:00', 'local'],
      ['2024-07-01T12:00:00Z', 'exact'],
    ];
    const file = format === 'csv' ? rows.join('\n') : stream(await writeXlsx({ answers: rows }));
    const { path, tenantId } = await startCanteen();
    const { body } = await app.send(`${path}&format=${format}&time_zone=Europe/Berlin`, file, { tenantId });
    expect(body).toMatchObject({ status: 'completed', imported: 2, warnings: [] });
    const stored = [...app.fakes.responses.values()].filter((one) => one.tenantId === tenantId);
    expect(stored).toMatchObject([
      { data: { why: 'local' }, completedAt: new Date('2024-07-01T10:00:00Z') },
      { data: { why: 'exact' }, completedAt: new Date('2024-07-01T12:00:00Z') },
    ]);
  });

  it('are divided at the separator of the option, and a plan suggests and uses it', async () => {
    const { path, tenantId, stored } = await startCanteen();
    const text = 'why;a,b\nbread;c,d\n';
    const send = (query: string) => app.send(`${path}&format=csv${query}`, text, { tenantId });
    const plan = (query: string) =>
      app.send(`${path.replace('?', '/plan?')}&filename=a.csv${query}`, text, { tenantId });
    const [unnamed, other] = [await send(''), await send('&separator=tab')];
    expect(unnamed.body.errors).toMatchObject([{ detail: expect.stringContaining('(separator ",", encoding utf-8)') }]);
    expect(other.body.errors).toMatchObject([{ detail: expect.stringContaining('(separator tab, encoding utf-8)') }]);
    expect((await send('&separator=ab')).body.errors).toMatchObject([{ code: 'UNKNOWN_SEPARATOR' }]);
    expect((await plan('')).body).toMatchObject({ suggestions: [{ name: 'separator', values: [';'] }] });
    expect((await plan('&separator=;')).body).toMatchObject({
      dialect: 'separator ";", encoding utf-8',
      suggestions: [],
    });
    for (const headers of [{}, { prefer: 'respond-async, wait=20' }]) {
      const columns = encodeURIComponent('{"a,b": "metadata.rest"}');
      const { body } = await app.send(`${path}&format=csv&separator=;&columns=${columns}`, text, { tenantId, headers });
      expect(body).toMatchObject({ status: 'completed', imported: 1, failed: 0 });
    }
    expect(stored()).toEqual([{ why: 'bread' }, { why: 'bread' }]);
  });

  it('tell how many responses get the time of the import', async () => {
    const { path, tenantId } = await startCanteen();
    const text = 'submitted_at,why\n2024-07-01T12:00:00Z,a\nsoon,b\n,c\n';
    const { body } = await app.send(`${path}&format=csv&on_invalid_answer=keep`, text, { tenantId });
    const detail = 'The file has no time for 2 finished responses, so they get the time of the import';
    expect(body).toMatchObject({ imported: 3, warnings: [{ path: '', code: 'TIME_ASSUMED', detail }] });
  });

  it('are rejected with an unknown time zone, and a plan says so', async () => {
    const { path, tenantId } = await startCanteen();
    const query = '&format=csv&time_zone=Nowhere/Else';
    const rejected = await app.send(path + query, 'why\na\n', { tenantId });
    expect(rejected).toMatchObject({ status: 422, body: { errors: [{ code: 'UNKNOWN_TIME_ZONE' }] } });
    const plan = await app.send(path.replace('?', '/plan?') + query, 'why\na\n', { tenantId });
    expect(plan).toMatchObject({ status: 200, body: { problems: [{ code: 'UNKNOWN_TIME_ZONE' }] } });
  });

  it('are asked about before anything is stored, including by a dry run', async () => {
    const { path, tenantId, stored } = await startCanteen();
    for (const dryRun of [true, false]) {
      const asked = await app.send(`${path}&format=csv&dry_run=${dryRun}`, TEXT, { tenantId });
      expect(asked.status).toBe(422);
      expect(asked.body.errors).toMatchObject([{ code: 'AMBIGUOUS_DATE' }]);
    }
    expect(stored()).toEqual([]);
  });

  it('can be workbooks and archives', async () => {
    const workbook = await writeXlsx({
      answers: [
        ['why', 'since', 'spend'],
        ['süß', 45_385, 1250.5],
      ],
    });
    const archive = await writeZip({ 'export.csv': Buffer.from(`\uFEFF${TEXT}`, 'utf16le') });
    for (const [query, file] of [
      ['&format=xlsx', workbook],
      ['&format=csv&locale=de', archive],
    ] as const) {
      const { path, tenantId, stored } = await startCanteen();
      const { body } = await app.send(`${path}${query}`, stream(Buffer.from(file)), { tenantId });
      expect(body).toMatchObject({ status: 'completed', imported: 1, failed: 0 });
      expect(stored()).toEqual([ANSWERS]);
    }
  });

  it.each([
    ['/surveys/import?source=typeform&format=qsf', 'typeform has no survey in the format qsf; its formats are json'],
    ['/surveys/import?source=qualtrics&format=pdf', 'qualtrics has no survey in the format pdf; its formats are qsf'],
    [
      `/surveys/${crypto.randomUUID()}/responses/import?source=limesurvey&format=ndjson`,
      'limesurvey has no responses in the format ndjson; its formats are csv, xlsx, json, lsa',
    ],
    [
      `/surveys/${crypto.randomUUID()}/responses/import?format=ods`,
      'custom has no responses in the format ods; its formats are json, ndjson, csv, xlsx',
    ],
  ])('name the formats that there are: %s', async (path, detail) => {
    for (const type of ['text/csv', 'application/json']) {
      const { status, body } = await app.send(path, '{}', { headers: { 'content-type': type } });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ path: '?format', code: 'NO_SUCH_FORMAT', detail }]);
    }
  });
});
