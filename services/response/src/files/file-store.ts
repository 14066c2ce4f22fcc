import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { dueIndex, measureDue } from '@survey/runtime/mongo/claim';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantFilter, type TenantUpdate, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { type FileContent, type FileState, HELD_STATES, type NewFile, type StoredFile } from './file.ts';

/** A file without its bytes. */
export interface FileDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly question_id: string;
  readonly state: FileState;
  readonly filename: EncryptedRecord | null;
  readonly size: number;
  readonly content_type: string;
  readonly chunks: number;
  readonly response_id: string | null;
  /** Absent before the first claim. */
  readonly claims?: number;
  readonly expires_at: Date | null;
  /** Time at which the file must be settled or deleted. Absent for an attached file, unless a write claims it again. */
  readonly due_at?: Date;
}

export interface FileChunkDocument {
  /** File id and index: see `chunkId`. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly bytes: EncryptedRecord;
}

export const fileIndexes: IndexSpecs[string] = [
  { name: 'survey', key: { tenant_id: 1, survey_id: 1, state: 1, size: 1 } },
  { name: 'response', key: { tenant_id: 1, response_id: 1 } },
  dueIndex(),
];
export const fileChunkIndexes: IndexSpecs[string] = [{ name: 'tenant', key: { tenant_id: 1 } }];

/** Number and total size of a survey's files that no stored response names. */
interface Unattached {
  readonly count: number;
  readonly bytes: number;
}

interface Claim {
  readonly tenantId: TenantId;
  readonly responseId: string;
  /** Ids under which earlier attempts to store the response may have claimed the files. */
  readonly heldBy: readonly string[];
  readonly fileIds: readonly string[];
}

/** Files of a response: the dropped files, or all files except the kept ones. */
export type FileSelection = { readonly dropped: readonly string[] } | { readonly kept: readonly string[] };

/** A response that holds files. */
interface Holder {
  readonly tenantId: TenantId;
  readonly id: string;
}

export type FileStore = ReturnType<typeof createFileStore>;

interface Dependencies {
  readonly files: Collection<FileDocument>;
  readonly chunks: Collection<FileChunkDocument>;
}

/** States of files that no stored response has named. */
const UNATTACHED: readonly FileState[] = ['uploading', 'ready', 'claimed'];
const TO_READY = [{ $set: { state: 'ready', response_id: null, due_at: '$expires_at' } }] as const;
const DESTROY_BATCH = 100;
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export function createFileStore({ files, chunks }: Dependencies) {
  const filesOf = (tenantId: TenantId) => tenantCollection(files, tenantId);
  const chunksOf = (tenantId: TenantId) => tenantCollection(chunks, tenantId);

  /** Updates a file unless it has changed since it was read. Returns whether it has updated the file. */
  async function change(file: StoredFile, update: TenantUpdate<FileDocument>): Promise<boolean> {
    const { id, state, claims, dueAt } = file;
    const sameClaims = claims === 0 ? { $exists: false } : claims;
    const unchanged = { _id: id, state, claims: sameClaims, ...(dueAt && { due_at: dueAt }) };
    return (await filesOf(file.tenantId).updateOne(unchanged, update)).matchedCount === 1;
  }

  /** Deletes the bytes first: after an interruption, the sweeper still finds the file. */
  async function erase(tenantId: TenantId, id: string): Promise<void> {
    await chunksOf(tenantId).deleteMany({ _id: { $gte: chunkId(id, 0), $lt: `${id}/` } });
    await filesOf(tenantId).deleteOne({ _id: id, state: 'doomed' });
  }

  async function markDoomed(tenantId: TenantId, filter: TenantFilter<FileDocument>, time: Date): Promise<void> {
    const documents = filesOf(tenantId);
    await documents.updateMany(filter, { $set: { state: 'doomed', due_at: time } });
  }

  async function eraseAll(tenantId: TenantId, filter: TenantFilter<FileDocument>): Promise<void> {
    const options = { projection: { _id: 1 }, limit: DESTROY_BATCH };
    for (;;) {
      const doomed = await filesOf(tenantId)
        .find<{ _id: string }>({ ...filter, state: 'doomed' }, options)
        .toArray();
      if (doomed.length === 0) return;
      for (const { _id } of doomed) await erase(tenantId, _id);
    }
  }

  return {
    async begin(file: NewFile): Promise<void> {
      await filesOf(file.tenantId).insertOne({
        _id: file.id,
        survey_id: file.surveyId,
        question_id: file.questionId,
        state: 'uploading',
        filename: file.filename ?? null,
        size: file.size,
        content_type: '',
        chunks: 0,
        response_id: null,
        expires_at: null,
        due_at: file.deleteAt,
      });
    },

    /** @param first index of the first chunk of the list */
    async addChunks({ tenantId, id }: NewFile, first: number, sealed: readonly EncryptedRecord[]): Promise<void> {
      const documents = sealed.map((bytes, index) => ({ _id: chunkId(id, first + index), tenant_id: tenantId, bytes }));
      const outcomes = await insertBatch(chunks, documents);
      if (outcomes.some(({ kind }) => kind !== 'inserted')) throw new Error(`Chunks of the file ${id} are not stored`);
    },

    async findChunk({ tenantId, id }: StoredFile, index: number): Promise<EncryptedRecord | undefined> {
      return (await chunksOf(tenantId).findOne({ _id: chunkId(id, index) }))?.bytes;
    },

    /** Makes an uploaded file `ready`. Idempotent. */
    async complete(tenantId: TenantId, id: string, content: FileContent, expiresAt: Date): Promise<void> {
      const { size, contentType, chunks: count } = content;
      const fields = { state: 'ready', size, content_type: contentType, chunks: count } as const;
      const times = { expires_at: expiresAt, due_at: expiresAt };
      await filesOf(tenantId).updateOne({ _id: id, state: 'uploading' }, { $set: { ...fields, ...times } });
    },

    async find(tenantId: TenantId, id: string): Promise<StoredFile | undefined> {
      const document = await filesOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async findAll(tenantId: TenantId, ids: readonly string[]): Promise<readonly StoredFile[]> {
      return (
        await filesOf(tenantId)
          .find({ _id: { $in: [...ids] } })
          .toArray()
      ).map(fromDocument);
    },

    /** Running uploads count with their maximum size. */
    async countUnattached(tenantId: TenantId, surveyId: string): Promise<Unattached> {
      const [sums] = await filesOf(tenantId)
        .aggregate<{ count: number; bytes: number }>(
          [
            { $match: { survey_id: surveyId, state: { $in: UNATTACHED } } },
            { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: '$size' } } },
          ],
          // Another index would read all files of the tenant.
          { hint: 'survey' },
        )
        .toArray();
      return { count: sums?.count ?? 0, bytes: sums?.bytes ?? 0 };
    },

    /** Claims files for a response that will be stored. Returns the number of files that could not be claimed. */
    async claim({ tenantId, responseId, heldBy, fileIds }: Claim, time: Date, dueAt: Date): Promise<number> {
      const free = { state: 'ready', expires_at: { $gt: time } } as const;
      const own = { state: { $in: HELD_STATES }, response_id: { $in: [...heldBy, responseId] } };
      const filter = { _id: { $in: [...fileIds] }, $or: [free, own] };
      // A stored response may name an attached or dropping file. This file must not become `ready` if the write fails.
      const state = { $cond: [{ $in: ['$state', ['attached', 'dropping']] }, 'attached', 'claimed'] };
      const claims = { $add: [{ $ifNull: ['$claims', 0] }, 1] };
      const fields = { state, response_id: { $literal: responseId }, claims, due_at: dueAt };
      const { matchedCount } = await filesOf(tenantId).updateMany(filter, [{ $set: fields }]);
      return fileIds.length - matchedCount;
    },

    /** Marks files that the responses are about to drop. Returns their number. */
    async markDropping(
      tenantId: TenantId,
      responseIds: readonly string[],
      dueAt: Date,
      selection: FileSelection,
    ): Promise<number> {
      const ids = { response_id: { $in: [...responseIds] } };
      const filter = { ...toCondition(selection), ...ids, state: { $in: HELD_STATES } };
      const { matchedCount } = await filesOf(tenantId).updateMany(filter, {
        $set: { state: 'dropping', due_at: dueAt },
      });
      return matchedCount;
    },

    /** Counts the files of a response, including files that the response no longer names. */
    countHeld: (tenantId: TenantId, responseId: string): Promise<number> =>
      filesOf(tenantId).countDocuments({ response_id: responseId, state: { $in: HELD_STATES } }),

    /** Destroys the files that `markDropping` marked, except files that were claimed or marked again. */
    async destroyDropped({ tenantId, id: responseId }: Holder, dueAt: Date, selection: FileSelection, time: Date) {
      const marked = { response_id: responseId, state: 'dropping' as const, due_at: dueAt };
      await markDoomed(tenantId, { ...toCondition(selection), ...marked }, time);
      await eraseAll(tenantId, { response_id: responseId });
    },

    async destroyOf(tenantId: TenantId, responseIds: readonly string[], time: Date): Promise<void> {
      const filter = { response_id: { $in: [...responseIds] } };
      await markDoomed(tenantId, { ...filter, state: { $in: HELD_STATES } }, time);
      await eraseAll(tenantId, filter);
    },

    async destroyOfSurvey(tenantId: TenantId, surveyId: string, time: Date): Promise<void> {
      const filter = { survey_id: surveyId };
      await markDoomed(tenantId, filter, time);
      await eraseAll(tenantId, filter);
    },

    /** Destroys a file unless it has changed since it was read. */
    async destroy(file: StoredFile, time: Date): Promise<void> {
      if (file.state === 'doomed' || (await change(file, { $set: { state: 'doomed', due_at: time } })))
        await erase(file.tenantId, file.id);
    },

    /** Destroys an incomplete upload and its late chunks. */
    async discard({ tenantId, id }: NewFile, time: Date): Promise<void> {
      await markDoomed(tenantId, { _id: id, state: 'uploading' }, time);
      const document = await filesOf(tenantId).findOne({ _id: id });
      if (document === null || document.state === 'doomed') await erase(tenantId, id);
    },

    /** Makes a file `ready` for other responses, unless it has changed since it was read. */
    async releaseFile(file: StoredFile): Promise<void> {
      await change(file, TO_READY);
    },

    /** Marks a file as `attached`, unless it has changed since it was read. */
    async confirm(file: StoredFile): Promise<void> {
      await change(file, { $set: { state: 'attached' }, $unset: { due_at: true } });
    },

    /** Postpones the settlement of a file, unless the file has changed since it was read. */
    async postpone(file: StoredFile, dueAt: Date): Promise<void> {
      await change(file, { $set: { due_at: dueAt } });
    },

    measureDue: (now: Date) => measureDue(systemScope(files), now),

    async findDue(time: Date, limit: number): Promise<readonly StoredFile[]> {
      const due = systemScope(files).find({ due_at: { $lt: time } }, { limit, sort: { due_at: 1 }, ...MAX_TIME });
      return (await due.toArray()).map(fromDocument);
    },
  };
}

function toCondition(selection: FileSelection) {
  return { _id: 'dropped' in selection ? { $in: [...selection.dropped] } : { $nin: [...selection.kept] } };
}

/** Pads the index, so that the ids of chunks sort by index. All of them sort before `<file id>/`. */
function chunkId(fileId: string, index: number): string {
  return `${fileId}.${String(index).padStart(6, '0')}`;
}

function fromDocument(document: FileDocument): StoredFile {
  const { _id, tenant_id, survey_id, question_id, state, filename, size, content_type } = document;
  return {
    id: _id,
    tenantId: tenant_id,
    surveyId: survey_id,
    questionId: question_id,
    state,
    filename: filename ?? undefined,
    size,
    contentType: content_type,
    chunks: document.chunks,
    responseId: document.response_id ?? undefined,
    claims: document.claims ?? 0,
    expiresAt: document.expires_at ?? undefined,
    dueAt: document.due_at,
  };
}
