import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPeerTls, type PeerTls } from '@survey/runtime/rpc/peer-tls';
import { createHttpListener } from '@survey/runtime/service/http-listener';
import { type CertificateName, certificatesOf } from '@survey/runtime/testing/test-certificates';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send } from '../testing/test-server.ts';
import type { ExchangeKind } from './forwarder.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close();
});

async function load(name: CertificateName): Promise<PeerTls & { exchange(name: CertificateName): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-tls-'));
  await cp(certificatesOf(name), folder, { recursive: true });
  const tls = await createPeerTls({ folder, log: testLog, recheckMs: 20 });
  opened.push({ close: () => rm(folder, { recursive: true }) }, tls);
  return {
    ...tls,
    async exchange(next) {
      const changed = new Promise<void>((resolve) => tls.onChange(resolve));
      await cp(certificatesOf(next), folder, { recursive: true });
      await changed;
    },
  };
}

const serve: RequestListener = (_, response) => {
  response.setHeader('connection', 'close');
  response.end('served');
};

/** A service that requires certificates, and a gateway that has these. */
async function open(tls: PeerTls | undefined, reply: RequestListener = serve, kind: ExchangeKind = 'message') {
  const service = createHttpListener(reply, await load('first'));
  const port = await service.listen(0, '127.0.0.1');
  const proxy = await startProxy(`https://localhost:${port}`, { tls, kind });
  opened.push({ close: () => service.close(0) }, proxy);
  return () => send(proxy.url);
}

describe('a service with certificates', () => {
  it('gets the certificate of the gateway', async () => {
    const sendRequest = await open(await load('second'));
    expect(await sendRequest()).toMatchObject({ status: 200, body: 'served' });
  });

  it.each<[string, CertificateName | undefined]>([
    ['has none', undefined],
    ['has one of another authority', 'stranger'],
  ])('rejects a request if the gateway %s', async (_, name) => {
    const sendRequest = await open(name === undefined ? undefined : await load(name));
    const { status, body } = await sendRequest();
    expect(status).toBe(502);
    expect(body).not.toMatch(/certificate|localhost/);
  });

  it('gets one attempt if it breaks a new connection', async () => {
    let seen = 0;
    const sendRequest = await open(await load('second'), (request) => {
      seen += 1;
      request.socket.destroy();
    });
    expect((await sendRequest()).status).toBe(503);
    expect(seen).toBe(1);
  });

  it('gets renewed certificates without a restart', async () => {
    const tls = await load('stranger');
    const sendRequest = await open(tls);
    expect((await sendRequest()).status).toBe(502);
    await tls.exchange('second');
    expect((await sendRequest()).status).toBe(200);
  });

  it.each<ExchangeKind>(['message', 'stream'])(
    'is verified with a renewed CA for each new connection: %s',
    async (kind) => {
      const tls = await load('second');
      const sendRequest = await open(tls, serve, kind);
      expect((await sendRequest()).status).toBe(200);
      await tls.exchange('stranger');
      expect((await sendRequest()).status).toBe(502);
    },
  );

  it.each<ExchangeKind>(['message', 'stream'])('is given up if it does not reply to a handshake: %s', async (kind) => {
    const connections: Socket[] = [];
    const server = createServer((socket) => void connections.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.push({
      close: () => {
        for (const socket of connections) socket.destroy();
        server.close();
      },
    });
    // A listening TCP server has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy(`https://localhost:${port}`, {
      tls: await load('second'),
      kind,
      idleTimeoutMs: 10_000,
    });
    opened.push(proxy);
    // The longer timeout for replies would give the status 504.
    expect((await send(proxy.url)).status).toBe(503);
  });
});
