import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord, KeyedHash, TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import { stringify as toUuidText } from 'uuid';
import type {
  Response,
  ResponseAnswers,
  ResponseFields,
  ResponseText,
  SealedAnswers,
  SealedExternalId,
  SealedResponse,
} from './response.ts';

const REQUEST_HASH = 'idempotent-request';
const IDEMPOTENCY_KEY = 'idempotency-key';
const EXTERNAL_ID = 'external-id';
/** The field of an external id in its additional authenticated data. */
const EXTERNAL_ID_FIELD = 'external_id';

type ResponseIds = Pick<ResponseFields, 'id' | 'surveyId'>;
type SealedData = Pick<SealedResponse, 'id' | 'tenantId' | 'surveyId' | 'data'> &
  Partial<Pick<SealedResponse, 'externalId'>>;

export interface TenantSealer {
  /** @param request the text that a repeated request must equal */
  seal(response: Response, request?: string): SealedResponse;
  sealExternalId(response: ResponseIds, externalId: string): SealedExternalId;
  /**
   * Derives two response ids from an idempotency key, so that a repeated request finds the first response. The second
   * id is used if the first id is unavailable. The derivation uses a secret: ids do not reveal the key, and clients
   * cannot predict ids.
   */
  idsOfIdempotencyKey(scope: IdempotencyScope, key: string): readonly [string, string];
}

export type ResponseSealer = ReturnType<typeof createResponseSealer>;

/** Encrypts answers, metadata and external ids. Each ciphertext is bound to its tenant, survey, response and field. */
export function createResponseSealer(envelope: Envelope) {
  /** Returns a cipher that has the keys of a response. */
  async function cipherFor(sealed: SealedData, cipher: TenantCipher): Promise<TenantCipher> {
    const { field, record } = newestOf(sealed);
    if (cipher.versions.includes(record.kv)) return cipher;
    // The key is newer than the cipher. Decrypting makes the envelope load the key.
    await envelope.decrypt(sealed.tenantId, aadOf(sealed, field), record);
    return envelope.cipherOf(sealed.tenantId);
  }

  /** Reuses one cipher, because awaiting a cipher for each response is slower. */
  async function openEach<S extends SealedData, T>(
    tenantId: TenantId,
    sealed: readonly S[],
    open: (cipher: TenantCipher, sealed: S) => T,
  ): Promise<T[]> {
    if (sealed.length === 0) return [];
    let cipher = await envelope.cipherOf(tenantId);
    const opened: T[] = [];
    for (const one of sealed) {
      if (!cipher.versions.includes(newestOf(one).record.kv)) cipher = await cipherFor(one, cipher);
      opened.push(open(cipher, one));
    }
    return opened;
  }

  return {
    /** Reads the tenant's cipher once for a request. */
    async forTenant(tenantId: TenantId): Promise<TenantSealer> {
      const cipher = await envelope.cipherOf(tenantId);
      const sealExternalId: TenantSealer['sealExternalId'] = (response, externalId) => ({
        record: cipher.seal(aadOf(response, EXTERNAL_ID_FIELD), Buffer.from(externalId)),
        tag: toTag(cipher, response.surveyId, externalId),
      });
      return {
        sealExternalId,
        seal: ({ data, metadata, externalId, ...fields }, request) => ({
          ...fields,
          data: cipher.seal(aadOf(fields, 'data'), toBytes(data)),
          metadata: metadata && cipher.seal(aadOf(fields, 'metadata'), toBytes(metadata)),
          externalId: externalId === undefined ? undefined : sealExternalId(fields, externalId),
          requestHash: request === undefined ? undefined : cipher.hash(REQUEST_HASH, Buffer.from(request)),
        }),
        idsOfIdempotencyKey(scope, key) {
          // A stable hash stays the same after a rotation of the keys.
          const hash = cipher.stableHash(IDEMPOTENCY_KEY, toIdempotencyKeyBytes(scope, key));
          return [uuidOfHash(hash.subarray(0, 16)), uuidOfHash(hash.subarray(16))];
        },
      };
    },

    async open(sealed: SealedResponse): Promise<Response> {
      return toResponse(await cipherFor(sealed, await envelope.cipherOf(sealed.tenantId)), sealed);
    },

    openAll: (tenantId: TenantId, sealed: readonly SealedResponse[]): Promise<Response[]> =>
      openEach(tenantId, sealed, toResponse),

    openAnswers: (tenantId: TenantId, sealed: readonly SealedAnswers[]): Promise<ResponseAnswers[]> =>
      openEach(tenantId, sealed, toAnswers),

    /** Opens responses without parsing their answers and metadata. */
    openAsText: (tenantId: TenantId, sealed: readonly SealedResponse[]): Promise<ResponseText[]> =>
      openEach(tenantId, sealed, toResponseText),

    /** Returns the tag of an external id: see `SealedExternalId`. */
    async tagOf(tenantId: TenantId, surveyId: string, externalId: string): Promise<string> {
      return toTag(await envelope.cipherOf(tenantId), surveyId, externalId);
    },

    /** Whether the text of a request has this hash. Open the response first, because that loads its key. */
    async isSameRequest(tenantId: TenantId, requestHash: KeyedHash, request: string): Promise<boolean> {
      return (await envelope.cipherOf(tenantId)).isHashOf(requestHash, REQUEST_HASH, Buffer.from(request));
    },
  };
}

