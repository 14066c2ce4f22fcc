import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressRules, parseRange } from '../targets/address-rules.ts';
import { createTargetCheck } from '../targets/target.ts';
import { type Receiver, type Respond, startReceiver } from '../testing/receiver.ts';
import { type Connections, createConnection, createConnections } from './connections.ts';
import { type ConnectionUse, createHttpSender } from './http-sender.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function receive(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  closers.push(receiver.close);
  return receiver;
}

function keep(perKey = 4, total = 8): Connections {
  const connections = createConnections({ perKey, total });
  closers.push(connections.close);
  return connections;
}

/** A sender whose name records and address rules a test can change. */
function sending(connections = keep()) {
  const rules = { allowed: ['127.0.0.0/8'], addresses: ['127.0.0.1'] };
  const isAllowed = (address: string) =>
    createAddressRules({ allowed: rules.allowed.map(parseRange), rejected: [] })(address);
  const urlRules = { allowHttp: true, allowedPorts: 'any' as const };
  const uses: ConnectionUse[] = [];
  const send = createHttpSender({
    checkTarget: createTargetCheck({ urlRules, isAllowed, loadAddresses: async () => rules.addresses }),
    isAllowed,
    connections,
    onConnection: (use) => void uses.push(use),
  });
  const body = Buffer.from('{}');
  const post = (url: string, webhookId = 'webhook-1') =>
    send({ url, headers: {}, body, webhookId }, AbortSignal.timeout(5_000));
  return { post, uses, rules, connections };
}

const named = ({ port }: Receiver) => `http://receiver.test:${port}/`;

describe('a connection', () => {
  it('is kept for the next message of the same webhook only', async () => {
    const receiver = await receive();
    const { post, uses } = sending();
    for (let n = 0; n < 3; n += 1) expect((await post(receiver.url)).statusCode).toBe(200);
    await post(receiver.url, 'webhook-2');
    expect(uses).toEqual(['new', 'kept', 'kept', 'new']);
    expect(receiver.connections()).toBe(2);
  });

  it('outlives the deadline of its first message', async () => {
    const receiver = await receive();
    const { uses, connections } = sending();
    const isAllowed = () => true;
    const target = { url: new URL(receiver.url), host: '127.0.0.1', port: receiver.port, addresses: ['127.0.0.1'] };
    const send = createHttpSender({
      checkTarget: async () => ({ kind: 'allowed', target }),
      isAllowed,
      connections,
      onConnection: (use) => void uses.push(use),
    });
    const message = { url: receiver.url, headers: {}, body: Buffer.from('{}'), webhookId: 'webhook-1' };
    const deadline = new AbortController();
    await send(message, deadline.signal);
    deadline.abort();
    await send(message, AbortSignal.timeout(5_000));
    expect(uses).toEqual(['new', 'kept']);
  });

  it('is not used if the name now has other addresses', async () => {
    const receiver = await receive();
    const { post, uses, rules } = sending();
    await post(named(receiver));
    rules.addresses = ['127.0.0.2'];
    await expect(post(named(receiver))).rejects.toMatchObject({ failure: 'connection_refused' });
    expect(uses).toEqual(['new', 'new']);
    expect(receiver.received).toHaveLength(1);
  });

  it('is not reused if its address is no longer allowed', async () => {
    const receiver = await receive();
    const { post, rules } = sending();
    await post(named(receiver));
    rules.allowed = [];
    await expect(post(named(receiver))).rejects.toMatchObject({ failure: 'address_refused' });
    expect(receiver.received).toHaveLength(1);
  });

  it('that the receiver closes after its reply is not kept', async () => {
    const receiver = await receive((response) => {
      response.setHeader('connection', 'close');
      response.end();
    });
    const { post, uses, connections } = sending();
    await post(receiver.url);
    expect(connections.size()).toBe(0);
    await post(receiver.url);
    expect(uses).toEqual(['new', 'new']);
  });

  it('that the receiver closes while idle is removed', async () => {
    const receiver = await receive();
    const { post, connections } = sending();
    await post(receiver.url);
    receiver.received[0]?.request.socket.end();
    await poll(() => connections.size() === 0);
    expect((await post(receiver.url)).statusCode).toBe(200);
  });

  it('whose reply was cut off is not kept', async () => {
    const receiver = await receive((response) => response.end('a'.repeat(64 * 1024)));
    const { post, connections } = sending();
    expect(await post(receiver.url)).toMatchObject({ statusCode: 200, endedNormally: true });
    expect(connections.size()).toBe(0);
  });

  it('that closes before a message is sent over it is replaced, and the message is sent once', async () => {
    const receiver = await receive();
    const { post, uses, connections } = sending();
    await post(receiver.url);
    const gone = connections.acquire(`webhook-1 http://127.0.0.1:${receiver.port}`, () => true);
    if (gone === undefined) throw new Error('nothing was kept');
    const disconnected = once(gone.client, 'disconnect');
    receiver.received[0]?.request.socket.destroy();
    await disconnected;
    const stale = sending({ ...connections, acquire: () => ({ ...gone, isOpen: () => true }) });
    expect((await stale.post(receiver.url)).statusCode).toBe(200);
    expect([...uses, ...stale.uses]).toEqual(['new', 'kept', 'replaced']);
    expect(receiver.received).toHaveLength(2);
  });

  it('that breaks after the message was sent fails the attempt, because the receiver may have it', async () => {
    const receiver = await receive((response, nth) => {
      if (nth === 1) response.end();
      else response.destroy();
    });
    const { post, uses } = sending();
    await post(receiver.url);
    await expect(post(receiver.url)).rejects.toMatchObject({ failure: 'connection_lost' });
    expect(uses).toEqual(['new', 'kept']);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('kept connections', () => {
  async function connectionTo({ port }: Receiver) {
    const socket: Socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return { socket, connection: createConnection(`http://127.0.0.1:${port}`, socket) };
  }

  it('are bounded for each webhook and in total, and the least recently used are closed first', async () => {
    const receiver = await receive();
    const connections = keep(2, 3);
    const made = await Promise.all(Array.from({ length: 5 }, () => connectionTo(receiver)));
    const isOpen = () => made.map(({ socket }) => !socket.destroyed);
    for (const [index, key] of ['a', 'b', 'b', 'b', 'c'].entries())
      connections.release(key, made[index]?.connection as never);
    expect(isOpen()).toEqual([false, false, true, true, true]);
    expect(connections.size()).toBe(3);
    connections.close();
    expect([connections.size(), isOpen().includes(true)]).toEqual([0, false]);
  });
});
