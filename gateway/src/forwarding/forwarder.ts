import type { LookupFunction } from 'node:net';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';

/** Limit of concurrent messages and streams to one service. */
export const MAX_IN_FLIGHT = 512;
/** Timeout for connecting. */
export const CONNECT_MS = 3_000;
/** Time to keep idle connections. Services keep them longer, so a reused connection is rarely closing. */
export const KEEP_ALIVE_MS = 30_000;

/**
 * A `message` and a `wait` (a long poll of the change feed) have a total timeout. A `stream` may last as long as data
 * flows.
 */
export type ExchangeKind = 'message' | 'wait' | 'stream';

/** One attempt to get a reply from a service. */
export interface Attempt {
  readonly kind: ExchangeKind;
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
  readonly acquireSlot: (kind: ExchangeKind) => Slot;
}
