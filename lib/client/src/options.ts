import type { HeaderOptions } from './generated/types.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Address of the platform, such as `https://surveys.example.com`. */
  readonly baseUrl: string;
  /** An API key or JWT, or a function that returns the current one. Operations for respondents need none. */
  readonly token?: string | (() => string | Promise<string>);
  /** Maximum number of repeats of a request after 429, 503 or a lost connection. Default: 4. */
  readonly maxRetries?: number;
  /**
   * Longest time between two attempts, in milliseconds. If a reply asks for a longer one with `Retry-After`, the
   * request fails with this reply. Default: 60,000.
   */
  readonly maxRetryWaitMs?: number;
  /**
   * Time limit of an attempt, in milliseconds: of the whole reply, or of its beginning for streams. Default: 60,000, or
   * 30 minutes to send a file.
   */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of a call. */
export interface RequestOptions {
  /** Aborts the request and its repeats. */
  readonly signal?: AbortSignal;
  /** Overrides the options of the client. */
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

/** Options of a call, with those that are sent as headers. */
export type Options<Header extends keyof HeaderOptions = never> = RequestOptions & Pick<HeaderOptions, Header>;
