import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, ConnectError, createContextValues, type HandlerContext } from '@connectrpc/connect';
import type { Route } from './route.ts';

/** What a handler is given with a call over REST. */
export interface RestContext extends HandlerContext {
  /** Says that the call has been answered: nothing of it goes on. */
  end(): void;
}

interface Options {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** How long the call may make calls of its own, in milliseconds; undefined for as long as it likes. */
  readonly timeoutMs: number | undefined;
}

/** The context of a call. Most handlers look at little of it, so what is costly is made when it is asked for. */
export function createRestContext({ route, request, response, timeoutMs }: Options): RestContext {
  const deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
  const timeLeftMs = () => (deadline === undefined ? undefined : deadline - Date.now());
  const lazy: Lazy = { request, response, timeLeftMs, isOver: false };
  const own = {
    lazy,
    service: route.method.parent,
    method: route.method,
    protocolName: 'rest',
    requestMethod: request.method ?? '',
    url: request.url ?? '',
    values: createContextValues(),
    timeoutMs: timeLeftMs,
    responseHeader: new Headers(),
    end() {
      lazy.isOver = true;
      lazy.limit?.end();
    },
  };
  // Together they have every member of a context.
  return Object.assign(Object.create(prototype), own) as RestContext;
}

interface Lazy {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly timeLeftMs: () => number | undefined;
  isOver: boolean;
  requestHeader?: Headers;
  responseTrailer?: Headers;
  limit?: ReturnType<typeof createLimit>;
}

/** Shared, for getters of their own make every object one of a kind, which V8 keeps until it collects the old ones. */
const prototype: Pick<HandlerContext, 'requestHeader' | 'responseTrailer' | 'signal'> & ThisType<{ lazy: Lazy }> = {
  get requestHeader() {
    this.lazy.requestHeader ??= toHeaders(this.lazy.request);
    return this.lazy.requestHeader;
  },
  get responseTrailer() {
    this.lazy.responseTrailer ??= new Headers();
    return this.lazy.responseTrailer;
  },
  get signal() {
    const { lazy } = this;
    lazy.limit ??= createLimit(lazy.response, lazy.timeLeftMs());
    if (lazy.isOver) lazy.limit.end();
    return lazy.limit.signal;
  },
};

/** Whether the caller went away before it had the answer. */
export function isGone(response: ServerResponse): boolean {
  return response.closed && !response.writableFinished;
}

/** A signal that aborts when the caller goes away, and when the time is over. */
function createLimit(response: ServerResponse, timeLeftMs: number | undefined) {
  const abort = new AbortController();
  const expire = () => abort.abort(new ConnectError('the operation timed out', Code.DeadlineExceeded));
  const timer = timeLeftMs === undefined ? undefined : setTimeout(expire, Math.max(0, timeLeftMs));
  const end = () => {
    clearTimeout(timer);
    abort.abort();
  };
  const endWhenGone = () => {
    if (isGone(response)) end();
  };
  response.once('close', endWhenGone);
  endWhenGone();
  return { signal: abort.signal, end };
}

function toHeaders(request: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') result.set(name, value);
  }
  return result;
}
