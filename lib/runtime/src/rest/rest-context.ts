import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, ConnectError, createContextValues, type HandlerContext } from '@connectrpc/connect';
import type { Route } from './route.ts';

export interface RestContext extends HandlerContext {
  /** Ends the call after its reply, and stops all calls that it made. */
  end(): void;
}

interface Options {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Time limit for calls to other services, in milliseconds; undefined means unlimited. */
  readonly timeoutMs: number | undefined;
}

/** Creates the context of a call. Expensive members are created on first use. */
export function createRestContext({ route, request, response, timeoutMs }: Options): RestContext {
  const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const timeLeftMs = () => (deadline === undefined ? undefined : deadline - performance.now());
  const lazy: Lazy = { request, response, timeLeftMs, isOver: false };
  const members = {
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
  // `prototype` and `members` together have all members of a context.
  return Object.assign(Object.create(prototype), members) as RestContext;
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

/**
 * One shared prototype: with getters per object, V8 would make a hidden class for each, and keep it until a full
 * collection.
 */
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

/** Whether the caller disconnected before the end of the reply. */
export function isGone(response: ServerResponse): boolean {
  return response.closed && !response.writableFinished;
}

/** A signal that aborts when the caller disconnects or the time is over. */
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
