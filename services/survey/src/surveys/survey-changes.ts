import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition, Survey, SurveyDraft } from './survey.ts';
import type { SurveySettings } from './survey-settings.ts';

/** Who changes a survey, and when. */
export interface Change {
  readonly actor: string;
  readonly time: Date;
}

const GREATEST_VERSION = 2 ** 31 - 1;

/** The survey with what can be changed beside its definition. */
export function settle(
  survey: Survey,
  { projectId, settings }: { readonly projectId: string | undefined; readonly settings: SurveySettings },
  change: Change,
): Survey {
  return { ...changed(survey, change), projectId, settings };
}

/** The survey with another definition, which makes the next version; it is live at once on an active survey. */
export function redefine(survey: Survey, { definition, schemaVersion }: Definition, change: Change): Survey {
  if (survey.version === GREATEST_VERSION)
    throw new AppError('STATE_CONFLICT', { detail: `There is no version after ${GREATEST_VERSION}` });
  const next = { ...changed(survey, change), definition, schemaVersion, version: survey.version + 1 };
  return next.status === 'active' ? { ...next, liveVersion: next.version } : next;
}

/** The survey with a definition that waits to be published, in place of one that waited before. */
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

/** The survey without the definition that waits. Throws `DRAFT_NOT_FOUND` when none does. */
export function discardDraft(survey: Survey, change: Change): Survey {
  if (survey.draft === undefined) throw new AppError('DRAFT_NOT_FOUND');
  return { ...changed(survey, change), draft: undefined };
}

/**
 * The survey as published: its draft, where one waits, is the next version. Throws `STATE_CONFLICT` when it is active
 * and no draft waits, or should be closed by now, and `VERSION_CONFLICT` when the draft was made from an older version.
 */
export function publish(survey: Survey, change: Change): Survey {
  const { status, draft, settings, version } = survey;
  if (status === 'active' && draft === undefined)
    throw new AppError('STATE_CONFLICT', { detail: 'The survey is active already, and no draft waits' });
  if (isOver(settings, change.time))
    throw new AppError('STATE_CONFLICT', { detail: 'The closes_at of its settings has passed: change that first' });
  if (draft !== undefined && draft.basedOn !== version)
    throw new AppError('VERSION_CONFLICT', {
      detail: `The draft was made from version ${draft.basedOn}, the latest is ${version}`,
    });
  const next = draft === undefined ? changed(survey, change) : redefine(survey, draft, change);
  return { ...next, draft: undefined, status: 'active', liveVersion: next.version, publishedAt: change.time };
}

/** The survey as closed. Throws `STATE_CONFLICT` unless it is active. */
export function close(survey: Survey, change: Change): Survey {
  if (survey.status !== 'active')
    throw new AppError('STATE_CONFLICT', { detail: `The survey is ${survey.status}, not active` });
  return { ...changed(survey, change), status: 'closed' };
}

/** Whether a survey with these settings takes no more answers. */
export function isOver({ closesAt }: SurveySettings, time: Date): boolean {
  return closesAt !== undefined && closesAt <= time;
}

/** The survey as deleted. */
export function remove(survey: Survey, change: Change): Survey {
  return { ...changed(survey, change), deletedAt: change.time, deletedBy: change.actor };
}

/** The survey as brought back: closed when it was active. Throws `STATE_CONFLICT` unless it is deleted. */
export function restore(survey: Survey, change: Change): Survey {
  if (survey.deletedAt === undefined) throw new AppError('STATE_CONFLICT', { detail: 'The survey is not deleted' });
  const status = survey.status === 'active' ? 'closed' : survey.status;
  return { ...changed(survey, change), status, deletedAt: undefined, deletedBy: undefined };
}

function changed(survey: Survey, { actor, time }: Change): Survey {
  return { ...survey, revision: survey.revision + 1, updatedAt: time, updatedBy: actor };
}
