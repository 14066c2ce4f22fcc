import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { DeliveryDocument } from '../deliveries/delivery-store.ts';
import type { FilledDeliveries } from './answer-worker.ts';

/** Deliveries whose bodies come to be fixed. */
export function createFilledDeliveryStore(collection: Collection<DeliveryDocument>): FilledDeliveries {
  const all = systemScope(collection);

  return {
    async fill(filled, claim, now) {
      if (filled.length === 0) return;
      const writes = filled.map(
        ({ id, sealed, lane }): AnyBulkWriteOperation<DeliveryDocument> => ({
          updateOne: {
            // A process that was slower than its lease changes nothing: another one may have fixed other answers.
            filter: { _id: id, claim, awaits_answers: true },
            update: {
              $set: { lane, due_at: now, ...(sealed === undefined ? {} : toBody(sealed)) },
              $unset: { awaits_answers: '', times_unreadable: '', claim: '' },
            },
          },
        }),
      );
      await all.bulkWrite(writes, { ordered: false });
    },

    async postpone(unreadable, claim) {
      if (unreadable.length === 0) return;
      const writes = unreadable.map(
        ({ id, times, dueAt }): AnyBulkWriteOperation<DeliveryDocument> => ({
          updateOne: {
            filter: { _id: id, claim },
            update: { $set: { times_unreadable: times, due_at: dueAt }, $unset: { claim: '' } },
          },
        }),
      );
      await all.bulkWrite(writes, { ordered: false });
    },
  };
}

function toBody({
  ct,
  ...seal
}: EncryptedRecord): Pick<DeliveryDocument, 'body'> & Required<Pick<DeliveryDocument, 'seal'>> {
  return { body: ct, seal };
}
