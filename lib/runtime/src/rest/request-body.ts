import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { isObject } from '../json/is-object.ts';
import { JsonError, parseJson } from '../json/parse-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const CHARSET = String.raw`\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$`;
const JSON_TYPE = new RegExp(`^application/json${CHARSET}`, 'i');
const PATCH_TYPE = new RegExp(`^application/(merge-patch\\+)?json${CHARSET}`, 'i');

/** The faults of rejected JSON. The text for `MALFORMED` is about bodies. */
export const jsonDetails: Readonly<Record<JsonError['problem'], string>> = {
  MALFORMED: 'The body is not JSON',
  DUPLICATE_MEMBER: 'has two members of this name',
  FORBIDDEN_NAME: 'is not allowed as a name',
  NUMBER_OUT_OF_RANGE: 'is beyond ±(2^53 - 1), where numbers are not exact',
  TOO_DEEP: 'is nested more than 64 deep',
};

export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a JSON body of up to `maxBytes`, or a merge patch for PATCH. An empty body means an empty object. A byte order
 * mark is ignored (RFC 8259, section 8.1). Throws like `readBody`. Throws `UNSUPPORTED_MEDIA_TYPE` for other types, and
 * `INVALID_REQUEST` for anything that `parseJson` rejects.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  checkHeaders(request, maxBytes);
  const bytes = hasBody(request) ? await collectBody(request, maxBytes) : Buffer.of();
  if (bytes.length === 0) return {};
  requireJsonType(request);
  return parseJsonBody(bytes);
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` if the body is no JSON in UTF-8. A PATCH may also have a merge patch. */
export function requireJsonType({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  const type = method === 'PATCH' ? PATCH_TYPE : JSON_TYPE;
  if (!type.test(headers['content-type'] ?? '')) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
}

/** Returns the members of a body. Throws `INVALID_REQUEST` if it is no object, or has a member that the path sets. */
export function toMembers(json: unknown, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isObject(json)) throw new AppError('INVALID_REQUEST', { detail: 'The body must be a JSON object' });
  const duplicate = Object.keys(params).find((name) => Object.hasOwn(json, name));
  if (duplicate !== undefined) {
    const problem = { path: `/${duplicate}`, code: 'UNKNOWN_FIELD', detail: 'The path sets this member' };
    throw new AppError('INVALID_REQUEST', { errors: [problem] });
  }
  return json;
}

/**
 * Reads a body of up to `maxBytes`. Throws `BODY_TOO_LARGE` (before reading if Content-Length is too large),
 * `UNSUPPORTED_MEDIA_TYPE` if the body is compressed, and `CANCELLED` if it is incomplete.
 */
export async function* readBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  checkHeaders(request, maxBytes);
  if (!hasBody(request)) return;
  let size = 0;
  try {
    // Keep the request alive after an error: `sendProblem` reads the rest of the body, and replies.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    // Other errors mean that the caller disconnected, sent invalid HTTP, or was too slow.
    throw error instanceof AppError ? error : new AppError('CANCELLED', { cause: error });
  }
}

function checkHeaders(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (hasBody(request) && encoding.toLowerCase() !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE');
}

/** Like `readBody`, but collects all bytes, and checks no headers. Faster, because most bodies are one chunk. */
export function collectBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(new AppError('CANCELLED'));
    const chunks: Uint8Array[] = [];
    let size = 0;
    const take = (chunk: Uint8Array) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      // `sendProblem` reads the rest of the body, and replies.
      request.off('data', take).pause();
      reject(bodyTooLarge(maxBytes));
    };
    request.on('data', take);
    request.once('end', () => {
      const [first, ...more] = chunks;
      resolve(first === undefined || more.length > 0 ? Buffer.concat(chunks) : first);
    });
    request.once('error', (cause) => reject(new AppError('CANCELLED', { cause })));
    request.once('close', () => {
      // Skip the error after a normal end, because it is expensive and has no effect.
      if (!request.readableEnded) reject(new AppError('CANCELLED'));
    });
  });
}

/** The line and column of a character in a text, both counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position after a text that begins at the given position. */
export function positionAfter(text: string, { line, column }: TextPosition = { line: 1, column: 1 }): TextPosition {
  const [first = '', ...more] = text.split('\n');
  const last = more.at(-1);
  return { line: line + more.length, column: last === undefined ? column + first.length : last.length + 1 };
}

/** The error of a body that is JSON only up to a position. */
export function notJsonError({ line, column }: TextPosition, cause: unknown): AppError {
  const detail = `${jsonDetails.MALFORMED}: line ${line}, column ${column}`;
  return new AppError('INVALID_REQUEST', { detail, cause });
}

/**
 * Parses a body of JSON. Throws `INVALID_REQUEST` for anything that `parseJson` rejects.
 *
 * @param toPosition converts the text before a problem to a position in the body. Needed if `bytes` is only a part of
 * it
 */
export function parseJsonBody(
  bytes: Uint8Array,
  toPosition: (before: string) => TextPosition = positionAfter,
): unknown {
  let text = '';
  try {
    text = utf8.decode(bytes);
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonError))
      throw new AppError('INVALID_REQUEST', { detail: 'The body is not UTF-8', cause });
    const { path, problem, index = text.length } = cause;
    if (problem === 'MALFORMED') throw notJsonError(toPosition(text.slice(0, index)), cause);
    throw new AppError('INVALID_REQUEST', { errors: [{ path, code: problem, detail: jsonDetails[problem] }], cause });
  }
}

export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError('BODY_TOO_LARGE', { detail: `The body is over the limit of ${maxBytes} bytes` });
}

/** An upload may take a minute, plus the time for its bytes at half a megabit per second. */
const GRACE_MS = 60_000;
const BYTES_PER_MS = 64;

/**
 * Passes the bytes through. Throws `DEADLINE_EXCEEDED` if they arrive too slowly, so that slow clients cannot keep
 * others from uploading. The idle timeout of the listener ends clients that send nothing.
 *
 * @param now milliseconds that never decrease
 */
export async function* withMinimumSpeed(
  stream: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array> {
  const begin = now();
  let received = 0;
  for await (const bytes of stream) {
    received += bytes.length;
    if (now() - begin > GRACE_MS + received / BYTES_PER_MS)
      throw new AppError('DEADLINE_EXCEEDED', { detail: 'The file arrives too slowly' });
    yield bytes;
  }
}
