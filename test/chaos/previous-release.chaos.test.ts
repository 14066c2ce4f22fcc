import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { connectOperator } from '@survey/local/operator/operator-client';
import { createHost, type Host } from '@survey/local/process/host';
import { issueToken } from '@survey/local/stack/issuer';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clients, startClients } from '../support/faults/retrying-client.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Receiver, startReceiver, untilReceived } from '../support/receiver.ts';
import { root } from '../support/run-step.ts';
import {
  checkOutPreviousRelease,
  type MixedPlatform,
  type RunningRelease,
  startMixedPlatform,
} from './mixed-platform.ts';

const SUBMITTERS = 4;
/** Acknowledged requests to wait for. More than are in flight, so some of them were sent after the event. */
const REQUESTS_AFTER = 60;
/** Imported responses of a survey. More than one, so that the import stores them in one transaction. */
const IMPORTED = 3;
const LIMIT = 10;
const POLL_OPTIONS = { timeoutMs: 120_000 };
const RETRIED = new Set([429, 503, 504]);
const fileSurvey = {
  ...lunchSurvey,
  survey: {
    ...lunchSurvey.survey,
    pages: [{ questions: [{ id: 'photo', type: 'file_upload', title: 'A photo?' }] }],
    logic: [],
  },
};

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test asserts the members that it needs
  readonly body: any;
}

