import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { startGatewayBesideStack } from '../support/faults/processes-beside-stack.ts';
import { createApi, createTenant, type Reply, type TestTenant, tokenFor } from '../support/platform.ts';

const LIMIT = 120;
const SENDERS = 8;

let secondGateway: Awaited<ReturnType<typeof startGatewayBesideStack>>;
beforeAll(async () => {
  secondGateway = await startGatewayBesideStack('gateway-limits');
});
afterAll(() => secondGateway.close());

interface TimedReply extends Reply {
  /** Time of the reply in milliseconds. */
  readonly at: number;
}

/** Sends requests of a tenant through two gateways, some concurrently. Returns the replies. */
async function sendByBoth({ tenantId, userId }: TestTenant, count: number): Promise<readonly TimedReply[]> {
  const token = await tokenFor(tenantId, userId);
  const [first, second] = [createApi(token), createApi(token, secondGateway.url)];
  const replies: TimedReply[] = [];
  let sent = 0;
  const sender = async (api: typeof first) => {
    while (sent < count) {
      sent += 1;
      const reply = await api('GET', '/v1/me');
      replies.push({ ...reply, at: performance.now() });
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, index) => sender(index % 2 === 0 ? first : second)));
  return replies;
}

const countOf = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

describe('a tenant with ten times as many requests as its limit, at two gateways', () => {
  it('is admitted up to its limit per minute, within 5 %, and no other tenant is rejected', async () => {
    const [flooding, other] = [await createTenant(), await createTenant()];
    await admin('tenant', 'limits', '--tenant', flooding.tenantId, '--requests-per-minute', String(LIMIT));
    const begin = performance.now();
    const flood = sendByBoth(flooding, LIMIT * 10);
    const others = await sendByBoth(other, LIMIT);
    const replies = await flood;
    expect(countOf(replies, 200)).toBeGreaterThanOrEqual(LIMIT * 0.95);
    // All replies, unless the machine is busy.
    const inMinute = replies.filter(({ at }) => at < begin + 60_000);
    expect(countOf(inMinute, 200)).toBeLessThanOrEqual(LIMIT * 1.05);
    expect(countOf(replies, 200) + countOf(replies, 429)).toBe(LIMIT * 10);
    expect(countOf(others, 200)).toBe(LIMIT);
    const rejected = replies.find(({ status }) => status === 429);
    const wait = rejected?.headers.get('retry-after');
    expect(Number(wait)).toBeGreaterThan(0);
    expect(rejected?.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=60`);
    expect(rejected?.headers.get('ratelimit')).toBe(`"default";r=0;t=${wait}`);
    const detail = `Too many requests: the policy default allows ${LIMIT} in 60 seconds`;
    expect(rejected?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429, detail });
  });
});

describe('limits that an operator gives a tenant', () => {
  it('are visible to it and soon take effect, raised or lowered', async () => {
    const tenant = await createTenant();
    const untilReported = (requests: number) =>
      poll(async () => {
        const { status, headers } = await tenant.api('GET', '/v1/me');
        return status === 200 && headers.get('ratelimit-policy') === `"default";q=${requests};w=60`;
      });
    await untilReported(12_000);
    await admin('tenant', 'limits', '--tenant', tenant.tenantId, '--requests-per-minute', '9000');
    await untilReported(9_000);
    await admin('tenant', 'limits', '--tenant', tenant.tenantId, '--requests-per-minute', '2000');
    await untilReported(2_000);
    expect((await tenant.api('GET', '/v1/tenant')).body.limits).toEqual({ requests_per_minute: 2_000 });
  });
});

describe('exports', () => {
  it('have a separate limit', async () => {
    const tenant = await createTenant();
    await admin('tenant', 'limits', '--tenant', tenant.tenantId, '--requests-per-minute', '20');
    const path = '/v1/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1/responses/export?format=ndjson';
    const replies: Reply[] = [];
    for (let index = 0; index < 6; index += 1) replies.push(await tenant.api('GET', path));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429]);
    expect(replies[0]?.headers.get('ratelimit-policy')).toBe('"default";q=20;w=60, "heavy";q=5;w=60');
    expect(replies[5]?.headers.get('ratelimit-policy')).toBe('"heavy";q=5;w=60');
    expect((await tenant.api('GET', '/v1/me')).status).toBe(200);
  });
});
