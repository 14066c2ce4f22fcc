import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { Piece } from '@survey/runtime/rest/pieces';
import { type IdempotencyScope, toIdempotencyKeyBytes } from '../responses/response-sealer.ts';
import type { StoredFile } from './file.ts';

type FileIdentity = Pick<StoredFile, 'id' | 'surveyId'>;

/** The properties of an upload that a repeat must share. */
interface ComparableUpload {
  readonly questionId: string;
  readonly filename: string | undefined;
  readonly contentType: string;
  /** SHA-256 of the bytes. */
  readonly digest: Uint8Array;
}

const UPLOAD_KEY = 'upload-idempotency-key';
const UPLOAD = 'idempotent-upload';

export type FileSealer = ReturnType<typeof createFileSealer>;

/** Encrypts files. Each chunk is bound to its tenant, survey, file and index, and the last chunk is marked. */
export function createFileSealer(envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>) {
  return {
    async forTenant(tenantId: TenantId) {
      const cipher = await envelope.cipherOf(tenantId);
      return {
        sealName: (file: FileIdentity, name: string) => cipher.seal(aadOfName(file), Buffer.from(name)),
        sealChunk: (file: FileIdentity, index: number, { bytes, isLast }: Piece) =>
          cipher.seal(aadOfChunk(file, index, isLast), bytes),
        /** The id does not reveal the key. */
        idOfIdempotencyKey: (scope: IdempotencyScope, key: string) =>
          Buffer.from(cipher.stableHash(UPLOAD_KEY, toIdempotencyKeyBytes(scope, key))).toString('base64url'),
        hashOf: ({ questionId, filename, contentType, digest }: ComparableUpload) =>
          cipher.stableHash(
            UPLOAD,
            Buffer.from(
              toCanonicalJson({
                question_id: questionId,
                filename: filename ?? null,
                content_type: contentType,
                digest: Buffer.from(digest).toString('base64'),
              }),
            ),
          ),
      };
    },

    async openName(file: FileIdentity & { readonly tenantId: TenantId }, name: EncryptedRecord): Promise<string> {
      return Buffer.from(await envelope.decrypt(file.tenantId, aadOfName(file), name)).toString();
    },

    openChunk(file: StoredFile, index: number, chunk: EncryptedRecord): Promise<Uint8Array> {
      return envelope.decrypt(file.tenantId, aadOfChunk(file, index, index === file.chunks - 1), chunk);
    },
  };
}

function aadOfName({ surveyId, id }: FileIdentity): readonly string[] {
  return [surveyId, id, 'filename'];
}

function aadOfChunk({ surveyId, id }: FileIdentity, index: number, isLast: boolean): readonly string[] {
  return [surveyId, id, 'piece', String(index), isLast ? 'last' : 'not last'];
}
