import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressRules, parseRange } from '../targets/address-rules.ts';
import { createTargetCheck } from '../targets/target.ts';
import { type Receiver, type Respond, startReceiver, statuses } from '../testing/receiver.ts';
import { createConnections } from './connections.ts';
import { type ConnectionUse, createHttpSender } from './http-sender.ts';
import type { Reply } from './reply.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const local = [parseRange('127.0.0.0/8')];
const body = Buffer.from('{"a":1}');

function senderTo({ allowed = local, names = {} as Record<string, readonly string[]> } = {}) {
  const isAllowed = createAddressRules({ allowed, rejected: [] });
  const urlRules = { allowHttp: true, allowedPorts: 'any' as const };
  const loadAddresses = async (name: string) => names[name] ?? [];
  const send = createHttpSender({
    checkTarget: createTargetCheck({ urlRules, isAllowed, loadAddresses }),
    isAllowed,
    ...keeping(),
  });
  return (url: string, signal = AbortSignal.timeout(10_000)) =>
    send({ url, headers: { 'X-A': 'b' }, body, webhookId: 'webhook-1' }, signal);
}

/** Sends to a receiver that never ends its reply, so only the signal ends the request. */
async function sendUntilSignal(url: string): Promise<PromiseSettledResult<Reply>> {
  const signal = AbortSignal.timeout(300);
  const [result] = await Promise.allSettled([senderTo()(url, signal)]);
  expect(signal.aborted).toBe(true);
  return result;
}

/** Connections of one test, closed after it, and how they were used. */
function keeping() {
  const connections = createConnections({ perKey: 4, total: 8 });
  closers.push(async () => connections.close());
  const uses: ConnectionUse[] = [];
  return { connections, uses, onConnection: (use: ConnectionUse) => void uses.push(use) };
}

async function receive(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  closers.push(receiver.close);
  return receiver;
}

/** A TCP server that reports when its connection is closed. */
async function listenUntilClosed(onConnection: (socket: Socket) => void = () => undefined) {
  const closed = Promise.withResolvers<void>();
  const url = await listen((socket) => {
    socket.resume();
    socket.on('close', () => closed.resolve());
    onConnection(socket);
  });
  return { url, closed: closed.promise };
}

/** A TCP server. */
async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Ignore errors of connections that the sender closes.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // A listening TCP server has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Replies with these bytes as soon as a request starts. */
const replying = (text: string) => listen((socket) => void socket.once('data', () => socket.end(text)));

/** Writes until the connection is closed. Returns the number of bytes written. */
function pour(response: ServerResponse, chunk: Buffer): () => number {
  let written = 0;
  const more = () => {
    while (!response.destroyed) {
      written += chunk.length;
      if (!response.write(chunk)) break;
    }
  };
  response.on('drain', more);
  more();
  return () => written;
}

describe('a message', () => {
  it('is posted unchanged, and the reply is read', async () => {
    const receiver = await receive((response) => {
      response.writeHead(201, { 'content-type': 'text/plain', 'retry-after': '7' });
      response.end('thanks');
    });
    expect(await senderTo()(receiver.url)).toEqual({
      statusCode: 201,
      contentType: 'text/plain',
      retryAfter: '7',
      excerpt: 'thanks',
      endedNormally: true,
    });
    const [received] = receiver.received;
    expect(received?.body.equals(body)).toBe(true);
    expect([received?.request.method, received?.request.url]).toEqual(['POST', '/hook?a=1']);
    expect(received?.request.rawHeaders).toEqual(expect.arrayContaining(['X-A', 'b']));
  });

  it('goes to the checked address, with the name as host', async () => {
    const { port, received } = await receive();
    const reply = await senderTo({ names: { 'receiver.test': ['127.0.0.1'] } })(`http://receiver.test:${port}/`);
    expect(reply.statusCode).toBe(200);
    expect(received[0]?.request.headers.host).toBe(`receiver.test:${port}`);
  });

  it('goes to another address of the name if one does not accept connections', async () => {
    const { port } = await receive();
    const names = { 'receiver.test': ['127.0.0.2', '127.0.0.1'] };
    expect((await senderTo({ names })(`http://receiver.test:${port}/`)).statusCode).toBe(200);
  });

  it('is not sent after a redirect', async () => {
    const target = await receive();
    const receiver = await receive((response) => {
      response.writeHead(307, { location: target.url });
      response.end();
    });
    expect((await senderTo()(receiver.url)).statusCode).toBe(307);
    expect([receiver.received.length, target.connections()]).toEqual([1, 0]);
  });
});

describe('an address that is not allowed', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '①②⑦.0.0.1', 'receiver.test'])(
    'is not connected to as %s',
    async (host) => {
      const receiver = await receive();
      const send = senderTo({ allowed: [], names: { 'receiver.test': ['127.0.0.1'] } });
      await expect(send(`http://${host}:${receiver.port}/`)).rejects.toMatchObject({ failure: 'address_refused' });
      expect(receiver.connections()).toBe(0);
    },
  );

  it('gets nothing even if the check of the target allowed it', async () => {
    const receiver = await receive();
    const url = new URL(receiver.url);
    const target = { url, host: '127.0.0.1', port: receiver.port, addresses: ['127.0.0.1'] };
    const send = createHttpSender({
      checkTarget: async () => ({ kind: 'allowed', target }),
      isAllowed: createAddressRules({ allowed: [], rejected: [] }),
      ...keeping(),
    });
    const message = { url: receiver.url, headers: {}, body, webhookId: 'webhook-1' };
    const sending = send(message, AbortSignal.timeout(10_000));
    await expect(sending).rejects.toMatchObject({ failure: 'address_refused' });
    expect(receiver.received).toEqual([]);
  });
});

