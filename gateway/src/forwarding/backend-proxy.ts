import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { collectBody, hasBody } from '@survey/runtime/rest/request-body';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import {
  type Attempt,
  type Caller,
  type ExchangeKind,
  IDLE_TIMEOUT_MS,
  MAX_IN_FLIGHT,
  MAX_STREAMS,
  MAX_WAITS,
  SEARCH_TIMEOUT_MS,
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
  forward(request: Request, response: Response, kind: ExchangeKind, caller: Caller): Promise<void>;
  /** Whether the concurrency limit of all callers is reached, so that a request would be rejected. */
  isFull(kind: ExchangeKind): boolean;
  inFlight(): InFlight;
  /** Ends the long polls of the change feed, and the tests of webhooks. */
  endWaits(): void;
  close(): void;
}

/** Requests in flight and their limit. Of messages, only those whose reply has not begun. */
type InFlight = Readonly<Record<ExchangeKind, { readonly count: number; readonly limit: number }>>;

/**
 * A slot is the right to one concurrent request to the service. One caller holds at most three times as many slots as
 * are free: alone, three quarters of them. So the slots are never used up by one caller, and two leave a seventh.
 */
const SHARE_OF_FREE_SLOTS = 3;

export interface BackendProxyOptions {
  readonly url: string;
  /** Certificates for a backend with an https address. */
  readonly tls?: PeerTls | undefined;
  /** Finds the address for a new connection. By default, a random one of the host name. */
  readonly lookup?: LookupFunction;
  readonly idleTimeoutMs?: number;
  readonly searchTimeoutMs?: number;
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
  /** Shared by all services. Default: one of its own. */
  readonly replyMemory?: ReplyMemory;
}

/**
 * Forwards requests to one service, and limits how many run at a time, in total and for one caller. A caller is a
 * tenant, or a client without a token. Prepare the headers of a request before.
 */
export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const { url, tls, idleTimeoutMs = IDLE_TIMEOUT_MS, exchangeMs = 95_000, maxInFlight = MAX_IN_FLIGHT } = options;
  const { maxStreams = MAX_STREAMS, maxWaits = MAX_WAITS, lookup = createSpreadLookup() } = options;
  const { searchTimeoutMs = SEARCH_TIMEOUT_MS, replyMemory = createReplyMemory() } = options;
  const maxima = { message: maxInFlight, stream: maxStreams, wait: maxWaits };
  const waits = new Set<Attempt>();
  /** Slots by caller. A message or a stream has one until its reply is complete here. */
  const held = { message: createKeyedSemaphore(), stream: createKeyedSemaphore(), wait: createKeyedSemaphore() };
  /** Messages whose reply has not begun: only these are work for the service. */
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
        // The duration of a wait says nothing about load.
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

  /** Throws `OVERLOADED` if all slots are in use, or the caller has its share of them. */
  function checkCapacity({ slotKind, caller: { key, isExempt } }: Attempt): void {
    const isBelow = (used: typeof unanswered, max: number) =>
      used.held(key) < SHARE_OF_FREE_SLOTS * (max - used.totalHeld());
    const hasShare =
      isBelow(held[slotKind], maxima[slotKind]) && (slotKind !== 'message' || isBelow(unanswered, limit.current()));
    if (isFull(slotKind) || !(hasShare || isExempt())) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  }

  const connections = maxInFlight + maxWaits;
  const shared = { url, tls, lookup, idleTimeoutMs, searchTimeoutMs, connections, acquireSlot };
  const messages = createMessageForwarder({ ...shared, replyMemory });
  const streams = createStreamForwarder(shared);

  async function tryOnce(request: Request, response: Response, attempt: Attempt): Promise<void> {
    if (attempt.kind === 'wait') waits.add(attempt);
    try {
      if (attempt.streamsBody) return await streams.forward(request, response, attempt);
      // A short body takes no slot and no connection before it is complete.
      const body = hasBody(request) ? await collectInTime(request, response, attempt) : null;
      if (response.destroyed) return;
      // Not double: while the body arrived, other requests may have taken the last slots.
      checkCapacity(attempt);
      await messages.forward(request, response, attempt, body);
    } catch (error) {
      if (attempt.stopped) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      throw error instanceof AppError ? error : toUpstreamError(error, attempt.timedOut);
    } finally {
      waits.delete(attempt);
    }
  }

  return {
    async forward(request, response, kind, caller) {
      if (response.destroyed) return;
      const streamsBody = kind === 'stream' || !isShort(request);
      const slotKind = kind === 'message' && streamsBody ? 'stream' : kind;
      const begun = { kind, slotKind, streamsBody, caller, timedOut: false, stopped: false, connectionLost: false };
      let attempt: Attempt = { ...begun };
      // Before the body is read: a full service needs none of it.
      checkCapacity(attempt);
      const giveUp = () => {
        attempt.timedOut = true;
        attempt.end?.();
      };
      const deadline = kind === 'stream' ? undefined : setTimeout(giveUp, exchangeMs);
      try {
        await tryOnce(request, response, attempt);
      } catch (error) {
        if (!mayRetry(request, response, attempt)) throw error;
        attempt = { ...begun };
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
  /** Messages that wait for their reply now. */
  readonly unanswered: () => number;
}

/**
 * A limit of concurrent messages that wait for their reply from one service. It drops while requests queue
 * persistently, and recovers afterwards. It looks at the fastest reply of an interval, so single slow replies do not
 * count. CoDel distinguishes queues from bursts in the same way (RFC 8289, section 3.1). It stays while no more
 * requests wait than the lowest limit: these are slow for another reason.
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

/** Looks up all addresses of a name. */
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
