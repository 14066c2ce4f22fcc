import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse, submittedAnswers } from '../testing/submitted-response.ts';
import { encodeFeedCursor } from './change-service.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

interface Feed {
  readonly tenantId: string;
  readonly surveyId: string;
}

const pathOf = ({ surveyId }: Feed, query: object = {}) =>
  `/v1/surveys/${surveyId}/responses/changes?${new URLSearchParams({ ...query })}`;

const read = (feed: Feed, query: object = {}) => app.call('GET', pathOf(feed, query), { tenantId: feed.tenantId });

/** Reads until there is a change. A running search of the horizon can miss a submission that has just ended. */
const readSome = (feed: Feed, query: object = {}) =>
  poll(async () => {
    const reply = await read(feed, query);
    return (reply.status !== 200 || reply.body.changes.length > 0) && reply;
  });

/** Sends one more waiting request than a tenant may have. When one is rejected, returns the other requests. */
async function fillSlots(call: () => Promise<number>): Promise<readonly Promise<number>[]> {
  const all = Array.from({ length: 21 }, call);
  const rejected = await Promise.race(all.map((status, index) => status.then((value) => ({ value, index }))));
  expect(rejected.value).toBe(429);
  return all.filter((_, index) => index !== rejected.index);
}

describe('GET /v1/surveys/{id}/responses/changes', () => {
  it('takes no conditions', async () => {
    const where = JSON.stringify({ conditions: [{ source_question: 'comment', operator: 'is_answered' }] });
    expect(await read(app.survey.add(), { where })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '?where', code: 'UNKNOWN_PARAMETER' }] },
    });
  });

  it('returns submissions, corrections and deletions, with a cursor for the next ones', async () => {
    const response = await submitResponse(app);
    const first = await readSome(response);
    expect(first.body).toEqual({
      changes: [
        {
          id: response.id,
          revision: 1,
          changed_at: expect.any(String),
          deleted: false,
          response: (await response.read()).body,
        },
      ],
      next_cursor: expect.any(String),
    });
    expect(first.headers.has('link')).toBe(false);
    const up = await read(response, { cursor: first.body.next_cursor });
    expect(up.body).toEqual({ changes: [], next_cursor: expect.any(String) });

    await response.remove();
    const last = await readSome(response, { cursor: up.body.next_cursor });
    expect(last.body.changes).toEqual([
      { id: response.id, revision: 2, changed_at: expect.any(String), deleted: true },
    ]);
  });

  it('waits for a change', async () => {
    const response = await submitResponse(app);
    const { body } = await readSome(response);
    const waiting = read(response, { cursor: body.next_cursor, wait: 20 });
    const { status, body: submitted } = await app.submit(response.surveyId, { data: submittedAnswers });
    expect(status).toBe(201);
    expect((await waiting).body.changes).toMatchObject([{ id: submitted.id, deleted: false }]);
  });

  it('waits for a change of a survey without responses', async () => {
    const survey = app.survey.add();
    const waiting = read(survey, { wait: 20 });
    const { body: submitted } = await app.submit(survey.surveyId, { data: submittedAnswers });
    expect((await waiting).body.changes).toMatchObject([{ id: submitted.id }]);
  });

  it('returns an empty page when the wait is over', async () => {
    const survey = app.survey.add();
    expect(await read(survey, { wait: 1 })).toMatchObject({ status: 200, body: { changes: [] } });
  });

  it('ends waits when the process stops', async () => {
    const survey = app.survey.add();
    const bodies: unknown[] = [];
    const waiting = await fillSlots(async () => {
      const { status, body } = await read(survey, { wait: 20 });
      if (status === 200) bodies.push(body.changes);
      return status;
    });
    await app.restart();
    expect(await Promise.all(waiting)).toEqual(Array(20).fill(200));
    expect(bodies).toEqual(Array(20).fill([]));
  });

  it('lets a tenant wait with twenty requests at a time, and frees the slots of disconnected clients', async () => {
    const survey = app.survey.add();
    const gone = new AbortController();
    const authorization = await app.authorizationOf(survey.tenantId, ['responses:read']);
    const url = `http://127.0.0.1:${app.ports().httpPort}${pathOf(survey, { wait: 20 })}`;
    const GONE = 0;
    const waiting = await fillSlots(() =>
      fetch(url, { headers: { authorization }, signal: gone.signal }).then(
        ({ status }) => status,
        () => GONE,
      ),
    );
    gone.abort();
    // On a slow machine, some waits may have ended before the abort.
    for (const status of await Promise.all(waiting)) expect([GONE, 200]).toContain(status);
    await poll(async () => (await read(survey, { wait: 1 })).status === 200);
  });

  it.each([
    ['another survey', async () => read(app.survey.add(), { cursor: (await read(app.survey.add())).body.next_cursor })],
    ['no feed', async () => read(app.survey.add(), { cursor: 'x' })],
  ])('rejects a cursor of %s', async (_, call) => {
    expect(await call()).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
  });

  it('rejects a cursor from before the time that deletions are kept', async () => {
    const survey = app.survey.add();
    const cursorOf = (daysAgo: number) => {
      const seconds = BigInt(Math.floor(Date.now() / 1_000) - daysAgo * 86_400);
      const position = { firstHorizon: seconds << 32n, stamp: 0n, id: '' };
      return encodeFeedCursor({ tenantId: toTenantId(survey.tenantId), surveyId: survey.surveyId }, position);
    };
    expect((await read(survey, { cursor: cursorOf(29.9) })).status).toBe(200);
    expect(await read(survey, { cursor: cursorOf(30.1) })).toMatchObject({
      status: 410,
      body: { code: 'CURSOR_EXPIRED' },
    });
  });

  it.each([{ limit: 0 }, { limit: 1_001 }, { wait: -1 }, { wait: 21 }])('rejects %j', async (query) => {
    expect(await read(app.survey.add(), query)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('needs the permission to read responses, and the survey', async () => {
    const survey = app.survey.add();
    const { tenantId } = survey;
    const rejected = await app.call('GET', pathOf(survey), { tenantId, permissions: ['responses:write'] });
    expect(rejected.status).toBe(403);
    const unknown = { tenantId, surveyId: randomUUID() };
    expect(await read(unknown)).toMatchObject({ status: 404, body: { code: 'SURVEY_NOT_FOUND' } });
    expect((await read({ ...survey, tenantId: randomUUID() })).status).toBe(404);
  });
});
