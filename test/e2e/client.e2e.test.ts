import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ApiError, type Client, createClient, readNdjson } from '@survey/client';
import { poll } from '@survey/runtime/testing/poll';
import { createVerifier } from '@survey/webhooks';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BROWSER_TIMEOUT_MS, bundleForBrowsers, hasBrowser, startBrowser } from '../support/browser.ts';
import { createTenant, tokenFor } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Canteen',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'taste', type: 'rating' as const, title: 'How was it?', required: true },
          { id: 'receipt', type: 'file_upload' as const, title: 'Your receipt' },
        ],
      },
    ],
  },
};

const gateway = () => inject('stack').gateway;
const respondent = createClient({ baseUrl: inject('stack').gateway });

let token: string;
let client: Client;
let receiver: Receiver;
let surveyId: string;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const { tenantId, userId } = await createTenant();
  token = await tokenFor(tenantId, userId);
  client = createClient({ baseUrl: gateway(), token: () => token });
  receiver = await startReceiver();
  const survey = await client.surveys.create(definition);
  await client.surveys.publish(survey.id);
  surveyId = survey.id;
});
afterAll(async () => {
  await receiver.close();
  for (const close of closing) await close();
});

/** Listens on a free port, and returns the address. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function countResponses(): Promise<number> {
  let count = 0;
  for await (const { id } of client.responses.list(surveyId, { limit: 3 })) count += id === '' ? 0 : 1;
  expect((await client.responses.count(surveyId)).count).toBe(count);
  return count;
}

/** Forwards each request to the gateway. Drops the first reply to each idempotency key, and to each path without. */
async function startLossyGateway(): Promise<string> {
  const seen = new Set<string>();
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers;
    const reply = await fetch(`${gateway()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body }),
    });
    const content = Buffer.from(await reply.arrayBuffer());
    const key = String(headers['idempotency-key'] ?? `${request.method} ${request.url}`);
    if (!seen.has(key)) {
      seen.add(key);
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(content);
  }
  return listen((request, response) => void forward(request, response));
}

describe('@survey/client', () => {
  it('collects responses with files, exports them, and gets a webhook', async () => {
    const webhook = await client.webhooks.create({ url: receiver.url, event_types: ['response.submitted'] });
    const receipt = new File(['%PDF-1.4\n%%EOF\n'], 'receipt.pdf', { type: 'application/pdf' });
    const file = await respondent.respondents.uploadFile(surveyId, receipt, { question_id: 'receipt' });
    expect(file).toMatchObject({ filename: 'receipt.pdf' });
    const submitted = await respondent.respondents.submitResponse(surveyId, {
      status: 'completed',
      data: { taste: 4, receipt: [{ file_id: file.file_id }] },
    });
    for (const taste of [1, 2, 3]) await client.responses.create(surveyId, { data: { taste } });
    expect(await countResponses()).toBe(4);

    const rows: { readonly id: string }[] = [];
    const exported = await client.responses.export(surveyId, { format: 'ndjson' });
    for await (const row of readNdjson<{ id: string }>(exported)) rows.push(row);
    expect(rows.map(({ id }) => id)).toContain(submitted.id);
    expect(rows).toHaveLength(4);
    const download = await client.responses.getFile(file.file_id);
    expect(await download.text()).toContain('%PDF');

    const delivery = await poll(() => receiver.received[0]);
    const verify = createVerifier({ secret: webhook.secret ?? '' });
    const event = await verify({ headers: delivery.headers, body: delivery.raw });
    expect(event).toMatchObject({ event: 'response.submitted', data: { survey_id: surveyId } });
  });

  it('imports a file', async () => {
    const csv = new Blob(['taste\n5\n'], { type: 'text/csv' });
    expect(await client.imports.importResponses(surveyId, csv, { format: 'csv' })).toMatchObject({ imported: 1 });
  });

  it('throws errors with code and fields', async () => {
    const invalid = respondent.respondents.submitResponse(surveyId, { status: 'completed', data: { taste: 9 } });
    const error = await invalid.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      ...{ code: 'INVALID_ANSWERS', status: 422, requestId: expect.any(String) },
      errors: [{ path: '/data/taste', code: 'OUT_OF_RANGE' }],
    });
  });

  it('changes only what it has read', async () => {
    const { response } = await client.surveys.get(surveyId).withResponse();
    const ifMatch = response.headers.get('etag') ?? '';
    await client.surveys.update(surveyId, { settings: { retention_days: 30 } }, { ifMatch });
    const late = client.surveys.update(surveyId, { settings: { retention_days: 40 } }, { ifMatch });
    await expect(late).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
  });

  it('keeps a copy by following changes, although replies are lost', async () => {
    const lossy = await startLossyGateway();
    const follower = createClient({ baseUrl: lossy, token });
    const caller = new AbortController();
    const copy = new Map<string, unknown>();
    const following = (async () => {
      for await (const { changes } of follower.responses.follow(surveyId, { limit: 2, signal: caller.signal }))
        for (const { id, deleted, response } of changes) {
          if (deleted) copy.delete(id);
          else copy.set(id, response?.data);
        }
    })();
    following.catch(() => undefined);
    const { id: kept } = await client.responses.create(surveyId, { data: { taste: 1 } });
    const { id: removed } = await client.responses.create(surveyId, { data: { taste: 2 } });
    await poll(() => copy.has(removed));
    await client.responses.update(kept, { data: { taste: 5 } });
    await client.responses.delete(removed);
    await poll(async () => !copy.has(removed) && copy.size === (await client.responses.count(surveyId)).count);
    expect(copy.get(kept)).toEqual({ taste: 5 });
    caller.abort(new Error('enough'));
    await expect(following).rejects.toThrow('enough');
  });

  it('does everything once although replies are lost', async () => {
    const lossy = await startLossyGateway();
    const before = await countResponses();
    const tenant = createClient({ baseUrl: lossy, token });
    const anonymous = createClient({ baseUrl: lossy });
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const answers = { status: 'completed' as const, data: { taste: (index % 5) + 1 } };
        const { id } =
          index % 2 === 0
            ? await tenant.responses.create(surveyId, answers)
            : await anonymous.respondents.submitResponse(surveyId, answers);
        return id;
      }),
    );
    expect(new Set(ids).size).toBe(20);
    expect(await countResponses()).toBe(before + 20);
    for (const id of ids.slice(0, 5)) await tenant.responses.delete(id);
    expect(await countResponses()).toBe(before + 15);
  });
});

describe.skipIf(!hasBrowser)('@survey/client in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, BROWSER_TIMEOUT_MS);
  afterAll(() => browser?.close());

  it.each(['page', 'worker'])('submits a response from a %s', { timeout: BROWSER_TIMEOUT_MS }, async (where) => {
    const code = await bundleForBrowsers(fileURLToPath(import.meta.resolve('@survey/client')));
    const script = `
      import { createClient } from '/client.js';
      export async function submit(baseUrl, surveyId) {
        const { respondents } = createClient({ baseUrl });
        await respondents.getSurvey(surveyId);
        const file = await respondents.uploadFile(surveyId, new File(['a'], 'a.txt'), { question_id: 'receipt' });
        const data = { taste: 5, receipt: [{ file_id: file.file_id }] };
        const response = await respondents.submitResponse(surveyId, { status: 'completed', data });
        const wrong = await respondents.submitResponse(surveyId, { status: 'completed', data: {} }).catch((error) => error);
        return { id: response.id, code: wrong.code };
      }`;
    const files: Readonly<Record<string, string>> = {
      '/client.js': code,
      '/submit.js': script,
      '/worker.js': `
        import { submit } from '/submit.js';
        onmessage = async ({ data }) => postMessage(await submit(...data).catch((error) => ({ failure: String(error) })));`,
    };
    const origin = await listen((request, response) => {
      const file = files[request.url ?? ''];
      response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
      response.end(file ?? '<!doctype html><title>Test</title>');
    });
    const page = await browser.newPage();
    await page.goto(origin);
    const result = await page.evaluate(
      `(async (where, args) => {
        if (where === 'page') return (await import('/submit.js')).submit(...args);
        const worker = new Worker('/worker.js', { type: 'module' });
        return new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage(args);
        });
      })(${JSON.stringify(where)}, ${JSON.stringify([gateway(), surveyId])})`,
    );
    expect(result).toEqual({ id: expect.any(String), code: 'INVALID_ANSWERS' });
    expect(await client.responses.get((result as { id: string }).id)).toMatchObject({ data: { taste: 5 } });
  });
});
