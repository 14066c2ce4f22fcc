import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { SET_CHANGED } from '../responses/change-stamp.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import { newVoid } from '../responses/tombstone.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type LedgerDocument, type LedgerEntry, type LedgerScope, toLedgerId } from './ledger.ts';

/**
 * Settles each entry exactly once: removes it from its ledger, and adds `seats` to `used` for each response that its
 * write stored.
 */
export interface EntrySettlement {
  /** Settles an entry whose write has ended, with the number of responses that it stored. */
  settle(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats'>, stored: number): Promise<void>;
  /** Settles an entry whose write has ended, after counting the stored responses. */
  settleFinished(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats' | 'changes'>): Promise<void>;
  /** Settles an entry of a dead or stalled process. First blocks the writes of the entry that are not done yet. */
  settleAbandoned(scope: LedgerScope, entry: LedgerEntry): Promise<void>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly clock: () => Date;
}

export function createEntrySettlement({ ledgers, responses, windows, clock }: Dependencies): EntrySettlement {
  // Not limited to a tenant: a write of an entry can replace a void tombstone, which has no tenant.
  const allTenants = systemScope(responses);

  async function settle(scope: LedgerScope, { id, seats }: Pick<LedgerEntry, 'id' | 'seats'>, stored: number) {
    await tenantCollection(ledgers, scope.tenantId).updateOne(
      { _id: toLedgerId(scope), 'entries.id': id },
      { $inc: { used: seats * stored }, $pull: { entries: { id } } },
    );
  }

  async function settleFinished(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats' | 'changes'>) {
    await settle(scope, entry, await countStored(entry));
  }

  async function countStored({ id, changes }: Pick<LedgerEntry, 'id' | 'changes'>): Promise<number> {
    const written = { _id: { $in: changes.map((change) => change.id) }, ledger_entries: id };
    return allTenants.countDocuments(written, { hint: '_id_', maxTimeMS: 10_000 });
  }

  /** Makes late writes fail. A late insert finds a void document with its id; a late update finds a higher revision. */
  async function fence(changes: LedgerEntry['changes'], entryId: string): Promise<void> {
    const inserts = changes.filter(({ revision }) => revision === null);
    if (inserts.length > 0)
      await insertBatch(
        responses,
        inserts.map(({ id }) => newVoid(id, clock())),
      );
    const updates = changes.flatMap(({ id, revision }) =>
      revision === null
        ? []
        : {
            updateOne: {
              filter: { _id: id, revision, ledger_entries: { $ne: entryId } },
              update: { $inc: { revision: 1 }, ...SET_CHANGED },
            },
          },
    );
    if (updates.length > 0) await allTenants.bulkWrite(updates, { ordered: false });
  }

  return {
    settle,
    settleFinished,
    async settleAbandoned(scope, entry) {
      await windows.runInWindow([scope], () => fence(entry.changes, entry.id));
      await settleFinished(scope, entry);
    },
  };
}
