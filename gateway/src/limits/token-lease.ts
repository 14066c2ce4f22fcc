import { createSingleFlight } from '@survey/runtime/flow/single-flight';

/** What identity gave of a quota, and how that stands. */
export interface Leased {
  readonly granted: number;
  /** Tokens that are left for all gateways. */
  readonly remaining: number;
  readonly requestsPerMinute: number;
  /** How soon there are more, in milliseconds. */
  readonly moreAfterMs: number;
}

/** Tokens of one quota that are in the hands of this gateway. Each lets one request in. */
export interface TokenLease {
  /** Whether there was a token. A promise only where that is not known yet; it never rejects. */
  take(): boolean | Promise<boolean>;
  giveBack(): void;
  /** The quota: requests in a minute. */
  requestsPerMinute(): number;
  /** Tokens that are left, here and for all, as far as is known. */
  remaining(): number;
  /** How soon there are more, in seconds, 1 at the least. */
  secondsToMore(): number;
}

interface Options {
  /** Asks identity for so many tokens. Rejects when it cannot tell. */
  readonly lease: (wanted: number) => Promise<Leased>;
  /** What holds as long as identity was never heard. */
  readonly requestsPerMinute: number;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
/**
 * How long tokens are good here after identity was asked for the last of them: it misses those for as long. What was
 * left of earlier ones may be older; that is never more than a chunk.
 */
const KEPT_MS = MINUTE_MS;
/** How soon a change of the quota is felt while there are requests. */
const CURRENT_MS = 3_000;
/** Tokens are leased for so long ahead, by how many were wanted lately. */
const HORIZON_MS = 1_000;
/** Which part of a minute's tokens is leased at once, at the least and at the most. */
const [LEAST, MOST] = [1 / 200, 1 / 60];
/** How long not to ask again when there were too few. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 2_000];
/** How soon to ask again while identity cannot tell. */
const ALONE_MS = 1_000;

/**
 * Leases tokens about a second ahead, so that nearly no request waits for identity. What is leased is nobody else's: all
 * gateways together let in what the quota says, give or take what they have in hand.
 */
export function createTokenLease({ lease, requestsPerMinute, now }: Options): TokenLease {
  let quota: Omit<Leased, 'granted' | 'moreAfterMs'> = { requestsPerMinute, remaining: 0 };
  let [tokens, endsAt] = [0, 0];
  let [moreAt, pausedUntil] = [0, 0];
  let [askedAt, wishes, waiting, chunk] = [now(), 0, 0, 1];
  let isAlone = false;

  /** As many as are waited for, or as the next second takes when it is like the time since the last question. */
  function nextChunk(time: number): number {
    const soon = Math.ceil((wishes * HORIZON_MS) / Math.max(time - askedAt, HORIZON_MS / 10));
    const part = (share: number) => Math.ceil(quota.requestsPerMinute * share);
    return Math.max(waiting, part(LEAST), Math.min(part(MOST), soon));
  }

  function accept({ granted, moreAfterMs, ...told }: Leased, wanted: number): void {
    const time = now();
    tokens = isAlone || time >= endsAt ? granted : tokens + granted;
    if (granted > 0) endsAt = askedAt + KEPT_MS;
    isAlone = false;
    quota = told;
    moreAt = time + moreAfterMs;
    const pauseMs = Math.min(Math.max(moreAfterMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    pausedUntil = granted < wanted ? time + pauseMs : time;
  }

  /** The gateway gives itself whole tokens, for as long as the quota takes to bring them: a second or more. */
  function goAlone(): void {
    isAlone = true;
    const given = Math.ceil(quota.requestsPerMinute * MOST);
    tokens = Math.max(tokens, given);
    endsAt = now() + (given * MINUTE_MS) / quota.requestsPerMinute;
    quota = { ...quota, remaining: 0 };
    moreAt = endsAt;
    pausedUntil = endsAt;
  }

  /** What identity said before it could not be asked any more may still hold. */
  function stayOrGoAlone(time: number): void {
    const hasOwn = isAlone && time < endsAt;
    const isUsedUp = !isAlone && quota.remaining === 0 && time < moreAt;
    if (isUsedUp) pausedUntil = Math.min(moreAt, time + LONGEST_PAUSE_MS);
    else if (!hasOwn) goAlone();
  }

  /** Never rejects. */
  const ask = createSingleFlight(async (): Promise<void> => {
    const time = now();
    chunk = nextChunk(time);
    const wanted = isAlone || time >= endsAt ? chunk : Math.max(0, chunk - tokens);
    askedAt = time;
    wishes = 0;
    try {
      accept(await lease(wanted), wanted);
    } catch {
      // Whoever leases has told why.
      stayOrGoAlone(now());
    }
  });

  /** Whether to ask though there are tokens. */
  function isDue(time: number): boolean {
    if (ask.isRunning()) return false;
    if (isAlone) return time - askedAt >= ALONE_MS;
    return time >= pausedUntil && (tokens < chunk / 4 || time - askedAt >= CURRENT_MS);
  }

  function takeOne(time: number): true {
    tokens -= 1;
    if (isDue(time)) void ask();
    return true;
  }

  async function takeLater(): Promise<boolean> {
    waiting += 1;
    try {
      for (;;) {
        await ask();
        if (tokens > 0) return takeOne(now());
        if (now() < pausedUntil) return false;
      }
    } finally {
      waiting -= 1;
    }
  }

  return {
    take() {
      const time = now();
      wishes += 1;
      if (time >= endsAt) {
        tokens = 0;
        if (isAlone) goAlone();
      }
      if (tokens > 0) return takeOne(time);
      if (time >= pausedUntil) return takeLater();
      // Of a small quota the next token may be far, and identity back before it.
      if (isAlone && isDue(time)) void ask();
      return false;
    },

    giveBack() {
      tokens += 1;
    },

    requestsPerMinute: () => quota.requestsPerMinute,
    remaining: () => quota.remaining + tokens,
    secondsToMore: () => Math.max(1, Math.ceil((moreAt - now()) / 1_000)),
  };
}
