import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';

export interface StagedPieceDocument {
  /** See `pieceId`. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly bytes: EncryptedRecord;
  readonly expires_at: Date;
}

export const stagedPieceIndexes: IndexSpecs[string] = [
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  { name: 'tenant', key: { tenant_id: 1 } },
];

/** Time after which pieces expire. A job that takes longer fails. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

interface Dependencies {
  readonly collection: Collection<StagedPieceDocument>;
  readonly clock: () => Date;
}

export type StagedPieceStore = ReturnType<typeof createStagedPieceStore>;

/** Stores the pieces of staged files, and of their spools. */
export function createStagedPieceStore({ collection, clock }: Dependencies) {
  const piecesOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  return {
    async add(tenantId: TenantId, fileId: string, index: number, content: EncryptedRecord): Promise<void> {
      const expiresAt = new Date(clock().getTime() + KEPT_MS);
      await piecesOf(tenantId).insertOne({ _id: pieceId(fileId, index), bytes: content, expires_at: expiresAt });
    },

    async find(tenantId: TenantId, fileId: string, index: number): Promise<EncryptedRecord | undefined> {
      return (await piecesOf(tenantId).findOne({ _id: pieceId(fileId, index) }))?.bytes;
    },

    /** Deletes the pieces of a file from an index on, and its spool. */
    async discard(tenantId: TenantId, fileId: string, from = 0): Promise<void> {
      await piecesOf(tenantId).deleteMany({ _id: { $gte: pieceId(fileId, from), $lt: `${fileId}/` } });
    },
  };
}

/**
 * Pads the index, so that ids sort by it. `/` is the character after `.`, so `<file id>/` sorts after all piece ids of
 * the file.
 */
function pieceId(fileId: string, index: number): string {
  return `${fileId}.${String(index).padStart(6, '0')}`;
}
