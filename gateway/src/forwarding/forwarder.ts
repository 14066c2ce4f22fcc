import type { LookupFunction } from 'node:net';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';

/** Requests to one service at the same time. There is a connection for each: in a queue for them no time limit holds. */
export const MAX_IN_FLIGHT = 512;
/** How long a connection may take to be made, in milliseconds. */
export const CONNECT_MS = 3_000;
/** Shorter than services keep idle connections, so that none is used while it is being closed. In milliseconds. */
export const KEEP_MS = 30_000;

/** A message is over in a known time, as long as a stream flows it may go on. */
export type ExchangeKind = 'message' | 'stream';

/** One try to get an answer from a service. */
export interface Attempt {
  readonly kind: ExchangeKind;
  /** Ends it at once; undefined as long as there is nothing to end. */
  end?: () => void;
  timedOut: boolean;
  /** Whether the connection broke in a way that a service leaves behind which has never seen the request. */
  wasLost: boolean;
}

/** A slot for one of the requests that a service has at a time. */
export interface Slot {
  /** The service has begun to answer. */
  answered(): void;
  release(): void;
}

export interface ForwarderOptions {
  readonly url: string;
  /** Certificates for a service with an https address. */
  readonly tls: PeerTls | undefined;
  /** Finds the address for a new connection. */
  readonly lookup: LookupFunction;
  /** How long a service may be silent, in milliseconds. */
  readonly silenceMs: number;
  readonly acquireSlot: (kind: ExchangeKind) => Slot;
}
