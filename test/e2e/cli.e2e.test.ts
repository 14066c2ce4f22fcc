import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finished, runInProcess } from '@survey/cli/src/testing/run-in-process.ts';
import { type Client, type CreateSurveyRequest, createClient } from '@survey/client';
import { poll } from '@survey/runtime/testing/poll';
import { createVerifier, type WebhookEvent } from '@survey/webhooks';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, tokenFor } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { root, runTool } from '../support/run-step.ts';

/** The literals of its types, such as `rating`, are texts in a constant. */
const payload = lunchSurvey as CreateSurveyRequest;

let folder: string;
let client: Client;
let apiKey: string;

const gateway = () => inject('stack').gateway;

/** Variables with a configuration of its own. */
function environment(): NodeJS.ProcessEnv {
  const { SURVEY_TOKEN: _, SURVEY_URL: __, ...inherited } = process.env;
  return { ...inherited, XDG_CONFIG_HOME: folder };
}

/** Starts a command in the folder as a process. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(root, 'lib/cli/src/main.ts'), ...args], {
    cwd: folder,
    env: { ...environment(), ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return { child, output, finished: finish(child, output) };
}

async function finish(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<Finished> {
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/** Runs a command in the folder. */
const survey = (...args: readonly string[]) => runInProcess(args, { env: environment() });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-cli-'));
  const { tenantId, userId } = await createTenant();
  client = createClient({ baseUrl: gateway(), token: await tokenFor(tenantId, userId) });
  const { permissions } = await client.account.getMe();
  const key = await client.apiKeys.create({ name: 'cli', permissions });
  apiKey = key.secret ?? '';
  await writeFile(join(folder, 'lunch.json'), JSON.stringify(lunchSurvey));
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(root);
  await rm(folder, { recursive: true, force: true });
});

async function login(): Promise<void> {
  const { child, finished } = start(['login', '--url', gateway()]);
  child.stdin.end(`${apiKey}\n`);
  expect(await finished).toMatchObject({ code: 0, stdout: '' });
}

