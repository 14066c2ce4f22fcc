import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import testVectors from '@survey/webhooks/test-vectors.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { root } from '../support/run-step.ts';

const isAll = inject('testScope') === 'all';
const folder = join(root, 'docs/samples');
const body =
  '{"api_version":"v1","data":{"title":"Zoë 😀"},"delivery_id":"d1","event":"survey.created","timestamp":""}';
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const own = 'a secret of the tenant, ë';
const now = () => Math.floor(Date.now() / 1000);

type Headers = Readonly<Record<string, string>>;

function signatureOf(key: string, timestamp: string | number): string {
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : Buffer.from(key);
  return `v1,${createHmac('sha256', bytes).update(`d1.${timestamp}.${body}`).digest('base64')}`;
}

function standard(key: string, timestamp: string | number = now()): Headers {
  return {
    'webhook-id': 'd1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(key, timestamp),
  };
}

const service = (key: string): Headers => ({
  'x-service-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
});

interface Case {
  readonly title: string;
  readonly isGenuine: boolean;
  readonly headers: () => Headers;
  readonly secret?: string;
  readonly sent?: string;
}

// Test vectors have more cases. These pass through a running receiver.
const standardCases: readonly Case[] = [
  { title: 'accepts a genuine message', isGenuine: true, headers: () => standard(secret) },
  {
    title: 'accepts a message signed with a custom secret',
    isGenuine: true,
    secret: own,
    headers: () => standard(own),
  },
  {
    title: 'rejects another body',
    isGenuine: false,
    headers: () => standard(secret),
    sent: body.replace('Zoë', 'Zoe'),
  },
  { title: 'rejects an old timestamp', isGenuine: false, headers: () => standard(secret, now() - 330) },
  { title: 'rejects a message without headers', isGenuine: false, headers: () => ({}) },
];

const serviceCases: readonly Case[] = [
  { title: 'accepts a genuine message', isGenuine: true, headers: () => service(secret) },
  {
    title: 'accepts a message signed with a custom secret',
    isGenuine: true,
    secret: own,
    headers: () => service(own),
  },
  { title: 'rejects another body', isGenuine: false, headers: () => service(secret), sent: body.replace('Zoë', 'Zoe') },
  { title: 'rejects a message without headers', isGenuine: false, headers: () => ({}) },
];

const families = [
  ['standard', standardCases],
  ['service', serviceCases],
] as const;

/** Whether a program is installed. */
const isThere = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;

interface Sample {
  readonly file: string;
  readonly isPresent: boolean;
  /** The command that runs it, after a build into the folder if needed. */
  readonly commandOf: (folder: string) => readonly [string, ...string[]];
}

const samples: readonly Sample[] = [
  { file: 'receiver.mjs', isPresent: true, commandOf: () => [process.execPath, join(folder, 'receiver.mjs')] },
  {
    file: 'receiver.py',
    isPresent: isThere('python3', '--version'),
    commandOf: () => ['python3', join(folder, 'receiver.py')],
  },
  // Its first compilation can be slow.
  { file: 'receiver.go', isPresent: isAll && isThere('go', 'version'), commandOf: buildGo },
];

function buildGo(target: string): readonly [string] {
  const binary = join(target, 'receiver');
  const { status, stderr } = spawnSync('go', ['build', '-o', binary, join(folder, 'receiver.go')]);
  expect(status, String(stderr)).toBe(0);
  return [binary];
}

interface Running {
  readonly child: ChildProcess;
  readonly port: string;
}

/** Starts a sample, and resolves when it listens. */
async function start([program, ...args]: readonly [string, ...string[]], env: Headers): Promise<Running> {
  const child = spawn(program, args, {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = Promise.withResolvers<string>();
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
    const port = /listening on (\d+)/.exec(said)?.[1];
    if (port !== undefined) listening.resolve(port);
  });
  child.once('exit', () => listening.reject(new Error(`${program} ended: ${said}`)));
  return { child, port: await listening.promise };
}

