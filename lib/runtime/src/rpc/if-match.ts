import { hash } from 'node:crypto';
import type { JsonValue } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';

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

/** Sets the ETag of a reply that has no revision. It changes with the content. */
export function setContentEtag(context: HandlerContext, content: JsonValue): void {
  context.responseHeader.set('etag', `"${hash('sha256', JSON.stringify(content), 'base64url')}"`);
}

/** Reads `If-Match`; undefined if it is absent. Throws `INVALID_REQUEST` if it is malformed. */
export function readIfMatch(context: HandlerContext): IfMatch | undefined {
  const header = context.requestHeader.get('if-match');
  if (header === null) return undefined;
  const [, value] = IF_MATCH.exec(header) ?? [];
  if (value === undefined) throw new AppError('INVALID_REQUEST', { detail: 'If-Match must be * or entity tags' });
  // A proxy that compresses a reply weakens its tag. A revision is of the record, not of the bytes, so it still counts.
  const tags = new Set(value.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return { includes: (revision) => tags.has('*') || tags.has(toEtag(revision)) };
}

/** Throws `PRECONDITION_FAILED` if the caller names revisions, but not this one. */
export function checkIfMatch(ifMatch: IfMatch | undefined, revision: number): void {
  if (ifMatch?.includes(revision) === false) throw new AppError('PRECONDITION_FAILED');
}

function toEtag(revision: number): string {
  return `"${revision}"`;
}
