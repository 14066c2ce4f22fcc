import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseService } from '../responses/response-service.ts';
import { HELD_STATES, type StoredFile } from './file.ts';
import type { FileSealer } from './file-sealer.ts';
import type { FileStore } from './file-store.ts';
import { isReferenced } from './referenced-files.ts';

/** A file that an answer names. */
export interface ListedFile extends Pick<StoredFile, 'id' | 'questionId' | 'contentType' | 'size'> {
  readonly filename: string | undefined;
}

interface Dependencies {
  readonly responses: Pick<ResponseService, 'get'>;
  readonly store: Pick<FileStore, 'findAll'>;
  readonly sealer: Pick<FileSealer, 'openName'>;
}

export type FileListService = ReturnType<typeof createFileListService>;

export function createFileListService({ responses, store, sealer }: Dependencies) {
  return {
    /** Lists the files of a response in the order of its answers. Throws `RESPONSE_NOT_FOUND`. */
    async list(tenantId: TenantId, responseId: string): Promise<readonly ListedFile[]> {
      const { data } = await responses.get(tenantId, responseId);
      const ids = Object.values(data).flatMap(fileIdsOf);
      if (ids.length === 0) return [];
      const found = await store.findAll(tenantId, ids);
      // An answer of another type can look like an answer with files, and contain the id of another response's file.
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
