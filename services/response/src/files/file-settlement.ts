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

/** How long a response that files were taken for may be on its way. Milliseconds. */
export const CLAIMED_MS = 60_000;

export type FileSettlement = ReturnType<typeof createFileSettlement>;

/** Finds out what has become of files that something was begun with, by what is stored. */
export function createFileSettlement({ store, responses, sealer, clock }: Dependencies) {
  /** Whether the response that it is taken for is stored, and names it. */
  async function isAttached(file: StoredFile): Promise<boolean> {
    if (file.responseId === undefined) return false;
    const sealed = await responses.find(file.tenantId, file.responseId);
    return sealed !== undefined && isNamed((await sealer.open(sealed)).data, file);
  }

  async function settleHeld(file: StoredFile): Promise<void> {
    if (await isAttached(file)) return store.confirm(file);
    if (file.state === 'claimed') return store.giveBack(file);
    return store.destroy(file, clock());
  }

  return {
    isAttached,

    /** Settles a file that is due. */
    settle(file: StoredFile): Promise<void> {
      const isHeld = file.state === 'claimed' || file.state === 'attached';
      return isHeld && file.responseId !== undefined ? settleHeld(file) : store.destroy(file, clock());
    },
  };
}
