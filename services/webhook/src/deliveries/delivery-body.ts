import type { JsonObject } from '@bufbuild/protobuf';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import { parseOwnObject } from '@survey/runtime/json/parse-object';
import type { Delivery } from './delivery.ts';

/** Encrypts bodies that contain answers. Each ciphertext is bound to its delivery. */
export interface DeliveryBodies {
  seal(delivery: Delivery, payload: JsonObject): Promise<EncryptedRecord>;
  /** Returns the bytes to send. */
  open(delivery: Delivery): Promise<Uint8Array>;
}

export function createDeliveryBodies(envelope: Pick<Envelope, 'encrypt' | 'decrypt'>): DeliveryBodies {
  return {
    seal: ({ tenantId, id }, payload) => envelope.encrypt(tenantId, aadOf(id), Buffer.from(toCanonicalJson(payload))),

    async open({ tenantId, id, body, sealed }) {
      return sealed === undefined ? body : envelope.decrypt(tenantId, aadOf(id), sealed);
    },
  };
}

export function fromBody(bytes: Uint8Array): JsonObject {
  return parseOwnObject(Buffer.from(bytes).toString());
}

function aadOf(deliveryId: string): readonly string[] {
  return ['delivery', deliveryId, 'body'];
}
