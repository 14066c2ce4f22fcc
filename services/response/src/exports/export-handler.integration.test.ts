import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTable } from '../testing/parse-csv.ts';
import { startResponseApp, type TestApp, watchReads } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const permissions = ['responses:export', 'responses:read'];
const codebookOf = (surveyId: string, tenantId: string, query = '') =>
  app.call('GET', `/v1/surveys/${surveyId}/responses/codebook${query}`, { tenantId, permissions });

const exportOf = (surveyId: string, tenantId: string, query = '') =>
  app.call('GET', `/v1/surveys/${surveyId}/responses/export${query}`, { tenantId, permissions });

/** A response with a long answer that cannot be compressed. */
const largeResponse = () => ({ data: { ate: 'no', comment: randomBytes(9_000).toString('hex') } });

async function workbookOf(surveyId: string, tenantId: string, query = '') {
  const path = `/v1/surveys/${surveyId}/responses/export?format=xlsx${query}`;
  const response = await fetch(`http://127.0.0.1:${app.ports().httpPort}${path}`, {
    headers: { authorization: await app.authorizationOf(tenantId, permissions) },
  });
  expect(response.status).toBe(200);
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
  return { headers: response.headers, sheets: Object.fromEntries(sheets.map(({ name, rows }) => [name, rows])) };
}

async function submitMany(surveyId: string, count: number, body: unknown): Promise<readonly string[]> {
  const submitted = await Promise.all(Array.from({ length: count }, () => app.submit(surveyId, body)));
  return submitted.map((reply) => reply.body.id);
}

