import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Route } from '@survey/runtime/rest/route';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';

// Shared by the forwarders of messages and streams. Each attempt to reach a service holds a slot: the right to one
// concurrent request to that service.

/** Numbers of slots of each `ExchangeKind`, for one service. */
export const MAX_IN_FLIGHT = 512;
export const MAX_STREAMS = 128;
export const MAX_WAITS = 512;
/** Timeout without data from a service. A service may be silent for 30 s while it tests a webhook. */
export const IDLE_TIMEOUT_MS = 35_000;
/**
 * Timeout without data for requests without a body, and for exports once their body is sent. An export is silent until
 * it finds a matching response.
 */
export const BODYLESS_TIMEOUT_MS = 10 * 60_000;
export const CONNECT_TIMEOUT_MS = 3_000;
/** Time to keep idle connections. Services keep them longer, so a reused connection is rarely closing. */
export const KEEP_ALIVE_MS = 30_000;

/**
 * A `message` is short. A `wait` takes long by design: a long poll of the change feed, or the test of a webhook.
 * Messages and waits must end within `exchangeMs`. A `stream` may last as long as data flows.
 */
export type ExchangeKind = 'message' | 'wait' | 'stream';

/** A route, as far as it decides how its requests are forwarded. */
export interface ForwardedRoute extends Pick<Route, 'isRead' | 'handlerReadsBody'> {
  readonly exchange: ExchangeKind;
}

/** The sender of a request: a tenant, or a client without a token. */
export interface Caller {
  readonly key: string;
  /** Whether the limits of one caller do not apply. Call it only when such a limit is reached, because it is slow. */
  readonly isExempt: () => boolean;
}

/** One attempt to get a reply from a service. */
export interface Attempt {
  readonly kind: ExchangeKind;
  /** Kind of the slot. A message with a long body holds a slot of streams: the client may send the body slowly. */
  readonly slotKind: ExchangeKind;
  /** Whether the body is forwarded while it arrives, and not in one piece. */
  readonly streamsBody: boolean;
  readonly caller: Caller;
  /** Whether the service may search for long before it sends data, like an export. */
  readonly maySearch: boolean;
  /** The collected body. A second attempt sends it again. */
  body: Uint8Array | null;
  /** Ends the attempt; undefined until the attempt has begun. */
  end?: () => void;
  timedOut: boolean;
  /** Whether the gateway ended the attempt because the gateway is shutting down. */
  stopped: boolean;
  /** Whether a reused connection was closed, so that the service may never have seen the request. */
  connectionLost: boolean;
}

export interface Slot {
  /** Reports that the reply has begun: the service has done its work. */
  onReply(): void;
  release(): void;
}

export interface ForwarderOptions {
  readonly url: string;
  /** Certificates for a service with an https address. */
  readonly tls: PeerTls | undefined;
  /** Finds the address for a new connection. */
  readonly lookup: LookupFunction;
  readonly idleTimeoutMs: number;
  /** At least the number of all slots, because no timeout covers the wait for a connection. */
  readonly connections: number;
  readonly acquireSlot: (attempt: Attempt) => Slot;
}

const UNAVAILABLE_CODES = [
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
const CONNECTION_LOST_CODES = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const TIMED_OUT_CODES = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** The error for the client when a service did not reply. */
export function toUpstreamError(cause: unknown, timedOut: boolean): AppError {
  if (timedOut) return new AppError('DEADLINE_EXCEEDED', { cause });
  const code = codeOf(cause);
  if (code !== undefined && UNAVAILABLE_CODES.includes(code))
    return new AppError('UNAVAILABLE', { cause, retryAfterSeconds: 1 });
  return new AppError('UPSTREAM_INVALID', { cause });
}

/** Whether an error is the loss of a connection, for example because the service closed it. */
export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOST_CODES.includes(codeOf(error) ?? '');
}

/** Whether the service sent no data in time. */
export function isTimeout(error: unknown): boolean {
  return TIMED_OUT_CODES.includes(codeOf(error) ?? '');
}

/** The code of an error. If several addresses of a host failed, the `AggregateError` of Node.js has a code, too. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
