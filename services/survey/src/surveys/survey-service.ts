import type { JsonObject } from '@bufbuild/protobuf';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { completeDefinition } from '@survey/questionnaire/complete-definition';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { type Change, close, publish, remove, type Survey, type SurveyStatus, toPayload } from './survey.ts';
import { type SurveyEventType, surveyEvent } from './survey-events.ts';

/** Where surveys are kept. An event goes in with the write that it tells of. */
export interface SurveyStore {
  /** Throws `ALREADY_EXISTS` when the id is taken. */
  insert(survey: Survey, event: SurveyEvent): Promise<void>;
  /** A survey that is not deleted. */
  find(tenantId: TenantId, id: string): Promise<Survey | undefined>;
  list(tenantId: TenantId, query: ListQuery): Promise<Page<Survey>>;
  /** Replaces the revision before; false when it is not there any more. */
  replace(survey: Survey, event: SurveyEvent): Promise<boolean>;
  /** A survey of whichever tenant, also a deleted one. */
  findAnywhere(id: string): Promise<Survey | undefined>;
}

type SurveyEvent = ReturnType<typeof surveyEvent>;

export interface ListQuery extends PageQuery {
  readonly status?: SurveyStatus | undefined;
}

/** Whom a call is made for. */
export interface Actor {
  readonly tenantId: TenantId;
  readonly actor: string;
  readonly traceparent: string;
}

export interface NewSurvey {
  readonly schemaVersion: string;
  readonly version: number;
  readonly definition: JsonObject;
}

interface Dependencies {
  readonly store: SurveyStore;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly newQuestionId: () => string;
}

export type SurveyService = ReturnType<typeof createSurveyService>;

export function createSurveyService({ store, clock, newId, newQuestionId }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Survey> {
    const survey = await store.find(tenantId, id);
    if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
    return survey;
  }

  async function change(
    actor: Actor,
    id: string,
    type: SurveyEventType,
    apply: (survey: Survey, change: Change) => Survey,
  ): Promise<Survey> {
    const next = apply(await get(actor.tenantId, id), { actor: actor.actor, time: clock() });
    if (!(await store.replace(next, surveyEvent(type, next, actor.traceparent))))
      throw new AppError('VERSION_CONFLICT');
    return next;
  }

  async function add(actor: Actor, id: string, status: 'draft' | 'closed', given: NewSurvey): Promise<Survey> {
    const time = clock();
    const survey: Survey = {
      id,
      tenantId: actor.tenantId,
      definition: toStorable(given, newQuestionId),
      schemaVersion: given.schemaVersion,
      version: given.version,
      status,
      revision: 1,
      createdAt: time,
      updatedAt: time,
      createdBy: actor.actor,
      updatedBy: actor.actor,
      publishedAt: undefined,
      deletedAt: undefined,
      deletedBy: undefined,
    };
    await store.insert(survey, surveyEvent('survey.created', survey, actor.traceparent));
    return survey;
  }

  return {
    get,
    create: (actor: Actor, given: NewSurvey) => add(actor, newId(), 'draft', given),

    /** Stores a survey under an id that an import chose; the second time it is the one of the first. */
    async storeImported(actor: Actor, id: string, status: 'draft' | 'closed', given: NewSurvey): Promise<Survey> {
      return (await store.find(actor.tenantId, id)) ?? add(actor, id, status, given);
    },

    list: (tenantId: TenantId, query: ListQuery) => store.list(tenantId, query),

    publish: (actor: Actor, id: string) =>
      change(actor, id, 'survey.published', (survey, at) => {
        const { errors } = compile(toPayload(survey)).lint;
        if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
        return publish(survey, at);
      }),

    close: (actor: Actor, id: string) => change(actor, id, 'survey.closed', close),
    remove: (actor: Actor, id: string) => change(actor, id, 'survey.deleted', remove),

    /** What publishing would refuse, and what is worth a look. */
    async validate(tenantId: TenantId, id: string) {
      return compile(toPayload(await get(tenantId, id))).lint;
    },

    /** For respondents, who name the survey alone. */
    async findDefinition(id: string): Promise<Survey> {
      const survey = await store.findAnywhere(id);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      return survey;
    },
  };
}

/** Throws `INVALID_DEFINITION` when the shape does not hold; gives ids to the questions that have none. */
function toStorable(given: NewSurvey, newQuestionId: () => string): JsonObject {
  const payload = toPayload(given);
  const errors = checkShape(payload);
  if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  // The member that went in comes out, as JSON as it was.
  return completeDefinition(payload, newQuestionId)['survey'] as JsonObject;
}
