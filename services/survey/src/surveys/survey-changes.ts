import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition, Survey, SurveyDraft } from './survey.ts';
import type { SurveySettings } from './survey-settings.ts';

/** The user and time of a change. */
export interface Change {
  readonly actor: string;
  readonly time: Date;
}

const MAX_VERSION = 2 ** 31 - 1;

/** Changes the settings and project of a survey. */
export function updateSettings(
  survey: Survey,
  { projectId, settings }: { readonly projectId: string | undefined; readonly settings: SurveySettings },
  change: Change,
): Survey {
  return { ...changed(survey, change), projectId, settings };
}

/** Creates the next version, which is published immediately if the survey is active. */
export function replaceDefinition(survey: Survey, { definition, schemaVersion }: Definition, change: Change): Survey {
  if (survey.version === MAX_VERSION)
    throw new AppError('STATE_CONFLICT', { detail: `The survey has the maximum version ${MAX_VERSION}` });
  const next = { ...changed(survey, change), definition, schemaVersion, version: survey.version + 1 };
  return next.status === 'active' ? { ...next, publishedVersion: next.version } : next;
}

/** Stores a definition to be published later, and replaces an existing draft. */
export function saveDraft(survey: Survey, { definition, schemaVersion }: Definition, change: Change): Survey {
  const draft: SurveyDraft = {
    definition,
    schemaVersion,
    basedOn: survey.version,
    updatedAt: change.time,
    updatedBy: change.actor,
  };
  return { ...changed(survey, change), draft };
}

/** Removes the draft. Throws `DRAFT_NOT_FOUND` if there is none. */
export function discardDraft(survey: Survey, change: Change): Survey {
  if (survey.draft === undefined) throw new AppError('DRAFT_NOT_FOUND');
  return { ...changed(survey, change), draft: undefined };
}

/**
 * Publishes a survey; its draft, if any, becomes the next version. Throws `STATE_CONFLICT` if the survey is active
 * without a draft, or past `closesAt`. Throws `VERSION_CONFLICT` if the draft is based on an older version.
 */
export function publish(survey: Survey, change: Change): Survey {
  const { status, draft, settings, version } = survey;
  if (status === 'active' && draft === undefined)
    throw new AppError('STATE_CONFLICT', { detail: 'The survey is already active and has no draft' });
  if (isOver(settings, change.time))
    throw new AppError('STATE_CONFLICT', { detail: 'closes_at has passed; change it before you publish the survey' });
  if (draft !== undefined && draft.basedOn !== version)
    throw new AppError('VERSION_CONFLICT', {
      detail: `The draft is based on version ${draft.basedOn}, the latest is ${version}`,
    });
  const next = draft === undefined ? changed(survey, change) : replaceDefinition(survey, draft, change);
  return { ...next, draft: undefined, status: 'active', publishedVersion: next.version, publishedAt: change.time };
}

/** Closes a survey. Throws `STATE_CONFLICT` unless it is active. */
export function close(survey: Survey, change: Change): Survey {
  if (survey.status !== 'active')
    throw new AppError('STATE_CONFLICT', { detail: `The survey is ${survey.status}, not active` });
  return { ...changed(survey, change), status: 'closed' };
}

/** Whether `closesAt` has passed. */
export function isOver({ closesAt }: SurveySettings, time: Date): boolean {
  return closesAt !== undefined && closesAt <= time;
}

export function remove(survey: Survey, change: Change): Survey {
  return { ...changed(survey, change), deletedAt: change.time, deletedBy: change.actor };
}

/** Restores a deleted survey; an active one becomes closed. Throws `STATE_CONFLICT` unless it is deleted. */
export function restore(survey: Survey, change: Change): Survey {
  if (survey.deletedAt === undefined) throw new AppError('STATE_CONFLICT', { detail: 'The survey is not deleted' });
  const status = survey.status === 'active' ? 'closed' : survey.status;
  return { ...changed(survey, change), status, deletedAt: undefined, deletedBy: undefined };
}

function changed(survey: Survey, { actor, time }: Change): Survey {
  return { ...survey, revision: survey.revision + 1, updatedAt: time, updatedBy: actor };
}
