import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandlerContext } from '@connectrpc/connect';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createJobReplies } from './import-handler.ts';
import type { ImportService } from './imports/import-service.ts';

/** The reply to a call that waits a minute for a job. */
async function replyOf(get: ImportService['get'], isStopped = false) {
  const replies = createJobReplies({ imports: { get } });
  if (isStopped) await replies.stop();
  const server = createServer((_request, response) => {
    // Only these members are used.
    const context = { signal: new AbortController().signal, responseHeader: new Headers() } as HandlerContext;
    const wait = { tenantId: toTenantId('t'), waitMs: 60_000 };
    void replies.send({ response }, context, { id: 'i', status: 'running' }, wait);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`);
  const body: unknown = await response.json();
  server.close();
  return { status: response.status, location: response.headers.get('location'), body };
}

const ACCEPTED = { status: 202, location: '/v1/imports/i', body: { id: 'i', status: 'running' } };

describe('the reply to a call that waits for a job', () => {
  it('is 202 if the state of the job cannot be read', async () => {
    const away = () => Promise.reject(new AppError('UNAVAILABLE'));
    expect(await replyOf(away)).toMatchObject(ACCEPTED);
  });

  it('does not keep a process from stopping', async () => {
    expect(await replyOf(() => Promise.reject(new Error('not expected')), true)).toMatchObject(ACCEPTED);
  });
});
