import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantDocument, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DefinitionDocument } from '../definitions/definition-store.ts';
import type { LedgerDocument } from '../limits/ledger-store.ts';
import type { LinkDocument } from '../links/link-store.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import type { Deletion } from '../responses/tombstone.ts';
import type { WriteWindowDocument } from '../responses/write-window-store.ts';
import type { SliceDocument } from '../slices/slice-store.ts';
import type { SurveyDataStore } from './survey-deletion.ts';

interface Dependencies {
  readonly definitions: Collection<DefinitionDocument>;
  readonly links: Collection<LinkDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly ledgers: Collection<LedgerDocument>;
  readonly windows: Collection<WriteWindowDocument>;
  readonly slices: Collection<SliceDocument>;
}

/** Documents that are deleted between two checks whether the walk may continue. */
const BATCH = 100;

export function createSurveyDataStore(dependencies: Dependencies): SurveyDataStore {
  const { definitions, links, responses, ledgers, windows, slices } = dependencies;
  // Tombstones are in the same collection as responses.
  const deletions = responses as unknown as Collection<Deletion>;

  return {
    async deleteLedgers(tenantId, surveyId) {
      await tenantCollection(ledgers, tenantId).deleteMany({ survey_id: surveyId });
    },

    async deleteSlices(tenantId, surveyId) {
      await tenantCollection(slices, tenantId).deleteMany({ survey_id: surveyId });
    },

    deleteTombstones: (tenantId, surveyId) =>
      deleteBatch(deletions, tenantId, { deleted_from: surveyId, 'outbox.at': { $exists: false } }),

    async hasTombstones(tenantId, surveyId) {
      const options = { projection: { _id: 1 } } as const;
      return (await tenantCollection(deletions, tenantId).findOne({ deleted_from: surveyId }, options)) !== null;
    },

    deleteLinks: (tenantId, surveyId) => deleteBatch(links, tenantId, { survey_id: surveyId }),

    async deleteDefinitions(tenantId, surveyId) {
      // The write window can be deleted now: the survey is not found any more, so its responses are not read.
      await tenantCollection(windows, tenantId).deleteOne({ _id: surveyId });
      return deleteBatch(definitions, tenantId, { survey_id: surveyId });
    },
  };
}

async function deleteBatch<D extends TenantDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
  filter: TenantFilter<D>,
): Promise<boolean> {
  const documents = tenantCollection(collection, tenantId);
  const found = await documents.find<{ _id: string }>(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
  if (found.length === 0) return false;
  const batch = { _id: { $in: found.map(({ _id }) => _id) } };
  // The `_id` of every document is a string.
  await documents.deleteMany(batch as TenantFilter<D>);
  return true;
}
