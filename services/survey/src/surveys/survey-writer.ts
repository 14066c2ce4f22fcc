import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import type { Survey } from './survey.ts';
import type { Change } from './survey-changes.ts';
import { type SurveyAction, surveyEvents } from './survey-events.ts';

/** What a change makes of a survey; the same survey when there is nothing to change. */
type Apply = (survey: Survey, change: Change) => Survey;

/**
 * What writing takes of a store. Events go in with the write that they tell of, and so does the version that it makes.
 * Writing throws `VALIDATION_FAILED` when it puts the survey into a project that there is not.
 */
export interface SurveyWrites {
  /** Gives the survey; where the id came before, the one that was stored then. */
  insert(survey: Survey, events: readonly OutboxEvent[]): Promise<Survey>;
  /** A survey, also a deleted one. */
  find(tenantId: TenantId, id: string): Promise<Survey | undefined>;
  /** False when the survey is not as it was before any more. */
  replace(before: Survey, after: Survey, events: readonly OutboxEvent[]): Promise<boolean>;
}

interface Dependencies {
  readonly store: SurveyWrites;
  readonly clock: () => Date;
}

/** Writes surveys so that no change is lost to another one at the same time. */
export function createSurveyWriter({ store, clock }: Dependencies) {
  async function findAny(tenantId: TenantId, id: string): Promise<Survey> {
    const survey = await store.find(tenantId, id);
    if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
    return survey;
  }

  async function get(tenantId: TenantId, id: string): Promise<Survey> {
    const survey = await findAny(tenantId, id);
    if (survey.deletedAt !== undefined) throw new AppError('SURVEY_NOT_FOUND');
    return survey;
  }

  function write(read: typeof get, edit: Edit, action: SurveyAction, apply: Apply): Promise<Survey> {
    const { by, id } = edit;
    return changeLatest(edit, {
      read: () => read(by.tenantId, id),
      async write(before) {
        const after = apply(before, { actor: by.actor, time: laterOf(clock(), before.updatedAt) });
        if (after === before) return before;
        return (await store.replace(before, after, surveyEvents(by, action, before, after))) ? after : undefined;
      },
    });
  }

  return {
    get,

    /** Makes a survey under an id that may come a second time; then it gives the one of the first. */
    async make(by: Actor, id: string, toSurvey: () => Promise<Survey>): Promise<Survey> {
      const first = await store.find(by.tenantId, id);
      if (first !== undefined) return first;
      const survey = await toSurvey();
      return store.insert(survey, surveyEvents(by, 'survey.created', undefined, survey));
    },

    change: (edit: Edit, action: SurveyAction, apply: Apply) => write(get, edit, action, apply),
    /** Changes a survey that may be deleted. */
    changeAny: (edit: Edit, action: SurveyAction, apply: Apply) => write(findAny, edit, action, apply),
  };
}

/** Clocks of replicas differ a little: the time of the last change never goes back. */
function laterOf(time: Date, other: Date): Date {
  return time > other ? time : other;
}
