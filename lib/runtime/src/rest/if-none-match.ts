import type { IncomingMessage } from 'node:http';
import type { RestReply } from './reply.ts';

/** The prefix of weak tags, which is ignored here (RFC 9110, section 8.8.3.2). */
const WEAK = /^W\//;

/**
 * Replaces the reply by 304 if `If-None-Match` (RFC 9110, section 13.1.2) contains its ETag. A malformed header matches
 * nothing.
 */
export function applyIfNoneMatch(reply: RestReply, request: IncomingMessage, etag: string | null): RestReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || etag === null || !isAmong(etag, request.headers['if-none-match'] ?? '')) return reply;
  const { 'content-type': _, 'content-length': __, ...headers } = reply.headers;
  return { status: 304, headers, body: undefined };
}

function isAmong(etag: string, ifNoneMatch: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(WEAK, ''));
  return tags.includes('*') || tags.includes(etag.replace(WEAK, ''));
}
