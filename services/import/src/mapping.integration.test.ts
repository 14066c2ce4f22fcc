import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

const FORM = `Timestamp,How was it?,Which days?,Rate us
1/15/2024 10:23:45,Good,"Monday, Tuesday",4
1/16/2024 9:00:01,Good,Monday,5
1/17/2024 23:59:59,Bad,"Tuesday, Monday",3
`;
const SURVEY = {
  title: 'Canteen',
  questions: [
    { id: 'q1', type: 'single_choice', title: 'How was it?', options: ['Good', 'Bad'] },
    { id: 'q2', type: 'multiple_choice', title: 'Which days?', options: ['Monday', 'Tuesday'] },
    { id: 'q3', type: 'rating', title: 'Score' },
  ],
};

describe('mapping', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startImportApp();
  });
  afterAll(() => app.close());

  const start = async () => {
    const tenantId = crypto.randomUUID();
    const made = await app.send('/surveys/import?source=custom&format=json', JSON.stringify({ survey: SURVEY }), {
      tenantId,
    });
    return { tenantId, path: `/surveys/${made.body.id}/responses/import` };
  };
  const storedOf = (tenantId: string) =>
    [...app.fakes.responses.values()].filter((one) => one.tenantId === tenantId).map(({ data }) => data);
  const query = (columns: object) => `columns=${encodeURIComponent(JSON.stringify(columns))}`;
  const COLUMNS = { Timestamp: 'submitted_at', 'Rate us': 'q3' };
  const ANSWERS = [
    { q1: 'Good', q2: ['Monday', 'Tuesday'], q3: 4 },
    { q1: 'Good', q2: ['Monday'], q3: 5 },
    { q1: 'Bad', q2: ['Monday', 'Tuesday'], q3: 3 },
  ];

  it.each(['', 'respond-async, wait=20'])('takes targets of columns in a query, with Prefer: %s', async (prefer) => {
    const { tenantId, path } = await start();
    const headers = prefer === '' ? {} : { prefer };
    const { body } = await app.send(`${path}?format=csv&${query(COLUMNS)}`, FORM, { tenantId, headers });
    expect(body).toMatchObject({ status: 'completed', imported: 3, failed: 0 });
    expect(storedOf(tenantId)).toEqual(ANSWERS);
  });

  it('leaves the start unknown if only the submission is mapped, and says so in a dry run', async () => {
    const { tenantId, path } = await start();
    const timesOf = () =>
      [...app.fakes.responses.values()]
        .filter((one) => one.tenantId === tenantId)
        .map(({ startedAt, completedAt }) => [startedAt, completedAt]);
    const warningOf = async (more: string, columns: object = COLUMNS) => {
      const { body } = await app.send(`${path}?format=csv${more}&${query(columns)}`, FORM, { tenantId });
      expect(body).toMatchObject({ total: 3, imported: 3 });
      return body.warnings.filter(({ code }: { code: string }) => code === 'START_UNKNOWN');
    };
    const warning = [{ path: '', code: 'START_UNKNOWN', detail: expect.stringContaining('durations') }];
    expect(await warningOf('&dry_run=true')).toEqual(warning);
    expect(await warningOf('')).toEqual([]);
    expect(timesOf()[0]).toEqual([undefined, new Date('2024-01-15T10:23:45Z')]);
    expect(await warningOf('&dry_run=true', { Timestamp: 'started_at', 'Rate us': 'q3' })).toEqual([]);
  });

  it('takes targets of columns in a JSON body, and rejects others', async () => {
    const { tenantId, path } = await start();
    const send = (columns: object) => {
      const headers = { 'content-type': 'application/json' };
      return app.send(path, JSON.stringify({ format: 'csv', columns, responses: FORM }), { tenantId, headers });
    };
    expect((await send(COLUMNS)).body).toMatchObject({ imported: 3 });
    expect((await send({ Nope: 'q1' })).body.errors).toMatchObject([
      { path: '/responses', code: 'UNKNOWN_COLUMN', detail: expect.stringContaining('it has Timestamp, How was it?') },
    ]);
    expect((await send({ Timestamp: 'nope' })).body.errors).toMatchObject([{ code: 'UNKNOWN_TARGET' }]);
    expect((await send({ Timestamp: 'x'.repeat(5_001) })).status).toBe(422);
    const bad = await app.send(`${path}?format=csv&columns=1`, FORM, { tenantId });
    expect(bad.body.errors).toMatchObject([{ path: '?columns', code: 'WRONG_TYPE' }]);
  });

  it.each(['json', 'ndjson'])('rejects targets of columns for a file in %s', async (format) => {
    const { tenantId, path } = await start();
    const rejected = await app.send(`${path}?format=${format}&${query(COLUMNS)}`, '', { tenantId });
    expect(rejected.status).toBe(422);
    expect(rejected.body.errors).toMatchObject([{ path: '?columns', code: 'NOT_A_TABLE' }]);
  });

  it('plans responses as they are imported', async () => {
    const { tenantId, path } = await start();
    const planned = await app.send(`${path}/plan?source=custom&${query({ 'Rate us': 'q3' })}`, FORM, { tenantId });
    expect(planned.status).toBe(200);
    expect(planned.body).toMatchObject({
      source: 'custom',
      format: 'csv',
      dialect: 'separator ",", encoding utf-8',
      is_partial: false,
      rows: 3,
      columns: [
        { heading: 'Timestamp', target: '', suggestion: 'submitted_at', contents: { timestamp: 3 } },
        { target: 'q1', question_id: 'q1', found_by: 'title', confidence: 0.9 },
        { target: 'q2', found_by: 'title' },
        { target: 'q3', found_by: 'option', confidence: 1 },
      ],
      problems: [],
    });
    const guessed = await app.send(`${path}/plan?filename=form.csv`, FORM, { tenantId });
    expect(guessed.body).toMatchObject({ source: 'google_forms', columns: [{ target: 'submitted_at' }, {}, {}, {}] });
    const inJson = await app.send(`${path}/plan`, JSON.stringify({ responses: FORM }), {
      tenantId,
      headers: { 'content-type': 'application/json' },
    });
    expect(inJson.body).toEqual(guessed.body);
    expect(storedOf(tenantId)).toEqual([]);
  });

  it('plans the beginning of a large file, and rejects more than a megabyte', async () => {
    const { tenantId, path } = await start();
    const rows = '2024-01-15 10:00:00,Good,Monday,4\n'.repeat(40_000);
    const large = `Timestamp,How was it?,Which days?,Score\n${rows}`;
    const planned = await app.send(`${path}/plan?filename=a.csv`, large.slice(0, 1_048_576), { tenantId });
    expect(planned.body).toMatchObject({ is_partial: true, problems: [], columns: [{}, { target: 'q1' }, {}, {}] });
    expect((await app.send(`${path}/plan?filename=a.csv`, large, { tenantId })).status).toBe(413);
  });

  it('plans only surveys that the tenant has', async () => {
    const { path } = await start();
    const other = await app.send(`${path}/plan?filename=a.csv`, FORM, { tenantId: crypto.randomUUID() });
    expect(other.status).toBe(404);
  });

  it('makes a survey of a table of answers, and takes the same file as responses', async () => {
    const tenantId = crypto.randomUUID();
    const planned = await app.send('/surveys/import/plan?source=table', FORM, { tenantId });
    expect(planned.body.columns).toMatchObject([
      { target: 'submitted_at', found_by: 'word' },
      { target: 'single_choice', question_id: 'How_was_it', found_by: 'values' },
      { target: 'multiple_choice' },
      { target: 'rating' },
    ]);
    const made = await app.send('/surveys/import?source=table&format=csv&import_responses=false', FORM, { tenantId });
    expect(made.body).toMatchObject({ status: 'draft', import: { source: 'table', questions: 3, total: 0 } });
    const path = `/surveys/${made.body.id}/responses/import?source=table&format=csv`;
    expect((await app.send(path, FORM, { tenantId })).body).toMatchObject({ imported: 3, failed: 0 });
    expect(storedOf(tenantId)).toMatchObject([{ Rate_us: 4 }, { Rate_us: 5 }, { Which_days: ['Monday', 'Tuesday'] }]);
    const whole = await app.send('/surveys/import?source=table&format=csv', FORM, { tenantId: crypto.randomUUID() });
    expect(whole.body).toMatchObject({ status: 'closed', import: { imported: 3, failed: 0 } });
  });
});
