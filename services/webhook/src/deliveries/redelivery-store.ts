import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { transitions } from './delivery.ts';
import { type DeliveryDocument, freeFilter, fromDocument, toUpdate, unchangedFilter } from './delivery-document.ts';
import type { RedeliveryStore } from './redelivery.ts';

export function createRedeliveryStore(collection: Collection<DeliveryDocument>): RedeliveryStore {
  return {
    async sendAgain(delivery, now) {
      const filter = { _id: delivery.id, ...unchangedFilter(delivery), ...freeFilter(now) };
      const update = toUpdate(transitions.sendAgain(delivery, 'redeliver', now));
      const document = await tenantCollection(collection, delivery.tenantId).findOneAndUpdate(filter, update);
      return document === null ? undefined : fromDocument(document);
    },
  };
}