describe('the previous release beside this one, under load', () => {
  let host: Host;
  let platform: MixedPlatform;
  let receiver: Receiver;
  let token: string;
  let surveyId: string;
  let previousRoot: string;
  let previous: RunningRelease;
  let current: RunningRelease;
  let submitters: Clients<string>;
  let editors: Clients<string>;
  /** Replies that are neither successes nor ask for a retry. */
  const failures: string[] = [];

  /** Repeats a request until a reply neither asks for a retry nor is lost with its connection. A text is a file. */
  async function call(method: string, path: string, body?: object | string, key = randomUUID()): Promise<Reply> {
    return poll(async () => {
      const isPublic = path.startsWith('/v1/public/');
      const response = await fetch(`${platform.gateway}${path}`, {
        method,
        headers: {
          'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
          'idempotency-key': key,
          ...(isPublic ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => undefined);
      if (response === undefined || RETRIED.has(response.status)) return undefined;
      const text = await response.text().catch(() => undefined);
      if (text === undefined) return undefined;
      if (!response.ok) failures.push(`${method} ${path}: ${response.status} ${text}`);
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    }, POLL_OPTIONS);
  }

  async function submit(id = surveyId): Promise<string> {
    const body = { status: 'completed', data: lunchAnswers };
    return (await call('POST', `/v1/public/surveys/${id}/responses`, body)).body.id;
  }

  async function importInto(id: string): Promise<void> {
    const answers = Object.entries(lunchAnswers).map(([question, value]) => ({ question_id: question, value }));
    const responses = Array.from({ length: IMPORTED }, () => {
      return { id: randomUUID(), submitted_at: '2026-01-02T03:04:05Z', answers };
    });
    const { body: report } = await call('POST', `/v1/surveys/${id}/responses/import`, { format: 'json', responses });
    if (report.imported + report.skipped !== IMPORTED) failures.push(`imported ${JSON.stringify(report)}`);
  }

  /** Submits a response with an uploaded file through a link, and reads the file. */
  async function submitFile(): Promise<void> {
    const { body: survey } = await call('POST', '/v1/surveys', fileSurvey);
    await call('POST', `/v1/surveys/${survey.id}/publish`);
    const { body: link } = await call('POST', `/v1/surveys/${survey.id}/links`, {});
    const query = `question_id=photo&filename=${survey.id}.txt`;
    const { body: file } = await call('POST', `/v1/public/links/${link.slug}/files?${query}`, survey.id);
    const data = { photo: [{ file_id: file.file_id }] };
    await call('POST', `/v1/public/links/${link.slug}/responses`, { status: 'completed', data });
    const { body: text } = await call('GET', `/v1/files/${file.file_id}`);
    if (text !== survey.id) failures.push(`another file than ${file.file_id}`);
  }

  /**
   * Creates and publishes a survey with a response limit, submits and imports responses, and reads all of them, each
   * perhaps with another release.
   */
  async function edit(): Promise<string> {
    const { body: survey } = await call('POST', '/v1/surveys', { ...lunchSurvey, settings: { response_limit: LIMIT } });
    await call('POST', `/v1/surveys/${survey.id}/publish`);
    const read = await call('GET', `/v1/surveys/${survey.id}`);
    if (read.body?.id !== survey.id) failures.push(`another survey than ${survey.id}`);
    await submit(survey.id);
    await importInto(survey.id);
    const { body: responses } = await call('GET', `/v1/surveys/${survey.id}/responses`);
    if (responses.length !== IMPORTED + 1) failures.push(`${responses.length} responses to ${survey.id}`);
    for (const { id, data } of responses)
      if (!isDeepStrictEqual(data, lunchAnswers)) failures.push(`other answers of ${id}`);
    await submitFile();
    return survey.id;
  }

  async function untilProgress(): Promise<void> {
    const before = [submitters.acknowledged.length + REQUESTS_AFTER, editors.acknowledged.length + 2];
    await poll(async () => {
      const now = [submitters.acknowledged.length, editors.acknowledged.length];
      return now.every((count, index) => count >= (before[index] ?? 0));
    }, POLL_OPTIONS);
    expect(failures).toEqual([]);
  }

  async function listStored(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let next: string | undefined = `/v1/surveys/${surveyId}/responses?limit=500`; next !== undefined; ) {
      const response: Response = await fetch(new URL(next, platform.gateway), {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
      const page = (await response.json()) as { readonly id: string; readonly data: object }[];
      for (const { data } of page) expect(data).toEqual(lunchAnswers);
      ids.push(...page.map(({ id }) => id));
      next = /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return ids;
  }

  beforeAll(async () => {
    host = createHost();
    const release = await checkOutPreviousRelease(host);
    previousRoot = release.folder;
    process.stderr.write(`previous release: ${release.name}\n`);
    platform = await startMixedPlatform(host);
    receiver = await startReceiver();
    previous = await platform.start('previous-1', previousRoot, { setup: true });
    platform.spreadOver(previous);
    const operator = await connectOperator(platform.keysFolder, platform.identityAddress);
    const { tenantId, userId } = await operator.createTenant({ name: 'Releases', ownerEmail: 'owner@example.org' });
    await operator.setTenantLimits(tenantId, { requestsPerMinute: 1_000_000, concurrentRequests: 1_000 });
    operator.close();
    token = await issueToken(platform.keysFolder, { tenantId, userId, expiresInSeconds: 3_600 });
    const hook = { url: receiver.url, event_types: ['response.submitted'], include_answers: true };
    await call('POST', '/v1/webhooks', hook);
    surveyId = (await call('POST', '/v1/surveys', lunchSurvey)).body.id;
    await call('POST', `/v1/surveys/${surveyId}/publish`);
    expect(failures).toEqual([]);
    submitters = startClients(SUBMITTERS, () => submit());
    editors = startClients(1, edit);
    await untilProgress();
  }, 600_000);

  afterAll(async () => {
    await submitters?.stop().catch(() => undefined);
    await editors?.stop().catch(() => undefined);
    await previous?.stop();
    await current?.stop();
    await receiver?.close();
    await platform?.close();
    await host.close();
  });

  it('is upgraded: both releases serve, then only this one', async () => {
    // Set-up of the new release runs while the previous one serves.
    current = await platform.start('current-1', root, { setup: true });
    platform.spreadOver(previous, current);
    await untilProgress();
    platform.spreadOver(current);
    await previous.stop();
    await untilProgress();
  });

  it('is rolled back: both releases serve, then only the previous one', async () => {
    previous = await platform.start('previous-2', previousRoot, { setup: false });
    platform.spreadOver(current, previous);
    await untilProgress();
    platform.spreadOver(previous);
    await current.stop();
    await untilProgress();
  });

  it('has every acknowledged response, once and delivered, in both releases', async () => {
    const acknowledged = await submitters.stop();
    await editors.stop();
    expect(failures).toEqual([]);
    expect([...(await listStored())].sort()).toEqual([...acknowledged].sort());
    await untilReceived(receiver, acknowledged, ({ data }) => String(data.response_id));
    for (const { raw } of receiver.received) {
      const { answers } = JSON.parse(raw.toString()).data;
      if (!Object.hasOwn(answers, 'photo')) expect(answers).toEqual(lunchAnswers);
    }
    current = await platform.start('current-2', root, { setup: true });
    platform.spreadOver(current);
    await previous.stop();
    expect([...(await listStored())].sort()).toEqual([...acknowledged].sort());
  });
});
