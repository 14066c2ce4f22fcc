import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { IsAllowedAddress } from '../targets/address-rules.ts';
import type { CheckTarget, Target } from '../targets/target.ts';
import { AttemptError, toConnectionError, toExchangeError } from './attempt-error.ts';
import { type Connection, ConnectionGone, type Connections, createConnection } from './connections.ts';
import { createReplyReader, type Reply } from './reply.ts';

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Connections are not shared between webhooks. */
  readonly webhookId: string;
}

/** Posts a message. Rejects with an `AttemptError` if there is no reply, and with any error after an abort. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Reply>;

/** `replaced`: a kept connection was closed before anything was sent, so a new one was opened. */
export const connectionUses = ['new', 'kept', 'replaced'] as const;

export type ConnectionUse = (typeof connectionUses)[number];

interface Options {
  readonly checkTarget: CheckTarget;
  readonly isAllowed: IsAllowedAddress;
  readonly connections: Connections;
  readonly onConnection: (use: ConnectionUse) => void;
}

/** Checks the target of every message. A kept connection is used only if its address is current and allowed. */
export function createHttpSender({ checkTarget, isAllowed, connections, onConnection }: Options): Send {
  async function open(target: Target, signal: AbortSignal, use: ConnectionUse): Promise<Connection> {
    onConnection(use);
    return createConnection(target.url.origin, await dial(target, isAllowed, signal));
  }

  return async (message, signal) => {
    const target = await untilAborted(() => findTarget(checkTarget, message.url), signal);
    const key = `${message.webhookId} ${target.url.origin}`;
    const isUsable = (address: string) => target.addresses.includes(address) && isAllowed(address);
    const post = async (connection: Connection) => {
      const reply = await postOver(connection, target, message, signal);
      connections.release(key, connection);
      return reply;
    };
    const kept = connections.acquire(key, isUsable);
    try {
      if (kept === undefined) return await post(await open(target, signal, 'new'));
      onConnection('kept');
      return await post(kept);
    } catch (error) {
      if (!(error instanceof ConnectionGone) || signal.aborted) throw toExchangeError(error);
    }
    try {
      return await post(await open(target, signal, 'replaced'));
    } catch (error) {
      throw toExchangeError(error);
    }
  };
}

/** Maximum bytes of one reply, far more than headers and excerpt need. Above it, the connection is closed. */
const MAX_READ_BYTES = 1024 * 1024;
const CHECK_MS = 250;

async function postOver(
  connection: Connection,
  { url }: Target,
  { headers, body }: Message,
  signal: AbortSignal,
): Promise<Reply> {
  const { reply, handler } = createReplyReader();
  const abort = () => connection.close();
  signal.addEventListener('abort', abort, { once: true });
  let isFlood = false;
  // Bytes outside of the reply (1xx, chunk extensions) have no other limit.
  const end = connection.bytesRead() + MAX_READ_BYTES;
  const watch = setInterval(() => {
    if (connection.bytesRead() <= end) return;
    isFlood = true;
    connection.close();
  }, CHECK_MS);
  try {
    signal.throwIfAborted();
    connection.client.dispatch({ method: 'POST', path: url.pathname + url.search, headers, body }, handler);
    const received = await reply;
    // The rest of the body would be read as the start of the next reply.
    if (!received.endedNormally) connection.close();
    return received;
  } catch (error) {
    connection.close();
    throw isFlood ? new AttemptError('invalid_answer') : error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
  }
}

async function findTarget(checkTarget: CheckTarget, url: string): Promise<Target> {
  const check = await checkTarget(url);
  switch (check.kind) {
    case 'allowed':
      return check.target;
    case 'rejected':
      throw new AttemptError('address_refused');
    case 'unresolved':
      throw new AttemptError('dns_failed');
  }
}

/** Rejects when the signal aborts. Work that has started continues. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  work()
    .then(resolve, reject)
    .finally(() => signal.removeEventListener('abort', abort));
  return promise;
}

/**
 * Connects to a checked address of the target. Looks up no name again, which prevents DNS rebinding. The signal aborts
 * only the attempt to connect. Rejects with an `AttemptError`.
 */
function dial(target: Target, isAllowed: IsAllowedAddress, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isTls = target.url.protocol === 'https:';
  const options = { host: target.host, port: target.port, lookup: lookupIn(target), autoSelectFamily: true };
  const socket = isTls
    ? connectTls({ ...options, servername: isIP(target.host) === 0 ? target.host : '', ALPNProtocols: ['http/1.1'] })
    : connect(options);
  let isConnected = false;

  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort);
  const connected = () => {
    signal.removeEventListener('abort', abort);
    socket.off('close', closed);
    resolve(socket);
  };
  socket.setNoDelay(true);
  socket.once('connect', () => {
    isConnected = true;
    if (!isAllowed(socket.remoteAddress ?? '')) socket.destroy(new AttemptError('address_refused'));
    else if (!isTls) connected();
  });
  socket.once('secureConnect', connected);
  // This listener stays. After the promise is settled, it does nothing, and the HTTP client handles errors.
  socket.on('error', (error) => {
    if (error instanceof AttemptError) reject(error);
    else reject(isConnected ? new AttemptError('tls_failed', error) : toConnectionError(error));
  });
  const closed = () => {
    signal.removeEventListener('abort', abort);
    reject(new AttemptError('connection_lost'));
  };
  socket.once('close', closed);
  return promise;
}

/** A DNS lookup that returns only the checked addresses. */
function lookupIn({ addresses }: Target): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  // `autoSelectFamily` requests all addresses.
  return (_host, _options, callback) => callback(null, found);
}
