import { isDeepStrictEqual } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import type { Actor } from '../auth/actor.ts';
import { AppError } from '../errors/app-error.ts';
import { tenantCallOf } from './call-context.ts';
import { checkIfMatch, type IfMatch, readIfMatch } from './if-match.ts';

/** Which record is to be changed, by whom, and which revisions of it they have seen. */
export interface Edit {
  readonly by: Actor;
  readonly id: string;
  readonly ifMatch?: IfMatch | undefined;
}

/** The change of a record that a call asks for. Throws `INVALID_REQUEST` when its `If-Match` cannot be read. */
export function toEdit(context: HandlerContext, id: string): Edit {
  return { by: tenantCallOf(context), id, ifMatch: readIfMatch(context) };
}

/** How a record is read and written. */
export interface LatestChange<R extends { readonly revision: number }, T> {
  /** The record as it is now. Throws when there is none. */
  readonly read: () => Promise<R>;
  /** What this very call has made of the record before, where it is repeated; whatever its `If-Match` says then. */
  readonly findMade?: (record: R) => Promise<T | undefined>;
  /** Applies the change and writes it; undefined when the record is not at the revision of `before` any more. */
  readonly write: (before: R) => Promise<T | undefined>;
}

/** Whether a record has everything already that a change asks for. */
export function changesNothing<R extends object>(record: R, change: Partial<R>): boolean {
  return isDeepStrictEqual({ ...record, ...change }, record);
}

/** A record that is changed more often than this while one call waits for its turn is somebody's loop. */
const MAX_ROUNDS = 10;

/**
 * Changes a record, again from what it is then when another call was first. Throws `PRECONDITION_FAILED` when it is, or
 * has become, none of the revisions that the caller has seen, and `VERSION_CONFLICT` when others were first ten times.
 */
export async function changeLatest<R extends { readonly revision: number }, T>(
  { ifMatch }: Pick<Edit, 'ifMatch'>,
  { read, findMade, write }: LatestChange<R, T>,
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = await read();
    const made = await findMade?.(before);
    if (made !== undefined) return made;
    checkIfMatch(ifMatch, before.revision);
    const written = await write(before);
    if (written !== undefined) return written;
  }
  throw new AppError('VERSION_CONFLICT');
}
