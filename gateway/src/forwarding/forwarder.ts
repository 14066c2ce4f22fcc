import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';

/** Limit of concurrent messages to one service. */
export const MAX_IN_FLIGHT = 512;
/** Limit of concurrent streams to one service. Streams use no slots of messages. */
export const MAX_STREAMS = 128;
/** Limit of concurrent long polls and tests of webhooks to one service. They use no slots of other requests. */
export const MAX_WAITS = 512;
/** Timeout without data from a service. Services need up to 30 s, to call other services or to test a webhook. */
export const IDLE_TIMEOUT_MS = 35_000;
/** Timeout for connecting. */
export const CONNECT_MS = 3_000;
/** Time to keep idle connections. Services keep them longer, so a reused connection is rarely closing. */
export const KEEP_ALIVE_MS = 30_000;

/**
 * A `message` and a `wait` (such as a long poll of the change feed) have a total timeout. A `stream` may last as long as data
 * flows.
 */
export type ExchangeKind = 'message' | 'wait' | 'stream';

/** The sender of a request: a tenant, or a client without a token. */
export interface Caller {
  readonly key: string;
  /** Whether the caller has no share of its own. Called only at the limit of the share. */
  readonly isExempt: () => boolean;
}

/** One attempt to get a reply from a service. */
export interface Attempt {
  readonly kind: ExchangeKind;
  /**
   * The slots that the attempt uses: those of its kind, except that a message with a long body uses a slot of streams,
   * because its client decides how long the body takes.
   */
  readonly slots: ExchangeKind;
  /** Whether the body is forwarded while it arrives, and not in one piece. */
  readonly streamsBody: boolean;
  readonly caller: Caller;
  /** Ends the attempt; undefined until the attempt has begun. */
  end?: () => void;
  timedOut: boolean;
  /** Whether the gateway ended the attempt because the gateway is shutting down. */
  stopped: boolean;
  /** Whether a reused connection was closed, so that the service may never have seen the request. */
  connectionLost: boolean;
}

/** A slot for a concurrent request to a service. */
export interface Slot {
  /** Called when the reply begins. */
  onReply(): void;
  release(): void;
}

export interface ForwarderOptions {
  readonly url: string;
  /** Certificates for a service with an https address. */
  readonly tls: PeerTls | undefined;
  /** Finds the address for a new connection. */
  readonly lookup: LookupFunction;
  /** Timeout without data from the service. */
  readonly idleTimeoutMs: number;
  /** Maximum of connections. As many as admitted requests, because a request that queues for one has no timeout. */
  readonly connections: number;
  readonly acquireSlot: (attempt: Attempt) => Slot;
}

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
];
const CONNECTION_LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const TIMED_OUT = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** The error for the client when a service did not reply. */
export function toUpstreamError(cause: unknown, timedOut: boolean): AppError {
  if (timedOut) return new AppError('DEADLINE_EXCEEDED', { cause });
  const code = codeOf(cause);
  if (code !== undefined && UNREACHABLE.includes(code))
    return new AppError('UNAVAILABLE', { cause, retryAfterSeconds: 1 });
  return new AppError('UPSTREAM_INVALID', { cause });
}

/** Whether the connection was lost, as when the service closes it. */
export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOST.includes(codeOf(error) ?? '');
}

/** Whether the service sent no data in time. */
export function isTimeout(error: unknown): boolean {
  return TIMED_OUT.includes(codeOf(error) ?? '');
}

/** The code of an error. For a host name with several addresses, Node.js gives the code of the last attempt. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
