import type { JsonObject } from '@bufbuild/protobuf';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import { parseOwnObject } from '@survey/runtime/json/parse-object';
import type { Attempt, Delivery, ReplyText } from './delivery.ts';

/**
 * Encrypts bodies that contain answers, and the replies of receivers, which can repeat them. Each ciphertext is bound to
 * its tenant and delivery, that of a reply also to its attempt.
 */
export interface DeliveryBodies {
  seal(delivery: Delivery, payload: JsonObject): Promise<EncryptedRecord>;
  /** Returns the bytes to send. */
  open(delivery: Delivery): Promise<Uint8Array>;
  /** Loads the key before the attempt, so that its reply can be stored whatever happens meanwhile. */
  replySealer(delivery: Delivery): Promise<(attempt: number, reply: ReplyText) => EncryptedRecord>;
  openReply(delivery: Delivery, attempt: Attempt): Promise<ReplyText | undefined>;
}

export function createDeliveryBodies(envelope: Pick<Envelope, 'cipherOf' | 'encrypt' | 'decrypt'>): DeliveryBodies {
  return {
    seal: ({ tenantId, id }, payload) => envelope.encrypt(tenantId, aadOf(id), Buffer.from(toCanonicalJson(payload))),

    async open({ tenantId, id, body, sealed }) {
      return sealed === undefined ? body : envelope.decrypt(tenantId, aadOf(id), sealed);
    },

    async replySealer({ tenantId, id }) {
      const cipher = await envelope.cipherOf(tenantId);
      return (attempt, reply) => cipher.seal(replyAadOf(id, attempt), Buffer.from(JSON.stringify(reply)));
    },

    async openReply({ tenantId, id }, { number, reply }) {
      if (reply === undefined) return undefined;
      const bytes = await envelope.decrypt(tenantId, replyAadOf(id, number), reply);
      return JSON.parse(Buffer.from(bytes).toString());
    },
  };
}

export function fromBody(bytes: Uint8Array): JsonObject {
  return parseOwnObject(Buffer.from(bytes).toString());
}

function aadOf(deliveryId: string): readonly string[] {
  return ['delivery', deliveryId, 'body'];
}

function replyAadOf(deliveryId: string, attempt: number): readonly string[] {
  return ['delivery', deliveryId, 'attempt', String(attempt), 'reply'];
}
