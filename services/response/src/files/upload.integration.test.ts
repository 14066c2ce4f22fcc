import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { toLinkTokens } from '@survey/runtime/auth/link-token';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, fileAnswer, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const CHUNK = 256 * 1024;

type Survey = ReturnType<TestApp['survey']['add']>;
type Link = ReturnType<TestApp['survey']['addLink']>;
const set = ({ surveyId }: Survey, change: Partial<Survey>) => app.survey.set(surveyId, change);
const setLink = (slug: string, change: Partial<Link>) => app.survey.setLink(slug, change);
const setTenant = (tenantId: string, status: 'suspended' | 'deleted') =>
  app.db.collection('tenant_states').insertOne({ _id: tenantId as never, status, revision: 1 });

describe('an upload', () => {
  it('returns the kind of the file, and is stored encrypted', async () => {
    const survey = addFileSurvey(app);
    const bytes = Buffer.concat([pictureOf(100), Buffer.from('a secret inside')]);
    const reply = await survey.upload(bytes, { filename: 'C:\\me\\my secret.png' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('x-survey-tenant')).toBe(survey.tenantId);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toEqual({
      file_id: expect.any(String),
      filename: 'my secret.png',
      content_type: 'image/png',
      size: bytes.length,
      expires_at: expect.any(String),
    });
    const hours = (Date.parse(reply.body.expires_at) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const stored = [...(await survey.files.find().toArray()), ...(await survey.chunks.find().toArray())];
    const raw = stored.flatMap((document) => Object.values(document).map(textOf)).join();
    expect(raw).not.toMatch(/secret|IHDR/);
  });

  it.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('of %i bytes is downloaded unchanged', async (size) => {
    const survey = addFileSurvey(app);
    const bytes = randomBytes(size);
    const id = await survey.store(bytes);
    expect((await survey.submit({ cv: fileAnswer(id) })).status).toBe(201);
    const reply = await survey.download(id);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('must be for a file question', async () => {
    const survey = addFileSurvey(app);
    for (const [questionId, code] of [
      ['name', 'NO_FILE_UPLOAD'],
      ['none', 'UNKNOWN_QUESTION'],
    ] as const) {
      const rejected = await survey.upload(pictureOf(100), { questionId });
      expect(rejected).toMatchObject({
        status: 422,
        body: { code: 'INVALID_FILE', errors: [{ path: '?question_id', code }] },
      });
    }
    expect(await survey.countDocuments()).toEqual([0, 0]);
  });

  it('can be for a question that was just published', async () => {
    const survey = addFileSurvey(app);
    expect((await survey.upload(pictureOf(100))).status).toBe(201);
    const pages = [{ questions: [{ id: 'portrait', type: 'file_upload', title: 'Portrait' }] }];
    app.survey.set(survey.surveyId, { version: 2, definition: { title: 't', supported_languages: ['en'], pages } });
    expect((await survey.upload(pictureOf(100), { questionId: 'portrait' })).status).toBe(201);
  });

  it.each([
    ['too large, by its declared length', { max_bytes: 99 }, pictureOf(100), 'FILE_TOO_LARGE'],
    ['of a kind that is not accepted', { accept: ['application/pdf', '.txt'] }, pictureOf(100), 'FILE_KIND_REFUSED'],
    ['of another kind than its name claims', { accept: '.pdf' }, pictureOf(100), 'FILE_KIND_REFUSED'],
    ['empty', {}, Buffer.alloc(0), 'FILE_EMPTY'],
    [
      'not text after all',
      { accept: 'text/*' },
      Buffer.concat([Buffer.alloc(CHUNK, 'a'), Buffer.alloc(9)]),
      'FILE_KIND_REFUSED',
    ],
  ])('is rejected when it is %s, and leaves nothing', async (_case, question, bytes, code) => {
    const survey = addFileSurvey(app, question);
    const rejected = await survey.upload(bytes, { filename: 'a.pdf', headers: { 'content-type': 'application/pdf' } });
    expect(rejected).toMatchObject({ status: 422, body: { code: 'INVALID_FILE', errors: [{ path: '', code }] } });
    expect(await survey.countDocuments()).toEqual([0, 0]);
  });

  it('is rejected during the transfer if it becomes too large without a declared length', async () => {
    const survey = addFileSurvey(app, { max_bytes: 3 * CHUNK });
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(65_536, 1)) });
    const rejected = await survey.upload(endless).catch((error: unknown) => error);
    // A client that keeps sending may miss the reply.
    if (!(rejected instanceof Error)) expect(rejected).toMatchObject({ status: 422, body: { code: 'INVALID_FILE' } });
    await poll(async () => (await survey.countDocuments()).every((count) => count === 0));
  });

  it('above 100 MiB exceeds the limit of the route', async () => {
    const survey = addFileSurvey(app);
    const reply = await sendHead(survey.surveyId, 100 * 1024 * 1024 + 1);
    expect(reply).toBe(413);
    expect(await survey.countDocuments()).toEqual([0, 0]);
  });

  it('that breaks off leaves nothing', async () => {
    const survey = addFileSurvey(app);
    const sending = await begin(survey.surveyId, 10 * CHUNK);
    sending.write(Buffer.alloc(6 * CHUNK));
    await poll(async () => (await survey.countDocuments())[1] === 4);
    sending.destroy();
    await poll(async () => (await survey.countDocuments()).every((count) => count === 0));
  });

  it.each([
    [{ status: 'draft' }, 404, 'SURVEY_NOT_FOUND'],
    [{ status: 'closed' }, 409, 'SURVEY_CLOSED'],
    [{ settings: { opensAt: new Date(Date.now() + 60_000) } }, 409, 'SURVEY_NOT_OPEN_YET'],
    [{ settings: { access: 'links_only' } }, 403, 'LINKS_ONLY'],
    [{ settings: { responseLimit: 0 } }, 409, 'RESPONSE_LIMIT_REACHED'],
  ])('is rejected if the survey is %j', async (given, status, code) => {
    const survey = addFileSurvey(app, {}, given);
    expect(await survey.upload(pictureOf(9))).toMatchObject({ status, body: { code } });
  });

  it.each<[string, 'survey' | 'link', (survey: Survey, link: Link) => unknown, number, string]>([
    ['the survey closes', 'survey', (one) => set(one, { status: 'closed' }), 409, 'SURVEY_CLOSED'],
    [
      'the survey is for links only',
      'survey',
      (one) => set(one, { settings: { access: 'links_only' } }),
      403,
      'LINKS_ONLY',
    ],
    [
      'the closing time passes',
      'link',
      (one) => set(one, { settings: { closesAt: new Date() } }),
      409,
      'SURVEY_CLOSED',
    ],
    ['the survey is deleted', 'link', (one) => set(one, { isPurged: true }), 404, 'SURVEY_NOT_FOUND'],
    ['the link is turned off', 'link', (_, { slug }) => setLink(slug, { active: false }), 404, 'LINK_NOT_FOUND'],
    ['the link is deleted', 'link', (_, { slug }) => app.survey.removeLink(slug), 404, 'LINK_NOT_FOUND'],
    ['the link expires', 'link', (_, { slug }) => setLink(slug, { expiresAt: new Date() }), 410, 'LINK_EXPIRED'],
    ['the tenant is suspended', 'link', ({ tenantId }) => setTenant(tenantId, 'suspended'), 409, 'SURVEY_CLOSED'],
    ['the tenant is deleted', 'link', ({ tenantId }) => setTenant(tenantId, 'deleted'), 404, 'SURVEY_NOT_FOUND'],
  ])('is rejected if %s while its body arrives, and leaves nothing', async (_case, door, change, status, code) => {
    const { survey, surveyId, countDocuments } = addFileSurvey(app);
    const link = app.survey.addLink(survey);
    const address = door === 'link' ? `/v1/public/links/${link.slug}` : `/v1/public/surveys/${surveyId}`;
    const sending = await beginAt(address, 7 * CHUNK);
    sending.write(Buffer.alloc(6 * CHUNK));
    await poll(async () => (await countDocuments())[1] === 4);
    await change(survey, link);
    // The process caches the earlier state for a second.
    await poll(async () => (await app.call('GET', address)).status !== 200);
    const reply = replyTo(sending);
    sending.end(Buffer.alloc(CHUNK));
    expect(await reply).toMatchObject({ status, body: { code } });
    expect(await countDocuments()).toEqual([0, 0]);
  });

  it('through a link needs the same access as reading', async () => {
    const survey = addFileSurvey(app, {}, { settings: { access: 'links_only' } });
    const tokenKey = randomBytes(32);
    const [token = ''] = toLinkTokens(tokenKey, 'batch', 1);
    const { slug } = app.survey.addLink(survey.survey, { singleUse: true, tokenKey });
    const path = `/v1/public/links/${slug}/files`;
    const headers = { 'link-token': token };
    expect(await survey.uploadTo(path, pictureOf(100))).toMatchObject({
      status: 403,
      body: { code: 'LINK_TOKEN_WRONG' },
    });
    const { status, body } = await survey.uploadTo(path, pictureOf(100), { headers });
    expect(status).toBe(201);
    const data = { cv: fileAnswer(body.file_id) };
    const submitted = await app.call('POST', `/v1/public/links/${slug}/responses`, { body: { data }, headers });
    expect(submitted.status).toBe(201);
    expect(await survey.uploadTo(path, pictureOf(100), { headers })).toMatchObject({
      status: 410,
      body: { code: 'LINK_TOKEN_USED' },
    });
  });

  it('through a single-use link is possible while its response is in progress', async () => {
    const survey = addFileSurvey(app);
    const tokenKey = randomBytes(32);
    const [token = ''] = toLinkTokens(tokenKey, 'batch', 1);
    const { slug } = app.survey.addLink(survey.survey, { singleUse: true, tokenKey });
    const headers = { 'link-token': token };
    const begun = { status: 'in_progress', data: {} };
    const { body } = await app.call('POST', `/v1/public/links/${slug}/responses`, { body: begun, headers });
    const uploaded = await survey.uploadTo(`/v1/public/links/${slug}/files`, pictureOf(100), { headers });
    const finished = await app.call('PATCH', `/v1/public/responses/${body.id}`, {
      headers: { 'resume-token': body.resume_token },
      body: { status: 'completed', data: { cv: fileAnswer(uploaded.body.file_id) } },
    });
    expect([uploaded.status, finished.status]).toEqual([201, 200]);
  });

  it('is stored once for a key and its bytes, even if a repeat arrives during the first', async () => {
    const survey = addFileSurvey(app);
    const bytes = randomBytes(2 * CHUNK);
    const given = { filename: 'a.bin', headers: { 'idempotency-key': randomUUID() } };
    const replies = await Promise.all([1, 2, 3].map(() => survey.upload(bytes, given)));
    expect(new Set(replies.map(({ body }) => body.file_id)).size).toBe(1);
    const replays = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(2);
    expect(await survey.countDocuments()).toEqual([1, 2]);
    const reused = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await survey.upload(randomBytes(2 * CHUNK), given)).toMatchObject(reused);
    expect(await survey.upload(bytes, { ...given, questionId: 'more' })).toMatchObject(reused);
    expect(await survey.upload(bytes, { ...given, filename: 'b.bin' })).toMatchObject(reused);
    expect(await survey.countDocuments()).toEqual([1, 2]);
    const { slug } = app.survey.addLink(survey.survey);
    const elsewhere = await survey.uploadTo(`/v1/public/links/${slug}/files`, bytes, given);
    expect(elsewhere.body.file_id).not.toBe(replies[0]?.body.file_id);
  });

  it('is stored under its key again if the first file is gone', async () => {
    const survey = addFileSurvey(app);
    const [bytes, given] = [pictureOf(100), { headers: { 'idempotency-key': randomUUID() } }];
    const first = await survey.upload(bytes, given);
    await survey.files.deleteOne({ _id: first.body.file_id });
    const second = await survey.upload(bytes, given);
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(second.body.file_id).not.toBe(first.body.file_id);
    expect((await survey.submit({ cv: fileAnswer(second.body.file_id) })).status).toBe(201);
  });

  it('is rejected if too many files of its survey are named by no answer, and other surveys are not affected', async () => {
    const survey = addFileSurvey(app);
    await survey.store();
    await survey.files.updateOne({ tenant_id: survey.tenantId as never }, { $set: { size: 10 * 1024 ** 3 } });
    const rejected = await survey.upload(pictureOf(100));
    expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS', policy: 'unattached-files' } });
    expect(rejected.headers.get('retry-after')).toBe('60');
    expect(rejected.headers.get('ratelimit-policy')).toBe('"unattached-files";q=10000;qu="concurrent-requests"');
    expect(await survey.countDocuments()).toEqual([1, 1]);
    expect((await addFileSurvey(app).upload(pictureOf(100))).status).toBe(201);
  });

  it('to a survey with many unfinished ones is rejected, and one to another survey is stored', async () => {
    const busy = addFileSurvey(app);
    const unfinished = await Promise.all(Array.from({ length: 32 }, () => begin(busy.surveyId, 2 * CHUNK)));
    for (const one of unfinished) one.write(Buffer.alloc(10));
    await poll(async () => (await busy.countDocuments())[0] === 32);
    expect(await busy.upload(pictureOf(100))).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } });
    expect((await addFileSurvey(app).upload(pictureOf(100))).status).toBe(201);
    for (const one of unfinished) one.destroy();
    await poll(async () => (await busy.upload(pictureOf(100))).status === 201);
  });

  it('never exceeds the limit of files that no answer names, with many concurrent uploads', async () => {
    const survey = addFileSurvey(app);
    await survey.store();
    const size = 10 * 1024 ** 3 - 5 * 100;
    await survey.files.updateOne({ tenant_id: survey.tenantId as never }, { $set: { size } });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => survey.upload(pictureOf(100))))).map(
      ({ status }) => status,
    );
    const stored = statuses.filter((status) => status === 201).length;
    expect(stored).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - stored);
    for (let left = 5 - stored; left > 0; left -= 1) expect((await survey.upload(pictureOf(100))).status).toBe(201);
    expect((await survey.upload(pictureOf(100))).status).toBe(429);
    expect(await survey.countDocuments()).toEqual([6, 6]);
  });
});

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) return String(value);
  return Object.values(value)
    .map((inner) => (inner?.buffer === undefined ? String(inner) : Buffer.from(inner.buffer).toString('latin1')))
    .join();
}

const begin = (surveyId: string, length: number) => beginAt(`/v1/public/surveys/${surveyId}`, length);

/** @param address address of the survey or link */
async function beginAt(address: string, length: number) {
  const authorization = await app.authorizationOf(undefined, []);
  return request(`http://127.0.0.1:${app.ports().httpPort}${address}/files?question_id=cv`, {
    method: 'POST',
    headers: { authorization, 'content-length': String(length) },
  }).on('error', () => undefined);
}

async function replyTo(sending: ClientRequest) {
  const [reply]: IncomingMessage[] = await once(sending, 'response');
  if (reply === undefined) throw new Error('no reply');
  return { status: reply.statusCode, body: await json(reply) };
}

/** Sends only the headers of an upload. Returns the status of the reply. */
async function sendHead(surveyId: string, length: number): Promise<number | undefined> {
  const sending = await begin(surveyId, length);
  sending.flushHeaders();
  const { status } = await replyTo(sending);
  sending.destroy();
  return status;
}
