import { poll } from '@survey/runtime/testing/poll';
import type { Api } from './platform.ts';
import { retryUntilReply } from './retrying-client.ts';

/** A copy of the responses to a survey, which follows the change feed. */
export interface FeedFollower {
  /** Revisions of the copied responses by id. */
  readonly copy: ReadonlyMap<string, number>;
  /** Rejects as soon as a request failed for good. */
  readonly ended: Promise<void>;
  /** Resolves when more pages were read that were asked for after the call. */
  untilRead(): Promise<void>;
  /** Stops after the current request. Rejects if one failed for good. */
  stop(): Promise<void>;
}

interface Change {
  readonly id: string;
  readonly revision: number;
  readonly deleted: boolean;
}

/** Starts to follow the change feed, with retries. */
export function followFeed(api: Api, surveyId: string): FeedFollower {
  const copy = new Map<string, number>();
  let stopped = false;
  let pages = 0;

  async function follow(): Promise<void> {
    let query = 'limit=100&wait=2';
    while (!stopped) {
      const { status, body } = await retryUntilReply(() =>
        api('GET', `/v1/surveys/${surveyId}/responses/changes?${query}`),
      );
      if (status !== 200) throw new Error(`the feed replied ${status}: ${JSON.stringify(body)}`);
      for (const { id, revision, deleted } of body.changes as readonly Change[]) {
        if (deleted) copy.delete(id);
        else copy.set(id, revision);
      }
      query = `limit=100&wait=2&cursor=${body.next_cursor}`;
      pages += 1;
    }
  }

  const ended = follow();
  // Reported by whoever awaits it.
  ended.catch(() => {});
  return {
    copy,
    ended,
    async untilRead() {
      const before = pages;
      // The next page may have been asked for before the call.
      await poll(() => pages >= before + 2);
    },
    async stop() {
      stopped = true;
      await ended;
    },
  };
}
