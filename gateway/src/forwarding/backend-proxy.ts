import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { hasBody } from '@survey/runtime/rest/request-body';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import { type Attempt, type ExchangeKind, MAX_IN_FLIGHT, type Place } from './forwarder.ts';
import { createInFlightLimit } from './in-flight-limit.ts';
import { createMessageForwarder, isShort } from './message-forwarder.ts';
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

  function takePlace(kind: ExchangeKind): Place {
    running[kind] += 1;
    const takenAt = performance.now();
    return {
      answered: () => limit.observe(performance.now() - takenAt),
      free() {
        running[kind] -= 1;
      },
    };
  }

  /** A service that hangs must not gather the requests of all others here. */
  function isFull(kind: ExchangeKind): boolean {
    return running.message + running.stream >= limit.current() || (kind === 'stream' && running.stream >= maxStreams);
  }

  function checkRoom(kind: ExchangeKind): void {
    if (isFull(kind)) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  }

  const messages = createMessageForwarder({ url, tls, lookup, silenceMs, takePlace, checkRoom });
  const streams = createStreamForwarder({ url, tls, lookup, silenceMs, takePlace });

  async function tryOnce(request: Request, response: Response, attempt: Attempt): Promise<void> {
    const forwarder = attempt.kind === 'message' && isShort(request) ? messages : streams;
    try {
      await forwarder.forward(request, response, attempt);
    } catch (error) {
      throw error instanceof AppError ? error : toUpstreamError(error, attempt.timedOut);
    }
  }

  return {
    async forward(request, response, kind) {
      if (response.destroyed) return;
      checkRoom(kind);
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
