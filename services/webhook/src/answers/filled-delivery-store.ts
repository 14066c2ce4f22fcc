import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { transitions } from '../deliveries/delivery.ts';
import { type DeliveryDocument, toFilter, toUpdate } from '../deliveries/delivery-document.ts';
import type { FilledDeliveries } from './answer-worker.ts';

export function createFilledDeliveryStore(collection: Collection<DeliveryDocument>): FilledDeliveries {
  const all = systemScope(collection);

  return {
    async fill(filled, claim, now) {
      if (filled.length === 0) return;
      const writes = filled.map(({ id, sealed, step }): AnyBulkWriteOperation<DeliveryDocument> => {
        const { $set, $unset } = toUpdate(transitions.fill(step, now));
        // After this lease has expired, another process may have added answers.
        const filter = { _id: id, ...toFilter({ claim, awaitsAnswers: true }) };
        return { updateOne: { filter, update: { $set: { ...$set, ...(sealed && toBodyFields(sealed)) }, $unset } } };
      });
      await all.bulkWrite(writes, { ordered: false });
    },

    async postpone(unreadable, claim) {
      if (unreadable.length === 0) return;
      const writes = unreadable.map(
        ({ id, times, dueAt }): AnyBulkWriteOperation<DeliveryDocument> => ({
          updateOne: {
            filter: { _id: id, ...toFilter({ claim }) },
            update: toUpdate(transitions.postpone(times, dueAt)),
          },
        }),
      );
      await all.bulkWrite(writes, { ordered: false });
    },
  };
}

function toBodyFields({
  ct,
  ...seal
}: EncryptedRecord): Pick<DeliveryDocument, 'body'> & Required<Pick<DeliveryDocument, 'seal'>> {
  return { body: ct, seal };
}
