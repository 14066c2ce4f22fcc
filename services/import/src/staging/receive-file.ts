import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type Piece, toPieces } from '@survey/runtime/rest/pieces';
import { fileOf, type ImportFile } from '../files/import-file.ts';
import type { StagedFile, Staging } from './staged-file.ts';

/** An uploaded file. Small files are in memory. */
export interface ReceivedFile {
  readonly file: ImportFile;
  /** Undefined if the file is in memory. */
  readonly staged: StagedFile | undefined;
  /** SHA-256 of the file; undefined if it was part of a message. */
  readonly digest: Uint8Array | undefined;
}

interface Options {
  readonly tenantId: TenantId;
  readonly staging: Staging;
  readonly newId: () => string;
  /** Whether to stage the file whatever its size. */
  readonly isToBeStaged: boolean;
}

/** Size of pieces, which are encrypted and stored separately. */
const PIECE_BYTES = 256 * 1024;
/** Files of up to 1 MiB stay in memory. */
const PIECES_IN_MEMORY = 4;

/** Receives a file in pieces. If it throws, it has deleted stored pieces. */
export async function receiveFile(bytes: AsyncIterable<Uint8Array>, options: Options): Promise<ReceivedFile> {
  const { tenantId, staging, newId, isToBeStaged } = options;
  const hash = createHash('sha256');
  const id = newId();
  const held: Piece[] = [];
  let pieces = 0;
  let size = 0;
  const stageHeld = async () => {
    for (const { bytes: piece, isLast } of held.splice(0)) {
      await staging.add(tenantId, id, pieces, piece, isLast);
      pieces += 1;
    }
  };
  try {
    for await (const piece of toPieces(bytes, PIECE_BYTES)) {
      hash.update(piece.bytes);
      size += piece.bytes.length;
      held.push(piece);
      if (isToBeStaged || pieces > 0 || held.length > PIECES_IN_MEMORY) await stageHeld();
    }
  } catch (error) {
    if (pieces > 0) await staging.discard(tenantId, id);
    throw error;
  }
  const digest = hash.digest();
  if (pieces === 0) {
    return { file: fileOf(Buffer.concat(held.map((piece) => piece.bytes))), staged: undefined, digest };
  }
  const staged = { id, size, pieces };
  return { file: staging.open(tenantId, staged), staged, digest };
}
