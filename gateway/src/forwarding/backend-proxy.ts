import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { collectBody, hasBody } from '@survey/runtime/rest/request-body';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import { type Attempt, type ExchangeKind, MAX_IN_FLIGHT, type Slot } from './forwarder.ts';
import { createInFlightLimit } from './in-flight-limit.ts';
import { createMessageForwarder, isShort, MAX_SHORT_BODY_BYTES } from './message-forwarder.ts';
import { createSpreadLookup } from './spread-lookup.ts';
import { createStreamForwarder } from './stream-forwarder.ts';
import { toUpstreamError } from './upstream-error.ts';

export interface BackendProxy {
  /** Forwards a request, and resolves when its reply has ended. Rejects with an `AppError` if there is no reply. */
  forward(request: Request, response: Response, kind: ExchangeKind): Promise<void>;
  /** Whether the concurrency limit is reached, so that a request would be rejected. */
  isFull(kind: ExchangeKind): boolean;
  inFlight(): InFlight;
  /** Ends the long polls of the change feed. */
  endWaits(): void;
  /** Closes all connections. */
  close(): void;
}

/** Requests in flight and their limit. `wait`: long polls of the change feed. `any`: all others, `stream` included. */
type InFlight = Readonly<Record<'any' | 'stream' | 'wait', { readonly count: number; readonly limit: number }>>;

const MAX_STREAMS = 128;
/** Limit of concurrent long polls. They use no capacity of other requests. */
const MAX_WAITS = 512;

export interface BackendProxyOptions {
  readonly url: string;
  /** Certificates for a backend with an https address. */
  readonly tls?: PeerTls | undefined;
  /** Finds the address for a new connection. By default, a random one of the host name. */
  readonly lookup?: LookupFunction;
  /** Timeout without data from the backend. */
  readonly idleTimeoutMs?: number;
  /**
   * Total timeout of a message, from its body to the end of the reply. Default: a minute for the body, plus the default
   * idle timeout.
   */
  readonly exchangeMs?: number;
  /** Maximum of the concurrency limit, which drops while replies are slow. */
  readonly maxInFlight?: number;
  /** Limit of concurrent streams, which clients can keep open. */
  readonly maxStreams?: number;
  readonly maxWaits?: number;
}

/** Forwards requests to one service. The caller must prepare the headers of the requests. */
export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const { url, tls, idleTimeoutMs = 35_000, exchangeMs = 95_000, maxInFlight = MAX_IN_FLIGHT } = options;
  const { maxStreams = MAX_STREAMS, maxWaits = MAX_WAITS, lookup = createSpreadLookup() } = options;
  const running = { message: 0, stream: 0, wait: 0 };
  const waits = new Set<Attempt>();

  const limit = createInFlightLimit({ max: maxInFlight, now: () => performance.now() });

  function acquireSlot(kind: ExchangeKind): Slot {
    running[kind] += 1;
    const acquiredAt = performance.now();
    return {
      // The duration of a wait says nothing about load.
      onReply: () => kind !== 'wait' && limit.observe(performance.now() - acquiredAt),
      release() {
        running[kind] -= 1;
      },
    };
  }

  /** A service that hangs must not use all capacity of the gateway. */
  function isFull(kind: ExchangeKind): boolean {
    if (kind === 'wait') return running.wait >= maxWaits;
    return running.message + running.stream >= limit.current() || (kind === 'stream' && running.stream >= maxStreams);
  }

  function checkCapacity(kind: ExchangeKind): void {
    if (isFull(kind)) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  }

  const shared = { url, tls, lookup, idleTimeoutMs, connections: maxInFlight + maxWaits, acquireSlot };
  const messages = createMessageForwarder(shared);
  const streams = createStreamForwarder(shared);

  async function tryOnce(request: Request, response: Response, attempt: Attempt): Promise<void> {
    if (attempt.kind === 'wait') waits.add(attempt);
    try {
      if (attempt.kind === 'stream' || !isShort(request)) return await streams.forward(request, response, attempt);
      // A short body takes no slot and no connection before it is complete.
      const body = hasBody(request) ? await collectInTime(request, response, attempt) : null;
      if (response.destroyed) return;
      // While the body arrived, other requests may have taken the last slots.
      checkCapacity(attempt.kind);
      await messages.forward(request, response, attempt, body);
    } catch (error) {
      if (attempt.stopped) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      throw error instanceof AppError ? error : toUpstreamError(error, attempt.timedOut);
    } finally {
      waits.delete(attempt);
    }
  }

  return {
    async forward(request, response, kind) {
      if (response.destroyed) return;
      checkCapacity(kind);
      let attempt = newAttempt(kind);
      const giveUp = () => {
        attempt.timedOut = true;
        attempt.end?.();
      };
      const deadline = kind === 'stream' ? undefined : setTimeout(giveUp, exchangeMs);
      try {
        await tryOnce(request, response, attempt);
      } catch (error) {
        if (!mayRetry(request, response, attempt)) throw error;
        attempt = newAttempt(kind);
        await tryOnce(request, response, attempt);
      } finally {
        clearTimeout(deadline);
      }
    },
    isFull,
    inFlight: () => ({
      any: { count: running.message + running.stream, limit: limit.current() },
      stream: { count: running.stream, limit: maxStreams },
      wait: { count: running.wait, limit: maxWaits },
    }),

    endWaits() {
      for (const attempt of waits) {
        attempt.stopped = true;
        attempt.end?.();
      }
    },

    close() {
      messages.close();
      streams.close();
    },
  };
}

function newAttempt(kind: ExchangeKind): Attempt {
  return { kind, timedOut: false, stopped: false, connectionLost: false };
}

/** Whether to retry: the service closed a reused connection, and the request only reads (RFC 9110, section 9.2.2). */
function mayRetry(request: Request, response: Response, attempt: Attempt): boolean {
  // The first attempt has consumed the body.
  const onlyReads = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
  return onlyReads && !response.headersSent && !response.destroyed && attempt.connectionLost && !attempt.timedOut;
}

/** Collects the body. Rejects when the attempt ends first; null when the client has disconnected. */
async function collectInTime(request: Request, response: Response, attempt: Attempt): Promise<Uint8Array | null> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  attempt.end = () => reject(new Error('the body did not arrive in time'));
  try {
    return await Promise.race([collectBody(request, MAX_SHORT_BODY_BYTES), timeout]);
  } catch (error) {
    if (!response.destroyed) throw error;
    return null;
  }
}
