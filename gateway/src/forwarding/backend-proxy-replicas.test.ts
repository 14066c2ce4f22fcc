import { createHttpListener } from '@survey/runtime/service/http-listener';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send } from '../testing/test-server.ts';
import { createSpreadLookup } from './backend-proxy.ts';
import type { ExchangeKind } from './forwarder.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

const FIRST = '127.0.0.1';
const SECOND = '127.0.0.2';

/** Starts a replica at its own address. It replies with the address, and closes connections soon. */
async function startReplica(host: string, port = 0) {
  const listener = createHttpListener((_request, response) => response.end(host), undefined, { maxAgeMs: 50 });
  const replica = { port: await listener.listen(port, host), close: () => listener.close(0) };
  opened.push(replica);
  return replica;
}

/** A gateway, and the addresses of the service's host name. */
async function open(kind: ExchangeKind) {
  const known = new Set([FIRST]);
  const first = await startReplica(FIRST);
  const lookup = createSpreadLookup((_hostname, _options, done) => {
    done(
      null,
      [...known].map((address) => ({ address, family: 4 })),
    );
  });
  const proxy = await startProxy(`http://replicas.example:${first.port}`, { kind, lookup });
  opened.unshift(proxy);
  const statuses = new Set<number>();
  return {
    first,
    known,
    /** Statuses of all replies so far. */
    statuses,
    /** The replicas that reply to some requests. */
    async replying(): Promise<ReadonlySet<string>> {
      const replies = await Promise.all(Array.from({ length: 8 }, () => send(proxy.url)));
      for (const { status } of replies) statuses.add(status);
      return new Set(replies.map(({ body }) => body));
    },
  };
}

describe.each<ExchangeKind>(['message', 'stream'])('connections to replicas, for a %s', (kind) => {
  it('reach a new replica when old connections have ended', async () => {
    const { first, known, statuses, replying } = await open(kind);
    expect(await replying()).toEqual(new Set([FIRST]));
    await startReplica(SECOND, first.port);
    known.add(SECOND);
    await poll(async () => (await replying()).size === 2);
    expect(statuses).toEqual(new Set([200]));
  });

  it('no longer reach a removed replica, and no request fails', async () => {
    const { first, known, statuses, replying } = await open(kind);
    await startReplica(SECOND, first.port);
    known.add(SECOND);
    await poll(async () => (await replying()).size === 2);
    known.delete(FIRST);
    await poll(async () => !(await replying()).has(FIRST));
    await first.close();
    expect(await replying()).toEqual(new Set([SECOND]));
    expect(statuses).toEqual(new Set([200]));
  });

  it('use another replica if one does not accept connections', async () => {
    const { known, statuses, replying } = await open(kind);
    // No server listens at this address.
    known.add(SECOND);
    for (let round = 0; round < 5; round += 1) expect(await replying()).toEqual(new Set([FIRST]));
    expect(statuses).toEqual(new Set([200]));
  });
});
