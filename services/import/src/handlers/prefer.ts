import type { HandlerContext } from '@connectrpc/connect';

/** Preferences of a caller (RFC 7240). */
export interface Preference {
  /** Whether the caller prefers a job (`respond-async`). */
  readonly isAsync: boolean;
  /** Time that the caller waits for the end (`wait`), in milliseconds. */
  readonly waitMs: number;
}

/** The timeout of the gateway is ten seconds longer. */
const LONGEST_WAIT_S = 25;

/** Reads the `Prefer` header. Unknown preferences are ignored, as the RFC requires. */
export function readPrefer({ requestHeader }: Pick<HandlerContext, 'requestHeader'>): Preference {
  const preferences = (requestHeader.get('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find((seconds) => seconds);
  return {
    isAsync: preferences.includes('respond-async'),
    waitMs: Math.min(LONGEST_WAIT_S, Number(wait ?? 0)) * 1_000,
  };
}
