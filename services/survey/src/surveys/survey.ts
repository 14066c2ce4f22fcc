import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { SurveySettings } from './survey-settings.ts';

export const surveyStatuses = ['draft', 'active', 'closed'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** A definition, and the version of its format. */
export interface Definition {
  /** The `survey` member of the creation payload, with ids for the questions that came without. */
  readonly definition: JsonObject;
  readonly schemaVersion: string;
}

/** A survey of a tenant. Definition and version are the latest ones. */
export interface Survey extends Definition {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly version: number;
  /** The latest version that is live, or was. */
  readonly liveVersion: number | undefined;
  readonly status: SurveyStatus;
  readonly projectId: string | undefined;
  readonly settings: SurveySettings;
  readonly draft: SurveyDraft | undefined;
  /** Counts the changes of the record; its events are named by it. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly publishedAt: Date | undefined;
  readonly deletedAt: Date | undefined;
  readonly deletedBy: string | undefined;
}

/** A definition that waits beside the latest version until it is published. */
export interface SurveyDraft extends Definition {
  /** The version that was edited. */
  readonly basedOn: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A version of a survey's definition. Nothing of it changes but that it goes live, once. */
export interface SurveyVersion extends Definition {
  readonly surveyId: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  /** When it was live first. */
  readonly publishedAt: Date | undefined;
}

/** What lists tell of a version. */
export type SurveyVersionHead = Omit<SurveyVersion, 'definition'>;

/** What holds for respondents of a survey. */
export interface PublicSurvey
  extends Pick<Survey, 'tenantId' | 'status' | 'schemaVersion' | 'version' | 'liveVersion' | 'settings' | 'deletedAt'> {
  /** Undefined when whoever asks knows it. */
  readonly definition: JsonObject | undefined;
}

/** The creation payload: what definitions are checked as, and problems point into. */
export function toPayload({ schemaVersion, version, definition }: Definition & { readonly version: number }) {
  return { schema_version: schemaVersion, version, survey: definition };
}

/** As much of a title as events carry, in characters: a definition may have a megabyte of it. */
const MAX_TITLE = 1_000;

/** The title in the survey's first language. */
export function titleOf({ definition }: Pick<Survey, 'definition'>): string {
  const { title, supported_languages: languages } = definition;
  const language = Array.isArray(languages) && typeof languages[0] === 'string' ? languages[0] : '';
  const isTranslated = typeof title === 'object' && title !== null && !Array.isArray(title);
  const text = isTranslated ? title[language] : title;
  return typeof text === 'string' ? Array.from(text).slice(0, MAX_TITLE).join('') : '';
}
