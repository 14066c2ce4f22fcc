import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import type { Survey } from './survey.ts';
import type { Change } from './survey-changes.ts';
import { type SurveyAction, surveyEvents } from './survey-events.ts';

/** Returns the changed survey, or the same object if nothing changes. */
type Apply = (survey: Survey, change: Change) => Survey;

/**
 * Writes surveys together with their events and new versions. Throws `VALIDATION_FAILED` if the project does not exist.
 */
export interface SurveyWrites {
  /** Returns the survey, or the existing one with this id. */
  insert(survey: Survey, events: readonly OutboxEvent[]): Promise<Survey>;
  /** Finds a survey, including a deleted one. */
  find(tenantId: TenantId, id: string): Promise<Survey | undefined>;
  /** Returns false when the revision has changed. */
  replace(before: Survey, after: Survey, events: readonly OutboxEvent[]): Promise<boolean>;
}

interface Dependencies {
  readonly store: SurveyWrites;
  readonly clock: () => Date;
}

/** Writes surveys without losing concurrent changes. */
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
    const { caller, id } = edit;
    return changeLatest(edit, {
      read: () => read(caller.tenantId, id),
      async write(before) {
        const after = apply(before, { actor: caller.actor, time: laterOf(clock(), before.updatedAt) });
        if (after === before) return before;
        return (await store.replace(before, after, surveyEvents(caller, action, before, after))) ? after : undefined;
      },
    });
  }

  return {
    get,

    /** Creates a survey, or returns the existing one with this id. */
    async create(by: Actor, id: string, toSurvey: () => Promise<Survey>): Promise<Survey> {
      const existing = await store.find(by.tenantId, id);
      if (existing !== undefined) return existing;
      const survey = await toSurvey();
      return store.insert(survey, surveyEvents(by, 'survey.created', undefined, survey));
    },

    change: (edit: Edit, action: SurveyAction, apply: Apply) => write(get, edit, action, apply),
    /** Changes a survey, including a deleted one. */
    changeAny: (edit: Edit, action: SurveyAction, apply: Apply) => write(findAny, edit, action, apply),
  };
}

/** Clocks of replicas differ; `updatedAt` must never decrease. */
function laterOf(time: Date, other: Date): Date {
  return time > other ? time : other;
}
