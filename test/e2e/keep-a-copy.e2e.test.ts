import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { poll } from '@survey/runtime/testing/poll';
import { processEnv } from '@survey/runtime/testing/processes/process-env';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, type TestTenant } from '../support/platform.ts';
import { root } from '../support/run-step.ts';

let tenant: TestTenant;
let token: string;
let surveyId: string;
let folder: string;
let child: ChildProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-copy-'));
  tenant = await createTenant();
  const { body } = await tenant.api('POST', '/v1/surveys', { body: lunchSurvey });
  surveyId = body.id;
  await tenant.api('POST', `/v1/surveys/${surveyId}/publish`);
  const key = { name: 'copy', permissions: ['responses:read'] };
  token = (await tenant.api('POST', '/v1/api-keys', { body: key })).body.secret;
  const page = await readFile(join(root, 'docs/keep-a-copy.md'), 'utf8');
  await writeFile(join(folder, 'copy.mjs'), /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
});
afterEach(stop);
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): void {
  const { gateway } = inject('stack');
  const env = processEnv({ PLATFORM: gateway, TOKEN: token, SURVEY_ID: surveyId });
  child = spawn(process.execPath, ['copy.mjs'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function stop(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** The copied responses by id. */
function copied(): ReadonlyMap<string, unknown> {
  const db = new DatabaseSync(join(folder, 'copy.db'));
  try {
    const rows = db.prepare('SELECT id, response FROM responses').all();
    return new Map(rows.map(({ id, response }) => [String(id), JSON.parse(String(response))]));
  } finally {
    db.close();
  }
}

async function stored(): Promise<ReadonlyMap<string, unknown>> {
  const { body } = await tenant.api('GET', `/v1/surveys/${surveyId}/responses?limit=1000`);
  return new Map(body.map((response: { id: string }) => [response.id, response]));
}

async function submit(): Promise<string> {
  const { status, body } = await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, {
    body: { data: lunchAnswers },
  });
  expect(status).toBe(201);
  return body.id;
}

/** A feed stands still while a transaction hangs, at most for MongoDB's lifetime of transactions: a minute. */
const COPY_TIMEOUT_MS = 90_000;

/** Waits until the copy has the stored responses. */
const awaitCopy = () =>
  poll(
    async () => {
      expect(copied()).toEqual(await stored());
      return true;
    },
    { timeoutMs: COPY_TIMEOUT_MS },
  );

it('the example of docs/keep-a-copy.md keeps a copy, and continues after a kill', {
  timeout: 4 * COPY_TIMEOUT_MS,
}, async () => {
  const [first, second] = [await submit(), await submit(), await submit()];
  start();
  await awaitCopy();
  expect((await tenant.api('PATCH', `/v1/responses/${first}`, { body: { metadata: { checked: 1 } } })).status).toBe(
    200,
  );
  expect((await tenant.api('DELETE', `/v1/responses/${second}`)).status).toBe(204);
  await submit();
  await awaitCopy();
  await stop();
  expect((await tenant.api('DELETE', `/v1/responses/${first}`)).status).toBe(204);
  await submit();
  start();
  await awaitCopy();
  expect(copied().size).toBe(3);
});
