import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ResponseDocument } from '../responses/response-store.ts';
import { newVoid } from '../responses/tombstone.ts';
import { type LedgerDocument, type LedgerEntry, type LedgerScope, toLedgerId } from './ledger.ts';

/** Takes entries out of ledgers, and adds to `used` what their writes have stored. Each entry is settled once. */
export interface EntrySettlement {
  /** Settles an entry whose write is over and has stored a known number of responses. */
  settle(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats'>, stored: number): Promise<void>;
  /** Settles an entry whose write is over. */
  settleFinished(scope: LedgerScope, entry: Pick<LedgerEntry, 'id' | 'seats' | 'changes'>): Promise<void>;
  /** Settles an entry whose process is dead or stalled: what it has not written by now, it cannot write any more. */
  settleAbandoned(scope: LedgerScope, entry: LedgerEntry): Promise<void>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly clock: () => Date;
}

export function createEntrySettlement({ ledgers, responses, clock }: Dependencies): EntrySettlement {
  // The ids of an entry may belong to tombstones, which have no tenant.
  const all = systemScope(responses);

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
    return all.countDocuments(written, { hint: '_id_', maxTimeMS: 10_000 });
  }

  /** A late insert fails on the document that is there, a late update on the revision. */
  async function fence(changes: LedgerEntry['changes'], entry: string): Promise<void> {
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
              filter: { _id: id, revision, ledger_entries: { $ne: entry } },
              update: { $inc: { revision: 1 } },
            },
          },
    );
    if (updates.length > 0) await all.bulkWrite(updates, { ordered: false });
  }

  return {
    settle,
    settleFinished,
    async settleAbandoned(scope, entry) {
      await fence(entry.changes, entry.id);
      await settleFinished(scope, entry);
    },
  };
}
