import { settingsOf } from '@survey/tools/doctor/process-settings';
import { describe, expect, it } from 'vitest';
import { IDLE_TIMEOUT_MS as gatewayTimeoutMs } from '../../gateway/src/forwarding/forwarder.ts';
import { TIMEOUT_MS as forwardTimeoutMs } from '../../lib/cli/src/forward-delivery.ts';
import { DEFAULT_TIMEOUT_MS as clientTimeoutMs } from '../../lib/client/src/call.ts';

/** Time for storing and reading, besides the wait for the receiver. */
const MARGIN_MS = 5_000;

describe('the wait for a receiver', () => {
  const setting = settingsOf.webhook['timeoutMs'];
  const attemptMs = Number(setting?.parse(setting.fallback ?? ''));

  it('cannot be set to more than the usual 30 seconds, which the documents name', () => {
    expect(attemptMs).toBe(30_000);
    expect(() => setting?.parse(String(attemptMs + 1))).toThrow();
  });

  it('is shorter than the timeouts of gateway and clients, so that they get the result of a test', () => {
    expect(gatewayTimeoutMs).toBeGreaterThanOrEqual(attemptMs + MARGIN_MS);
    expect(clientTimeoutMs).toBeGreaterThan(gatewayTimeoutMs);
  });

  it('is the same on the command line', () => {
    expect(forwardTimeoutMs).toBe(attemptMs);
  });
});
