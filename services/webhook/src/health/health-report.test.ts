import { describe, expect, it } from 'vitest';
import { type SampledDelivery, toActivity, toCircuit } from './health-service.ts';

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute));
const attempt = (statusCode: number | undefined, durationMs: number) => ({ startedAt: at(0), statusCode, durationMs });
const delivery = (minute: number, ...attempts: SampledDelivery['attempts']): SampledDelivery => ({
  createdAt: at(minute),
  attempts,
});

describe('the activity of a webhook', () => {
  it('has rate and latency of the attempts of recent deliveries', () => {
    const sample = [
      delivery(9, attempt(500, 30), attempt(200, 10)),
      delivery(8, attempt(undefined, 10_000), attempt(204, 20)),
      delivery(7),
      delivery(1, attempt(200, 1)),
    ];
    expect(toActivity(sample, false, at(5))).toEqual({
      deliveries: 3,
      attempts: 4,
      succeeded: 2,
      successRate: 0.5,
      latencyP50Ms: 20,
      latencyP95Ms: 30,
      isSample: false,
    });
  });

  it.each([
    [1, 1, 1],
    [2, 1, 2],
    [20, 10, 19],
    [100, 50, 95],
  ])('has percentiles of %i durations by nearest rank', (count, p50, p95) => {
    const durations = Array.from({ length: count }, (_, index) => count - index);
    const sample = durations.map((ms) => delivery(1, attempt(200, ms)));
    expect(toActivity(sample, false, at(0))).toMatchObject({ latencyP50Ms: p50, latencyP95Ms: p95 });
  });

  it('has no rate and latency without attempts', () => {
    expect(toActivity([], false, at(0))).toEqual({
      deliveries: 0,
      attempts: 0,
      succeeded: 0,
      successRate: undefined,
      latencyP50Ms: undefined,
      latencyP95Ms: undefined,
      isSample: false,
    });
  });

  it('is a sample only if deliveries of the time are missing', () => {
    const sample = [delivery(9), delivery(8), delivery(7)];
    expect(toActivity(sample, true, at(7)).isSample).toBe(true);
    expect(toActivity(sample, true, at(8)).isSample).toBe(false);
  });
});

describe('the circuit of a webhook', () => {
  it('is closed without a breaker, open until its end, and then half open', () => {
    const breaker = { until: at(5).getTime(), pauseMs: 1 };
    expect(toCircuit(undefined, at(4))).toEqual({ circuit: 'closed', circuitProbeAt: undefined });
    expect(toCircuit(breaker, at(4))).toEqual({ circuit: 'open', circuitProbeAt: at(5) });
    expect(toCircuit(breaker, at(5))).toEqual({ circuit: 'half_open', circuitProbeAt: undefined });
  });
});
