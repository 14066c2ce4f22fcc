import { ApiError, isRedirect, toApiError, toRedirectError } from './api-error.ts';
import { type FileBody, isFileBody, isStream, nameOfFile, typeOfFile } from './file-body.ts';
import type { Operation } from './operation.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { randomUuid } from './random-uuid.ts';
import type { ReplyWithResponse } from './reply.ts';
import { retry } from './retry.ts';
import { MAX_TIMER_MS } from './sleep.ts';

/** The arguments of a call, sorted into the parts of the request. */
export interface CallArguments {
  readonly pathValues: readonly unknown[];
  readonly input?: unknown;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly options?: (RequestOptions & Readonly<Record<string, unknown>>) | undefined;
}

/**
 * Calls an operation, with retries. Rejects with an `ApiError`, the reason of the caller's signal, or the error of the
 * function that returns the token.
 */
export type Call = (operation: Operation, args: CallArguments) => Promise<ReplyWithResponse<unknown>>;

const DEFAULT_RETRIES = 4;
export const DEFAULT_TIMEOUT_MS = 60_000;
/** The platform accepts a file for 30 minutes. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;
const IDEMPOTENCY_KEY = 'idempotencyKey';

export function createCall(client: ClientOptions): Call {
  const { maxRetryWaitMs = DEFAULT_TIMEOUT_MS } = client;
  const base = baseOf(client.baseUrl);
  const send: typeof fetch = client.fetch ?? ((...args) => fetch(...args));

  return async (operation, { pathValues, input, query, options = {} }) => {
    const { signal } = options;
    const isUpload = operation.file === true && isFileBody(input);
    const defaultMs = isUpload ? UPLOAD_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? defaultMs;
    const url = base + fillPath(operation.path, pathValues) + toQuery(operation, query, input);
    const { body, mediaType } = toBody(operation, input);
    const headers = {
      ...headersOf(operation, options),
      ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
    };

    async function attempt(mayBeDone: boolean): Promise<ReplyWithResponse<unknown>> {
      // Outside of `try`, because an error of the token or of a header is not the loss of a connection.
      const sentHeaders = new Headers(await authorize(headers));
      signal?.throwIfAborted();
      const timeout = startTimeout(timeoutMs, signal);
      try {
        // A redirect would send passwords and tokens in headers to its target.
        const redirect = 'manual' as const;
        const init = { method: operation.method, headers: sentHeaders, redirect, signal: timeout.signal };
        const response = await send(url, body === undefined ? init : { ...init, body, ...streamOptions(body) });
        if (isRedirect(response)) throw await toRedirectError(response, url);
        if (!response.ok && !(mayBeDone && isGone(operation, response))) throw await toApiError(response);
        return { data: await readBody(operation, response), response };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw error instanceof ApiError ? error : timeout.toError(error);
      } finally {
        timeout.clear();
      }
    }

    async function authorize(baseHeaders: Readonly<Record<string, string>>): Promise<Record<string, string>> {
      if (operation.public || client.token === undefined) return baseHeaders;
      const token = typeof client.token === 'string' ? client.token : await client.token();
      return { ...baseHeaders, authorization: `Bearer ${token}` };
    }

    return retry(attempt, {
      maxRetries: isStream(body) ? 0 : (options.maxRetries ?? client.maxRetries ?? DEFAULT_RETRIES),
      maxRetryWaitMs,
      isRepeatable: isRepeatable(operation, options),
      signal,
    });
  };
}

function baseOf(baseUrl: string): string {
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl must begin with https:// or http://: ${baseUrl}`);
  return baseUrl.replace(/\/+$/, '');
}

/**
 * Whether a request may be sent again although the platform may have carried it out already. True for reads, deletions,
 * requests with an idempotency key, and merge patches without `ifMatch`.
 */
function isRepeatable(
  { method, headers: headerNames = {}, safe }: Operation,
  { ifMatch }: Readonly<Record<string, unknown>>,
): boolean {
  if (safe === true || IDEMPOTENCY_KEY in headerNames) return true;
  return method === 'GET' || method === 'DELETE' || (method === 'PATCH' && ifMatch === undefined);
}

/** Whether the record of a repeated deletion is deleted already. */
function isGone({ method }: Operation, { status }: Response): boolean {
  return method === 'DELETE' && status === 404;
}

function fillPath(path: string, values: readonly unknown[]): string {
  const rest = [...values];
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.shift() ?? '');
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
}

/**
 * Encodes query parameters. A list becomes one parameter for each item, an object is sent as JSON. For an upload, the
 * name of the file is a parameter, unless the caller sets another name.
 */
function toQuery(operation: Operation, query: CallArguments['query'], input: unknown): string {
  if (!operation.query) return '';
  const filename = operation.filename ? nameOfFile(input) : undefined;
  const entries = Object.entries({ ...(filename === undefined ? {} : { filename }), ...query });
  const given = entries
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, toText(one)]),
    );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function headersOf(
  { headers: headerNames = {}, reply }: Operation,
  options: Readonly<Record<string, unknown>>,
): Record<string, string> {
  // The key comes after the spread, because an option can be present with the value undefined.
  const given: Readonly<Record<string, unknown>> = {
    ...options,
    [IDEMPOTENCY_KEY]: options[IDEMPOTENCY_KEY] ?? randomUuid(),
  };
  const named = Object.entries(headerNames).flatMap(([option, name]) => {
    const value = given[option];
    return value === undefined ? [] : [[name.toLowerCase(), String(value)]];
  });
  return { ...Object.fromEntries(named), ...(reply === 'stream' ? {} : { accept: 'application/json' }) };
}

function toBody(operation: Operation, input: unknown): { body?: FileBody; mediaType?: string } {
  // If an operation takes JSON and files, send each file with a neutral type. A file of the type JSON would be read as
  // the JSON body.
  if (operation.file && isFileBody(input))
    return { body: input, mediaType: operation.json === undefined ? typeOfFile(input) : 'application/octet-stream' };
  if (operation.file && operation.json === undefined) throw new TypeError('the file is missing');
  if (operation.json === undefined) return {};
  return { body: JSON.stringify(input ?? {}), mediaType: operation.json };
}

/** Node requires this option for a streamed body. It means that the reply begins only after the whole body is sent. */
function streamOptions(body: FileBody): object {
  return isStream(body) ? { duplex: 'half' } : {};
}

async function readBody({ reply }: Operation, response: Response): Promise<unknown> {
  if (reply === 'stream') return response;
  if (reply === 'none') return void (await response.body?.cancel());
  if (response.headers.get('content-type')?.startsWith('application/json')) return response.json();
  throw await toApiError(response);
}

/** Limits the time of an attempt. */
function startTimeout(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
    clear: () => clearTimeout(timer),
    toError: (cause: unknown) =>
      controller.signal.aborted
        ? new ApiError(`no reply within ${timeoutMs} ms`, { code: 'TIMEOUT', status: 0, cause })
        : new ApiError('the connection was lost', { code: 'CONNECTION_LOST', status: 0, cause }),
  };
}
