import type { HandlerContext } from '@connectrpc/connect';

/** What a caller likes better (RFC 7240). */
export interface Preference {
  /** Whether it would rather not wait for the end. */
  readonly isAsync: boolean;
  /** How long it waits all the same, in milliseconds. */
  readonly waitMs: number;
}

/** The gateway waits ten seconds longer for a service that is silent. */
const LONGEST_WAIT_S = 25;

/** What is not understood is passed over, as the RFC says. */
export function readPrefer({ requestHeader }: Pick<HandlerContext, 'requestHeader'>): Preference {
  const preferences = (requestHeader.get('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find((seconds) => seconds);
  return {
    isAsync: preferences.includes('respond-async'),
    waitMs: Math.min(LONGEST_WAIT_S, Number(wait ?? 0)) * 1_000,
  };
}
