import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { collectBody, hasBody } from '@survey/runtime/rest/request-body';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import {
  type Attempt,
  BODYLESS_TIMEOUT_MS,
  type Caller,
  type ExchangeKind,
  type ForwardedRoute,
  IDLE_TIMEOUT_MS,
  MAX_IN_FLIGHT,
  MAX_STREAMS,
  MAX_WAITS,
  type Slot,
  toUpstreamError,
} from './forwarder.ts';
import {
  createMessageForwarder,
  createReplyMemory,
  isShort,
  MAX_SHORT_BODY_BYTES,
  type ReplyMemory,
} from './message-forwarder.ts';
import { createStreamForwarder } from './stream-forwarder.ts';

export interface BackendProxy {
  /** Forwards a request, and resolves when its reply has ended. Rejects with an `AppError` if there is no reply. */
  forward(request: Request, response: Response, route: ForwardedRoute, caller: Caller): Promise<void>;
  /** Whether the concurrency limit of all callers together is reached, so that requests are rejected. */
  isFull(kind: ExchangeKind): boolean;
  inFlight(): InFlight;
  /** Ends the long polls of the change feed, and the tests of webhooks. */
  endWaits(): void;
  close(): void;
}

/** Requests in flight and their limit. A message counts only until its reply begins. */
type InFlight = Readonly<Record<ExchangeKind, { readonly count: number; readonly limit: number }>>;

/**
 * A slot is the right to one concurrent request to the service. A caller may hold at most three times as many slots as
 * are free. So one caller alone gets three quarters of the slots, and two together leave a seventh free.
 */
const SHARE_OF_FREE_SLOTS = 3;

export interface BackendProxyOptions {
  readonly url: string;
  /** Certificates for a backend with an https address. */
  readonly tls?: PeerTls | undefined;
  /** Finds the address for a new connection. Default: a random address of the host name. */
  readonly lookup?: LookupFunction;
  readonly idleTimeoutMs?: number;
  readonly bodylessTimeoutMs?: number;
  /** Timeout of a message or a wait. Default: a minute for the body, plus the default idle timeout. */
  readonly exchangeMs?: number;
  /** Maximum concurrency limit of messages. The limit drops while replies are slow. */
  readonly maxInFlight?: number;
  readonly maxStreams?: number;
  readonly maxWaits?: number;
  /** Memory that the proxies of all services share. Default: memory for this proxy only. */
  readonly replyMemory?: ReplyMemory;
}

