import { isDeepStrictEqual } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import type { Actor } from '../auth/actor.ts';
import { AppError } from '../errors/app-error.ts';
import { tenantCallOf } from './call-context.ts';
import { checkIfMatch, type IfMatch, readIfMatch } from './if-match.ts';

/** The record to change, the author, and the revisions that the caller has seen. */
export interface Edit {
  readonly caller: Actor;
  readonly id: string;
  readonly ifMatch?: IfMatch | undefined;
}

/** Reads the edit of a call. Throws `INVALID_REQUEST` if its `If-Match` is malformed. */
export function toEdit(context: HandlerContext, id: string): Edit {
  return { caller: tenantCallOf(context), id, ifMatch: readIfMatch(context) };
}

export interface LatestChange<R extends { readonly revision: number }, T> {
  /** Reads the record. Throws if there is none. */
  readonly read: () => Promise<R>;
  /** Finds the result of this call if it is a repeat. The `If-Match` is not checked then. */
  readonly findApplied?: (record: R) => Promise<T | undefined>;
  /** Applies the change and writes it. Returns undefined if the record is no longer at the revision of `before`. */
  readonly write: (before: R) => Promise<T | undefined>;
}

/** Whether a record already has all values of a change. */
export function changesNothing<R extends object>(record: R, change: Partial<R>): boolean {
  return isDeepStrictEqual({ ...record, ...change }, record);
}

/** More concurrent changes than this during one call indicate a loop. */
const MAX_ROUNDS = 10;

/**
 * Changes a record, and retries after concurrent changes. Throws `PRECONDITION_FAILED` if the caller has not seen the
 * current revision, and `VERSION_CONFLICT` after ten concurrent changes.
 */
export async function changeLatest<R extends { readonly revision: number }, T>(
  { ifMatch }: Pick<Edit, 'ifMatch'>,
  { read, findApplied, write }: LatestChange<R, T>,
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = await read();
    const applied = await findApplied?.(before);
    if (applied !== undefined) return applied;
    checkIfMatch(ifMatch, before.revision);
    const written = await write(before);
    if (written !== undefined) return written;
  }
  throw new AppError('VERSION_CONFLICT');
}
