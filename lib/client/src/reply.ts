/**
 * A reply whose body is streamed, such as an export. Read it with `body`, `text()`, or `readNdjson`, whose rows have
 * the type `Row`.
 */
export interface Download<Row = unknown> extends Response {
  /** Only a type: there is no such member. */
  readonly rowType?: Row;
}

/** A result with the HTTP response that it came in. */
export interface ReplyWithResponse<T> {
  readonly data: T;
  /** Has the headers, such as `ETag`. Its body is read already, unless it is streamed. */
  readonly response: Response;
}

/** The result of a call. */
export interface Reply<T> extends Promise<T> {
  /** Resolves with the result and the HTTP response. */
  withResponse(): Promise<ReplyWithResponse<T>>;
}

export function createReply<T>(call: Promise<ReplyWithResponse<T>>): Reply<T> {
  const result = call.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      // The promise `call` reports a failure to the caller. The unused `result` must not count as an unhandled
      // rejection.
      result.catch(() => undefined);
      return call;
    },
  });
}