/** The record with the newest key. A correction seals only data and metadata, so an external id can have another key. */
function newestOf({ data, externalId }: SealedData): { readonly field: string; readonly record: EncryptedRecord } {
  if (typeof externalId === 'object' && externalId.record.kv > data.kv)
    return { field: EXTERNAL_ID_FIELD, record: externalId.record };
  return { field: 'data', record: data };
}

function toTag(cipher: TenantCipher, surveyId: string, externalId: string): string {
  // A stable hash stays the same after a rotation of the keys.
  const hash = cipher.stableHash(EXTERNAL_ID, Buffer.from(JSON.stringify([surveyId, externalId])));
  return Buffer.from(hash).toString('base64url');
}

/** Additional authenticated data. The cipher adds the tenant. */
function aadOf({ surveyId, id }: ResponseIds, field: string): readonly string[] {
  return [surveyId, id, field];
}

function toBytes(value: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function toResponse(cipher: TenantCipher, sealed: SealedResponse): Response {
  const { data, metadata, ...fields } = toResponseText(cipher, sealed);
  return {
    ...fields,
    data: parseOwnObject(data),
    metadata: metadata === undefined ? undefined : parseOwnObject(metadata),
  };
}

function toResponseText(cipher: TenantCipher, sealed: SealedResponse): ResponseText {
  const { data, metadata, externalId, requestHash: _, ...fields } = sealed;
  return {
    ...fields,
    data: openField(cipher, sealed, 'data', data),
    metadata: metadata && openField(cipher, sealed, 'metadata', metadata),
    externalId:
      typeof externalId === 'object' ? openField(cipher, sealed, EXTERNAL_ID_FIELD, externalId.record) : externalId,
  };
}

function toAnswers(cipher: TenantCipher, sealed: SealedAnswers): ResponseAnswers {
  const { surveyVersion, status, createdAt, updatedAt, startedAt, completedAt, data } = sealed;
  const opened = parseOwnObject(openField(cipher, sealed, 'data', data));
  return { surveyVersion, status, createdAt, updatedAt, startedAt, completedAt, data: opened };
}

/** Decodes the text without copying the bytes. */
function openField(cipher: TenantCipher, sealed: SealedData, field: string, record: EncryptedRecord): string {
  const { buffer, byteOffset, byteLength } = cipher.open(aadOf(sealed, field), record);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

export interface IdempotencyScope {
  /** The submission channel. `link-token`: the key is the token of a single-use link. */
  readonly kind: 'public' | 'tenant' | 'link' | 'link-token';
  /** Id of the survey or link. */
  readonly id: string;
  /** Number of the attempt to respond with a token, from 1. Each attempt has different ids. */
  readonly attempt?: number;
}

/** Encodes a key with its scope. The encoding is unambiguous. */
export function toIdempotencyKeyBytes({ kind, id, attempt = 1 }: IdempotencyScope, key: string): Uint8Array {
  return Buffer.from(JSON.stringify([kind, id, key, ...(attempt === 1 ? [] : [attempt])]));
}

/** Makes a UUID (RFC 9562, version 8) from 16 bytes of a hash. */
export function uuidOfHash(hash: Uint8Array): string {
  const bytes = Uint8Array.from(hash);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toUuidText(bytes);
}
