import type { IsAllowedAddress } from '../targets/address-rules.ts';
import type { CheckTarget, Target } from '../targets/target.ts';
import { AttemptError, toAttemptError } from './attempt-error.ts';
import { type Connection, ConnectionGone, type Connections, createConnection } from './connections.ts';
import { dial } from './dial.ts';
import { createReplyReader, type Reply } from './reply.ts';

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Only messages of one sender share connections: the webhook, so that none waits for another's. */
  readonly sender: string;
}

/** Posts a message once. Rejects with an `AttemptError` when there is no reply; the signal ends it at any moment. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Reply>;

/** How a message came by its connection: `replaced` when a kept one was gone before anything was sent over it. */
export const connectionUses = ['new', 'kept', 'replaced'] as const;

export type ConnectionUse = (typeof connectionUses)[number];

interface Options {
  readonly checkTarget: CheckTarget;
  readonly isAllowed: IsAllowedAddress;
  readonly connections: Connections;
  readonly onConnection: (use: ConnectionUse) => void;
}

/**
 * Every message has its target looked up and checked by itself. A kept connection is used only when the address at its
 * other end is among those, and allowed, now.
 */
export function createHttpSender({ checkTarget, isAllowed, connections, onConnection }: Options): Send {
  async function open(target: Target, signal: AbortSignal, use: ConnectionUse): Promise<Connection> {
    onConnection(use);
    return createConnection(target.url.origin, await dial(target, isAllowed, signal));
  }

  return async (message, signal) => {
    const target = await untilAborted(findTarget(checkTarget, message.url), signal);
    const key = `${message.sender} ${target.url.origin}`;
    const fits = (address: string) => target.addresses.includes(address) && isAllowed(address);
    const post = async (connection: Connection) => {
      const reply = await postOver(connection, target, message, signal);
      connections.keep(key, connection);
      return reply;
    };
    const kept = connections.take(key, fits);
    try {
      if (kept === undefined) return await post(await open(target, signal, 'new'));
      onConnection('kept');
      return await post(kept);
    } catch (error) {
      if (!(error instanceof ConnectionGone) || signal.aborted) throw toAttemptError(error);
    }
    try {
      return await post(await open(target, signal, 'replaced'));
    } catch (error) {
      throw toAttemptError(error);
    }
  };
}

/** Far more than headers and what is kept of the body; the connection of somebody who sends more is closed. */
const MAX_READ_BYTES = 1024 * 1024;
const WATCH_MS = 250;

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
  // What is read without being part of the reply (1xx, chunk extensions) takes our time and has no other limit.
  const end = connection.bytesRead() + MAX_READ_BYTES;
  const watch = setInterval(() => {
    if (connection.bytesRead() <= end) return;
    isFlood = true;
    connection.close();
  }, WATCH_MS);
  try {
    signal.throwIfAborted();
    connection.client.dispatch({ method: 'POST', path: url.pathname + url.search, headers, body }, handler);
    const received = await reply;
    // What is left of it would be taken for the beginning of the next one.
    if (!received.isComplete) connection.close();
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
    case 'refused':
      throw new AttemptError('address_refused');
    case 'unresolved':
      throw new AttemptError('dns_failed');
  }
}

/** Waits no longer than the signal lets it; the work itself may go on. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
