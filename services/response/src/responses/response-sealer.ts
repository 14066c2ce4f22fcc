import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord, KeyedHash, TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { parseWritten } from '@survey/runtime/json/parse-object';
import { type KeyPlace, toId, toKeyBytes } from './idempotency.ts';
import type {
  Response,
  ResponseAnswers,
  ResponseHead,
  ResponseText,
  SealedAnswers,
  SealedResponse,
} from './response.ts';

const REQUEST_HASH = 'idempotent-request';
const KEY_ID = 'idempotency-key';

type SealedData = Pick<SealedResponse, 'id' | 'tenantId' | 'surveyId' | 'data'>;

export type ResponseSealer = ReturnType<typeof createResponseSealer>;

/** Encrypts what respondents wrote, bound to tenant, survey, response and field. */
export function createResponseSealer(envelope: Envelope) {
  /** One that is newer than the cipher makes the envelope look for its key. Data and metadata have the same. */
  async function cipherFor(sealed: SealedData, cipher: TenantCipher): Promise<TenantCipher> {
    if (cipher.versions.includes(sealed.data.kv)) return cipher;
    await envelope.decrypt(sealed.tenantId, placeOf(sealed, 'data'), sealed.data);
    return envelope.cipherOf(sealed.tenantId);
  }

  /** Without a wait for each of them. */
  async function openEach<S extends SealedData, T>(
    tenantId: TenantId,
    sealed: readonly S[],
    open: (cipher: TenantCipher, sealed: S) => T,
  ): Promise<readonly T[]> {
    if (sealed.length === 0) return [];
    let cipher = await envelope.cipherOf(tenantId);
    const opened: T[] = [];
    for (const one of sealed) {
      if (!cipher.versions.includes(one.data.kv)) cipher = await cipherFor(one, cipher);
      opened.push(open(cipher, one));
    }
    return opened;
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
      return toResponse(await cipherFor(sealed, await envelope.cipherOf(sealed.tenantId)), sealed);
    },

    /** Opens responses of one tenant. */
    openAll: (tenantId: TenantId, sealed: readonly SealedResponse[]): Promise<readonly Response[]> =>
      openEach(tenantId, sealed, toResponse),

    openAnswers: (tenantId: TenantId, sealed: readonly SealedAnswers[]): Promise<readonly ResponseAnswers[]> =>
      openEach(tenantId, sealed, toAnswers),

    /** For whom the text will do. */
    openTexts: (tenantId: TenantId, sealed: readonly SealedResponse[]): Promise<readonly ResponseText[]> =>
      openEach(tenantId, sealed, toResponseText),

    /** Tells whether this is the hash of the request. Its response has been opened before, so its key is known. */
    async isMadeBy(tenantId: TenantId, requestHash: KeyedHash, request: string): Promise<boolean> {
      return (await envelope.cipherOf(tenantId)).isHashOf(requestHash, REQUEST_HASH, Buffer.from(request));
    },
  };
}

function placeOf({ surveyId, id }: Pick<ResponseHead, 'surveyId' | 'id'>, field: string): readonly string[] {
  return [surveyId, id, field];
}

function toBytes(value: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function toResponse(cipher: TenantCipher, sealed: SealedResponse): Response {
  const { data, metadata, ...head } = toResponseText(cipher, sealed);
  return { ...head, data: parseWritten(data), metadata: metadata === undefined ? undefined : parseWritten(metadata) };
}

function toResponseText(cipher: TenantCipher, sealed: SealedResponse): ResponseText {
  const { data, metadata, requestHash: _, ...head } = sealed;
  return {
    ...head,
    data: open(cipher, sealed, 'data', data),
    metadata: metadata && open(cipher, sealed, 'metadata', metadata),
  };
}

function toAnswers(cipher: TenantCipher, sealed: SealedAnswers): ResponseAnswers {
  const { surveyVersion, status, createdAt, updatedAt, completedAt, data } = sealed;
  const opened = parseWritten(open(cipher, sealed, 'data', data));
  return { surveyVersion, status, createdAt, updatedAt, completedAt, data: opened };
}

/** The text is read where the bytes are, not from a copy. */
function open(cipher: TenantCipher, sealed: SealedData, field: string, record: EncryptedRecord): string {
  const { buffer, byteOffset, byteLength } = cipher.open(placeOf(sealed, field), record);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
