import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { collectBody, hasBody } from '@survey/runtime/rest/request-body';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import { type Attempt, type ExchangeKind, MAX_IN_FLIGHT, type Slot } from './forwarder.ts';
import { createInFlightLimit } from './in-flight-limit.ts';
import { createMessageForwarder, isShort, MAX_SHORT_BYTES } from './message-forwarder.ts';
import { createSpreadLookup } from './spread-lookup.ts';
import { createStreamForwarder } from './stream-forwarder.ts';
import { toUpstreamError } from './upstream-error.ts';

export interface BackendProxy {
  /** Resolves when the exchange is over, rejects with the error to answer with when the backend gave no answer. */
  forward(request: Request, response: Response, kind: ExchangeKind): Promise<void>;
  /** Whether a request would be refused now, because the backend has as many as it can answer soon. */
  isFull(kind: ExchangeKind): boolean;
  inFlight(): InFlight;
  /** Closes the connections that are kept. */
  close(): void;
}

/** How many requests are under way, and how many may be now: of any kind, and the streams among them. */
type InFlight = Readonly<Record<'any' | 'stream', { readonly count: number; readonly limit: number }>>;

const MAX_STREAMS = 128;

export interface BackendProxyOptions {
  readonly url: string;
  /** Certificates for a backend with an https address. */
  readonly tls?: PeerTls | undefined;
  /** Finds the address for a new connection; a random one of its name when not given. */
  readonly lookup?: LookupFunction;
  /** How long a backend may be silent, in milliseconds. */
  readonly silenceMs?: number;
  /** How long the whole exchange of a message may take: a minute for its body to arrive, and the silence. */
  readonly exchangeMs?: number;
  /** Requests at the same time, while they are answered soon; more are refused. */
  readonly maxInFlight?: number;
  /** How many of them may be streams: a caller can make one last. */
  readonly maxStreams?: number;
}

/** Forwards requests, whose headers have been prepared, to one service. */
export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const { url, tls, silenceMs = 35_000, exchangeMs = 95_000, maxInFlight = MAX_IN_FLIGHT } = options;
  const { maxStreams = MAX_STREAMS, lookup = createSpreadLookup() } = options;
  const running = { message: 0, stream: 0 };

  const limit = createInFlightLimit({ most: maxInFlight, now: () => performance.now() });

  function acquireSlot(kind: ExchangeKind): Slot {
    running[kind] += 1;
    const acquiredAt = performance.now();
    return {
      answered: () => limit.observe(performance.now() - acquiredAt),
      release() {
        running[kind] -= 1;
      },
    };
  }

  /** Requests to a service that hangs must not fill the gateway. */
  function isFull(kind: ExchangeKind): boolean {
    return running.message + running.stream >= limit.current() || (kind === 'stream' && running.stream >= maxStreams);
  }

  function checkCapacity(kind: ExchangeKind): void {
    if (isFull(kind)) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  }

  const messages = createMessageForwarder({ url, tls, lookup, silenceMs, acquireSlot });
  const streams = createStreamForwarder({ url, tls, lookup, silenceMs, acquireSlot });

  async function tryOnce(request: Request, response: Response, attempt: Attempt): Promise<void> {
    try {
      if (attempt.kind === 'stream' || !isShort(request)) return await streams.forward(request, response, attempt);
      // A short body takes no slot and no connection before it is complete.
      const body = hasBody(request) ? await collectInTime(request, response, attempt) : null;
      if (response.destroyed) return;
      // Other bodies may have become complete at the same time.
      checkCapacity(attempt.kind);
      await messages.forward(request, response, attempt, body);
    } catch (error) {
      throw error instanceof AppError ? error : toUpstreamError(error, attempt.timedOut);
    }
  }

  return {
    async forward(request, response, kind) {
      if (response.destroyed) return;
      checkCapacity(kind);
      let attempt: Attempt = { kind, timedOut: false, wasLost: false };
      const giveUp = () => {
        attempt.timedOut = true;
        attempt.end?.();
      };
      const deadline = kind === 'message' ? setTimeout(giveUp, exchangeMs) : undefined;
      try {
        await tryOnce(request, response, attempt);
      } catch (error) {
        if (!mayRepeat(request, response, attempt)) throw error;
        attempt = { kind, timedOut: false, wasLost: false };
        await tryOnce(request, response, attempt);
      } finally {
        clearTimeout(deadline);
      }
    },
    isFull,
    inFlight: () => ({
      any: { count: running.message + running.stream, limit: limit.current() },
      stream: { count: running.stream, limit: maxStreams },
    }),

    close() {
      messages.close();
      streams.close();
    },
  };
}

/** A kept connection that the other side was just closing. What only reads may be asked again: RFC 9110, section 9.2.2. */
function mayRepeat(request: Request, response: Response, attempt: Attempt): boolean {
  // A body is gone with the first attempt.
  const reads = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
  return reads && !response.headersSent && !response.destroyed && attempt.wasLost && !attempt.timedOut;
}

/** The complete body, unless the attempt ends first; null when the caller has gone. */
async function collectInTime(request: Request, response: Response, attempt: Attempt): Promise<Uint8Array | null> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  attempt.end = () => reject(new Error('the body did not come in time'));
  try {
    return await Promise.race([collectBody(request, MAX_SHORT_BYTES), late]);
  } catch (error) {
    if (!response.destroyed) throw error;
    return null;
  }
}