describe('GET /v1/surveys/{survey_id}/responses/export', () => {
  it('returns a table by default, as a file that must not be cached', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'yes', taste: 4, comment: '=1+1' } });
    const { status, headers, body } = await exportOf(surveyId, tenantId);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="responses-${surveyId}.csv"`);
    expect(headers.get('cache-control')).toBe('no-store');
    // `text()` removes the byte order mark.
    expect(parseTable(`\uFEFF${body}`)).toMatchObject([{ ate: 'yes', taste: '4', comment: '=1+1', age: '' }]);
    expect(body).toContain("'=1+1");
    expect((await exportOf(surveyId, tenantId, '?format=csv')).body).toBe(body);
    const texts = await exportOf(surveyId, tenantId, '?labels=texts');
    expect(texts.body).toContain('Did you eat?,How was it?,Anything else?,How old are you?');
  });

  it('returns a workbook with the responses and the codebook', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { body: submitted } = await app.submit(surveyId, { data: { ate: 'yes', taste: 4, comment: '=1+1' } });
    const read = await app.call('GET', `/v1/responses/${submitted.id}`, { tenantId });
    const { headers, sheets } = await workbookOf(surveyId, tenantId);
    expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="responses-${surveyId}.xlsx"`);
    expect(Object.keys(sheets)).toEqual(['Responses', 'Codebook']);
    const [header = [], row = []] = sheets['Responses'] ?? [];
    expect(Object.fromEntries(header.map((name, index) => [name, row[index] ?? null]))).toMatchObject({
      id: submitted.id,
      submitted_at: new Date(read.body.completed_at),
      survey_version: 1,
      ate: 'yes',
      taste: 4,
      comment: '=1+1',
    });
    const { body: codebook } = await codebookOf(surveyId, tenantId, '?mask_formulas=false');
    expect(sheets['Codebook']?.map((cells) => cells.map((cell) => cell ?? '').join())).toEqual(
      codebook
        .trim()
        .split('\r\n')
        .map((line: string) => line.replace(/,+$/, '')),
    );
    expect((await workbookOf(surveyId, tenantId, '&status=disqualified')).sheets['Responses']).toHaveLength(1);
  });

  it('has declared metadata in columns, and the rest as JSON', async () => {
    const metadataFields = [
      { name: 'points', type: 'number', from: ['url'] },
      { name: 'joined', type: 'date', from: ['url'] },
    ] as const;
    const { surveyId, tenantId } = app.survey.add({ settings: { metadataFields } });
    const metadata = { points: '5', joined: '2024-02-29', more: 1 };
    await app.submit(surveyId, { data: { ate: 'no' }, metadata });
    const shown = { 'metadata.points': '5', 'metadata.joined': '2024-02-29', metadata: '{"more":1}' };
    expect(parseTable(`\uFEFF${(await exportOf(surveyId, tenantId)).body}`)).toMatchObject([shown]);
    const [header, row] = (await workbookOf(surveyId, tenantId)).sheets['Responses'] ?? [];
    expect(header?.slice(-3)).toEqual(Object.keys(shown));
    expect(row?.slice(-3)).toEqual([5, new Date('2024-02-29T00:00:00Z'), '{"more":1}']);
    const { body: codebook } = await codebookOf(surveyId, tenantId, '?format=json');
    expect(codebook.slice(-2)).toEqual(
      metadataFields.map(({ name, type }) => ({
        column: `metadata.${name}`,
        title: name,
        type,
        required: false,
        versions: [],
      })),
    );
    // A new type leaves the stored value.
    const changed = [{ name: 'points', type: 'boolean', from: ['url'] }] as const;
    app.survey.set(surveyId, { settings: { metadataFields: changed } });
    const { sheets } = await poll(async () => {
      const workbook = await workbookOf(surveyId, tenantId);
      return workbook.sheets['Warnings'] !== undefined && workbook;
    });
    expect(sheets['Warnings']?.[1]).toMatchObject(['metadata.points', expect.any(String), 1]);
    expect(sheets['Responses']?.[1]?.slice(-2)).toEqual(['5', '{"joined":"2024-02-29","more":1}']);
  });

  it('names conditions in the file name, and says them in the codebook', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'yes', taste: 4 } });
    const where = { conditions: [{ source_question: 'taste', operator: 'less_than', value: 3 }] };
    const query = `where=${encodeURIComponent(JSON.stringify(where))}`;
    const { headers, sheets } = await workbookOf(surveyId, tenantId, `&${query}`);
    const [, digest] = /^attachment; filename="responses-.*-([0-9a-f]{8})\.xlsx"$/.exec(
      headers.get('content-disposition') ?? '',
    ) ?? [''];
    expect(sheets['Responses']).toHaveLength(1);
    const row = [`conditions ${digest}`, '', 'How was it? is less than 3', 'conditions'];
    expect(
      sheets['Codebook']
        ?.at(-1)
        ?.slice(0, 4)
        .map((cell) => cell ?? ''),
    ).toEqual(row);
    const codebook = await codebookOf(surveyId, tenantId, `?${query}`);
    expect(codebook.headers.get('content-disposition')).toContain(`codebook-${surveyId}-${digest}.csv`);
    expect(codebook.body.trimEnd().split('\r\n').at(-1)).toBe(`${row.join()},,,,,false,,`);
    const withNulls = { match: null, conditions: where.conditions.map((one) => ({ ...one, source: null })) };
    const same = await codebookOf(surveyId, tenantId, `?where=${encodeURIComponent(JSON.stringify(withNulls))}`);
    expect(same.body).toBe(codebook.body);
    const wrong = encodeURIComponent(JSON.stringify({ conditions: [{ source_question: 'tast', operator: 'in' }] }));
    expect((await codebookOf(surveyId, tenantId, `?where=${wrong}`)).status).toBe(422);
  });

  it('is no workbook if there are too many columns for a sheet', async () => {
    const options = Array.from({ length: 2_000 }, (_, index) => `o${index}`);
    const questions = Array.from({ length: 9 }, (_, index) => ({ id: `q${index}`, type: 'multiple_choice', options }));
    const definition = { ...testDefinition, logic: [], pages: [{ questions }] };
    const { surveyId, tenantId } = app.survey.add({ definition });
    expect((await codebookOf(surveyId, tenantId, '?format=json')).body).toHaveLength(18_000);
    const { status, body } = await exportOf(surveyId, tenantId, '?format=xlsx');
    expect([status, body.errors]).toMatchObject([400, [{ path: '?format', code: 'TOO_MANY_COLUMNS' }]]);
    expect((await exportOf(surveyId, tenantId, '?format=csv')).body.split(',')).toHaveLength(18_011);
  });

  it('lists the cells of a workbook whose texts were too long', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no', comment: '😀'.repeat(20_000) } });
    const { sheets } = await workbookOf(surveyId, tenantId);
    expect(sheets['Shortened cells']).toEqual([
      ['sheet', 'cell', 'characters'],
      ['Responses', 'M2', 40_000],
    ]);
  });

  it('marks questions that a respondent never saw, and masks formulas, as asked', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no', comment: '=1' } });
    const { body } = await exportOf(surveyId, tenantId, '?not_shown=-99&mask_formulas=false');
    expect(body).toMatch(/,no,-99,=1,,\r\n$/);
    expect((await exportOf(surveyId, tenantId)).body).toMatch(/,no,,'=1,,\r\n$/);
    const [, row] = (await workbookOf(surveyId, tenantId, '&not_shown=-99')).sheets['Responses'] ?? [];
    expect(row?.slice(10, 14)).toEqual(['no', -99, '=1', null]);
  });

  it.each([',', ';', '\t'])(
    'has no cell that begins with a formula for a reader with the separator %j',
    async (separator) => {
      const { surveyId, tenantId } = app.survey.add();
      const comment = 'see;=1+1; "@x"\t-2\n＋3\r\n"=4';
      const { body: submitted } = await app.submit(surveyId, { data: { ate: 'no', comment } });
      const { body } = await exportOf(surveyId, tenantId);
      const cells = body.split(new RegExp(`[${separator}\r\n]`));
      expect(cells.filter((cell: string) => /^["\s]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
      expect(parseTable(`\uFEFF${body}`)).toMatchObject([{ id: submitted.id, comment }]);
    },
  );

  it.each(['csv', 'xlsx', 'json', 'ndjson'])(
    'sends the number of responses before the first byte, as %s',
    async (format) => {
      const { surveyId, tenantId } = app.survey.add();
      await submitMany(surveyId, 3, { data: { ate: 'no' } });
      const countOf = async (method: string, query: string) => {
        const path = `/v1/surveys/${surveyId}/responses/export?format=${format}${query}`;
        return (await app.call(method, path, { tenantId, permissions })).headers.get('x-total-count');
      };
      expect(await countOf('GET', '')).toBe('3');
      expect(await countOf('HEAD', '')).toBe('3');
      expect(await countOf('GET', '&status=in_progress')).toBe('0');
    },
  );

  it.each(['json', 'ndjson'])('returns the same as a list as %s, oldest first', async (format) => {
    const { surveyId, tenantId } = app.survey.add();
    const ids: string[] = [];
    for (const comment of ['1', '2', '3']) {
      ids.push((await app.submit(surveyId, { data: { ate: 'no', comment }, metadata: { n: 1 } })).body.id);
    }
    const { headers, body } = await exportOf(surveyId, tenantId, `?format=${format}`);
    expect(headers.get('content-disposition')).toContain(`.${format}"`);
    const lines =
      format === 'json'
        ? body
        : body
            .trim()
            .split('\n')
            .map((line: string) => JSON.parse(line));
    const read = await Promise.all(ids.map((id) => app.call('GET', `/v1/responses/${id}`, { tenantId })));
    expect(lines).toEqual(read.map((one) => one.body));
  });

  it('is a complete file if there are no responses', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect((await exportOf(surveyId, tenantId)).body).toMatch(
      /^id,submitted_at,.*,ate,taste,comment,age,metadata\r\n$/,
    );
    expect((await exportOf(surveyId, tenantId, '?format=json')).body).toEqual([]);
    expect((await exportOf(surveyId, tenantId, '?format=ndjson')).body).toBeUndefined();
  });

  it('returns the responses that match the filter', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const [first] = await submitMany(surveyId, 1, { data: { ate: 'no' } });
    const [spam] = await submitMany(surveyId, 1, { data: { ate: 'no', comment: 'spam' } });
    const { created_at } = (await app.call('GET', `/v1/responses/${spam}`, { tenantId })).body;
    const idsOf = async (query: string) =>
      parseTable(`\uFEFF${(await exportOf(surveyId, tenantId, query)).body}`).map(({ id }) => id);
    expect(await idsOf('?status=disqualified')).toEqual([spam]);
    expect(await idsOf(`?until=${created_at}`)).toEqual([first]);
    expect(await idsOf(`?since=${created_at}`)).toEqual([spam]);
    const { completed_at } = (await app.call('GET', `/v1/responses/${first}`, { tenantId })).body;
    expect(await idsOf(`?completed_since=${completed_at}&completed_until=${created_at}`)).toEqual([first]);
    expect(await idsOf(`?completed_until=${completed_at}`)).toEqual([]);
    expect(await idsOf('?language=de')).toEqual([]);
    const [german] = await submitMany(surveyId, 1, { data: { ate: 'no' }, language: 'de' });
    expect(await idsOf('?language=de_AT')).toEqual([german]);
  });

  it('has the columns of every published version, answered or not, whatever the filter finds', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no', comment: 'before' } });
    const pages = (id: string) => [{ questions: [{ id, type: 'text', title: 'New?' }] }];
    const definitionOf = (id: string) => ({ ...testDefinition, logic: [], pages: pages(id) });
    app.survey.set(surveyId, { version: 2, definition: definitionOf('never_answered') });
    app.survey.set(surveyId, { version: 3, status: 'closed', definition: definitionOf('not_published') });
    const columnsOf = async (query: string) => {
      const [header = ''] = (await exportOf(surveyId, tenantId, query)).body.split('\r\n');
      return header.split(',').slice(10, -1).join();
    };
    const all = 'never_answered,ate,taste,comment,age';
    await poll(async () => (await columnsOf('')) === all);
    for (const query of ['?status=abandoned', '?since=2999-01-01T00:00:00Z']) expect(await columnsOf(query)).toBe(all);
    expect(await columnsOf('?version=2')).toBe('never_answered');
    expect(await columnsOf('?version=1')).toBe('ate,taste,comment,age');
    const { body } = await codebookOf(surveyId, tenantId, '?format=json');
    expect([...new Set(body.map(({ column }: { column: string }) => column))].join()).toBe(all);
    expect((await workbookOf(surveyId, tenantId)).sheets['Responses']?.[0]?.slice(10, -1).join()).toBe(all);
  });

  it('has the columns of all answered versions', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no', comment: 'before' } });
    const questions = [{ id: 'fresh', type: 'text', title: 'New?' }];
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, logic: [], pages: [{ questions }] } });
    await poll(async () => (await app.submit(surveyId, { data: { fresh: 'after' } })).status === 201);
    const { body } = await exportOf(surveyId, tenantId);
    expect(body).toMatch(/external_id,invitation_id,fresh,ate,taste,comment,age,metadata\r\n/);
    expect(parseTable(`\uFEFF${body}`)).toMatchObject([
      { survey_version: '1', fresh: '', ate: 'no', comment: 'before' },
      { survey_version: '2', fresh: 'after', ate: '' },
    ]);
  });

  it.each(['csv', 'xlsx', 'ndjson', 'json'])(
    'fails with an error if a response cannot be read before anything is sent, as %s',
    async (format) => {
      const { surveyId, tenantId } = app.survey.add();
      const [id = ''] = await submitMany(surveyId, 1, { data: { ate: 'no' } });
      await app.responses.updateOne({ _id: id }, { $set: { 'data.tag': 'broken' } } as object);
      const { status, headers, body } = await exportOf(surveyId, tenantId, `?format=${format}`);
      expect([status, body.code, headers.get('content-disposition')]).toEqual([500, 'INTERNAL', null]);
    },
  );

  describe('of responses of which a later one cannot be read', () => {
    let surveyId: string;
    let tenantId: string;
    beforeAll(async () => {
      ({ surveyId, tenantId } = app.survey.add());
      await submitMany(surveyId, 20, largeResponse());
      await submitMany(surveyId, 120, { data: { ate: 'no' } });
      const [id = ''] = await submitMany(surveyId, 1, { data: { ate: 'no' } });
      await app.responses.updateOne({ _id: id }, { $set: { 'data.tag': 'broken' } } as object);
    });

    it.each(['csv', 'xlsx', 'ndjson', 'json'])(
      'closes the connection, so that a file of %s is not taken as complete',
      async (format) => {
        await expect(exportOf(surveyId, tenantId, `?format=${format}`)).rejects.toThrow('terminated');
      },
    );
  });

  describe('of many large responses', () => {
    let surveyId: string;
    let tenantId: string;
    beforeAll(async () => {
      ({ surveyId, tenantId } = app.survey.add());
      await submitMany(surveyId, 600, largeResponse());
    });

    it.each(['ndjson', 'xlsx'])('stops reading if the client disconnects, as %s', async (format) => {
      const reads = await watchReads(app.db, tenantId);
      const countCancelled = async () => {
        const count = /rpc_server_duration_seconds_count\{[^}]*ExportResponses",code="Canceled"\} (\d+)/;
        return Number(count.exec(await app.metrics())?.[1] ?? 0);
      };
      const before = await countCancelled();
      const path = `/v1/surveys/${surveyId}/responses/export?format=${format}`;
      const socket = connect(app.ports().httpPort, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${await app.authorizationOf(tenantId, permissions)}\r\n\r\n`,
      );
      await new Promise((resolve) => socket.once('readable', resolve));
      socket.destroy();
      await poll(async () => (await countCancelled()) === before + 1);
      // Of three pages, only the first and the prefetched one were read.
      expect(await reads.stop()).toBeLessThanOrEqual(2);
    });
  });

  it('replies to HEAD without reading anything', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const path = `/v1/surveys/${surveyId}/responses/export`;
    const { status, headers } = await app.call('HEAD', path, { tenantId, permissions });
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="responses-${surveyId}.csv"`,
    ]);
  });

  it('rejects other tenants and other formats', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect(await exportOf(surveyId, randomUUID())).toMatchObject({ status: 404, body: { code: 'SURVEY_NOT_FOUND' } });
    const path = `/v1/surveys/${surveyId}/responses/export`;
    const reader = await app.call('GET', path, { tenantId, permissions: ['responses:read'] });
    expect(reader).toMatchObject({ status: 403, body: { detail: "Permission 'responses:export' required" } });
    for (const query of [
      '?format=xml',
      '?labels=none',
      '?status=gone',
      '?order=asc',
      '?not_shown=',
      '?display_language=',
    ])
      expect((await exportOf(surveyId, tenantId, query)).status).toBe(400);
  });
});

