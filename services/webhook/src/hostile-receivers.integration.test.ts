import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startTenant } from './testing/at-work.ts';
import { startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

const TIMEOUT_MS = 4_000;
const MB = 1024 * 1024;
const isAll = inject('testScope') === 'all';
/** Bytes that a receiver writes at full speed. Limited in short tests, because a few floods would use all cores. */
const FAST_BYTES = isAll ? Number.POSITIVE_INFINITY : 64 * MB;

/** The expected result of an attempt: an error without a reply, or a status. */
const expectedResults: Readonly<Record<string, { error: RegExp } | { status: number; error?: string }>> = {
  silent: { error: /^timeout$/ },
  'dripping-status': { error: /^timeout$/ },
  'dripping-headers': { error: /^timeout$/ },
  'dripping-body': { status: 200, error: 'body_incomplete' },
  'dripping-chunks': { status: 200, error: 'body_incomplete' },
  'dripping-failure': { status: 500, error: 'body_incomplete' },
  endless: { status: 200 },
  'endless-length': { status: 200 },
  'endless-close': { status: 200 },
  'endless-header': { error: /^invalid_answer/ },
  'endless-headers': { error: /^invalid_answer/ },
  'endless-trailers': { status: 200, error: 'body_incomplete' },
  'endless-chunk-extension': { status: 200, error: 'body_incomplete' },
  'gzip-bomb': { status: 200 },
  'brotli-bomb': { status: 200 },
  'deflate-bomb': { status: 200 },
  'reset-unread': { error: /^connection_lost/ },
  'reset-in-headers': { error: /^connection_lost/ },
  'reset-in-body': { status: 200, error: 'body_incomplete' },
  'reset-after': { status: 200 },
  'closed-without-reply': { error: /^connection_lost/ },
  'closed-in-body': { status: 200, error: 'body_incomplete' },
  'closed-in-failure': { status: 503, error: 'body_incomplete' },
  'flood-of-100': { error: /^(connection_lost|invalid_answer)/ },
  'flood-of-102': { error: /^(timeout|invalid_answer)/ },
  'flood-of-103': { error: /^(timeout|invalid_answer)/ },
  'dripping-103': { error: /^timeout$/ },
  switching: { error: /^(connection_lost|invalid_answer)/ },
  'other-protocol': { error: /^invalid_answer/ },
  'http-0.9': { error: /^invalid_answer/ },
  'http-2': { error: /^invalid_answer/ },
  'no-status': { error: /^invalid_answer/ },
  'two-lengths': { error: /^(connection_lost|invalid_answer)/ },
  'length-below-zero': { error: /^invalid_answer/ },
  'wrong-chunk': { status: 200, error: 'body_incomplete' },
  'no-content-with-body': { status: 204 },
  'two-replies': { status: 200 },
  unreadable: { status: 200 },
};
const kinds = Object.keys(expectedResults);
/** Receivers that continuously send bytes outside of a reply. */
const floods = ['endless-trailers', 'endless-chunk-extension', 'flood-of-102', 'flood-of-103'];

interface Report {
  /** Bytes written by all receivers. */
  readonly poured: number;
  readonly messages: number;
  /** Behaviours of open connections. */
  readonly open: readonly string[];
}

/** Starts the receivers in their own process, so that their memory is not measured. */
async function startHostile() {
  const child = fork(new URL('./testing/hostile-receivers.ts', import.meta.url), [`${FAST_BYTES}`], { execArgv: [] });
  const nextMessage = async () => (await once(child, 'message'))[0];
  const { port } = await nextMessage();
  return {
    urlOf: (kind: string) => `http://127.0.0.1:${port}/${kind}/1`,
    async report(): Promise<Report> {
      child.send('report');
      return nextMessage();
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

interface Shown {
  readonly status: string;
  readonly attempts: readonly {
    readonly status_code?: number;
    readonly error?: string;
    readonly duration_ms: number;
    readonly response_excerpt?: string;
  }[];
}

let hostile: Awaited<ReturnType<typeof startHostile>>;
let service: TestService;
let tenant: Awaited<ReturnType<typeof startTenant>>;

beforeAll(async () => {
  hostile = await startHostile();
  service = await startTestService({ timeoutMs: TIMEOUT_MS, retrySeconds: [] });
  tenant = await startTenant(service);
});

afterAll(async () => {
  await service.close();
  await tenant.close();
  await hostile.close();
});

async function runningAttempts(): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${service.ports.adminPort}/metrics`)).text();
  const counts = [...page.matchAll(/^webhook_attempts_running\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  expect(counts.length).toBeGreaterThan(0);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Waits until each delivery of a webhook has had its attempt. */
const attempted = (webhookId: string, count: number): Promise<readonly Shown[]> =>
  poll(
    async () => {
      const { body } = await tenant.call('GET', `webhooks/${webhookId}/deliveries`);
      return body.length === count && body.every(({ attempts }: Shown) => attempts.length === 1) ? body : undefined;
    },
    { timeoutMs: 600_000 },
  );

describe.each([
  ['hostile receivers at the same time', kinds.filter((kind) => !floods.includes(kind))],
  ['receivers that send bytes outside of a reply', floods],
])('%s', (_case, kinds) => {
  const webhooks = new Map<string, string>();

  beforeAll(async () => {
    for (const kind of kinds) {
      const { id } = await tenant.createWebhook({ url: hostile.urlOf(kind), event_types: ['survey.created'] });
      webhooks.set(kind, id);
    }
    for (let n = 0; n < 2; n += 1) await service.publisher.publish([surveyCreated(tenant.tenantId)]);
  });

  afterAll(async () => {
    for (const id of webhooks.values()) await tenant.call('DELETE', `webhooks/${id}`);
  });

  it.each(kinds)('each attempt is recorded, and its slot is released: %s', async (kind) => {
    const expected = expectedResults[kind];
    // An unknown webhook has one attempt at a time, so the second delivery waited for the first.
    const deliveries = await attempted(webhooks.get(kind) ?? '', 2);
    for (const { status, attempts } of deliveries) {
      const [attempt] = attempts;
      if (expected !== undefined && 'status' in expected) {
        expect([status, attempt?.status_code, attempt?.error]).toEqual([
          expected.status < 300 ? 'delivered' : 'failed',
          expected.status,
          expected.error,
        ]);
      } else {
        expect([status, attempt?.status_code]).toEqual(['failed', undefined]);
        expect(attempt?.error).toMatch(expected?.error ?? '');
      }
      // Receivers that drip use the whole timeout.
      const isHeld = attempt?.error === 'timeout' || kind.startsWith('dripping');
      expect(attempt?.duration_ms).toBeGreaterThanOrEqual(isHeld ? TIMEOUT_MS : 0);
      expect(attempt?.response_excerpt ?? '').not.toMatch(/\0/);
      expect((attempt?.response_excerpt ?? '').length).toBeLessThanOrEqual(1_000);
    }
  });

  it('no attempt runs any more, and connections with unfinished replies are closed', async () => {
    await poll(async () => (await runningAttempts()) === 0);
    const { open } = await poll(async () => {
      const report = await hostile.report();
      return report.open.every((kind) => kind === 'unreadable') ? report : undefined;
    });
    expect(open.length).toBeLessThanOrEqual(2);
  });
});

describe('while receivers send too much', () => {
  /** Webhooks for each behaviour. */
  const OF_EACH = isAll ? 16 : 4;
  const KINDS = isAll ? Number.POSITIVE_INFINITY : 2;
  // More failures would open a breaker, and later deliveries would wait.
  const EVENTS = 2;

  it.each([
    ['bodies', 16, ['endless', 'endless-length', 'endless-close', 'gzip-bomb', 'brotli-bomb', 'deflate-bomb']],
    ['headers', 8, ['endless-header', 'endless-headers']],
    ['bytes outside of a reply', 4, floods.concat('flood-of-100')],
  ])('the service holds a small part of it: %s', { timeout: 1_200_000 }, async (_case, leastMbEach, all) => {
    const sending = all.slice(0, KINDS);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    const measureMemory = () => {
      // Other collections leave buffers to a background thread, so `external` would still count them.
      collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const webhooks = new Map<string, string>();
    onTestFinished(async () => {
      for (const id of webhooks.keys()) await tenant.call('DELETE', `webhooks/${id}`);
    });
    for (const kind of sending.flatMap((kind) => Array<string>(OF_EACH).fill(kind))) {
      const url = hostile.urlOf(kind);
      const { id } = await tenant.createWebhook({ url, event_types: ['survey.closed', 'survey.created'] });
      webhooks.set(id, kind);
    }
    const before = await hostile.report();
    const start = measureMemory();
    let peak = start;
    const sampling = setInterval(() => {
      peak = Math.max(peak, measureMemory());
    }, 500);
    for (let n = 0; n < EVENTS; n += 1) await service.publisher.publish([surveyCreated(tenant.tenantId)]);
    for (const [id, kind] of webhooks) {
      const deliveries = await attempted(id, EVENTS);
      // So many floods at once may time out.
      if (floods.includes(kind)) continue;
      const expected = 'status' in (expectedResults[kind] ?? {}) ? 'delivered' : 'failed';
      for (const { status } of deliveries) expect([kind, status]).toEqual([kind, expected]);
    }
    clearInterval(sampling);
    const { poured } = await hostile.report();
    const left = measureMemory() - start;
    console.info(
      `receivers wrote ${Math.round((poured - before.poured) / MB)} MB, the service held ${Math.round((peak - start) / MB)} MB ` +
        `more at most, and ${Math.round(left / MB)} MB afterwards`,
    );
    const share = sending.length / all.length;
    expect(poured - before.poured).toBeGreaterThan(share * OF_EACH * leastMbEach * MB);
    expect(peak - start).toBeLessThan(OF_EACH * 4 * MB);
    expect(left).toBeLessThan(16 * MB);
  });
});
