import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ResponseService } from '../responses/response-service.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { HELD_STATES, isReferenced, type StoredFile } from './file.ts';
import type { FileSealer } from './file-sealer.ts';
import type { FileSettlement } from './file-settlement.ts';
import type { FileStore } from './file-store.ts';

interface Download {
  readonly size: number;
  readonly contentType: string;
  readonly filename: string | undefined;
  /** The content in chunks. Throws if a chunk is missing or was modified. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ListedFile extends Pick<StoredFile, 'id' | 'questionId' | 'contentType' | 'size'> {
  readonly filename: string | undefined;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'isOwned'>;
  readonly responses: Pick<ResponseService, 'get'>;
  readonly store: Pick<FileStore, 'find' | 'findAll' | 'findChunk'>;
  readonly settlement: Pick<FileSettlement, 'isAttached'>;
  readonly sealer: Pick<FileSealer, 'openName' | 'openChunk'>;
}

export type FileReading = ReturnType<typeof createFileReading>;

/** Reads files for the users of a tenant. Users see only files that an answer of a stored response names. */
export function createFileReading({ definitions, responses, store, settlement, sealer }: Dependencies) {
  async function* read(file: StoredFile): AsyncGenerator<Uint8Array> {
    let size = 0;
    for (let index = 0; index < file.chunks; index += 1) {
      const chunk = await store.findChunk(file, index);
      if (chunk === undefined) throw new Error(`Chunk ${index} of the file ${file.id} is missing`);
      const bytes = await sealer.openChunk(file, index, chunk);
      size += bytes.length;
      yield bytes;
    }
    if (size !== file.size) throw new Error(`The file ${file.id} has ${size} bytes instead of ${file.size}`);
  }

  return {
    /** Throws `FILE_NOT_FOUND` if no stored response of the tenant names the file, or its survey is deleted. */
    async open(tenantId: TenantId, id: string): Promise<Download> {
      const file = await store.find(tenantId, id);
      if (file === undefined || !HELD_STATES.includes(file.state) || !(await settlement.isAttached(file)))
        throw new AppError('FILE_NOT_FOUND');
      if (!(await definitions.isOwned(tenantId, file.surveyId))) throw new AppError('FILE_NOT_FOUND');
      const { size, contentType, filename } = file;
      return {
        size,
        contentType,
        filename: filename && (await sealer.openName(file, filename)),
        bytes: read(file),
      };
    },

    /** Lists the files of a response in the order of its answers. Throws `RESPONSE_NOT_FOUND`. */
    async list(tenantId: TenantId, responseId: string): Promise<readonly ListedFile[]> {
      const { data } = await responses.get(tenantId, responseId);
      const ids = Object.values(data).flatMap(fileIdsOf);
      if (ids.length === 0) return [];
      const found = await store.findAll(tenantId, ids);
      // A text answer can look like an answer with files, and contain the id of another response's file.
      const own = found.filter(
        (file) => HELD_STATES.includes(file.state) && file.responseId === responseId && isReferenced(data, file),
      );
      const files = await Promise.all(
        own.map(async (file) => ({ ...file, filename: file.filename && (await sealer.openName(file, file.filename)) })),
      );
      return files.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  };
}
