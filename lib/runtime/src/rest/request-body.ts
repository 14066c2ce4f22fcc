import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';

const JSON_TYPES = /^application\/(json|merge-patch\+json)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body of at most `maxBytes`. An empty body is an empty object. Throws `BODY_TOO_LARGE` before anything is
 * read when Content-Length says so, `UNSUPPORTED_MEDIA_TYPE`, or `INVALID_REQUEST` when it is no JSON in UTF-8.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const length = Number(request.headers['content-length'] ?? 0);
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (length > maxBytes) throw tooLarge(maxBytes);
  if (length === 0 && !chunked) return {};
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  if (!JSON_TYPES.test(request.headers['content-type'] ?? '')) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  return parseJson(bytes);
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', { detail: 'The body is not JSON in UTF-8', cause });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('BODY_TOO_LARGE', { detail: `The body is over the limit of ${maxBytes} bytes` });
}
