import type { JsonObject } from '@bufbuild/protobuf';
import { itemsOf } from '@survey/questionnaire/json';
import { lookUpOrder, textIn } from '@survey/questionnaire/labels';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { SurveySettings } from './survey-settings.ts';

export const surveyStatuses = ['draft', 'active', 'closed'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** A definition and the version of its format. */
export interface Definition {
  /** The `survey` member of a payload, with ids for all questions. */
  readonly definition: JsonObject;
  readonly schemaVersion: string;
}

/** A survey with its latest definition and version. */
export interface Survey extends Definition {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly version: number;
  /** The latest version that is or was published. */
  readonly publishedVersion: number | undefined;
  readonly status: SurveyStatus;
  readonly projectId: string | undefined;
  readonly settings: SurveySettings;
  readonly draft: SurveyDraft | undefined;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly publishedAt: Date | undefined;
  readonly deletedAt: Date | undefined;
  readonly deletedBy: string | undefined;
}

/** A definition that is not published yet. */
export interface SurveyDraft extends Definition {
  /** The version on which the draft is based. */
  readonly basedOn: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A version of a survey. It never changes, except that its first publication sets `publishedAt` and `publishedBy`. */
export interface SurveyVersion extends Definition {
  readonly surveyId: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  /** Time of the first publication. */
  readonly publishedAt: Date | undefined;
  /** User who published it first. Also undefined if an earlier release published the version. */
  readonly publishedBy: string | undefined;
}

/** A version in lists. */
export type SurveyVersionFields = Omit<SurveyVersion, 'definition'>;

/** The data of a survey for respondents. */
export interface PublicSurvey
  extends Pick<
    Survey,
    'tenantId' | 'status' | 'schemaVersion' | 'version' | 'publishedVersion' | 'settings' | 'createdAt' | 'deletedAt'
  > {
  /** Undefined if the caller said that it already has this version. */
  readonly definition: JsonObject | undefined;
}

/** Builds the payload that is validated; paths of problems refer to it. */
export function toPayload({ schemaVersion, version, definition }: Definition & { readonly version: number }) {
  return { schema_version: schemaVersion, version, survey: definition };
}

/** Maximum length of a title in events, in characters. */
const MAX_TITLE = 1_000;

/** The title in the default language, else in the next one that it has. */
export function titleOf({ definition }: Pick<Survey, 'definition'>): string {
  const { title, supported_languages: declared } = definition;
  const languages = lookUpOrder(itemsOf(declared).map(String), undefined);
  const text = textIn(languages, title) ?? '';
  return Array.from(text).slice(0, MAX_TITLE).join('');
}