/** Forwards requests with prepared headers to one service. Limits concurrency, in total and for one caller. */
export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const { url, tls, idleTimeoutMs = IDLE_TIMEOUT_MS, exchangeMs = 95_000, maxInFlight = MAX_IN_FLIGHT } = options;
  const { maxStreams = MAX_STREAMS, maxWaits = MAX_WAITS, lookup = createSpreadLookup() } = options;
  const { bodylessTimeoutMs = BODYLESS_TIMEOUT_MS, replyMemory = createReplyMemory() } = options;
  const maxima = { message: maxInFlight, stream: maxStreams, wait: maxWaits };
  const waits = new Set<Attempt>();
  /** Slots in use, by caller. A request keeps its slot until the gateway has received the whole reply. */
  const held = { message: createKeyedSemaphore(), stream: createKeyedSemaphore(), wait: createKeyedSemaphore() };
  /** Messages whose reply has not begun. Only these keep the service busy. */
  const unanswered = createKeyedSemaphore();
  const limit = createInFlightLimit({
    max: maxInFlight,
    now: () => performance.now(),
    unanswered: unanswered.totalHeld,
  });

  function acquireSlot({ slotKind, caller: { key } }: Attempt): Slot {
    const acquiredAt = performance.now();
    let isUnanswered = slotKind === 'message';
    held[slotKind].acquireOrLimit(key);
    if (isUnanswered) unanswered.acquireOrLimit(key);
    const answer = () => {
      if (isUnanswered) unanswered.release(key);
      isUnanswered = false;
    };
    return {
      onReply() {
        // Measure only messages: the duration of a wait says nothing about load.
        if (isUnanswered) limit.observe(performance.now() - acquiredAt);
        answer();
      },
      release() {
        answer();
        held[slotKind].release(key);
      },
    };
  }

  /** A service that hangs must not use all capacity of the gateway. */
  function isFull(slotKind: ExchangeKind): boolean {
    return (
      held[slotKind].totalHeld() >= maxima[slotKind] ||
      (slotKind === 'message' && unanswered.totalHeld() >= limit.current())
    );
  }

  /** Throws `OVERLOADED` if all slots are in use, or the caller has used up its share. */
  function checkCapacity({ slotKind, caller: { key, isExempt } }: Attempt): void {
    const isBelow = (used: typeof unanswered, max: number) =>
      used.held(key) < SHARE_OF_FREE_SLOTS * (max - used.totalHeld());
    const hasShare =
      isBelow(held[slotKind], maxima[slotKind]) && (slotKind !== 'message' || isBelow(unanswered, limit.current()));
    if (isFull(slotKind) || !(hasShare || isExempt())) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  }

  const shared = { url, tls, lookup, idleTimeoutMs, connections: maxInFlight + maxWaits, acquireSlot };
  const messages = createMessageForwarder({ ...shared, replyMemory });
  const streams = createStreamForwarder({ ...shared, bodylessTimeoutMs });

  async function tryOnce(request: Request, response: Response, attempt: Attempt): Promise<void> {
    if (attempt.kind === 'wait') waits.add(attempt);
    try {
      if (attempt.streamsBody) return await streams.forward(request, response, attempt);
      // A short body takes no slot and no connection before it is complete.
      if (hasBody(request)) attempt.body ??= await collectInTime(request, response, attempt);
      if (response.destroyed) return;
      // Check again: other requests may have taken the last slots while the body arrived.
      checkCapacity(attempt);
      await messages.forward(request, response, attempt);
    } catch (error) {
      if (attempt.stopped) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      throw error instanceof AppError ? error : toUpstreamError(error, attempt.timedOut);
    } finally {
      waits.delete(attempt);
    }
  }

  return {
    async forward(request, response, { exchange: kind, isRead, handlerReadsBody }, caller) {
      if (response.destroyed) return;
      const maySearch = kind === 'stream' && !handlerReadsBody;
      const streamsBody = kind === 'stream' || !isShort(request);
      const slotKind = kind === 'message' && streamsBody ? 'stream' : kind;
      const shared = { kind, slotKind, streamsBody, maySearch, caller };
      const begun = { ...shared, timedOut: false, stopped: false, connectionLost: false };
      let attempt: Attempt = { ...begun, body: null };
      // Check before the body is read: a full service needs none of it.
      checkCapacity(attempt);
      const giveUp = () => {
        attempt.timedOut = true;
        attempt.end?.();
      };
      const deadline = kind === 'stream' ? undefined : setTimeout(giveUp, exchangeMs);
      try {
        await tryOnce(request, response, attempt);
      } catch (error) {
        if (!isRead || !mayRetry(request, response, attempt)) throw error;
        attempt = { ...begun, body: attempt.body };
        await tryOnce(request, response, attempt);
      } finally {
        clearTimeout(deadline);
      }
    },
    isFull,
    inFlight: () => ({
      message: { count: unanswered.totalHeld(), limit: limit.current() },
      stream: { count: held.stream.totalHeld(), limit: maxStreams },
      wait: { count: held.wait.totalHeld(), limit: maxWaits },
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

/** Whether to retry a request that only reads (RFC 9110, section 9.2.2): the service closed a reused connection. */
function mayRetry(request: Request, response: Response, attempt: Attempt): boolean {
  // A streamed body cannot be sent again, because the first attempt has consumed it.
  const isRepeatable = !hasBody(request) || attempt.body !== null;
  return isRepeatable && !response.headersSent && !response.destroyed && attempt.connectionLost && !attempt.timedOut;
}

/** Collects the body. Rejects if the attempt ends first. Returns null if the client has disconnected. */
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

/** A lower limit would throttle services whose replies are slow without load. */
const MIN_LIMIT = 128;
/** If the fastest reply of an interval is slower, requests are queueing. */
const TARGET_MS = 250;
const INTERVAL_MS = 100;
const STEP_UP = 16;
const FACTOR_DOWN = 0.75;

interface Options {
  readonly max: number;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  /** Number of messages that wait for a reply. */
  readonly unanswered: () => number;
}

/**
 * Limits the messages that wait for a reply of one service. The limit drops while requests queue, and rises again
 * afterwards. Requests queue if even the fastest reply of an interval is slow, as in CoDel (RFC 8289, section 3.1). If
 * no more than `MIN_LIMIT` messages wait, slow replies have another reason.
 */
export function createInFlightLimit({ max, now, unanswered }: Options) {
  const min = Math.min(MIN_LIMIT, max);
  let limit = max;
  let fastestMs = Number.POSITIVE_INFINITY;
  let mostUnanswered = 0;
  let intervalStart = now();

  return {
    current: () => limit,
    /** Records the time until a reply began, in milliseconds. */
    observe(durationMs: number): void {
      fastestMs = Math.min(fastestMs, durationMs);
      mostUnanswered = Math.max(mostUnanswered, unanswered());
      if (now() - intervalStart < INTERVAL_MS) return;
      const isQueueing = fastestMs > TARGET_MS && mostUnanswered > min;
      limit = isQueueing ? Math.max(min, Math.floor(limit * FACTOR_DOWN)) : Math.min(max, limit + STEP_UP);
      fastestMs = Number.POSITIVE_INFINITY;
      mostUnanswered = 0;
      intervalStart = now();
    },
  };
}

export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Creates a lookup that shuffles the addresses of a host name, to spread connections over the replicas of a service.
 * Node tries the other addresses if the first one does not accept the connection.
 */
export function createSpreadLookup(lookupAll: LookupAll = lookup, random = Math.random): LookupFunction {
  return (hostname, options, done) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses) => {
      const shuffled = shuffle(addresses ?? [], random);
      const [first] = shuffled;
      if (options.all === true || first === undefined) done(error, shuffled);
      else done(error, first.address, first.family);
    });
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
