import { DEFAULT_TIMEOUT_MS } from './call.ts';
import type { Resources } from './generated/resources.ts';
import type { AnyAnswers, ListResponseChangesQuery, ResponseChanges } from './generated/types.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { isTemporary } from './retry.ts';
import { sleep } from './sleep.ts';

/** The start of the changes to follow, and options of the requests. */
export interface FollowOptions extends RequestOptions, Omit<ListResponseChangesQuery, 'wait'> {}

/** Methods of `responses` that send several requests. */
export interface Follow {
  /**
   * Yields the changes of the responses to a survey, endlessly, so that you can keep a copy of the responses. Without
   * `cursor`, it starts with all responses. Store the changes and `next_cursor` of each reply together, and pass the
   * cursor after a restart. `changes` can be empty.
   *
   * It continues after outages. It throws an `ApiError` if a retry cannot help, for example `CURSOR_EXPIRED`. If
   * `signal` is aborted, it throws the reason of the signal.
   */
  follow<Answers extends object = AnyAnswers>(
    surveyId: string,
    options?: FollowOptions,
  ): AsyncIterable<ResponseChanges<Answers>>;
}

const WAIT_SECONDS = 20;
/** Minimum time between requests if the last one failed, or returned no changes. */
const PAUSE_MS = 1_000;

export function createFollow({ responses }: Pick<Resources, 'responses'>, client: ClientOptions): Follow {
  return {
    async *follow<Answers extends object>(surveyId: string, { cursor: first, limit, ...options }: FollowOptions = {}) {
      const { signal, timeoutMs = client.timeoutMs ?? DEFAULT_TIMEOUT_MS } = options;
      // A timeout shorter than the wait of the server would abort each request before its reply.
      const requestOptions = { ...options, timeoutMs: timeoutMs + WAIT_SECONDS * 1_000 };
      let cursor = first;
      while (true) {
        const startedAt = performance.now();
        let pauseMs = PAUSE_MS;
        const query = { wait: WAIT_SECONDS, ...(limit && { limit }), ...(cursor && { cursor }) };
        const changes = responses.listChanges<Answers>(surveyId, query, requestOptions);
        const reply = await changes.catch((error: unknown) => {
          if (!isTemporary(error)) throw error;
          if (error.retryAfterSeconds !== undefined) pauseMs = Math.max(pauseMs, error.retryAfterSeconds * 1_000);
          return undefined;
        });
        const isNew = reply !== undefined && (reply.changes.length > 0 || reply.next_cursor !== cursor);
        if (isNew) yield reply;
        cursor = reply?.next_cursor ?? cursor;
        if (reply === undefined || (reply.changes.length === 0 && performance.now() - startedAt < PAUSE_MS))
          await sleep(pauseMs, signal);
      }
    },
  };
}
