import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { BSON } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startImportApp, type TestApp } from '../testing/import-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startImportApp();
});
afterEach(() => app.reset());
afterAll(() => app.close());

const SECRET = 'a rather private answer';
const survey = {
  title: 'Lunch',
  questions: [
    { id: 'colour', type: 'single_choice', title: 'Colour?', options: [{ id: 'r', text: 'Red' }] },
    { id: 'why', type: 'text', title: 'Why?' },
  ],
};
const response = (index: number) => ({
  id: `r-${index}`,
  answers: [
    { question_id: 'colour', value: index % 10 === 3 ? 'Green' : 'Red' },
    { question_id: 'why', value: `${SECRET} ${index} ${'x'.repeat(900)}` },
  ],
});
const responses = (count: number) => Array.from({ length: count }, (_, index) => response(index));
const ndjson = (count: number) =>
  responses(count)
    .map((item) => `${JSON.stringify(item)}\n`)
    .join('');

function createCaller(more: Caller = {}) {
  const caller = { tenantId: randomUUID(), ...more };
  const { tenantId } = caller;
  const get = (id: string, other: Caller = {}) => app.get(`/imports/${id}`, { tenantId, ...other });
  return {
    tenantId,
    get,
    post: (path: string, body: unknown, headers = {}) => app.post(path, body, { ...caller, headers }),
    send: (path: string, body: string | ReadableStream, headers = {}, signal?: AbortSignal) =>
      app.send(path, body, { ...caller, headers, ...(signal && { signal }) }),
    list: (query = '') => app.get(`/imports${query}`, { tenantId }),
    errors: (id: string, other: Caller = {}) => app.get(`/imports/${id}/errors`, { tenantId, ...other }),
    cancel: (id: string, other: Caller = {}) => app.post(`/imports/${id}/cancel`, {}, { tenantId, ...other }),
    makeSurvey: async (): Promise<string> =>
      (await app.post('/surveys/import', { source: 'custom', format: 'json', data: { survey } }, { tenantId })).body.id,
    ended: (id: string) =>
      poll(async () => {
        const { body } = await get(id);
        return body.finished_at === undefined ? undefined : body;
      }),
    stored: () => [...app.fakes.responses.values()].filter((one) => one.tenantId === tenantId),
    staged: () => app.db.collection('staged_pieces').find({ tenant_id: tenantId }).toArray(),
  };
}

/** Ignores aborted connections: the server may close early without reading the body. */
function brokenLine(error: unknown): undefined {
  if (!(error instanceof TypeError) || !/fetch failed|terminated/.test(error.message)) throw error;
}

/** The events of an ended import, for subscribers and for the audit. */
async function eventsOf(tenantId: string, id: string) {
  await poll(async () => (await app.importsOf(tenantId)).find(({ _id }) => _id === id)?.outbox.length === 0);
  const read = async (topic: string, member: string) =>
    (await createTestKafka().readWhole(topic)).map(readEvent).filter(({ data }) => data[member] === id);
  return { events: await read(topics.import, 'id'), audited: await read(topics.audit, 'resource_id') };
}

