import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { parseRanges } from '@survey/runtime/flow/client-address';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createArrivingBodies } from './arriving-bodies.ts';
import { createClientLimits } from './client-limits.ts';
import { createLimitMetrics } from './limit-metrics.ts';

const KIB = 1024;

/** A fake request whose body the test ends. */
function bodyOf(headers: IncomingHttpHeaders, complete = false) {
  return Object.assign(new PassThrough(), { headers, complete });
}

function setUp() {
  const registry = new Registry();
  const metrics = createLimitMetrics(registry);
  const { clientAt } = createClientLimits({
    publicRequestsPerMinute: 6,
    concurrentPublicRequests: 2,
    failedTokensPerMinute: 6,
    unlimited: parseRanges(['10.0.0.0/8']),
    metrics,
    now: () => 0,
  });
  const bodies = createArrivingBodies(metrics);
  function begin(address: string, headers: IncomingHttpHeaders = { 'transfer-encoding': 'chunked' }, complete = false) {
    const body = bodyOf(headers, complete);
    bodies.enter(body as unknown as IncomingMessage, clientAt(address), 'default'); // it has what is looked at
    return body;
  }
  const times = (count: number, address: string, headers?: IncomingHttpHeaders) =>
    Array.from({ length: count }, () => begin(address, headers));
  return { registry, begin, times };
}

const long = (bytes: number) => ({ 'content-length': String(bytes) });

describe('arriving bodies', () => {
  it('are limited for one client without affecting others', async () => {
    const { registry, begin, times } = setUp();
    times(64, '2001:db8::1');
    expect(() => begin('2001:db8::2')).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_REQUESTS',
        retryAfterSeconds: 1,
        quota: { name: 'concurrent-bodies', requests: 64, windowSeconds: undefined },
      }),
    );
    begin('192.0.2.1');
    expect(await registry.getSingleMetricAsString('gateway_limit_refusals_total')).toContain(
      'limit="client_bodies",route_class="default"} 1',
    );
  });

  it('count by memory: short ones by length, long ones and those of unknown length by the maximum', () => {
    const { begin, times } = setUp();
    times(63, '192.0.2.1', long(100 * KIB));
    times(64, '192.0.2.1', long(KIB));
    expect(() => begin('192.0.2.1', long(1))).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
  });

  it('are limited for all clients together, including exempt ones', () => {
    const { begin, times } = setUp();
    times(448, '10.0.0.1');
    const left = times(64, '192.0.2.1');
    for (const address of ['10.0.0.1', '192.0.2.2'])
      expect(() => begin(address)).toThrow(expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 1 }));
    left[0]?.destroy();
    left[0]?.emit('close');
    begin('192.0.2.2');
  });

  it.each(['end', 'close'])('count until they are complete or the client has disconnected: %s', (event) => {
    const { begin, times } = setUp();
    const [first] = times(64, '192.0.2.1');
    first?.emit(event);
    begin('192.0.2.1');
    // A second event does not release twice.
    first?.emit('end');
    first?.emit('close');
    expect(() => begin('192.0.2.1')).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
  });

  it('do not count if they are complete or absent', () => {
    const { begin, times } = setUp();
    times(64, '192.0.2.1');
    begin('192.0.2.1', long(KIB), true);
    begin('192.0.2.1', {});
  });
});
