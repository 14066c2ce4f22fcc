import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandlerContext } from '@connectrpc/connect';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { ImportService } from './import-service.ts';
import { createJobAnswer } from './job-answer-handler.ts';

/** The answer to a call that waits for a job for a minute. */
async function answerOf(get: ImportService['get'], shutdown: AbortSignal) {
  const answer = createJobAnswer({ imports: { get }, shutdown });
  const server = createServer((_request, response) => {
    // What the answer needs of it.
    const context = { signal: new AbortController().signal, responseHeader: new Headers() } as HandlerContext;
    void answer({ response }, context, { id: 'i', status: 'running' }, { tenantId: toTenantId('t'), waitMs: 60_000 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`);
  const body: unknown = await response.json();
  server.close();
  return { status: response.status, location: response.headers.get('location'), body };
}

const ACCEPTED = { status: 202, location: '/v1/imports/i', body: { id: 'i', status: 'running' } };

describe('the answer of a job that is waited for', () => {
  it('is that it was accepted when it cannot be looked after', async () => {
    const away = () => Promise.reject(new AppError('UNAVAILABLE'));
    expect(await answerOf(away, new AbortController().signal)).toMatchObject(ACCEPTED);
  });

  it('does not keep a process from stopping', async () => {
    expect(await answerOf(() => Promise.reject(new Error('nobody looks')), AbortSignal.abort())).toMatchObject(
      ACCEPTED,
    );
  });
});