describe('a file of more than a mebibyte', () => {
  it('is staged encrypted, imported by a job, and has one event', async () => {
    const { tenantId, send, makeSurvey, ended, stored, staged } = createCaller();
    const surveyId = await makeSurvey();
    const begun = Promise.withResolvers<void>();
    app.fakes.beforeBatch = () => begun.promise;
    const accepted = await send(`/surveys/${surveyId}/responses/import?format=ndjson`, ndjson(1_200));
    const { id } = accepted.body;
    expect([accepted.status, accepted.headers.get('location')]).toEqual([202, `/v1/imports/${id}`]);
    expect(accepted.body).toMatchObject({ survey_id: surveyId, status: 'running', source: 'custom', format: 'ndjson' });
    const pieces = await staged();
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) {
      expect(Buffer.from(BSON.serialize(piece)).includes(SECRET)).toBe(false);
      expect(piece['expires_at']).toBeInstanceOf(Date);
    }
    begun.resolve();
    const size = Buffer.byteLength(ndjson(1_200));
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      progress: { rows: 1_200, imported: 1_080, skipped: 0, failed: 120, bytes: size, total_bytes: size },
      questions: 2,
      created_by: 'user-1',
    });
    expect(stored()).toHaveLength(1_080);
    expect(stored().every(({ silent }) => !silent)).toBe(true);
    await poll(async () => (await staged()).length === 0);
    const record = (await app.importsOf(tenantId)).at(-1);
    expect(record).not.toHaveProperty('job');
    expect(JSON.stringify(record)).not.toContain(SECRET);
    const rejected = await app.db.collection('import_errors').find({ tenant_id: tenantId }).toArray();
    expect(rejected.flatMap(({ errors }) => errors)).toHaveLength(120);
    expect(JSON.stringify(rejected)).not.toContain(SECRET);
    for (const kept of [record, ...rejected]) expect(kept?.expires_at).toBeInstanceOf(Date);
    const { events } = await eventsOf(tenantId, id);
    expect(events.map(({ type }) => type)).toEqual(['import.completed']);
    expect(events[0]?.data).toMatchObject({ imported: 1_080, failed: 120, revision: 2 });
  });

  it('can be JSON in the request, with survey and responses', async () => {
    const { post, ended, stored } = createCaller();
    const accepted = await post('/surveys/import', {
      options: { emit_events: false },
      source: 'custom',
      data: { responses: responses(1_200), survey },
      format: 'json',
    });
    expect(accepted.status).toBe(202);
    const done = await ended(accepted.body.id);
    expect(done).toMatchObject({ status: 'completed', progress: { rows: 1_200, imported: 1_080, failed: 120 } });
    expect(app.fakes.surveys.get(done.survey_id)).toMatchObject({ status: 'closed' });
    expect(stored().every(({ silent, surveyId }) => silent && surveyId === done.survey_id)).toBe(true);
  });

  it('can be a string in the JSON of the request', async () => {
    const { post, makeSurvey, ended } = createCaller();
    const surveyId = await makeSurvey();
    const path = `/surveys/${surveyId}/responses/import`;
    const { body } = await post(path, { responses: ndjson(1_200), format: 'ndjson' });
    expect(await ended(body.id)).toMatchObject({ status: 'completed', progress: { rows: 1_200, imported: 1_080 } });
  });

  it('gets the final reply if it ends while the caller waits', async () => {
    const { send, makeSurvey } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const { status, body } = await send(path, ndjson(1_200), { prefer: 'respond-async, wait=30' });
    expect([status, body.status, body.progress.imported]).toEqual([200, 'completed', 1_080]);
  });

  it('lists all errors in the order of the file, for its own tenant only', async () => {
    const { send, makeSurvey, ended, errors } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const { body } = await send(path, `${ndjson(1_200)}no JSON\n`);
    const done = await ended(body.id);
    expect(done.errors).toHaveLength(100);
    const reported = await errors(body.id);
    expect(reported.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = reported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ index }) => index)).toEqual([...Array.from({ length: 120 }, (_, n) => n * 10 + 3), 1_200]);
    const detail = 'line 1201: the line is not valid JSON, from column 1 on';
    expect(lines.at(-1)).toMatchObject({ code: 'BAD_JSON', detail });
    expect(done.errors).toEqual(lines.slice(0, 100));
    const foreign = { tenantId: randomUUID() };
    expect([(await errors(body.id, foreign)).status, (await errors('x')).status]).toEqual([404, 404]);
  });

  it('that ends early fails with the location, and nothing is stored', async () => {
    const { send, makeSurvey, ended, stored, staged } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=json`;
    const { body } = await send(path, JSON.stringify(responses(1_200)).slice(0, -300));
    const done = await ended(body.id);
    expect(done).toMatchObject({
      status: 'failed',
      progress: { rows: 0, imported: 0 },
      warnings: [{ code: 'INVALID_IMPORT' }, { path: '/1199/answers/1/value', code: 'BAD_JSON' }],
    });
    expect(stored()).toEqual([]);
    await poll(async () => (await staged()).length === 0);
  });

  it('is read once, and its responses are spooled encrypted until they are stored', async () => {
    const { send, makeSurvey, ended, staged } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const begun = Promise.withResolvers<void>();
    app.fakes.beforeBatch = () => begun.promise;
    const { body } = await send(path, ndjson(1_200));
    const isSpooled = ({ _id }: { readonly _id: unknown }) => String(_id).includes('.spool.');
    const spooled = await poll(async () => {
      const found = (await staged()).filter(isSpooled);
      // Six batches of 200, and the end.
      return found.length === 7 ? found : undefined;
    });
    for (const piece of spooled) expect(Buffer.from(BSON.serialize(piece)).includes(SECRET)).toBe(false);
    begun.resolve();
    expect(await ended(body.id)).toMatchObject({ status: 'completed', progress: { imported: 1_080 } });
    await poll(async () => (await staged()).length === 0);
  });

  it('with an invalid survey fails with all errors and locations', async () => {
    const { post, ended, tenantId } = createCaller();
    const data = { survey: { title: '', questions: [] }, responses: responses(1_200) };
    const { status, body } = await post('/surveys/import', { source: 'custom', format: 'json', data });
    expect(status).toBe(202);
    expect(await ended(body.id)).toMatchObject({
      status: 'failed',
      progress: { rows: 0 },
      warnings: [{ code: 'INVALID_DEFINITION' }, { path: '/data/survey/title' }],
    });
    expect([...app.fakes.surveys.values()].filter((one) => one.tenantId === tenantId)).toEqual([]);
  });

  it('waits for a service that is down', async () => {
    const { send, makeSurvey, ended } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    app.fakes.batchesUntilAway = 3;
    const { body } = await send(path, ndjson(1_200));
    await poll(() => app.fakes.batches.length === 3);
    app.fakes.batchesUntilAway = undefined;
    expect(await ended(body.id)).toMatchObject({ status: 'completed', progress: { imported: 1_080, failed: 120 } });
  });

  it('stores nothing more after its survey was deleted between two batches, and says so', async () => {
    const { send, makeSurvey, ended, errors, stored } = createCaller();
    const surveyId = await makeSurvey();
    let batches = 0;
    app.fakes.beforeBatch = async () => {
      batches += 1;
      if (batches === 1) return;
      await poll(() => app.fakes.batches.length === 1);
      const survey = app.fakes.surveys.get(surveyId);
      if (survey !== undefined) app.fakes.surveys.set(surveyId, { ...survey, status: 'deleted' });
    };
    const { body } = await send(`/surveys/${surveyId}/responses/import?format=ndjson`, ndjson(1_200));
    const done = await ended(body.id);
    expect(done).toMatchObject({ progress: { rows: 1_200, imported: 180, failed: 1_020 } });
    expect(done.warnings).toMatchObject([{ code: 'SURVEY_NOT_FOUND' }, { code: 'TIME_ASSUMED' }]);
    expect(stored()).toHaveLength(180);
    const rejected = (await errors(body.id)).text.trim().split('\n');
    const isGone = (line: string) => JSON.parse(line).code === 'SURVEY_NOT_FOUND';
    // The other rejected responses have invalid answers.
    expect(rejected.filter(isGone)).toHaveLength(900);
  });

  it('changes nothing if repeated', async () => {
    const { send, makeSurvey, ended, stored } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    for (const progress of [{ imported: 1_080 }, { imported: 0, skipped: 1_080 }]) {
      const { body } = await send(path, ndjson(1_200));
      expect(await ended(body.id)).toMatchObject({ status: 'completed', progress: { ...progress, failed: 120 } });
    }
    expect(stored()).toHaveLength(1_080);
  });

  it('is imported once per idempotency key, and a different file with the key is not kept', async () => {
    const { send, makeSurvey, ended, staged, tenantId } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(path, ndjson(1_200), headers);
    const again = await send(path, ndjson(1_200), headers);
    expect([again.status, again.headers.get('idempotency-replayed'), again.body.id]).toEqual([
      202,
      'true',
      first.body.id,
    ]);
    const other = await send(path, ndjson(1_201), headers);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    await ended(first.body.id);
    expect(await app.importsOf(tenantId)).toHaveLength(2);
    await poll(async () => (await staged()).length === 0);
  });
});

describe('an import that is cancelled', () => {
  it('ends after the current batch, counts stored responses, and sends one event', async () => {
    const { send, makeSurvey, cancel, ended, stored, staged, tenantId } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let batches = 0;
    app.fakes.beforeBatch = async () => {
      batches += 1;
      if (batches < 5) return;
      reached.resolve();
      await goOn.promise;
    };
    const { body } = await send(path, ndjson(4_000));
    await reached.promise;
    expect((await cancel(body.id, { subject: 'user-2' })).body.status).toBe('cancelling');
    goOn.resolve();
    const done = await ended(body.id);
    expect(done.status).toBe('cancelled');
    // Four batches were stored, and four more may be in flight.
    expect(done.progress.rows).toBeLessThanOrEqual(8 * 200);
    expect(done.progress.imported).toBe(stored().length);
    await poll(async () => (await staged()).length === 0);
    expect((await cancel(body.id)).body).toMatchObject({ status: 'cancelled', progress: done.progress });
    const { events, audited } = await eventsOf(tenantId, body.id);
    expect(events.map(({ type }) => type)).toEqual(['import.failed']);
    expect(events[0]?.data).toMatchObject({ status: 'cancelled', imported: stored().length });
    expect(audited.map(({ type, data }) => [type, data['actor']])).toEqual([
      ['audit.import.started', 'user-1'],
      ['audit.import.cancelled', 'user-2'],
    ]);
  });

  it('cannot be cancelled by other tenants', async () => {
    const { post } = createCaller();
    const { body } = await post('/surveys/import', { source: 'custom', format: 'json', data: { survey } });
    const { cancel, get } = createCaller();
    expect([(await cancel(body.import.id)).status, (await get(body.import.id)).status]).toEqual([404, 404]);
    expect((await cancel('x')).body.code).toBe('IMPORT_NOT_FOUND');
  });
});

describe('an import of any size', () => {
  it('is a job if the caller prefers not to wait', async () => {
    const { post, ended } = createCaller();
    const data = { survey, responses: responses(3) };
    const accepted = await post(
      '/surveys/import',
      { source: 'custom', format: 'json', data },
      { prefer: 'respond-async' },
    );
    expect(accepted.status).toBe(202);
    expect(await ended(accepted.body.id)).toMatchObject({ status: 'completed', progress: { rows: 3, imported: 3 } });
  });

  it('is listed for its tenant, newest first, page by page', async () => {
    const { post, list } = createCaller();
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c']) {
      const data = { survey: { ...survey, title } };
      ids.unshift((await post('/surveys/import', { source: 'custom', format: 'json', data })).body.import.id);
    }
    const first = await list('?limit=2');
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const next = /<\/v1\/imports(\?[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    expect((await list(next)).body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect((await createCaller().list()).body).toEqual([]);
  });

  it('stores nothing and sends no events in a dry run', async () => {
    const { post, tenantId, stored } = createCaller();
    const options = { dry_run: true };
    const data = { survey, responses: responses(10), settings: { response_limit: 5 } };
    const dry = await post('/surveys/import', { source: 'custom', format: 'json', data, options });
    expect([dry.status, dry.headers.get('location')]).toEqual([200, null]);
    expect(dry.body).toMatchObject({
      id: '',
      definition: { title: 'Lunch' },
      settings: { access: 'open', languages: [], response_limit: 5 },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      import: { imported: 9, failed: 1, questions: 2 },
    });
    expect([...app.fakes.surveys.values()].filter((one) => one.tenantId === tenantId)).toEqual([]);
    const { makeSurvey, ...other } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import`;
    const report = await other.post(path, { format: 'json', responses: responses(10), dry_run: true });
    expect([report.status, report.body.imported, report.body.failed]).toEqual([200, 9, 1]);
    expect([stored(), other.stored()]).toEqual([[], []]);
    await other.post(path, { format: 'json', responses: responses(4) });
    const again = await other.post(path, { format: 'json', responses: responses(10), dry_run: true });
    const { imported, skipped, failed } = again.body;
    expect([imported, skipped, failed, other.stored().length]).toEqual([9 - 3, 3, 1, 3]);
    const [record] = await app.importsOf(tenantId);
    expect(record).toMatchObject({ dry_run: true, status: 'completed', outbox: [] });
  });

  it('gets its title from the file name, and other options from the query', async () => {
    const { send } = createCaller();
    const csv = 'q1,text,Why?,true,,';
    const query =
      'source=custom&format=csv&filename=C%3A%5Cmy%2Fsurveys%2FTeam%20lunch.csv&language=de_at&preserve_ids=false';
    const { status, body } = await send(`/surveys/import?${query}`, csv, { 'content-type': 'text/csv' });
    expect([status, body.definition.title, body.definition.supported_languages]).toEqual([
      201,
      'Team lunch',
      ['de-AT'],
    ]);
    expect(body.definition.pages[0].questions[0].id).not.toBe('q1');
  });

  it('reports locations in the file if the file is the body', async () => {
    const { send } = createCaller();
    const { status, body } = await send('/surveys/import?source=custom&format=json', '{"survey":{"title":"T"}}');
    expect([status, body.errors[0].path]).toEqual([422, '/survey']);
  });

  it.each([
    ['?source=custom', 400, 'INVALID_REQUEST'],
    ['?source=typeform&format=xlsx', 400, 'INVALID_REQUEST'],
    ['?source=custom&format=lss', 400, 'INVALID_REQUEST'],
    ['?source=custom&format=json&color=red', 400, 'INVALID_REQUEST'],
    ['?source=custom&format=json&data=x', 400, 'INVALID_REQUEST'],
    ['?source=custom&format=json&preserve_ids=maybe', 400, 'INVALID_REQUEST'],
    ['?source=custom&format=json', 422, 'INVALID_IMPORT'],
    ['', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('is rejected with the query %j', async (query, status, code) => {
    const { send } = createCaller();
    const rejected = await send(`/surveys/import${query}`, 'no JSON', { 'content-type': 'text/plain' });
    expect([rejected.status, rejected.body.code]).toEqual([status, code]);
  });

  it('names the invalid query parameter', async () => {
    const { send } = createCaller();
    const query = `?source=custom&format=json&language=${'x'.repeat(40)}`;
    const { status, body } = await send(`/surveys/import${query}`, '{}');
    expect([status, body.errors]).toMatchObject([400, [{ path: '?language' }]]);
  });

  it('is rejected before it arrives if the survey is unknown or the idempotency key invalid', async () => {
    const { send } = createCaller();
    const path = `/surveys/${randomUUID()}/responses/import?format=ndjson`;
    for (const [headers, status] of [
      [{}, 404],
      [{ 'idempotency-key': 'a b' }, 400],
    ] as const) {
      let pulled = 0;
      const endless = new ReadableStream({
        async pull(controller) {
          pulled += 1;
          // Far more than network buffers can contain.
          if (pulled > 100) controller.close();
          else controller.enqueue(Buffer.alloc(1024 * 1024, 0x20));
        },
      });
      const answer = await send(path, endless, headers).catch(brokenLine);
      if (answer !== undefined) expect(answer.status).toBe(status);
      expect(pulled).toBeLessThan(60);
    }
  });

  it.each<[unknown, number, string]>([
    [[], 400, 'INVALID_REQUEST'],
    [{ survey_id: 'x', format: 'json', responses: [] }, 400, 'INVALID_REQUEST'],
    [{ format: 'json', responses: [], color: 1 }, 400, 'INVALID_REQUEST'],
    [{ format: 'json' }, 422, 'VALIDATION_FAILED'],
    [{ format: 'ndjson', source: 'typeform', responses: 'x' }, 422, 'VALIDATION_FAILED'],
  ])('of responses is rejected with the body %j', async (body, status, code) => {
    const { post, makeSurvey } = createCaller();
    const rejected = await post(`/surveys/${await makeSurvey()}/responses/import`, body);
    expect([rejected.status, rejected.body.code]).toEqual([status, code]);
  });

  it('is rejected before it arrives if too large, and leaves nothing if that is found later', async () => {
    const { send, makeSurvey, staged } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const early = await send(path, 'x'.repeat(65 * 1024 * 1024));
    expect([early.status, early.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(Buffer.alloc(1024 * 1024, 0x20));
      },
    });
    const late = await send(path, endless).catch(brokenLine);
    if (late !== undefined) expect(late.status).toBe(413);
    expect(sent).toBeLessThan(200);
    await poll(async () => (await staged()).length === 0);
  });

  it('needs its permissions', async () => {
    const { get, list, cancel, errors } = createCaller({ permissions: [] });
    const none = { permissions: [] };
    expect((await app.get('/imports', none)).body.detail).toBe("Permission 'imports:read' required");
    expect((await get('x', none)).status).toBe(403);
    expect((await errors('x', none)).status).toBe(403);
    expect((await cancel('x', { permissions: ['imports:read'] })).body.detail).toBe(
      "Permission 'imports:write' required",
    );
    expect((await list()).status).toBe(200);
  });

  it('is rejected if compressed', async () => {
    const { send } = createCaller();
    const query = '?source=custom&format=json';
    const { status } = await send(`/surveys/import${query}`, JSON.stringify({ survey }), {
      'content-encoding': 'gzip',
    });
    expect(status).toBe(415);
  });

  it.each([
    ['true', '=1+1'],
    ['false', "'=1+1"],
  ])('of CSV is unmasked according to the query, %s', async (unmask, why) => {
    const { send, makeSurvey, stored } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=csv&unmask=${unmask}`;
    const { status } = await send(path, "id,why\n1,'=1+1\n");
    expect([status, stored().map(({ data }) => data)]).toMatchObject([200, [{ why }]]);
  });

  it('leaves nothing if the client disconnects', async () => {
    const { send, makeSurvey, staged } = createCaller();
    const path = `/surveys/${await makeSurvey()}/responses/import?format=ndjson`;
    const gone = new AbortController();
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from(ndjson(500)));
        if ((await staged()).length > 0) gone.abort();
      },
    });
    await expect(send(path, body, {}, gone.signal)).rejects.toThrow();
    await poll(async () => (await staged()).length === 0);
  });

  it('gives the same result as a job with all options', async () => {
    const { send, ended, stored, tenantId } = createCaller();
    const logic = [{ question_id: 'why', conditions: [{ source_question: 'none', operator: 'equals', value: 'x' }] }];
    const query = '?source=custom&format=json&dry_run=true&preserve_ids=false&validate_logic=false';
    const dry = await send(
      `/surveys/import${query}`,
      JSON.stringify({ survey: { ...survey, logic }, responses: responses(20) }),
      {
        prefer: 'respond-async',
      },
    );
    const done = await ended(dry.body.id);
    expect(done).toMatchObject({
      status: 'completed',
      dry_run: true,
      survey_id: '',
      imported: 18,
      failed: 2,
      total: 20,
    });
    expect(done.warnings).toMatchObject([
      { path: expect.stringMatching(/^\/survey\/logic\/0/) },
      { code: 'TIME_ASSUMED' },
    ]);
    expect(stored()).toEqual([]);
    expect([...app.fakes.surveys.values()].filter((one) => one.tenantId === tenantId)).toEqual([]);
  });

  it('of responses needs the permission also as a job', async () => {
    const { post, ended } = createCaller({ permissions: ['surveys:import', 'imports:read'] });
    const data = { survey, responses: responses(3) };
    const { body } = await post(
      '/surveys/import',
      { source: 'custom', format: 'json', data },
      { prefer: 'respond-async' },
    );
    expect(await ended(body.id)).toMatchObject({ status: 'failed', warnings: [{ code: 'PERMISSION_DENIED' }] });
  });

  it('is listed without its warnings and errors', async () => {
    const { post, list, get } = createCaller();
    const { body } = await post('/surveys/import', {
      source: 'custom',
      format: 'json',
      data: { survey, responses: responses(10) },
    });
    expect((await list()).body).toMatchObject([{ id: body.import.id, errors: [], progress: { failed: 1 } }]);
    expect((await get(body.import.id)).body.errors).toHaveLength(1);
  });
});
