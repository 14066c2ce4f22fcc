import type { SealedResponse } from '../responses/response.ts';

/** The last change of a response: the response after the change, or its deletion. */
export interface Change<R> {
  readonly id: string;
  readonly revision: number;
  readonly changedAt: Date;
  /** Undefined if the response is deleted. */
  readonly response: R | undefined;
}

export type SealedChange = Change<SealedResponse>;

/** A point in the feed of a survey, which is sorted by stamp and id. */
export interface FeedPoint {
  /** Cluster time of a change; `UNSTAMPED` for responses of earlier releases, which come first. */
  readonly stamp: bigint;
  /** Id of the response; empty before all of them. */
  readonly id: string;
}

/** The last point that a reader has seen. */
export interface FeedPosition extends FeedPoint {
  /** The horizon of the first page. Earlier deletions are left out: the reader has never seen these responses. */
  readonly firstHorizon: bigint;
}

export const UNSTAMPED = 0n;

const SECONDS_SHIFT = 32n;

export function isAfter(one: FeedPoint, other: FeedPoint): boolean {
  return one.stamp > other.stamp || (one.stamp === other.stamp && one.id > other.id);
}

/** The time of a stamp, in whole seconds: its upper 32 bits. */
export function toTime(stamp: bigint): Date {
  return new Date(Number(stamp >> SECONDS_SHIFT) * 1_000);
}
