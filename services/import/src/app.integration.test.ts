import { randomUUID } from 'node:crypto';
import { fromBinary, fromJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { ImportService } from '@survey/proto/survey/imports/v1/import_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS, type Caller, startImportApp, type TestApp } from './testing/import-app.ts';

const data = {
  survey: {
    title: 'Lunch',
    questions: [
      { id: 'colour', type: 'single_choice', title: 'Colour?', required: true, options: [{ id: 'r', text: 'Red' }] },
      { id: 'stars', type: 'rating', title: 'Stars?' },
    ],
    logic: [{ question_id: 'stars', conditions: [{ source_question: 'colour', operator: 'equals', value: 'r' }] }],
  },
  responses: [
    {
      id: 'a-1',
      submitted_at: '2026-01-02T03:04:05Z',
      answers: [
        { question_id: 'colour', value: 'Red' },
        { question_id: 'stars', value: '4' },
      ],
    },
    { id: 'a-2', answers: [{ question_id: 'colour', value: 'Green' }] },
    { id: 'a-3', submitted_at: 'x', answers: [{ question_id: 'colour', value: 'r' }] },
  ],
};

let app: TestApp;
let state: TestApp['fakes'];

beforeAll(async () => {
  app = await startImportApp();
  state = app.fakes;
});
afterEach(() => app.reset());
afterAll(() => app.close());

const importSurvey = (options: object = {}, change: object = {}, caller: Caller = {}) =>
  app.post('/surveys/import', { source: 'custom', format: 'json', data, options, ...change }, caller);
const importResponses = (surveyId: string, body: object, caller: Caller) =>
  app.post(`/surveys/${surveyId}/responses/import`, body, caller);
const importsOf = (tenantId: string) => app.importsOf(tenantId);
const responsesOf = (surveyId: string) =>
  [...state.responses.values()].filter((response) => response.surveyId === surveyId);

describe('importing a survey', () => {
  it('stores a closed survey with its valid responses, and reports the invalid ones', async () => {
    const tenantId = randomUUID();
    const { status, headers, body } = await importSurvey({}, {}, { tenantId });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/surveys/${body.id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toMatchObject({
      tenant_id: tenantId,
      status: 'closed',
      definition: { title: 'Lunch', supported_languages: ['en'], pages: [{ questions: data.survey.questions }] },
    });
    expect(body.import).toEqual({
      id: expect.any(String),
      source: 'custom',
      format: 'json',
      status: 'completed',
      total: 3,
      imported: 1,
      imported_in_part: 0,
      skipped: 0,
      failed: 2,
      left_out: 0,
      questions: 2,
      warnings: [],
      errors: [
        { index: 1, id: 'a-2', code: 'INVALID_ANSWERS', detail: expect.any(String), column: 'colour' },
        {
          index: 2,
          id: 'a-3',
          code: 'BAD_TIME',
          detail: 'submitted_at must be an RFC 3339 time',
          column: 'submitted_at',
        },
      ],
      omissions: [],
    });
    const time = new Date('2026-01-02T03:04:05Z');
    expect(responsesOf(body.id)).toEqual([
      {
        tenantId,
        surveyId: body.id,
        externalId: 'a-1',
        data: { colour: 'r', stars: 4 },
        startedAt: time,
        completedAt: time,
        status: 'completed',
        silent: false,
      },
    ]);
    expect(state.surveys.get(body.id)).toMatchObject({ tenantId, createdBy: 'user-1' });
  });

  it('keeps a record without content, and sends an event', async () => {
    const tenantId = randomUUID();
    const { body } = await importSurvey({}, {}, { tenantId });
    const [record] = await importsOf(tenantId);
    expect(record).toMatchObject({
      _id: body.import.id,
      survey_id: body.id,
      status: 'completed',
      started_by: 'user-1',
    });
    expect(JSON.stringify(record?.report)).not.toMatch(/Red|Green|Lunch/);
    await poll(async () => (await importsOf(tenantId))[0]?.outbox.length === 0);
    const kafka = createTestKafka();
    const consumer = kafka.kafka.consumer({ groupId: randomUUID() });
    const found = Promise.withResolvers<unknown>();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: 'import.events', fromBeginning: true });
      await consumer.run({
        eachMessage: async ({ message }) => {
          const event = fromBinary(EventSchema, message.value ?? new Uint8Array());
          if (event.tenantId === tenantId) found.resolve(event);
        },
      });
      expect(await found.promise).toMatchObject({ type: 'import.completed', data: body.import });
    } finally {
      await consumer.disconnect();
    }
    const [audited] = await readAuditEvents(tenantId, 1);
    expect(audited).toMatchObject({ action: 'import.completed', actor: 'user-1', resource_id: body.import.id });
    expect(audited?.['changes']).toContainEqual({ path: '/survey_id', after: body.id });
    expect(JSON.stringify(audited)).not.toMatch(/Red|Green|Lunch/);
  });

  it('renews all ids with preserve_ids=false', async () => {
    const { body } = await importSurvey({ preserve_ids: false });
    expect(body.import).toMatchObject({ imported: 1, failed: 2 });
    const [question] = body.definition.pages[0].questions;
    expect(question.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.definition.logic[0].conditions[0]).toMatchObject({
      source_question: question.id,
      value: question.options[0].id,
    });
    expect(responsesOf(body.id)).toMatchObject([
      { externalId: 'a-1', data: { [question.id]: question.options[0].id } },
    ]);
  });

  it('stores no responses with import_responses=false', async () => {
    const { status, body } = await importSurvey({ import_responses: false }, {}, { permissions: ['surveys:import'] });
    expect([status, body.status, body.import.total]).toEqual([201, 'draft', 0]);
  });

  it('requires the permission for responses before checking the definition', async () => {
    const tenantId = randomUUID();
    const permissions = ['surveys:import'];
    const broken = { data: { survey: { title: '', questions: [] }, responses: [{}] } };
    const { status, body } = await importSurvey({}, broken, { tenantId, permissions });
    expect([status, body.detail]).toEqual([403, "Permission 'responses:import' required"]);
    expect(await importsOf(tenantId)).toEqual([]);
    const without = await importSurvey({}, { data: { survey: data.survey } }, { permissions });
    expect([without.status, without.body.status]).toEqual([201, 'draft']);
  });

  it('rejects a definition with all errors and their locations in the file', async () => {
    const survey = {
      ...data.survey,
      questions: [
        { id: 'a', type: 'single_choice', title: 'A' },
        { id: 'a', type: 'text', title: 'B' },
      ],
      logic: [],
    };
    const tenantId = randomUUID();
    const { status, body } = await importSurvey({}, { data: { survey } }, { tenantId });
    expect([status, body.code]).toEqual([422, 'INVALID_DEFINITION']);
    expect(body.errors).toEqual([
      expect.objectContaining({ path: '/data/survey/questions/0/options', code: 'MISSING_OPTIONS' }),
      expect.objectContaining({ path: '/data/survey/questions/1/id', code: 'DUPLICATE_ID' }),
    ]);
    const lenient = await importSurvey({ validate_logic: false }, { data: { survey } }, { tenantId });
    expect([lenient.status, lenient.body.status]).toEqual([201, 'draft']);
    expect(lenient.body.import.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'MISSING_OPTIONS',
      'DUPLICATE_ID',
    ]);
  });

  it('rejects a malformed definition, with any options', async () => {
    const survey = { title: '', questions: [{ id: 'a', type: 'slider', title: 'A' }] };
    const { status, body } = await importSurvey({ validate_logic: false }, { data: { survey } });
    expect([status, body.code]).toEqual([422, 'INVALID_DEFINITION']);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/data/survey/title',
      '/data/survey/questions/0/type',
    ]);
  });

  it('imports a survey from CSV; errors name row and column', async () => {
    const csv = 'q1,single_choice,"Do you, ever?",true,Yes|No,\r\nq2,rating,How much?,no,1-5,q1:equals:Yes';
    const { status, body } = await importSurvey({ title: 'From CSV' }, { format: 'csv', data: csv });
    expect([status, body.status, body.definition.title, body.import.questions]).toEqual([201, 'draft', 'From CSV', 2]);
    const rejected = await importSurvey({}, { format: 'csv', data: `${csv}\r\nq3,slider,` });
    expect([rejected.status, rejected.body.code]).toEqual([422, 'INVALID_IMPORT']);
    expect(rejected.body.errors).toHaveLength(2);
    expect(rejected.body.errors[1]).toMatchObject({
      path: '/data',
      code: 'UNKNOWN_TYPE',
      detail: expect.stringMatching(/^row 3, column question_type: /),
    });
  });

  it('reads a small file once, whether its call or a job stores the responses', async () => {
    const of = (count: number) => ({
      ...data,
      responses: Array(count).fill({ answers: [{ question_id: 'colour', value: 'r' }] }),
    });
    const readings = async () =>
      (await app.metrics()).split('\n').filter((line) => /^import_readings_total.* [1-9]/.test(line));
    const before = await readings();
    const pieces = app.db.collection('staged_pieces');
    const tenantId = randomUUID();
    expect((await importSurvey({}, { data: of(1_000) }, { tenantId })).status).toBe(201);
    expect(await pieces.countDocuments({ tenant_id: tenantId as never })).toBe(0);
    const { body } = await importSurvey({}, { data: of(1_001) }, { tenantId });
    await poll(async () => (await app.get(`/imports/${body.id}`, { tenantId })).body.finished_at !== undefined);
    const countOf = (lines: readonly string[], kind: string) =>
      Number(
        lines
          .find((line) => line.includes(`kind="${kind}"`) && line.includes('"done"'))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    const after = await readings();
    expect(countOf(after, 'call') - countOf(before, 'call')).toBe(2);
    expect(countOf(after, 'job') - countOf(before, 'job')).toBe(0);
  });

  it('rejects a broken file with more than a thousand responses in the call, and stores nothing', async () => {
    const tenantId = randomUUID();
    const responses = JSON.stringify(Array(1_200).fill({ answers: [{ question_id: 'colour', value: 'r' }] }));
    const surveyId = (await importSurvey({}, { data: { survey: data.survey } }, { tenantId })).body.id;
    const path = `/surveys/${surveyId}/responses/import?format=json`;
    const broken = await app.send(path, responses.slice(0, -10), { tenantId });
    expect([broken.status, broken.body.code]).toEqual([422, 'INVALID_IMPORT']);
    expect(responsesOf(surveyId)).toEqual([]);
    expect(await app.db.collection('staged_pieces').countDocuments({ tenant_id: tenantId as never })).toBe(0);
  });

  it('imports a thousand responses in the call, and more in a job', async () => {
    const of = (count: number) => ({
      ...data,
      responses: Array(count).fill({ answers: [{ question_id: 'colour', value: 'r' }] }),
    });
    const { status, body } = await importSurvey({}, { data: of(1_000) });
    expect([status, body.import.total, body.import.imported]).toEqual([201, 1_000, 1_000]);
    const tenantId = randomUUID();
    const more = await importSurvey({}, { data: of(1_001) }, { tenantId });
    expect(more.status).toBe(202);
    const ended = await poll(async () => {
      const { body: item } = await app.get(`/imports/${more.body.id}`, { tenantId });
      return item.finished_at === undefined ? undefined : item;
    });
    expect(ended).toMatchObject({ status: 'completed', progress: { imported: 1_001 } });
  });

  it('rejects a definition with too many questions early', async () => {
    const many = { survey: { title: 'T', questions: Array(100_000).fill({}) } };
    const { status, body } = await importSurvey({}, { data: many });
    expect([status, body.code]).toEqual([422, 'INVALID_DEFINITION']);
    expect(body.errors).toMatchObject([{ path: '/data/survey/questions', code: 'LIMIT_EXCEEDED' }]);
  });

  it('replies only in JSON', async () => {
    const { status } = await app.post('/surveys/import', {}, { headers: { accept: 'text/csv' } });
    expect(status).toBe(406);
  });

  it.each<[object, number]>([
    [{ source: 'other' }, 422],
    [{ format: 'xml' }, 422],
    [{ data: null }, 422],
    [{ data: 'text' }, 422],
    [{ format: 'csv', data: { a: 1 } }, 422],
    [{ options: { dry: true } }, 400],
    [{ options: { preserve_ids: 'yes' } }, 400],
    [{ options: { language: 'no language' } }, 422],
  ])('rejects the request with %j', async (change, status) => {
    expect((await importSurvey({}, change)).status).toBe(status);
  });

  it('records a failure and sends an event if the survey cannot be stored', async () => {
    state.rejection = new AppError('UNAVAILABLE');
    const tenantId = randomUUID();
    const { status, body } = await importSurvey({}, {}, { tenantId });
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(await importsOf(tenantId)).toMatchObject([
      {
        status: 'failed',
        report: {
          status: 'failed',
          total: 3,
          imported: 0,
          failed: 3,
          warnings: [{ code: 'UNAVAILABLE' }],
          errors: [{ code: 'UNAVAILABLE' }, { code: 'INVALID_ANSWERS' }, { index: 2, id: 'a-3', code: 'BAD_TIME' }],
        },
      },
    ]);
  });

  it('stores the settings of a creation payload', async () => {
    const settings = {
      opens_at: '2030-01-02T03:04:05.000Z',
      access: 'links_only',
      languages: ['en'],
      retention_days: 30,
      metadata_fields: [{ name: 'campaign', type: 'string', from: ['url'] }],
    };
    const { status, body } = await importSurvey({}, { data: { survey: data.survey, settings } });
    expect([status, body.settings]).toEqual([201, settings]);
  });

  it.each([
    [{ access: 'nobody' }, '/data/settings/access'],
    [{ response_limit: 0 }, '/data/settings/response_limit'],
    [{ languages: ['en', 'en'] }, '/data/settings/languages'],
  ])('rejects the settings %j before anything is stored', async (settings, path) => {
    const tenantId = randomUUID();
    const stored = state.surveys.size;
    const { status, body } = await importSurvey({}, { data: { survey: data.survey, settings } }, { tenantId });
    expect([status, body.code]).toEqual([422, 'INVALID_IMPORT']);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    expect(state.surveys.size).toBe(stored);
    expect(await importsOf(tenantId)).toEqual([]);
  });

  it('keeps unknown settings, with a warning', async () => {
    const settings = { theme: 'x', access: 1 };
    const { status, body } = await importSurvey({}, { data: { survey: data.survey, settings } });
    expect([status, body.definition.source_data]).toEqual([201, { settings }]);
    const paths = body.import.warnings.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/data/settings/theme', '/data/settings/access']);
  });

  it('keeps unknown members of a definition in metadata, with a warning for each', async () => {
    const questions = data.survey.questions.map((question) => ({ ...question, requierd: true }));
    const survey = { ...data.survey, questions, theme: { dark: [null] }, logics: [], metadata: { theme: 1 } };
    const { status, body } = await importSurvey({}, { data: { survey } });
    expect(status).toBe(201);
    const { metadata, pages } = body.definition;
    expect(metadata).toEqual({ theme: { dark: [null] }, logics: [], metadata: { theme: 1 } });
    expect(pages[0].questions[0]).toEqual({ ...data.survey.questions[0], metadata: { requierd: true } });
    expect(body.import.warnings).toEqual([
      {
        path: '/data/survey/theme',
        code: 'KEPT_AS_METADATA',
        detail: '"theme" is not a member of a survey and is kept in metadata',
      },
      {
        path: '/data/survey/logics',
        code: 'KEPT_AS_METADATA',
        detail: '"logics" is not a member of a survey and is kept in metadata; did you mean "logic"?',
      },
      ...[0, 1].map((index) => ({
        path: `/data/survey/questions/${index}/requierd`,
        code: 'KEPT_AS_METADATA',
        detail: '"requierd" is not a member of a question and is kept in metadata; did you mean "required"?',
      })),
    ]);
    const exported = { schema_version: '1.0', version: 1, survey: body.definition };
    const again = await importSurvey({}, { data: exported });
    expect([again.status, again.body.definition, again.body.import.warnings]).toEqual([201, body.definition, []]);
  });

  it('sets the only version of the format, with a warning', async () => {
    const { status, body } = await importSurvey({}, { data: { schema_version: '1.7', survey: data.survey } });
    expect([status, body.schema_version]).toEqual([201, '1.0']);
    expect(body.import.warnings).toMatchObject([{ path: '/data/schema_version', code: 'SCHEMA_VERSION_SET' }]);
  });

  it('limits the length of texts, with a warning for each', async () => {
    const [first, ...others] = data.survey.questions;
    const long = { ...first, type: 'text', min_length: 200_000, max_length: 500_000 };
    const { status, body } = await importSurvey(
      {},
      { data: { survey: { ...data.survey, questions: [long, ...others] } } },
    );
    expect([status, body.definition.pages[0].questions[0]]).toMatchObject([201, { max_length: 100_000 }]);
    expect(body.import.warnings).toEqual([
      {
        path: '/data/survey/questions/0/max_length',
        code: 'LENGTH_LIMITED',
        detail: 'max_length is 500000 in the file, and 100000 in the survey',
      },
    ]);
  });

  it('reports only errors of settings with their location in the file', async () => {
    const [ofSettings, ofAnother] = ['/settings/closes_at', '/survey_id'].map((path) => ({
      path,
      code: 'X',
      detail: 'wrong',
    }));
    if (ofSettings === undefined || ofAnother === undefined) throw new Error('there are two');
    state.rejection = new AppError('VALIDATION_FAILED', { errors: [ofSettings, ofAnother] });
    const { status, body } = await importSurvey();
    expect([status, body.code, body.errors]).toEqual([
      422,
      'INVALID_IMPORT',
      [{ ...ofSettings, path: '/data/settings/closes_at' }],
    ]);
    state.rejection = new AppError('VALIDATION_FAILED', { errors: [ofAnother] });
    const other = await importSurvey();
    expect([other.status, other.body.code, other.body.errors]).toEqual([422, 'VALIDATION_FAILED', [ofAnother]]);
  });

  it('fails with a stored survey if no response could be stored', async () => {
    state.batchesUntilAway = 0;
    const tenantId = randomUUID();
    const { status, body } = await importSurvey({}, {}, { tenantId });
    expect([status, body.status]).toEqual([201, 'closed']);
    expect(body.import).toMatchObject({
      status: 'failed',
      total: 3,
      imported: 0,
      failed: 3,
      warnings: [{ code: 'UNAVAILABLE' }],
      errors: [{ code: 'UNAVAILABLE' }, { code: 'INVALID_ANSWERS' }, { index: 2, code: 'BAD_TIME' }],
    });
    expect(await importsOf(tenantId)).toMatchObject([{ status: 'failed', survey_id: body.id }]);
    state.batchesUntilAway = undefined;
    const again = await importResponses(body.id, { format: 'json', responses: data.responses }, { tenantId });
    expect(again.body).toMatchObject({ status: 'completed', imported: 1, failed: 2 });
  });

  it('reports responses that could not be sent, and continues there when repeated', async () => {
    const responses = Array.from({ length: 450 }, (_, index) => ({
      id: `r-${index}`,
      answers: [{ question_id: 'colour', value: 'r' }],
    }));
    // Batches are sent concurrently, so a later one can arrive first.
    state.beforeBatch = async ([first]) => {
      if (first?.externalId !== 'r-0') throw new AppError('UNAVAILABLE');
    };
    const tenantId = randomUUID();
    const { status, body } = await importSurvey({}, { data: { ...data, responses } }, { tenantId });
    expect(status).toBe(201);
    expect(body.import).toMatchObject({ status: 'completed', total: 450, imported: 200, failed: 250 });
    expect(body.import.errors).toHaveLength(100);
    expect(body.import.errors[0]).toMatchObject({ index: 200, id: 'r-200', code: 'UNAVAILABLE' });
    state.beforeBatch = async () => {};
    state.batches.length = 0;
    const again = await importResponses(body.id, { format: 'json', responses }, { tenantId });
    expect(again.body).toMatchObject({ total: 450, imported: 250, skipped: 200, failed: 0 });
    expect(state.batches).toEqual([200, 200, 50]);
  });
});

