import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord, KeyedHash, TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { type KeyPlace, toId, toKeyBytes } from './idempotency.ts';
import type { Response, ResponseHead, SealedResponse } from './response.ts';

const REQUEST_HASH = 'idempotent-request';
const KEY_ID = 'idempotency-key';

export type ResponseSealer = ReturnType<typeof createResponseSealer>;

/** Encrypts what respondents wrote, bound to tenant, survey, response and field. */
export function createResponseSealer(envelope: Envelope) {
  /** A record that is newer than the cipher in memory makes the envelope look for its key. */
  async function unseal(cipher: TenantCipher, head: ResponseHead, field: string, record: EncryptedRecord) {
    const place = placeOf(head, field);
    const plaintext = cipher.versions.includes(record.kv)
      ? cipher.open(place, record)
      : await envelope.decrypt(head.tenantId, place, record);
    return fromBytes(plaintext);
  }

  async function openWith(cipher: TenantCipher, sealed: SealedResponse): Promise<Response> {
    const { data, metadata, requestHash: _, ...head } = sealed;
    return {
      ...head,
      data: await unseal(cipher, head, 'data', data),
      metadata: metadata && (await unseal(cipher, head, 'metadata', metadata)),
    };
  }

  return {
    /** Seals responses of one tenant; `request` is what is compared when the same idempotency key comes again. */
    async sealerOf(tenantId: TenantId): Promise<(response: Response, request?: string) => SealedResponse> {
      const cipher = await envelope.cipherOf(tenantId);
      return ({ data, metadata, ...head }, request) => ({
        ...head,
        data: cipher.seal(placeOf(head, 'data'), toBytes(data)),
        metadata: metadata && cipher.seal(placeOf(head, 'metadata'), toBytes(metadata)),
        requestHash: request === undefined ? undefined : cipher.hash(REQUEST_HASH, Buffer.from(request)),
      });
    },

    /**
     * The id that an idempotency key stands for, so that a repeated request meets what the first one stored, and another
     * one in case that a response which is not of the key has come to have it. They follow from a secret: nobody can
     * foresee the ids of another's key and take them, or tell the key from them.
     */
    async idsOfKey(tenantId: TenantId, place: KeyPlace, key: string): Promise<readonly [string, string]> {
      const cipher = await envelope.cipherOf(tenantId);
      const hash = cipher.stableHash(KEY_ID, toKeyBytes(place, key));
      return [toId(hash.subarray(0, 16)), toId(hash.subarray(16))];
    },

    async open(sealed: SealedResponse): Promise<Response> {
      return openWith(await envelope.cipherOf(sealed.tenantId), sealed);
    },

    /** Opens responses of one tenant. */
    async openAll(tenantId: TenantId, sealed: readonly SealedResponse[]): Promise<readonly Response[]> {
      if (sealed.length === 0) return [];
      const cipher = await envelope.cipherOf(tenantId);
      return Promise.all(sealed.map((response) => openWith(cipher, response)));
    },

    /** Tells whether this is the hash of the request. Its response has been opened before, so its key is known. */
    async isMadeBy(tenantId: TenantId, requestHash: KeyedHash, request: string): Promise<boolean> {
      return (await envelope.cipherOf(tenantId)).isHashOf(requestHash, REQUEST_HASH, Buffer.from(request));
    },
  };
}

function placeOf({ surveyId, id }: ResponseHead, field: string): readonly string[] {
  return [surveyId, id, field];
}

function toBytes(value: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function fromBytes(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes).toString());
}
