import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { Piece } from '@survey/runtime/rest/pieces';
import { type KeyPlace, toKeyBytes } from '../responses/idempotency.ts';
import type { StoredFile } from './file.ts';

type Named = Pick<StoredFile, 'id' | 'surveyId'>;

/** What two uploads with one idempotency key have to have in common. */
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

/** Encrypts files, bound to tenant, survey and file, each piece to its place among them, and the last as the last. */
export function createFileSealer(envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>) {
  return {
    /** Seals the files of one tenant. */
    async sealerOf(tenantId: TenantId) {
      const cipher = await envelope.cipherOf(tenantId);
      return {
        sealName: (file: Named, name: string) => cipher.seal(placeOfName(file), Buffer.from(name)),
        sealPiece: (file: Named, index: number, { bytes, isLast }: Piece) =>
          cipher.seal(placeOfPiece(file, index, isLast), bytes),
        /** What a key stands for, which tells nobody the key. */
        idOfKey: (place: KeyPlace, key: string) =>
          Buffer.from(cipher.stableHash(UPLOAD_KEY, toKeyBytes(place, key))).toString('base64url'),
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

    /** Throws `DecryptionError` when it is not what was sealed. */
    async openName(file: Named & { readonly tenantId: TenantId }, name: EncryptedRecord): Promise<string> {
      return Buffer.from(await envelope.decrypt(file.tenantId, placeOfName(file), name)).toString();
    },

    /** Throws `DecryptionError` when it is not what was sealed, or in another place. */
    openPiece(file: StoredFile, index: number, piece: EncryptedRecord): Promise<Uint8Array> {
      return envelope.decrypt(file.tenantId, placeOfPiece(file, index, index === file.chunks - 1), piece);
    },
  };
}

function placeOfName({ surveyId, id }: Named): readonly string[] {
  return [surveyId, id, 'filename'];
}

function placeOfPiece({ surveyId, id }: Named, index: number, isLast: boolean): readonly string[] {
  return [surveyId, id, 'piece', String(index), isLast ? 'last' : 'not last'];
}
