import type { Response } from '../responses/response.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import type { StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';
import { isNamed } from './named-files.ts';

interface Dependencies {
  readonly store: FileStore;
  readonly responses: Pick<ResponseStore, 'find'>;
  readonly sealer: Pick<ResponseSealer, 'open'>;
  readonly clock: () => Date;
}

/** A claim of files for a response that is being stored is checked after this time. */
export const CLAIMED_MS = 60_000;
/** Interval for checking a file that a response in progress no longer names. */
const REPLACED_MS = 60 * 60_000;

export type FileSettlement = ReturnType<typeof createFileSettlement>;

/** Settles files whose last operation was interrupted, by the stored responses. */
export function createFileSettlement({ store, responses, sealer, clock }: Dependencies) {
  async function findResponse({ tenantId, responseId }: StoredFile): Promise<Response | undefined> {
    const sealed = responseId === undefined ? undefined : await responses.find(tenantId, responseId);
    return sealed && sealer.open(sealed);
  }

  async function settleHeld(file: StoredFile): Promise<void> {
    const response = await findResponse(file);
    if (response !== undefined && isNamed(response.data, file)) return store.confirm(file);
    if (file.state === 'claimed') return store.releaseFile(file);
    // The respondent may name the file again.
    if (response?.status === 'in_progress') return store.postpone(file, new Date(clock().getTime() + REPLACED_MS));
    return store.destroy(file, clock());
  }

  return {
    /** Whether the response that claimed the file is stored and names it. */
    async isAttached(file: StoredFile): Promise<boolean> {
      const response = await findResponse(file);
      return response !== undefined && isNamed(response.data, file);
    },

    settle(file: StoredFile): Promise<void> {
      const isHeld = file.state === 'claimed' || file.state === 'attached';
      return isHeld && file.responseId !== undefined ? settleHeld(file) : store.destroy(file, clock());
    },
  };
}
