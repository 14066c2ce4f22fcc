import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { CompiledSurvey } from '../definitions/definition.ts';
import type { LinkFields } from '../links/link.ts';
import type { SealedResponse } from '../responses/response.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import type { ReplacedState } from '../responses/response-state-store.ts';
import { toTaken } from './candidates.ts';
import type { LedgerStore } from './ledger-store.ts';
import { limitsOf, takesSeat, unlimitedScopesOf } from './limit.ts';
import type { CommitOutcome, LimitedCommit } from './limited-commit.ts';

interface Dependencies {
  readonly store: Pick<ResponseStore, 'put'>;
  readonly limited: Pick<LimitedCommit, 'add'>;
  readonly ledgers: Pick<LedgerStore, 'markForRecount'>;
}

/** The survey and the link that a response comes through. */
export interface Channel {
  readonly survey: CompiledSurvey;
  readonly link?: LinkFields | undefined;
}

interface Write {
  readonly response: SealedResponse;
  /** The response in progress, or the tombstone, that it replaces. Undefined if the id is free. */
  readonly replaced: ReplacedState | undefined;
  readonly events: readonly OutboxEvent[];
}

/** Stores a response. Returns `stored`, or the reason for not storing it, such as a limit without a free seat. */
export type Commit = (channel: Channel, write: Write) => Promise<CommitOutcome>;

/** A completed response to which a limit applies is stored only with a seat. All other responses need no seat. */
export function createCommit({ store, limited, ledgers }: Dependencies): Commit {
  return async ({ survey, link }, { response, replaced, events }) => {
    if (takesSeat(response)) {
      await ledgers.markForRecount(unlimitedScopesOf(survey, link));
      const limits = limitsOf(survey, link);
      if (limits.length > 0) return limited.add({ response, replaced, events, limits });
    }
    return (await store.put(response, events, replaced)) ? 'stored' : toTaken({ replaced });
  };
}
