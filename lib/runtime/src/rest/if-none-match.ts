import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

/** What a tag has in front when it is a weak one; here that makes no difference (RFC 9110, section 8.8.3.2). */
const WEAK = /^W\//;

/**
 * The answer, or 304 in its place when `If-None-Match` (RFC 9110, section 13.1.2) says that the caller has it. One that
 * cannot be read matches nothing.
 */
export function toConditional(answer: Answer, request: IncomingMessage, etag: string | null): Answer {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || etag === null || !isAmong(etag, request.headers['if-none-match'] ?? '')) return answer;
  const { 'content-type': _, 'content-length': __, ...headers } = answer.headers;
  return { status: 304, headers, body: undefined };
}

function isAmong(etag: string, ifNoneMatch: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(WEAK, ''));
  return tags.includes('*') || tags.includes(etag.replace(WEAK, ''));
}
