import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestTracing, type TestTracing } from '../testing/test-tracing.ts';
import {
  runningTraceparent,
  startChildSpan,
  startServerSpan,
  startSpanInTrace,
  startTrace,
  traceFields,
} from './spans.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const sampled = `00-${TRACE}-${PARENT}-01`;
const unsampled = `00-${TRACE}-${PARENT}-00`;
const call = { name: 'Call', attributes: { 'rpc.method': 'Call' } };

describe('without tracing', () => {
  it('spans run their work without a context', () => {
    const span = startServerSpan({ ...call, traceparent: sampled });
    expect([span.traceparent, span.run(() => runningTraceparent())]).toEqual([undefined, undefined]);
    span.end({ error: 'FAILED' });
    expect(startTrace({ ...call, traceparent: sampled }).traceparent).toBeUndefined();
    expect(startSpanInTrace({ ...call, kind: 'client', traceparent: sampled }).traceparent).toBeUndefined();
    expect(startChildSpan({ ...call, kind: 'client' }).run(() => 1)).toBe(1);
    expect(traceFields()).toEqual({});
  });
});

describe('with tracing', () => {
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = startTestTracing();
  });
  afterEach(() => tracing.stop());

  async function onlySpan() {
    const spans = await tracing.spans();
    expect(spans).toHaveLength(1);
    return spans[0];
  }

  describe('startTrace', () => {
    it.each([
      ['a sampled trace', sampled],
      ['a trace that is not sampled', unsampled],
    ])('begins a new trace for a caller in %s, with a link to the trace of the caller', async (_case, header) => {
      const span = startTrace({ ...call, traceparent: header });
      expect(span.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(span.traceparent).not.toContain(TRACE);
      span.end();
      const ended = await onlySpan();
      expect(ended?.parentSpanId).toBeUndefined();
      expect(ended?.links).toEqual([TRACE]);
    });

    it.each([undefined, '', 'secret', `00-${'0'.repeat(32)}-${PARENT}-01`, `${sampled}, ${sampled}`])(
      'links to nothing when the header is %j',
      async (traceparent) => {
        startTrace({ ...call, traceparent }).end();
        expect((await onlySpan())?.links).toEqual([]);
      },
    );

    it('can be renamed at its end, when the route is known', async () => {
      const outcome = { name: 'GET /v1/surveys', attributes: { 'http.route': '/v1/surveys' }, error: '503' };
      startTrace({ ...call, traceparent: undefined }).end(outcome);
      expect(await onlySpan()).toMatchObject({
        name: 'GET /v1/surveys',
        kind: 'server',
        attributes: { 'rpc.method': 'Call', 'http.route': '/v1/surveys', 'error.type': '503' },
        failed: true,
      });
    });
  });

  describe('startServerSpan', () => {
    it("continues the caller's trace", async () => {
      startServerSpan({ ...call, traceparent: sampled }).end();
      const ended = await onlySpan();
      expect([ended?.traceId, ended?.parentSpanId]).toEqual([TRACE, PARENT]);
      expect(ended).toMatchObject({ name: 'Call', kind: 'server', failed: false });
    });

    it('exports nothing of an unsampled trace, and propagates its context', async () => {
      const span = startServerSpan({ ...call, traceparent: unsampled });
      span.end();
      expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
      expect(await tracing.spans()).toEqual([]);
    });

    it.each(['', 'secret'])('begins a trace if the caller sends %j', (traceparent) => {
      expect(startServerSpan({ ...call, traceparent }).traceparent).toMatch(/-01$/);
    });
  });

  describe('startSpanInTrace', () => {
    it('belongs to the stored trace, not to the running one', async () => {
      startServerSpan({ ...call, traceparent: '' }).run(() =>
        startSpanInTrace({ ...call, kind: 'client', traceparent: sampled }).end(),
      );
      expect((await onlySpan())?.parentSpanId).toBe(PARENT);
    });

    it.each([undefined, '', 'secret'])('does nothing for %j', async (traceparent) => {
      const span = startSpanInTrace({ ...call, kind: 'client', traceparent });
      expect([span.traceparent, span.run(() => 1)]).toEqual([undefined, 1]);
      span.end();
      expect(await tracing.spans()).toEqual([]);
    });
  });

  describe('a span below', () => {
    it('is a child of the running span, even after a pause', async () => {
      const outer = startServerSpan({ ...call, traceparent: sampled });
      await outer.run(async () => {
        await new Promise(setImmediate);
        startChildSpan({ ...call, name: 'inner', kind: 'client' }).end({ error: 'FAILED' });
      });
      outer.end();
      const [inner, ended] = await tracing.spans();
      expect(inner?.parentSpanId).toBe(ended?.spanId);
      expect(inner).toMatchObject({
        name: 'inner',
        kind: 'client',
        attributes: { 'error.type': 'FAILED' },
        failed: true,
      });
    });

    it('does nothing without a running span', async () => {
      const span = startChildSpan({ ...call, kind: 'client' });
      expect([span.run(runningTraceparent), span.recordedTraceId]).toEqual([undefined, undefined]);
      span.end();
      expect(await tracing.spans()).toEqual([]);
    });
  });

  it('sampled spans have the trace id for exemplars, others do not', () => {
    expect(startServerSpan({ ...call, traceparent: sampled }).recordedTraceId).toBe(TRACE);
    expect(startServerSpan({ ...call, traceparent: unsampled }).recordedTraceId).toBeUndefined();
  });

  it('log lines contain the ids of the running span, if there is one', () => {
    const span = startServerSpan({ ...call, traceparent: sampled });
    expect(span.run(traceFields)).toEqual({ trace_id: TRACE, span_id: span.traceparent?.split('-')[2] });
    expect(traceFields()).toEqual({});
  });
});
