import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { AppError } from '../errors/app-error.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { testLog } from '../testing/test-log.ts';
import { startTestTracing, type TestTracing } from '../testing/test-tracing.ts';
import { createPipeline, type HeaderReader } from './pipeline.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const [method] = createTestService([{ name: 'Call', access: anyone }]).methods;
const caller: Caller = { service: 'gateway', tenantId: undefined, subject: undefined, permissions: new Set() };
const headers: Record<string, string> = {
  authorization: 'Bearer a.b.c',
  traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
};

function call(run: (traceparent: string) => Promise<string>, header: HeaderReader = (name) => headers[name]) {
  const verifier = { verify: async () => caller };
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  if (method === undefined) throw new Error('the service has one method');
  return pipeline.run('rest', method, header, ({ traceparent }) => run(traceparent));
}

describe('without tracing, a call', () => {
  it('keeps its trace context', async () => {
    expect(await call(async (traceparent) => traceparent)).toBe(headers['traceparent']);
    const authorized: HeaderReader = (name) => (name === 'authorization' ? 'Bearer a.b.c' : undefined);
    expect(await call(async (traceparent) => traceparent, authorized)).toBe('');
  });
});

describe('with tracing, a call', () => {
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = startTestTracing();
  });
  afterEach(() => tracing.stop());

  it("has a span in the caller's trace, and passes on its context", async () => {
    const traceparent = await call(async (inside) => inside);
    const [span] = await tracing.spans();
    expect(traceparent).toBe(`00-${TRACE}-${span?.spanId}-01`);
    expect(span).toMatchObject({
      name: 'test.v1.TestService/Call',
      kind: 'server',
      attributes: { 'rpc.system.name': 'rest', 'rpc.method': 'test.v1.TestService/Call' },
      failed: false,
    });
  });

  it.each([
    ['does not fail by what the caller did wrong', new AppError('SURVEY_NOT_FOUND'), 'NOT_FOUND', false],
    ['fails by what is wrong on our side', new AppError('UNAVAILABLE'), 'UNAVAILABLE', true],
  ])('%s, with the error code and the status of gRPC', async (_case, error, status, failed) => {
    await expect(call(() => Promise.reject(error))).rejects.toBe(error);
    const [span] = await tracing.spans();
    const attributes = { 'error.type': error.code, 'rpc.response.status_code': status };
    expect(span).toMatchObject({ attributes, failed });
  });

  it('records that a call without a token was rejected', async () => {
    await expect(
      call(
        async () => '',
        () => undefined,
      ),
    ).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect((await tracing.spans())[0]?.attributes).toMatchObject({ 'error.type': 'INVALID_TOKEN' });
  });
});
