import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

export const surveyStatuses = ['draft', 'active', 'closed'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** A survey of a tenant. */
export interface Survey {
  readonly id: string;
  readonly tenantId: TenantId;
  /** The `survey` member of the creation payload, with ids for the questions that came without. */
  readonly definition: JsonObject;
  readonly schemaVersion: string;
  readonly version: number;
  readonly status: SurveyStatus;
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

/** Who changes a survey, and when. */
export interface Change {
  readonly actor: string;
  readonly time: Date;
}

/** The creation payload: what definitions are checked as, and problems point into. */
export function toPayload({
  schemaVersion,
  version,
  definition,
}: Pick<Survey, 'schemaVersion' | 'version' | 'definition'>) {
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

/** The survey as published. Throws `STATE_CONFLICT` when it is active already. */
export function publish(survey: Survey, change: Change): Survey {
  if (survey.status === 'active') throw new AppError('STATE_CONFLICT', { detail: 'The survey is active already' });
  return { ...changed(survey, change), status: 'active', publishedAt: change.time };
}

/** The survey as closed. Throws `STATE_CONFLICT` unless it is active. */
export function close(survey: Survey, change: Change): Survey {
  if (survey.status !== 'active')
    throw new AppError('STATE_CONFLICT', { detail: `The survey is ${survey.status}, not active` });
  return { ...changed(survey, change), status: 'closed' };
}

/** The survey as deleted. */
export function remove(survey: Survey, change: Change): Survey {
  return { ...changed(survey, change), deletedAt: change.time, deletedBy: change.actor };
}

function changed(survey: Survey, { actor, time }: Change): Survey {
  return { ...survey, revision: survey.revision + 1, updatedAt: time, updatedBy: actor };
}
