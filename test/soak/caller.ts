import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Bytes are sent unchanged, other bodies as JSON. */
  readonly body?: object | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to send a token of the tenant. */
  readonly isTenants?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: clients read the members that they need
  readonly body: any;
  /** Whether an earlier attempt failed in a way that leaves open whether the platform carries it out, now or later. */
  readonly hasOpenAttempt: boolean;
}

/** Sends requests with retries. */
export interface Caller {
  /** Repeats a request until the reply is neither a broken connection, nor 429, nor 5xx. Throws after the timeout. */
  send(request: Request): Promise<Reply>;
  /** Number of attempts by outcome: a status or an error code. */
  readonly outcomes: ReadonlyMap<string, number>;
}

interface Dependencies {
  readonly gateway: string;
  readonly token: string;
  readonly ledger: Pick<Ledger, 'report'>;
  readonly requestsPerSecond: number;
  /** Aborts all retries. */
  readonly giveUp: AbortSignal;
}

/** Statuses after which a request can be repeated. */
const AGAIN = new Set([429, 502, 503, 504]);
/** Shorter than the longest stall, so clients repeat requests that are still in flight. */
const TIMEOUT_MS = 10_000;
const MOST_PAUSE_MS = 2_000;

export function createCaller({ gateway, token, ledger, requestsPerSecond, giveUp }: Dependencies): Caller {
  const outcomes = new Map<string, number>();
  let nextAt = 0;

  async function untilAllowed(): Promise<void> {
    const now = performance.now();
    nextAt = Math.max(now, nextAt + 1_000 / requestsPerSecond);
    await sleep(nextAt - now, undefined, { signal: giveUp });
  }

  async function attempt({ method, path, body, headers, isTenants }: Request): Promise<Omit<Reply, 'hasOpenAttempt'>> {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`${gateway}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), giveUp]),
      headers: {
        ...(isTenants === true ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    const json = isJson ? JSON.parse(bytes.toString()) : undefined;
    return { status: response.status, headers: response.headers, bytes, body: json };
  }

  function count(outcome: string): void {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  function check({ method, path }: Request, { status, headers, body }: Omit<Reply, 'hasOpenAttempt'>): void {
    const isUndocumented = status >= 500 && !AGAIN.has(status);
    const isSilent = (status === 429 || status === 503) && !/^[1-9]\d?$/.test(headers.get('retry-after') ?? '');
    if (!isUndocumented && !isSilent) return;
    const kind = isSilent ? 'reply without Retry-After' : 'undocumented reply';
    ledger.report({ kind, detail: `${method} ${path}: ${status} ${JSON.stringify(body)}` });
  }

  return {
    outcomes,
    async send(request) {
      let hasOpenAttempt = false;
      for (let tries = 1; ; tries += 1) {
        let seen: string;
        try {
          await untilAllowed();
          const reply = await attempt(request);
          seen = String(reply.status);
          count(seen);
          check(request, reply);
          if (reply.status < 500 && reply.status !== 429) return { ...reply, hasOpenAttempt };
          hasOpenAttempt ||= reply.status >= 500;
        } catch (error) {
          hasOpenAttempt = true;
          seen = codeOf(error);
          if (!giveUp.aborted) count(seen);
        }
        if (!giveUp.aborted)
          await sleep(Math.min(MOST_PAUSE_MS, 100 * 2 ** tries), undefined, { signal: giveUp }).catch(() => {});
        if (giveUp.aborted) throw new Error(`${request.method} ${request.path}: ${tries} tries, the last: ${seen}`);
      }
    },
  };
}

/** The error code of a failed fetch, such as `ECONNRESET`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name === 'TypeError' ? error.message : error.name;
}