describe('a signal that is aborted before the message is sent', () => {
  it('rejects once, even if the target would be rejected', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', listener);
    closers.push(async () => void process.off('unhandledRejection', listener));
    const reason = new Error('the process stops');
    await expect(senderTo()('http://receiver.test/', AbortSignal.abort(reason))).rejects.toBe(reason);
    // Node reports unhandled rejections before the next immediate.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

describe('a receiver that', () => {
  it('is silent is cut off at the deadline', async () => {
    const { url, closed } = await listenUntilClosed();
    expect((await sendUntilSignal(url)).status).toBe('rejected');
    await closed;
  });

  it('drips its headers is cut off at the deadline', async () => {
    const { url, closed } = await listenUntilClosed((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-A: ');
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await sendUntilSignal(url)).status).toBe('rejected');
    await closed;
  });

  it('drips its body is cut off at the deadline, and counts as a reply', async () => {
    const receiver = await receive((response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await sendUntilSignal(receiver.url)).toMatchObject({
      status: 'fulfilled',
      value: { statusCode: 200, endedNormally: false, excerpt: expect.stringMatching(/^a*$/) },
    });
  });

  it('never ends its body is cut off', async () => {
    let written = () => 0;
    const closed = Promise.withResolvers<void>();
    const receiver = await receive((response) => {
      response.on('close', closed.resolve);
      written = pour(response, Buffer.alloc(64 * 1024, 'a'));
    });
    expect(await senderTo()(receiver.url)).toMatchObject({ statusCode: 200, excerpt: 'a'.repeat(1_000) });
    await closed.promise;
    // The limit covers the buffers of two sockets. The receiver would send far more.
    expect(written()).toBeLessThan(32 * 1024 * 1024);
  });

  it('sends a compressed bomb is read without decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const receiver = await receive((response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(bomb);
    });
    const { excerpt } = await senderTo()(receiver.url);
    expect(excerpt.startsWith('\u001f\u{fffd}\b')).toBe(true);
  });

  it('closes in the middle of its body counts as a reply', async () => {
    const url = await replying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    expect(await senderTo()(url)).toMatchObject({ statusCode: 200, excerpt: 'half', endedNormally: false });
  });

  it('replies without a body has replied', async () => {
    const receiver = await receive(statuses(204));
    expect(await senderTo()(receiver.url)).toMatchObject({ statusCode: 204, excerpt: '', endedNormally: true });
  });

  it.each([
    ['does not use HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'invalid_answer'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(64 * 1024)}`, 'invalid_answer'],
    ['closes without a reply', '', 'connection_lost'],
  ])('%s fails the attempt', async (_case, text, failure) => {
    await expect(senderTo()(await replying(text))).rejects.toMatchObject({ failure });
  });

  it('does not listen fails the attempt', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    await expect(senderTo()(receiver.url)).rejects.toMatchObject({ failure: 'connection_refused' });
  });

  it('has no address fails the attempt', async () => {
    await expect(senderTo()('http://receiver.test/')).rejects.toMatchObject({ failure: 'dns_failed' });
  });
});

describe('over TLS a receiver', () => {
  const pem = (name: string) => readFileSync(join(import.meta.dirname, '../testing/tls', name), 'utf8');

  async function receiveTls(): Promise<{ port: number; names: (string | false)[] }> {
    const names: (string | false)[] = [];
    const server = createTlsServer({ key: pem('key.pem'), cert: pem('cert.pem') }, (_request, response) => {
      response.end('secure');
    });
    server.on('secureConnection', ({ servername }) => names.push(servername ?? false));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(() => resolve())));
    // A listening TCP server has an AddressInfo.
    return { port: (server.address() as AddressInfo).port, names };
  }

  const names = { 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };

  it('is verified by the name in its certificate', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([pem('cert.pem')]);
    closers.push(async () => setDefaultCACertificates(before));
    const receiver = await receiveTls();
    const send = senderTo({ names });
    expect(await send(`https://receiver.test:${receiver.port}/`)).toMatchObject({ excerpt: 'secure' });
    expect(receiver.names).toEqual(['receiver.test']);
    for (const host of ['other.test', '127.0.0.1']) {
      await expect(send(`https://${host}:${receiver.port}/`)).rejects.toMatchObject({
        message: 'tls_failed: ERR_TLS_CERT_ALTNAME_INVALID',
      });
    }
  });

  it('with an untrusted certificate fails the attempt', async () => {
    const { port } = await receiveTls();
    await expect(senderTo({ names })(`https://receiver.test:${port}/`)).rejects.toMatchObject({
      message: 'tls_failed: DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  it('that does not use TLS fails the attempt', async () => {
    const url = await replying('HTTP/1.1 400 Bad Request\r\n\r\n');
    await expect(senderTo()(url.replace('http:', 'https:'))).rejects.toMatchObject({ failure: 'tls_failed' });
  });

  it('that stalls the handshake is cut off at the deadline', async () => {
    const { url, closed } = await listenUntilClosed();
    expect((await sendUntilSignal(url.replace('http:', 'https:'))).status).toBe('rejected');
    await closed;
  });
});
