import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection } from 'mongodb';
import type { Survey, SurveyVersion, SurveyVersionSummary } from './survey.ts';

export interface SurveyVersionDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly version: number;
  readonly schema_version: string;
  /** As JSON text, like in SurveyDocument. */
  readonly definition: string;
  readonly created_at: Date;
  readonly created_by: string;
  readonly published_at: Date | null;
  /** Absent in documents of earlier releases. */
  readonly published_by?: string | null;
}

/** Only the latest published versions are listed, because exports read the definition of each. */
const MAX_PUBLISHED = 200;

type SummaryDocument = Omit<SurveyVersionDocument, 'definition'>;

/** Without `$ne: null`, which partial indexes do not support. */
const IS_PUBLISHED = { published_at: { $gt: new Date(0) } };

export const surveyVersionIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, survey_id: 1, created_at: -1, _id: -1 } },
  {
    name: 'published',
    key: { tenant_id: 1, survey_id: 1, version: -1, published_at: 1 },
    partialFilterExpression: IS_PUBLISHED,
  },
];

export type SurveyVersionStore = ReturnType<typeof createSurveyVersionStore>;

/** Stores each version of a survey, because responses and exports refer to versions. */
export function createSurveyVersionStore(collection: Collection<SurveyVersionDocument>) {
  const versionsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  return {
    /** Stores a new version, or the publication of a version, in the transaction of a change. */
    async record(before: Survey | undefined, after: Survey, session: ClientSession): Promise<void> {
      const versions = versionsOf(after.tenantId);
      const isPublishedNow = before?.publishedVersion !== after.publishedVersion;
      if (before?.version !== after.version) {
        await versions.insertOne(toDocument(after, isPublishedNow), { session });
      } else if (isPublishedNow) {
        const update = { $set: { published_at: after.updatedAt, published_by: after.updatedBy } };
        await versions.updateOne({ _id: documentId(after.id, after.version) }, update, { session });
      }
    },

    async find(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion | undefined> {
      const document = await versionsOf(tenantId).findOne({ _id: documentId(surveyId, version) });
      return document === null ? undefined : fromDocument(document);
    },

    /** Newest first. */
    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionSummary>> {
      const filter = { survey_id: surveyId };
      const { items, ...rest } = await findPage<SurveyVersionDocument, SummaryDocument>(
        versionsOf(tenantId),
        filter,
        query,
        { projection: { definition: 0 } },
      );
      return { items: items.map(toSummary), ...rest };
    },

    /** The latest 200 versions that are or were published, in descending order. */
    async listPublished(tenantId: TenantId, surveyId: string): Promise<readonly number[]> {
      const found = versionsOf(tenantId).find(
        { survey_id: surveyId, ...IS_PUBLISHED },
        { projection: { _id: 0, version: 1 }, sort: { version: -1 }, limit: MAX_PUBLISHED },
      );
      return (await found.toArray()).map(({ version }) => version);
    },
  };
}

/** Pads the version, so that versions of the same millisecond sort by id. */
function documentId(surveyId: string, version: number): string {
  return `${surveyId}:${String(version).padStart(10, '0')}`;
}

function toDocument(survey: Survey, isPublished: boolean): Omit<SurveyVersionDocument, 'tenant_id'> {
  return {
    _id: documentId(survey.id, survey.version),
    survey_id: survey.id,
    version: survey.version,
    schema_version: survey.schemaVersion,
    definition: JSON.stringify(survey.definition),
    created_at: survey.updatedAt,
    created_by: survey.updatedBy,
    published_at: isPublished ? survey.updatedAt : null,
    published_by: isPublished ? survey.updatedBy : null,
  };
}

function fromDocument(document: SurveyVersionDocument): SurveyVersion {
  return { ...toSummary(document), definition: parseOwnObject(document.definition) };
}

function toSummary(document: SummaryDocument): SurveyVersionSummary {
  return {
    surveyId: document.survey_id,
    version: document.version,
    schemaVersion: document.schema_version,
    createdAt: document.created_at,
    createdBy: document.created_by,
    publishedAt: document.published_at ?? undefined,
    publishedBy: document.published_by ?? undefined,
  };
}
