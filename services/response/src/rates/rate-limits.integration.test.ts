import { randomUUID } from 'node:crypto';
import { parseRanges } from '@survey/runtime/flow/client-address';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp({
    submitsPerMinute: 4,
    failedLookupsPerMinute: 6,
    unlimitedRanges: parseRanges(['127.0.0.0/8']),
  });
});
afterAll(() => app.close());

const data = { ate: 'no' };

/** Adds a survey and reads it once. */
async function newSurvey() {
  const survey = app.survey.add();
  await poll(async () => (await app.call('GET', `/v1/public/surveys/${survey.surveyId}`)).status === 200);
  return survey;
}

const newAddress = () => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
const from = (address: string, headers: Record<string, string> = {}) => ({
  'x-survey-client-address': address,
  ...headers,
});
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);

async function times(count: number, call: (index: number) => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let index = 0; index < count; index += 1) replies.push(await call(index));
  return replies;
}

describe('a client of the public routes', () => {
  it('can submit a limited number of responses to a survey, and learns when to retry', async () => {
    const { surveyId, tenantId } = await newSurvey();
    const [client, other] = [newAddress(), newAddress()];
    const submit = (address: string) => app.submit(surveyId, { data }, from(address));
    const replies = await times(3, () => submit(client));
    expect(statusesOf(replies)).toEqual([201, 201, 429]);
    const [, , rejected] = replies;
    expect(rejected?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 });
    expect(rejected?.headers.get('ratelimit-policy')).toBe('"submits";q=4;w=60');
    const wait = Number(rejected?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15);
    expect(rejected?.headers.get('ratelimit')).toBe(`"submits";r=0;t=${wait}`);
    expect(rejected?.headers.get('x-survey-tenant')).toBe(tenantId);
    expect((await submit(other)).status).toBe(201);
    expect(await app.responses.countDocuments({ survey_id: surveyId })).toBe(3);
    expect(await app.metrics()).toMatch(/response_client_refusals_total\{limit="submits"[^}]*\} [1-9]/);
  });

  it('has a separate limit for a link and for its survey', async () => {
    const survey = await newSurvey();
    const { slug } = app.survey.addLink(survey);
    const address = newAddress();
    const throughLink = () =>
      app.call('POST', `/v1/public/links/${slug}/responses`, { body: { data }, headers: from(address) });
    expect(statusesOf(await times(3, throughLink))).toEqual([201, 201, 429]);
    expect((await app.submit(survey.surveyId, { data }, from(address))).status).toBe(201);
  });

  it('can repeat a request any number of times without using its limit', async () => {
    const { surveyId } = await newSurvey();
    const address = newAddress();
    const headers = from(address, { 'idempotency-key': randomUUID() });
    const repeated = await times(6, () => app.submit(surveyId, { data }, headers));
    expect(statusesOf(repeated)).toEqual(Array(6).fill(201));
    expect(statusesOf(await times(2, () => app.submit(surveyId, { data }, from(address))))).toEqual([201, 429]);
  });

  it.each<[string, (address: string) => Promise<Reply>]>([
    ['links', (address) => app.call('GET', `/v1/public/links/${randomUUID()}`, { headers: from(address) })],
    ['surveys', (address) => app.call('GET', `/v1/public/surveys/${randomUUID()}`, { headers: from(address) })],
    [
      'responses in progress',
      (address) =>
        app.call('GET', `/v1/public/responses/${randomUUID()}`, { headers: from(address, { 'resume-token': 'x' }) }),
    ],
  ])('can look up a limited number of unknown %s, and then not even an existing one', async (_case, guess) => {
    const { slug } = app.survey.addLink(await newSurvey());
    const address = newAddress();
    expect(statusesOf(await times(4, () => guess(address)))).toEqual([404, 404, 404, 429]);
    const right = (client: string) => app.call('GET', `/v1/public/links/${slug}`, { headers: from(client) });
    const rejected = await right(address);
    expect([rejected.status, rejected.headers.get('ratelimit-policy')]).toEqual([429, '"lookups";q=6;w=60']);
    expect((await right(newAddress())).status).toBe(200);
  });

  it('can try a limited number of wrong resume tokens', async () => {
    const { surveyId } = await newSurvey();
    const begun = await app.submit(surveyId, { status: 'in_progress', data });
    const address = newAddress();
    const resume = (token: string) =>
      app.call('GET', `/v1/public/responses/${begun.body.id}`, { headers: from(address, { 'resume-token': token }) });
    expect(statusesOf(await times(5, () => resume(begun.body.resume_token)))).toEqual(Array(5).fill(200));
    expect(statusesOf(await times(4, (index) => resume(String(index).repeat(43))))).toEqual([404, 404, 404, 429]);
  });

  it('can try a limited number of tokens of a single-use link, and visit without a token any number of times', async () => {
    const { slug } = app.survey.addLink(await newSurvey(), { singleUse: true, tokenKey: Buffer.alloc(32) });
    const address = newAddress();
    const visit = (headers = {}) => app.call('GET', `/v1/public/links/${slug}`, { headers: from(address, headers) });
    expect(statusesOf(await times(8, () => visit()))).toEqual(Array(8).fill(403));
    expect(statusesOf(await times(4, () => visit({ 'link-token': 'a.b' })))).toEqual([403, 403, 403, 429]);
  });

  it('in an unlimited range is not limited', async () => {
    const { surveyId } = await newSurvey();
    const submit = () => app.submit(surveyId, { data }, from('127.0.0.1'));
    expect(statusesOf(await times(6, submit))).toEqual(Array(6).fill(201));
  });
});