describe('@survey/cli', () => {
  it('logs in with a key that only this user can read, and logs out', async () => {
    const wrong = start(['login', '--url', gateway()]);
    wrong.child.stdin.end('svk_wrong\n');
    expect(await wrong.finished).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_TOKEN') });
    expect(await survey('surveys', 'pull', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not logged in'),
    });

    await login();
    const file = join(folder, 'survey/credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'survey'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: gateway(), token: apiKey });
    expect(await survey('logout')).toMatchObject({ code: 0 });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await login();
  });

  it('explains itself, and rejects wrong arguments', async () => {
    expect(await survey('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('surveys push FILE') });
    expect(await survey('surveys', 'fly')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such command'),
    });
    expect(await survey('surveys', 'pull')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: survey surveys pull'),
    });
    expect(await survey('types', 'x', '--nope')).toMatchObject({ code: 2, stderr: expect.stringContaining('--nope') });
    expect(await survey('surveys', 'push', 'missing.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.json cannot be read'),
    });
  });

  it('validates, pushes, pulls and compares definitions', async () => {
    expect(await survey('surveys', 'validate', 'lunch.json')).toMatchObject({
      code: 0,
      stdout: 'lunch.json is valid\n',
    });
    const broken = structuredClone(lunchSurvey);
    broken.survey.logic[0]?.conditions.forEach((condition) => {
      condition.source_question = 'nowhere';
    });
    await writeFile(join(folder, 'broken.json'), JSON.stringify(broken));
    const report = await survey('surveys', 'validate', 'broken.json');
    expect(report).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^error \/survey\/logic\/0\S* UNKNOWN_SOURCE: /m),
    });

    const pushed = await survey('surveys', 'push', 'lunch.json', '--publish');
    expect(pushed).toMatchObject({ code: 0, stderr: 'version 1, active\n' });
    const id = pushed.stdout.trim();
    expect(await survey('surveys', 'pull', id, 'pulled.json')).toMatchObject({ code: 0 });
    expect(await survey('surveys', 'diff', 'pulled.json', id)).toEqual({ code: 0, stdout: '', stderr: '' });

    const pulled = JSON.parse(await readFile(join(folder, 'pulled.json'), 'utf8'));
    pulled.survey.pages[0].questions[1].title = 'Was it good?';
    pulled.survey.pages[0].questions[3].required = true;
    const $schema = 'https://surveys.example.com/schemas/definition-1.0.json';
    await writeFile(join(folder, 'changed.json'), JSON.stringify({ $schema, ...pulled }));
    expect(await survey('surveys', 'validate', 'changed.json')).toMatchObject({ code: 0 });
    expect(await survey('surveys', 'diff', 'changed.json', id)).toMatchObject({
      code: 1,
      stdout: [
        '- /survey/pages/0/questions/1/title "How was it?"',
        '+ /survey/pages/0/questions/1/title "Was it good?"',
        '+ /survey/pages/0/questions/3/required true\n',
      ].join('\n'),
    });
    expect(await survey('surveys', 'push', 'changed.json', id)).toMatchObject({
      code: 0,
      stderr: 'version 2, active\n',
    });
    expect(await survey('surveys', 'diff', 'changed.json', id)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(folder, 'changed.json'), 'utf8'))).toMatchObject({
      $schema,
      version: 2,
    });
    expect(await survey('surveys', 'pull', id, 'changed.json')).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(folder, 'changed.json'), 'utf8'))).toMatchObject({ $schema, version: 2 });
    const late = await survey('surveys', 'push', 'pulled.json', id);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('VERSION_CONFLICT') });

    expect(await survey('surveys', 'push', 'changed.json', id, '--draft')).toMatchObject({ code: 0 });
    const draft = await survey('surveys', 'pull', id, '--draft');
    expect(JSON.parse(draft.stdout)).toMatchObject({ version: 2, survey: pulled.survey });
  });

  it('exports responses', async () => {
    const { id } = await client.surveys.create(payload);
    await client.surveys.publish(id);
    for (let index = 0; index < 3; index += 1) await client.responses.create(id, { data: lunchAnswers });
    const csv = await survey('responses', 'export', id);
    expect(csv.stdout.trimEnd().split('\r\n')).toHaveLength(4);
    const ofNextVersion = await survey('responses', 'export', id, '--version', '2');
    expect(ofNextVersion.stdout.trimEnd().split('\r\n')).toHaveLength(1);
    expect(await survey('responses', 'export', id, '--format', 'ndjson', '--output', 'all.ndjson')).toMatchObject({
      code: 0,
    });
    const rows = (await readFile(join(folder, 'all.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([1, 2, 3].map(() => ({ data: lunchAnswers })));
    const where = { conditions: [{ source_question: 'taste', operator: 'less_than', value: 4 }] };
    await writeFile(join(folder, 'where.json'), JSON.stringify(where));
    await client.responses.create(id, { data: { ...lunchAnswers, taste: 2 } });
    const unhappy = await survey('responses', 'export', id, '--format', 'ndjson', '--where', 'where.json');
    expect(JSON.parse(unhappy.stdout)).toMatchObject({ data: { taste: 2 } });
    expect(await survey('responses', 'count', id)).toMatchObject({ code: 0, stdout: '4\n' });
    expect(await survey('responses', 'count', id, '--where', JSON.stringify(where))).toMatchObject({ stdout: '1\n' });
    const misspelt = JSON.stringify({ conditions: [{ source_question: 'tast', operator: 'is_answered' }] });
    expect(await survey('responses', 'count', id, '--where', misspelt)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/where/conditions/0/source_question UNKNOWN_SOURCE'),
    });
    for (const wrong of ['missing.json', '{"conditions":'])
      expect(await survey('responses', 'count', id, '--where', wrong)).toMatchObject({ code: 2 });
    const none = await survey('responses', 'export', '0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10', '--output', 'none.csv');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('SURVEY_NOT_FOUND') });
    await expect(stat(join(folder, 'none.csv'))).rejects.toThrow('ENOENT');
  });

  it('deletes responses by conditions', async () => {
    const { id } = await client.surveys.create(payload);
    await client.surveys.publish(id);
    for (const taste of [1, 2, 5]) await client.responses.create(id, { data: { ...lunchAnswers, taste } });
    const where = JSON.stringify({ conditions: [{ source_question: 'taste', operator: 'less_than', value: 3 }] });
    const remove = (...options: readonly string[]) => survey('responses', 'delete', id, '--where', where, ...options);
    const tried = await remove('--dry-run');
    expect([tried.code, JSON.parse(tried.stdout)]).toMatchObject([0, { count: 2, lacking_question: 0 }]);
    expect(await remove('--expected-count', '3')).toMatchObject({ code: 1, stdout: '' });
    const done = await remove('--expected-count', '2');
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { deleted: 2, complete: true }]);
    expect((await client.responses.count(id)).count).toBe(1);
    const matching = await survey('responses', 'export', id, '--where', where);
    expect(matching.stdout.trimEnd().split('\r\n')).toHaveLength(1);
    expect(await survey('responses', 'delete', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('/all') });
  });

  it('prints types that accept the answers, and nothing else', async () => {
    const { id } = await client.surveys.create(payload);
    const { stdout } = await survey('types', id);
    expect(stdout).toContain("  'came'?: 'yes' | 'no';\n");
    expect(stdout).toContain("  'dishes'?: ('Soup' | 'Rice' | 'Cake')[];\n");
    expect(await survey('types', id, '--output', 'answers.ts')).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'answers.ts'), 'utf8')).toBe(stdout);
    const program = [
      "import type { Answers, Where } from './answers.ts';",
      `export const valid: Answers = ${JSON.stringify(lunchAnswers)};`,
      '// @ts-expect-error there is no such option',
      "export const wrongOption: Answers = { came: 'perhaps' };",
      '// @ts-expect-error there is no such question',
      'export const wrongQuestion: Answers = { cam: 1 };',
      "export const where: Where = { conditions: [{ source_question: 'taste', operator: 'less_than', value: 4 }] };",
      '// @ts-expect-error the type of the question has no such operator',
      "export const wrongTest: Where = { conditions: [{ source_question: 'came', operator: 'less_than', value: 'no' }] };",
      '// @ts-expect-error there is no such option',
      "export const wrongValue: Where = { conditions: [{ source_question: 'came', operator: 'in', value: ['maybe'] }] };",
    ];
    await writeFile(join(folder, 'program.ts'), program.join('\n'));
    const options = ['--strict', '--noEmit', '--types', '', '--allowImportingTsExtensions'];
    expect(await runTool('tsc', [...options, 'program.ts'], { cwd: folder })).toEqual({ passed: true, output: '' });
  });

  it('imports responses, and says what is not stored', async () => {
    await login();
    const { id } = await client.surveys.create(payload);
    await writeFile(join(folder, 'answers.csv'), 'id,came,taste,other\n1,yes,4,x\n2,perhaps,3,\n');
    const tried = await survey('responses', 'import', id, 'answers.csv', '--dry-run');
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('1 rejected') });
    const columns = JSON.stringify({ other: '' });
    const planned = await survey('responses', 'plan', id, 'answers.csv', '--columns', columns);
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('#4 other: not imported') });
    expect(JSON.parse(planned.stdout)).toMatchObject({
      format: 'csv',
      rows: 2,
      columns: [{}, { target: 'came' }, {}, {}],
    });
    const mapped = await survey('responses', 'import', id, 'answers.csv', '--dry-run', '--columns', columns);
    expect(JSON.parse(mapped.stdout)).toMatchObject({ imported: 1, imported_in_part: 0, failed: 1 });
    const fresh = await survey('surveys', 'plan', 'answers.csv', '--source', 'table');
    expect(JSON.parse(fresh.stdout)).toMatchObject({ source: 'table', columns: [{ target: 'id' }, {}, {}, {}] });
    const kept = await survey('responses', 'import', id, 'answers.csv', '--on-invalid-answer', 'keep');
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining('came: 1 kept in the metadata') });
    expect(JSON.parse(kept.stdout)).toMatchObject({ imported: 2, imported_in_part: 2, failed: 0 });
  });

  it('follows changes, and continues where it stopped', async () => {
    const { id } = await client.surveys.create(payload);
    await client.surveys.publish(id);
    const { id: first } = await client.responses.create(id, { data: lunchAnswers });
    const follow = async (expected: string) => {
      const { child, output, finished } = start(['responses', 'follow', id, '--cursor-file', 'cursor']);
      try {
        await poll(() => output.stdout.includes(expected));
        await poll(async () => (await readFile(join(folder, 'cursor'), 'utf8').catch(() => '')) !== '');
      } finally {
        child.kill('SIGINT');
      }
      expect(await finished).toMatchObject({ code: 0, stderr: '' });
      return output.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    expect(await follow(first)).toMatchObject([{ id: first, deleted: false, response: { data: lunchAnswers } }]);
    const { id: second } = await client.responses.create(id, { data: lunchAnswers });
    await client.responses.delete(first);
    const more = await follow('"deleted":true');
    expect(more.at(-1)).toMatchObject({ id: first, deleted: true });
    expect(more.map((change) => change.id)).toContain(second);
  });

  it('listens with a temporary webhook, and forwards signed deliveries to this machine', async () => {
    const secret = 'a secret of the receiver, 24 characters';
    const verify = createVerifier({ secret });
    const events: WebhookEvent[] = [];
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
      try {
        events.push(await verify({ headers: request.headers, body }));
        response.statusCode = 204;
      } catch {
        response.statusCode = 401;
      }
      response.end();
    };
    const receiver = createServer((request, response) => void receive(request, response));
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const { port } = receiver.address() as AddressInfo;
    // Clusters refuse the address of the gateway.
    const { url, close } = await startReceiver();
    const args = ['webhooks', 'listen', '--events', 'survey.*', '--url', url, '--forward', String(port)];
    const { child, output, finished } = start(args, { WEBHOOK_SECRET: secret });
    try {
      await poll(() => output.stderr.includes('Waiting for deliveries'));
      const { id } = await client.surveys.create(payload);
      await client.surveys.publish(id);
      await poll(() => output.stderr.match(/ → http:/g)?.length === 2);
      const printed: WebhookEvent[] = output.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      // Deliveries run in parallel, in no fixed order.
      const byEvent = (a: WebhookEvent, b: WebhookEvent) => a.event.localeCompare(b.event);
      expect(printed.toSorted(byEvent)).toEqual(events.toSorted(byEvent));
      expect(printed.map(({ event }) => event).toSorted()).toEqual(['survey.created', 'survey.published']);
      expect(output.stderr).toMatch(/survey\.created \S+ → http:\/\/127\.0\.0\.1:\d+\/: 204\n/);
    } finally {
      child.kill('SIGINT');
      receiver.close();
      receiver.closeAllConnections();
    }
    expect(await finished).toMatchObject({ code: 0, stderr: expect.stringContaining('Deleted webhook') });
    await close();
    expect(await client.webhooks.list().page()).toEqual({ items: [], nextCursor: undefined });
  });

  it('deletes the webhook that a killed run has left', async () => {
    const idOf = ({ stderr }: { readonly stderr: string }) => /^Webhook (\S+),/m.exec(stderr)?.[1];
    // Clusters refuse the address of the gateway.
    const receiver = await startReceiver();
    const listen = ['webhooks', 'listen', '--url', receiver.url];
    const killed = start(listen);
    await poll(() => killed.output.stderr.includes('Waiting for deliveries'));
    const running = start(listen);
    await poll(() => running.output.stderr.includes('Waiting for deliveries'));
    killed.child.kill('SIGKILL');
    await killed.finished;
    const next = start(listen);
    try {
      await poll(() => next.output.stderr.includes('Waiting for deliveries'));
      expect(next.output.stderr).toContain(`Deleted webhook ${idOf(killed.output)}, which a killed run has left`);
      const { items } = await client.webhooks.list().page();
      expect(items.map(({ id }) => id).toSorted()).toEqual(
        [running, next].map(({ output }) => idOf(output)).toSorted(),
      );
    } finally {
      for (const { child } of [running, next]) child.kill('SIGINT');
    }
    await Promise.all([running.finished, next.finished]);
    await receiver.close();
    expect(await client.webhooks.list().page()).toEqual({ items: [], nextCursor: undefined });
  });

  it('listens to a webhook that exists', async () => {
    const receiver = await startReceiver(() => 503);
    const { id } = await client.webhooks.create({ url: receiver.url, event_types: ['survey.created'] });
    await client.surveys.create(payload);
    const { child, output, finished } = start(['webhooks', 'listen', id]);
    try {
      await poll(() => output.stderr.includes('Waiting for deliveries'));
      const made = await client.surveys.create(payload);
      const lines = await poll(() => output.stdout.includes(made.id) && output.stdout.trimEnd().split('\n'));
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'survey.created', data: { survey_id: made.id } });
    } finally {
      child.kill('SIGINT');
      await receiver.close();
    }
    expect(await finished).toMatchObject({ code: 0 });
    await client.webhooks.delete(id);
  });
});