describe('importing responses', () => {
  async function surveyOf(tenantId: string): Promise<string> {
    return (await importSurvey({}, { data: { survey: data.survey } }, { tenantId })).body.id;
  }

  it('stores valid responses once, even if repeated', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const run = () => importResponses(surveyId, { format: 'json', responses: data.responses }, { tenantId });
    const first = await run();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      status: 'completed',
      total: 3,
      imported: 1,
      skipped: 0,
      failed: 2,
      questions: 2,
    });
    expect((await run()).body).toMatchObject({ status: 'completed', imported: 0, skipped: 1, failed: 2 });
    expect(responsesOf(surveyId)).toHaveLength(1);
  });

  it('stores a duplicate response once, ignoring the case of UUIDs, and reports the duplicate', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const id = randomUUID();
    const answers = [{ question_id: 'colour', value: 'r' }];
    const responses = [
      { id: id.toUpperCase(), answers },
      { id, answers },
    ];
    const { body } = await importResponses(surveyId, { format: 'json', responses }, { tenantId });
    expect(body).toMatchObject({ imported: 1, skipped: 0, failed: 1, errors: [{ index: 1, code: 'DUPLICATE_ID' }] });
  });

  it('completes even if the caller disconnects', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const values = Array.from({ length: 450 }, (_, index) => ({
      id: `r-${index}`,
      answers: [{ question_id: 'colour', value: 'r' }],
    }));
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    state.beforeBatch = () => {
      begun.resolve();
      return gone.promise;
    };
    const connection = await app.connect();
    try {
      const responses = fromJson(ValueSchema, values);
      const claims = { tenantId, subject: 'user-1', permissions: ALL_PERMISSIONS };
      const caller = new AbortController();
      const call = connection
        .client(ImportService)
        .importResponses(
          { surveyId, format: 'json', responses },
          { ...callOptionsFor({ claims }), signal: caller.signal },
        );
      const rejected = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
      await begun.promise;
      caller.abort();
      await rejected;
      gone.resolve();
      const ended = async () => (await importsOf(tenantId)).find(({ report }) => report?.total === 450);
      await poll(async () => (await ended()) !== undefined);
      expect(await ended()).toMatchObject({ status: 'completed', report: { imported: 450, failed: 0 } });
    } finally {
      connection.close();
    }
  });

  it('reads CSV by the columns of the survey', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const responses = '\uFEFFid,submitted_at,colour,stars,note\r\n1,2026-01-02T03:04:05Z,Red,5,x\r\n2,,Blue,,\r\n';
    const { body } = await importResponses(surveyId, { format: 'csv', responses }, { tenantId });
    expect(body).toMatchObject({
      source: 'custom',
      format: 'csv',
      total: 2,
      imported: 1,
      failed: 1,
      warnings: [{ code: 'NOT_IMPORTED' }],
      errors: [{ index: 1, id: '2', row: 3, column: 'colour' }],
    });
    expect(responsesOf(surveyId)).toMatchObject([{ externalId: '1', data: { colour: 'r', stars: 5 } }]);
  });

  it('fails if no response could be stored', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const { status, body } = await importResponses(surveyId, { format: 'json', responses: ['x'] }, { tenantId });
    expect([status, body.status, body.failed]).toEqual([200, 'failed', 1]);
    state.batchesUntilAway = 0;
    const away = await importResponses(surveyId, { format: 'json', responses: data.responses }, { tenantId });
    expect([away.status, away.body.code]).toEqual([503, 'UNAVAILABLE']);
    const statuses = (await importsOf(tenantId)).map((record) => record.status);
    expect(statuses).toEqual(['completed', 'failed', 'failed']);
    expect((await importsOf(tenantId)).at(-1)?.report).toMatchObject({
      total: 3,
      imported: 0,
      failed: 3,
      warnings: [{ code: 'UNAVAILABLE' }],
      errors: [{ code: 'UNAVAILABLE' }, { code: 'INVALID_ANSWERS' }, { index: 2, id: 'a-3', code: 'BAD_TIME' }],
    });
  });

  it('does not find surveys of other tenants, deleted surveys and invalid ids', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const body = { format: 'json', responses: [] };
    expect((await importResponses(surveyId, body, {})).body.code).toBe('SURVEY_NOT_FOUND');
    expect((await importResponses(randomUUID(), body, { tenantId })).status).toBe(404);
    expect((await importResponses('x', body, { tenantId })).status).toBe(404);
    const survey = state.surveys.get(surveyId);
    if (survey !== undefined) state.surveys.set(surveyId, { ...survey, status: 'deleted' });
    expect((await importResponses(surveyId, body, { tenantId })).status).toBe(404);
  });

  it.each<[object, number]>([
    [{ format: 'json', responses: {} }, 422],
    [{ format: 'csv', responses: [] }, 422],
    [{ format: 'csv', responses: 'id\n1' }, 422],
    [{ format: 'xml', responses: [] }, 422],
    [{ format: 'json' }, 422],
  ])('rejects %j', async (body, status) => {
    const tenantId = randomUUID();
    const rejected = await importResponses(await surveyOf(tenantId), body, { tenantId });
    expect(rejected.status).toBe(status);
    expect(rejected.body.errors).not.toEqual([]);
  });

  it('requires its permission', async () => {
    const { status, body } = await importResponses(randomUUID(), {}, { permissions: ['responses:write'] });
    expect([status, body.detail]).toEqual([403, "Permission 'responses:import' required"]);
  });

  it('is also served over gRPC', async () => {
    const tenantId = randomUUID();
    const surveyId = await surveyOf(tenantId);
    const connection = await app.connect();
    try {
      const claims = { tenantId, subject: 'user-1', permissions: ALL_PERMISSIONS };
      const responses = { kind: { case: 'listValue' as const, value: { values: [] } } };
      const { report } = await connection
        .client(ImportService)
        .importResponses({ surveyId, format: 'json', responses }, callOptionsFor({ claims }));
      expect(report).toMatchObject({ status: 'completed', total: 0, questions: 2 });
    } finally {
      connection.close();
    }
  });
});
