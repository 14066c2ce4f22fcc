import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import { createSpooling } from './spool.ts';
import { createStaging } from './staged-file.ts';
import { createStagedPieceStore, type StagedPieceDocument, stagedPieceIndexes } from './staged-piece-store.ts';

/** Stores uploaded files and what was read of them, encrypted, until their import ends. */
export function createStagingModule(runtime: ServiceRuntime, envelope: Envelope) {
  const collection = runtime.collection<StagedPieceDocument>('staged_pieces');
  const store = createStagedPieceStore({ collection, clock: runtime.clock });
  return {
    indexes: { staged_pieces: stagedPieceIndexes },
    provides: {
      staging: createStaging({ envelope, store, newId: v7 }),
      spooling: createSpooling({ envelope, store }),
    },
  };
}
