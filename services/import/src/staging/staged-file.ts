import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import type { StagedPieces } from './staged-piece-store.ts';

/** An uploaded file, stored encrypted until its import ends. */
export interface StagedFile {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** Number of pieces. */
  readonly pieces: number;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>;
  readonly store: StagedPieces;
}

export type Staging = ReturnType<typeof createStaging>;

/** Stores files until they are imported. Encryption binds each piece to its position, and marks the last one. */
export function createStaging({ envelope, store }: Dependencies) {
  return {
    /** Stores a piece of a file. */
    async add(tenantId: TenantId, id: string, index: number, bytes: Uint8Array, isLast: boolean): Promise<void> {
      const cipher = await envelope.cipherOf(tenantId);
      await store.add(tenantId, id, index, cipher.seal(aadOf(id, index, isLast), bytes));
    },

    /** Opens a file. Reading throws if a piece was modified, and `IMPORT_FILE_GONE` if one is missing. */
    open(tenantId: TenantId, { id, size, pieces }: StagedFile): ImportFile {
      return {
        size,
        async *open() {
          for (let index = 0; index < pieces; index += 1) {
            const record = await store.find(tenantId, id, index);
            if (record === undefined) throw new AppError('IMPORT_FILE_GONE');
            yield await envelope.decrypt(tenantId, aadOf(id, index, index === pieces - 1), record);
          }
        },
      };
    },

    discard: store.discard,
  };
}

/** Additional authenticated data of a piece. */
function aadOf(id: string, index: number, isLast: boolean): readonly string[] {
  return [id, 'staged', String(index), isLast ? 'last' : 'not last'];
}