async function stop({ child }: Running): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe.each(samples.filter(({ isPresent }) => isPresent))('the sample $file', ({ commandOf }) => {
  let target: string;
  let command: readonly [string, ...string[]];

  beforeAll(async () => {
    target = await mkdtemp(join(tmpdir(), 'survey-sample-'));
    command = commandOf(target);
  }, 600_000);
  afterAll(() => rm(target, { recursive: true }));

  it('does not start without a secret', async () => {
    const [program, ...args] = command;
    const child = spawn(program, args, { env: { ...process.env, PORT: '0', WEBHOOK_SECRET: '' }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
  });

  describe.each(families)('with the headers %s', (family, cases) => {
    const running = new Map<string, Running>();

    beforeAll(async () => {
      for (const key of [secret, own]) {
        running.set(key, await start(command, { WEBHOOK_SECRET: key, WEBHOOK_HEADERS: family }));
      }
    }, 60_000);
    afterAll(() => Promise.all([...running.values()].map(stop)));

    it.each(cases)('$title', async ({ headers, isGenuine, sent = body, secret: key = secret }) => {
      const url = `http://127.0.0.1:${running.get(key)?.port}/hook`;
      const { status } = await fetch(url, { method: 'POST', body: sent, headers: headers() });
      expect(status).toBe(isGenuine ? 204 : 401);
    });
  });
});

const { vectors } = testVectors;
const vectorsFile = join(root, 'lib/webhooks/test-vectors.json');
const harness = join(root, 'test/samples/harness');
const expected = vectors.map(({ scheme, title, genuine }) => `${genuine} ${scheme} ${title}`);
const asReported = (accepted: readonly unknown[]) =>
  vectors.map(({ scheme, title }, index) => `${accepted[index]} ${scheme} ${title}`);

describe('of the test vectors, exactly the genuine ones are accepted by', () => {
  it('receiver.mjs', async () => {
    const { isGenuine, isGenuineBody } = await import(join(folder, 'receiver.mjs'));
    const accepted = vectors.map((vector) =>
      vector.scheme === 'body'
        ? isGenuineBody(vector.secret, vector.headers, vector.body)
        : isGenuine(vector.secret, vector.headers, vector.body, vector.now),
    );
    expect(asReported(accepted)).toEqual(expected);
  });

  it.skipIf(!isThere('python3', '--version'))('receiver.py', async () => {
    const args = ['-B', join(harness, 'vectors.py'), folder];
    const { stdout, stderr } = spawnSync('python3', args, { input: await readFile(vectorsFile) });
    expect(String(stderr)).toBe('');
    expect(asReported(String(stdout).split('\n'))).toEqual(expected);
  });

  // Its first compilation can be slow.
  it.skipIf(!isAll || !isThere('go', 'version'))('receiver.go', { timeout: 600_000 }, async () => {
    const target = await mkdtemp(join(tmpdir(), 'survey-sample-'));
    const files = ['receiver.go', 'vectors_test.go'];
    await copyFile(join(folder, 'receiver.go'), join(target, 'receiver.go'));
    await copyFile(join(harness, 'vectors_test.go'), join(target, 'vectors_test.go'));
    const env = { ...process.env, VECTORS: vectorsFile };
    const { stdout, status } = spawnSync('go', ['test', '-v', ...files], { cwd: target, env });
    await rm(target, { recursive: true });
    expect(status, String(stdout)).toBe(0);
    expect(
      asReported(
        String(stdout)
          .split('\n')
          .filter((line) => /^(?:true|false)$/.test(line)),
      ),
    ).toEqual(expected);
  });

  it.skipIf(!isThere('openssl', 'version'))('verify.sh', async () => {
    // A `date` with the time of the vectors.
    const programs = await mkdtemp(join(tmpdir(), 'survey-sample-'));
    await writeFile(join(programs, 'date'), '#!/bin/sh\necho "$NOW"\n', { mode: 0o755 });
    const accepted = vectors.map((vector) => {
      const headers: Readonly<Record<string, string | undefined>> = vector.headers;
      const names =
        vector.scheme === 'body' ? ['x-service-signature'] : ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const family = vector.scheme === 'body' ? 'service' : 'standard';
      const args = [join(folder, 'verify.sh'), family, vector.secret, ...names.map((name) => headers[name] ?? '')];
      const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}`, NOW: String(vector.now) };
      const { status } = spawnSync('sh', args, { input: vector.body, env });
      expect([0, 1]).toContain(status);
      return status === 0;
    });
    await rm(programs, { recursive: true });
    expect(asReported(accepted)).toEqual(expected);
  });
});
