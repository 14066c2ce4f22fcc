import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { transitions } from './delivery.ts';
import { type DeliveryDocument, fromDocument, isFree, isUnchanged, toUpdate } from './delivery-document.ts';
import type { RedeliveryStore } from './redelivery.ts';

export function createRedeliveryStore(collection: Collection<DeliveryDocument>): RedeliveryStore {
  return {
    async sendAgain(delivery, now) {
      const filter = { _id: delivery.id, ...isUnchanged(delivery), ...isFree(now) };
      const update = toUpdate(transitions.sendAgain(delivery, 'redeliver', now));
      const document = await tenantCollection(collection, delivery.tenantId).findOneAndUpdate(filter, update);
      return document === null ? undefined : fromDocument(document);
    },
  };
}
