import type { ResponseClient } from './response-client.ts';

/**
 * Stores nothing. Used for a new survey, which has no stored responses to skip. Answers were checked before: see
 * `createFitResponse`.
 */
export const dryClient: Pick<ResponseClient, 'store'> = {
  store: async (_importer, _to, batch) => batch.map(() => ({ outcome: 'imported' })),
};

/** Stores nothing in an existing survey, and reports the responses that are stored already as skipped. */
export function createDryClient({ findStored }: Pick<ResponseClient, 'findStored'>): Pick<ResponseClient, 'store'> {
  return {
    store: async (importer, to, batch) =>
      (await findStored(importer, to, batch)).map((isStored) => ({ outcome: isStored ? 'skipped' : 'imported' })),
  };
}
