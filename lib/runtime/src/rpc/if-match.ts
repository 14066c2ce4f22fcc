import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { ChangeContext } from '../auth/caller.ts';
import { AppError } from '../errors/app-error.ts';
import { tenantCallOf } from './call-context.ts';

export const FIRST_REVISION = 1;

/** The `If-Match` header (RFC 9110, section 13.1.1) of a change. */
export interface IfMatch {
  /** Whether the caller has seen this revision. */
  includes(revision: number): boolean;
}

/** `*`, or entity tags separated by commas. */
const IF_MATCH = /^\s*(\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*)\s*$/;

/** Sets the `ETag` of a reply with a single record to its revision. */
export function setEtag(context: HandlerContext, revision: number): void {
  context.responseHeader.set('etag', toEtag(revision));
}

/** Sets the ETag of a reply without a revision. It changes with the content. */
export function setContentEtag(context: HandlerContext, content: JsonValue): void {
  context.responseHeader.set('etag', `"${hash('sha256', JSON.stringify(content), 'base64url')}"`);
}

/** Reads `If-Match`; undefined if it is absent. Throws `INVALID_REQUEST` if it is malformed. */
export function readIfMatch(context: HandlerContext): IfMatch | undefined {
  const header = context.requestHeader.get('if-match');
  if (header === null) return undefined;
  const [, value] = IF_MATCH.exec(header) ?? [];
  if (value === undefined) throw new AppError('INVALID_REQUEST', { detail: 'If-Match must be * or entity tags' });
  // Proxies that compress a reply weaken its tag. The revision in the tag is still that of the record.
  const tags = new Set(value.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return { includes: (revision) => tags.has('*') || tags.has(toEtag(revision)) };
}

/** Throws `PRECONDITION_FAILED` if the caller has seen other revisions, but not this one. */
export function checkIfMatch(ifMatch: IfMatch | undefined, revision: number): void {
  if (ifMatch?.includes(revision) === false) throw new AppError('PRECONDITION_FAILED');
}

function toEtag(revision: number): string {
  return `"${revision}"`;
}

/** The record that a call changes, the author of the change, and the revisions that the author has seen. */
export interface EditTarget {
  readonly context: ChangeContext;
  readonly id: string;
  readonly ifMatch?: IfMatch | undefined;
}

/** Reads the target of a call that changes a record. Throws `INVALID_REQUEST` if its `If-Match` is malformed. */
export function toEditTarget(context: HandlerContext, id: string): EditTarget {
  return { context: tenantCallOf(context), id, ifMatch: readIfMatch(context) };
}

interface ChangeSteps<R extends { readonly revision: number }, T> {
  /** Reads the record. Throws if there is none. */
  readonly read: () => Promise<R>;
  /** Returns the first result of a repeated RPC. The `If-Match` of the repeated RPC is not checked. */
  readonly findApplied?: (record: R) => Promise<T | undefined>;
  /** Applies the change and writes it. Returns undefined if the record is no longer at the revision of `before`. */
  readonly write: (before: R) => Promise<T | undefined>;
}

/** Whether a record already has all values of a change. */
export function changesNothing<R extends object>(record: R, change: Partial<R>): boolean {
  return isDeepStrictEqual({ ...record, ...change }, record);
}

/** Maximum attempts to write one change. */
const MAX_ROUNDS = 10;

/**
 * Changes a record, and retries after concurrent changes. Throws `PRECONDITION_FAILED` if the caller has not seen the
 * current revision, and `VERSION_CONFLICT` after ten concurrent changes.
 */
export async function changeLatest<R extends { readonly revision: number }, T>(
  { ifMatch }: Pick<EditTarget, 'ifMatch'>,
  { read, findApplied, write }: ChangeSteps<R, T>,
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
