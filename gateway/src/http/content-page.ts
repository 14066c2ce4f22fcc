import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Request, Response } from 'express';

/** A reply body that stays the same until the process ends. */
export interface Content {
  /** Called once, at the first request. */
  readonly load: () => string | Buffer;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A higher quality would save a tenth of the size, but take seconds for large files. */
const BROTLI_QUALITY = 5;

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

type Encoding = keyof typeof compressors;

/** In order of preference. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** Hash of a body, for names of files and ETags. */
export function hashContent(body: string | Buffer): string {
  return hash('sha256', body, 'base64url');
}

/** Serves content with an ETag, compressed if the client accepts that. Each encoding is compressed only once. */
export function createContentHandler({ load, type, headers }: Content): PageHandler {
  const compressed = new Map<Encoding, Promise<Buffer>>();
  let loaded: { readonly bytes: Buffer; readonly digest: string } | undefined;

  function loadOnce() {
    if (loaded === undefined) {
      const content = load();
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      loaded = { bytes, digest: hashContent(bytes) };
    }
    return loaded;
  }

  function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
    const promise = compressed.get(encoding) ?? compressors[encoding](bytes);
    compressed.set(encoding, promise);
    return promise;
  }

  return async (request, response) => {
    const { bytes, digest } = loadOnce();
    const encoding = ENCODINGS.find((name) => request.acceptsEncodings(name));
    response.set(headers);
    response.vary('Accept-Encoding');
    response.setHeader('etag', `"${digest}${encoding === undefined ? '' : `-${encoding}`}"`);
    if (encoding !== undefined) response.setHeader('content-encoding', encoding);
    response.type(type).send(encoding === undefined ? bytes : await compress(bytes, encoding));
  };
}

const ALLOW = 'GET, HEAD, OPTIONS';

/** Sends a page or file of the gateway itself, such as `/docs`. */
export type PageHandler = (request: Request, response: Response) => Promise<void> | void;

/** Replies with a page. Throws `METHOD_NOT_ALLOWED` unless the method is GET, HEAD or OPTIONS. */
export async function replyWithPage(page: PageHandler, request: Request, response: Response): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD') return page(request, response);
  response.setHeader('allow', ALLOW);
  if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
  response.status(204).end();
}
