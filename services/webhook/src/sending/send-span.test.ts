import { startTestTracing, type TestTracing } from '@survey/runtime/testing/test-tracing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inSendSpan } from '../deliveries/post-delivery.ts';
import { AttemptError } from './attempt-error.ts';
import type { Reply } from './reply.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const delivery = {
  traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
  url: 'https://hooks.example.org/services/secret?token=secret',
};
const replyWith = (statusCode: number): Reply => ({
  statusCode,
  contentType: 'text/plain',
  retryAfter: undefined,
  excerpt: 'secret',
  endedNormally: true,
});

describe('inSendSpan', () => {
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = startTestTracing();
  });
  afterEach(() => tracing.stop());

  it('has only host, port and status, and is in the trace of the delivery', async () => {
    expect(await inSendSpan(delivery, async () => replyWith(204))).toEqual(replyWith(204));
    const [span] = await tracing.spans();
    expect(span?.traceId).toBe(TRACE);
    expect(span).toMatchObject({ name: 'POST webhook', kind: 'client', failed: false });
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 204,
      'server.address': 'hooks.example.org',
      'server.port': 443,
    });
  });

  it('fails with the status of a failed reply', async () => {
    await inSendSpan(delivery, async () => replyWith(503));
    const [span] = await tracing.spans();
    expect(span?.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
    expect(span?.failed).toBe(true);
  });

  it.each([
    ['the reason when there is no reply', new AttemptError('connection_refused'), 'connection_refused'],
    ['an end that came from our side', new DOMException('stopped', 'AbortError'), 'aborted'],
  ])('fails with %s', async (_case, failure, type) => {
    await expect(inSendSpan(delivery, () => Promise.reject(failure))).rejects.toBe(failure);
    const [span] = await tracing.spans();
    expect(span?.attributes).toMatchObject({ 'error.type': type });
    expect(span?.failed).toBe(true);
  });

  it('is not recorded for a delivery without a trace', async () => {
    expect(await inSendSpan({ ...delivery, traceparent: '' }, async () => replyWith(200))).toEqual(replyWith(200));
    expect(await tracing.spans()).toEqual([]);
  });
});