describe('GET /v1/surveys/{survey_id}/responses/codebook', () => {
  it('describes the columns of all answered versions, in a language', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no' } });
    const questions = [{ id: 'fresh', type: 'text', title: { en: '=New?', de: 'Neu?' } }];
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, logic: [], pages: [{ questions }] } });
    await poll(async () => (await app.submit(surveyId, { data: { fresh: 'after' } })).status === 201);
    const { status, headers, body } = await codebookOf(surveyId, tenantId);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="codebook-${surveyId}.csv"`);
    expect(body.split('\r\n').slice(1, 4)).toEqual([
      "fresh,fresh,'=New?,text,,,,,false,1,2",
      'ate,ate,Did you eat?,single_choice,,,yes,yes,true,1,1',
      'ate,ate,Did you eat?,single_choice,,,no,no,true,1,1',
    ]);
    const json = await codebookOf(surveyId, tenantId, '?format=json&display_language=de');
    expect(json.headers.get('content-disposition')).toContain('.json"');
    expect(json.body[0]).toEqual({
      ...{
        column: 'fresh',
        question_id: 'fresh',
        title: 'Neu?',
        type: 'text',
        required: false,
        page: 1,
        versions: [2],
      },
    });
  });

  it('has the columns of the current version if there are no responses', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { body } = await codebookOf(surveyId, tenantId, '?format=json');
    expect(body.map(({ column, versions }: { column: string; versions: number[] }) => [column, ...versions])).toEqual([
      ['ate', 1],
      ['ate', 1],
      ['taste', 1],
      ['comment', 1],
      ['age', 1],
    ]);
  });

  it('rejects other tenants, other formats and missing permissions', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect(await codebookOf(surveyId, randomUUID())).toMatchObject({ status: 404, body: { code: 'SURVEY_NOT_FOUND' } });
    expect((await codebookOf(surveyId, tenantId, '?format=xlsx')).status).toBe(400);
    const path = `/v1/surveys/${surveyId}/responses/codebook`;
    expect((await app.call('GET', path, { tenantId, permissions: ['responses:read'] })).status).toBe(403);
  });
});
