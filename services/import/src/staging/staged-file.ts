import { createHash } from 'node:crypto';
import { fileOf, type ImportFile } from '@survey/formats/files/import-file';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import { type Piece, toPieces } from '@survey/runtime/rest/pieces';
import type { StagedPieceStore } from './staged-piece-store.ts';

/** An uploaded file, stored encrypted until its import ends. */
export interface StagedFile {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  readonly pieces: number;
}

/** An uploaded file. Small files are in memory. */
export interface ReceivedFile {
  readonly file: ImportFile;
  /** Undefined if the file is in memory. */
  readonly staged: StagedFile | undefined;
  /** SHA-256 of the file, to recognise a repeated request. Undefined for gRPC, where whole messages are compared. */
  readonly digest: Uint8Array | undefined;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>;
  readonly store: StagedPieceStore;
  readonly newId: () => string;
}

/** Size of pieces, which are encrypted and stored separately. */
const PIECE_BYTES = 256 * 1024;
/** A file with more pieces is staged. */
const PIECES_IN_MEMORY = 4;
/** Files of up to this size stay in memory. */
export const MAX_BYTES_IN_MEMORY = PIECES_IN_MEMORY * PIECE_BYTES;

export type Staging = ReturnType<typeof createStaging>;

/** Stores files until they are imported. Encryption binds each piece to its position, and marks the last one. */
export function createStaging({ envelope, store, newId }: Dependencies) {
  async function add(tenantId: TenantId, id: string, index: number, { bytes, isLast }: Piece): Promise<void> {
    const cipher = await envelope.cipherOf(tenantId);
    await store.add(tenantId, id, index, cipher.seal(aadOf(id, index, isLast), bytes));
  }

  /** Reading the file throws if a piece was modified, and `IMPORT_FILE_GONE` if a piece is missing. */
  function fileOfStaged(tenantId: TenantId, { id, size, pieces }: StagedFile): ImportFile {
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
  }

  return {
    /** Receives a file. Stages it if it is large or `alwaysStage` is set. After an error, deletes the stored pieces. */
    async receive(
      tenantId: TenantId,
      bytes: AsyncIterable<Uint8Array>,
      { alwaysStage }: { readonly alwaysStage: boolean },
    ): Promise<ReceivedFile> {
      const hash = createHash('sha256');
      const id = newId();
      const buffered: Piece[] = [];
      let pieces = 0;
      let size = 0;
      try {
        for await (const piece of toPieces(bytes, PIECE_BYTES)) {
          hash.update(piece.bytes);
          size += piece.bytes.length;
          buffered.push(piece);
          if (!alwaysStage && pieces === 0 && buffered.length <= PIECES_IN_MEMORY) continue;
          for (const next of buffered.splice(0)) {
            await add(tenantId, id, pieces, next);
            pieces += 1;
          }
        }
      } catch (error) {
        if (pieces > 0) await store.discard(tenantId, id);
        throw error;
      }
      const digest = hash.digest();
      if (pieces === 0) {
        return { file: fileOf(Buffer.concat(buffered.map((piece) => piece.bytes))), staged: undefined, digest };
      }
      const staged = { id, size, pieces };
      return { file: fileOfStaged(tenantId, staged), staged, digest };
    },

    open: fileOfStaged,
    discard: store.discard,
  };
}

/** Additional authenticated data of a piece. */
function aadOf(id: string, index: number, isLast: boolean): readonly string[] {
  return [id, 'staged', String(index), isLast ? 'last' : 'not last'];
}
