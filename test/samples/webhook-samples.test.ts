import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
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

const standardCases: readonly Case[] = [
  { title: 'accepts a genuine message', isGenuine: true, headers: () => standard(secret) },
  {
    title: 'accepts a message signed with a custom secret',
    isGenuine: true,
    secret: own,
    headers: () => standard(own),
  },
  { title: 'accepts a slightly old message', isGenuine: true, headers: () => standard(secret, now() - 240) },
  {
    title: 'accepts one of several signatures, during a rotation',
    isGenuine: true,
    headers: () => {
      const headers = standard(secret);
      return { ...headers, 'webhook-signature': `v1,AAAA v2,bad ${headers['webhook-signature']}` };
    },
  },
  {
    title: 'rejects another body',
    isGenuine: false,
    headers: () => standard(secret),
    sent: body.replace('Zoë', 'Zoe'),
  },
  { title: 'rejects reformatted JSON', isGenuine: false, headers: () => standard(secret), sent: `${body}\n` },
  { title: 'rejects an old timestamp', isGenuine: false, headers: () => standard(secret, now() - 330) },
  { title: 'rejects a future timestamp', isGenuine: false, headers: () => standard(secret, now() + 330) },
  {
    title: 'rejects a new timestamp with an old signature',
    isGenuine: false,
    headers: () => ({ ...standard(secret, now() - 330), 'webhook-timestamp': String(now()) }),
  },
  { title: 'rejects an invalid timestamp', isGenuine: false, headers: () => standard(secret, 'hello') },
  { title: 'rejects another id', isGenuine: false, headers: () => ({ ...standard(secret), 'webhook-id': 'd2' }) },
  { title: 'rejects another secret', isGenuine: false, headers: () => standard(own) },
  {
    title: 'rejects an unknown version',
    isGenuine: false,
    headers: () => {
      const headers = standard(secret);
      return { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1', 'v2') ?? '' };
    },
  },
  {
    title: 'rejects an empty signature',
    isGenuine: false,
    headers: () => ({ ...standard(secret), 'webhook-signature': 'v1,' }),
  },
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
  { title: 'rejects another secret', isGenuine: false, headers: () => service(own) },
  { title: 'rejects an empty signature', isGenuine: false, headers: () => ({ 'x-service-signature': 'sha256=' }) },
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

describe.skipIf(!isThere('openssl', 'version'))('the sample verify.sh', () => {
  function verify(args: readonly string[], input: string): boolean {
    const { status } = spawnSync('sh', [join(folder, 'verify.sh'), ...args], { input });
    expect([0, 1]).toContain(status);
    return status === 0;
  }

  it.each(standardCases)(
    'with the headers of Standard Webhooks $title',
    ({ headers, isGenuine, sent = body, secret: key = secret }) => {
      const given = headers();
      const values = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => given[name] ?? '');
      expect(verify(['standard', key, ...values], sent)).toBe(isGenuine);
    },
  );

  it.each(serviceCases)('with our own header $title', ({ headers, isGenuine, sent = body, secret: key = secret }) => {
    expect(verify(['service', key, headers()['x-service-signature'] ?? ''], sent)).toBe(isGenuine);
  });
});
