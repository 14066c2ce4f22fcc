import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import { createStaging } from './staged-file.ts';
import { createStagedPieceStore, type StagedPieceDocument, stagedPieceIndexes } from './staged-piece-store.ts';

/** Stores uploaded files, encrypted, until their import ends. */
export function createStagingModule(runtime: ServiceRuntime, envelope: Envelope) {
  const collection = runtime.collection<StagedPieceDocument>('staged_pieces');
  return {
    indexes: { staged_pieces: stagedPieceIndexes },
    provides: createStaging({
      envelope,
      store: createStagedPieceStore({ collection, clock: runtime.clock }),
      newId: v7,
    }),
  };
}
