import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import type { StagedPieces } from './staged-piece-store.ts';

/** A file that waits, encrypted, for its import. */
export interface StagedFile {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** How many pieces it is in. */
  readonly pieces: number;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>;
  readonly store: StagedPieces;
}

export type Staging = ReturnType<typeof createStaging>;

/** Keeps files until they are imported, each piece bound to its place, and the last as the last. */
export function createStaging({ envelope, store }: Dependencies) {
  return {
    /** Stores a piece of a file that arrives. */
    async add(tenantId: TenantId, id: string, index: number, bytes: Uint8Array, isLast: boolean): Promise<void> {
      const cipher = await envelope.cipherOf(tenantId);
      await store.add(tenantId, id, index, cipher.seal(placeOf(id, index, isLast), bytes));
    },

    /**
     * The file, piece by piece. Reading it throws where one is not what was stored, and
     * `IMPORT_FILE_GONE` where one is missing.
     */
    open(tenantId: TenantId, { id, size, pieces }: StagedFile): ImportFile {
      return {
        size,
        async *open() {
          for (let index = 0; index < pieces; index += 1) {
            const record = await store.find(tenantId, id, index);
            if (record === undefined) throw new AppError('IMPORT_FILE_GONE');
            yield await envelope.decrypt(tenantId, placeOf(id, index, index === pieces - 1), record);
          }
        },
      };
    },

    discard: store.discard,
  };
}

function placeOf(id: string, index: number, isLast: boolean): readonly string[] {
  return [id, 'staged', String(index), isLast ? 'last' : 'not last'];
}
