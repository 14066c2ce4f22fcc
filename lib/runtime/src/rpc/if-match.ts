import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';

/** The revision of a record that is new. */
export const FIRST_REVISION = 1;

/** What a caller's `If-Match` (RFC 9110, section 13.1.1) says of the record that it changes. */
export interface IfMatch {
  /** Whether this is a revision that the caller has seen. */
  includes(revision: number): boolean;
}

/** `*`, or entity tags with commas between them. */
const IF_MATCH = /^\s*(\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*)\s*$/;

/** Gives an answer with a single record the `ETag` of its revision. */
export function setEtag(context: HandlerContext, revision: number): void {
  context.responseHeader.set('etag', toEtag(revision));
}

/** The call's `If-Match`, undefined when it has none. Throws `INVALID_REQUEST` when it cannot be read. */
export function readIfMatch(context: HandlerContext): IfMatch | undefined {
  const header = context.requestHeader.get('if-match');
  if (header === null) return undefined;
  const [, value] = IF_MATCH.exec(header) ?? [];
  if (value === undefined) throw new AppError('INVALID_REQUEST', { detail: 'If-Match has to be * or entity tags' });
  // Weak tags match nothing here: this comparison is the strong one.
  const tags = new Set(value.split(',').map((tag) => tag.trim()));
  return { includes: (revision) => tags.has('*') || tags.has(toEtag(revision)) };
}

/** Throws `PRECONDITION_FAILED` when the caller names revisions, and this is none of them. */
export function checkIfMatch(ifMatch: IfMatch | undefined, revision: number): void {
  if (ifMatch?.includes(revision) === false) throw new AppError('PRECONDITION_FAILED');
}

function toEtag(revision: number): string {
  return `"${revision}"`;
}
