import { compile } from '@survey/questionnaire/compile';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, type EditTarget, FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import {
  checkPublishable,
  close,
  discardDraft,
  isPastClosing,
  publish,
  remove,
  replaceDefinition,
  restore,
  type Stamp,
  type StoredDefinition,
  type Survey,
  type SurveyDraft,
  type SurveyVersion,
  type SurveyVersionSummary,
  saveDraft,
  toPayload,
  toStorable,
  updateSettings,
} from './survey.ts';
import { type SurveyAction, surveyEvents } from './survey-events.ts';
import type { SurveyListQuery } from './survey-list.ts';
import { defaultSettings, resolveSettings, type SurveySettings } from './survey-settings.ts';
import type { SurveyStore } from './survey-store.ts';
import type { SurveyVersionStore } from './survey-version-store.ts';

/** The body of a request that creates a survey or changes its definition. */
export interface SurveyPayload extends StoredDefinition {
  readonly version: number;
  readonly projectId?: string | undefined;
  readonly settings?: SurveySettings | undefined;
}

type CheckedPayload = SurveyPayload & { readonly settings: SurveySettings };

/** A change of the project or the settings. */
export interface SurveyPatch {
  readonly projectId?: string | undefined;
  readonly settings?: Partial<SurveySettings>;
}

interface Dependencies {
  readonly store: SurveyStore;
  readonly clock: () => Date;
  readonly newQuestionId: () => string;
}

export type SurveyService = ReturnType<typeof createSurveyService>;

/**
 * Manages surveys. A change of the definition makes a new version, or is saved as a draft until it is published.
 * Changes of other members, such as settings, apply at once.
 */
export function createSurveyService({ store, clock, newQuestionId }: Dependencies) {
  const { get, create, change, changeAny } = createSurveyWriter({ store, clock });

  function checkedSurvey(
    context: ChangeContext,
    id: string,
    status: 'draft' | 'closed',
    payload: SurveyPayload,
  ): Survey {
    const storable = toStorable(payload, newQuestionId);
    const settings = resolveSettings(payload.settings ?? defaultSettings, storable.definition);
    return newSurvey(context, id, status, { ...payload, ...storable, settings });
  }

  function newSurvey(context: ChangeContext, id: string, status: 'draft' | 'closed', payload: CheckedPayload): Survey {
    const time = clock();
    return {
      id,
      tenantId: context.tenantId,
      definition: payload.definition,
      schemaVersion: payload.schemaVersion,
      version: payload.version,
      publishedVersion: undefined,
      status,
      projectId: payload.projectId,
      settings: payload.settings,
      draft: undefined,
      revision: FIRST_REVISION,
      createdAt: time,
      updatedAt: time,
      createdBy: context.actor,
      updatedBy: context.actor,
      publishedAt: undefined,
      deletedAt: undefined,
      deletedBy: undefined,
    };
  }

  return {
    get,

    /** Creates a survey. Returns the existing survey if the id exists, like `storeImported` and `duplicate`. */
    create: (context: ChangeContext, id: string, payload: SurveyPayload) =>
      create(context, id, async () => checkedSurvey(context, id, 'draft', payload)),

    /** Stores a survey that the import service has read from a file. */
    storeImported: (context: ChangeContext, id: string, status: 'draft' | 'closed', payload: SurveyPayload) =>
      create(context, id, async () => checkedSurvey(context, id, status, payload)),

    duplicate: (context: ChangeContext, id: string, newId: string) =>
      create(context, newId, async () => {
        const { definition, schemaVersion, projectId, settings } = await get(context.tenantId, id);
        // Do not check the definition again: earlier releases stored definitions with unknown members.
        return newSurvey(context, newId, 'draft', { definition, schemaVersion, version: 1, projectId, settings });
      }),

    list: (tenantId: TenantId, query: SurveyListQuery) => store.list(tenantId, query),

    findExisting: (tenantId: TenantId, ids: readonly string[]) => store.findExisting(tenantId, ids),

    /** Creates the next version, which is published immediately if the survey is active. */
    async replace(edit: EditTarget, payload: SurveyPayload): Promise<Survey> {
      const next = toStorable(payload, newQuestionId);
      return change(edit, 'survey.updated', (survey, stamp) => {
        checkLatest(survey, payload.version);
        const { projectId = survey.projectId } = payload;
        const settings = resolveSettings(payload.settings ?? survey.settings, next.definition);
        const after = { ...replaceDefinition(survey, next, stamp), projectId, settings };
        if (after.status === 'active') checkPublishable(after);
        return after;
      });
    },

    /** Stores a draft, which does not affect the latest version until it is published. */
    async saveDraft(edit: EditTarget, payload: SurveyPayload): Promise<Survey> {
      checkDefinitionAlone(payload);
      const next = toStorable(payload, newQuestionId);
      return change(edit, 'survey.draft_saved', (survey, stamp) => {
        checkLatest(survey, payload.version);
        return saveDraft(survey, next, stamp);
      });
    },

    async getDraft(tenantId: TenantId, id: string): Promise<Survey & { readonly draft: SurveyDraft }> {
      const { draft, ...survey } = await get(tenantId, id);
      if (draft === undefined) throw new AppError('DRAFT_NOT_FOUND');
      return { ...survey, draft };
    },

    discardDraft: (edit: EditTarget) => change(edit, 'survey.draft_discarded', discardDraft),

    update: (edit: EditTarget, patch: SurveyPatch) =>
      change(edit, 'survey.updated', (survey, stamp) => {
        const { projectId } = { ...survey, ...patch };
        const settings = resolveSettings({ ...survey.settings, ...patch.settings }, survey.definition);
        if (changesNothing(survey, { projectId, settings })) return survey;
        return updateSettings(survey, { projectId, settings }, stamp);
      }),

    publish: (edit: EditTarget) =>
      change(edit, 'survey.published', (survey, stamp) => {
        const published = publish(survey, stamp);
        const after = { ...published, settings: resolveSettings(published.settings, published.definition) };
        checkPublishable(after);
        return after;
      }),

    close: (edit: EditTarget) => change(edit, 'survey.closed', close),

    /** Closes an active survey past its `closesAt`. Does nothing to other surveys. */
    closeIfPastClosing: (edit: EditTarget) =>
      changeAny(edit, 'survey.closed', (survey, stamp) => {
        const isOpen = survey.status === 'active' && survey.deletedAt === undefined;
        return isOpen && isPastClosing(survey.settings, stamp.time) ? close(survey, stamp) : survey;
      }),

    remove: (edit: EditTarget) => change(edit, 'survey.deleted', remove),
    restore: (edit: EditTarget) => changeAny(edit, 'survey.restored', restore),

    /** Returns errors that block publishing, and warnings. */
    async validate(tenantId: TenantId, id: string) {
      return compile(toPayload(await get(tenantId, id))).lint;
    },
  };
}

function checkLatest({ version: latest }: Survey, version: number): void {
  if (version !== latest)
    throw new AppError('VERSION_CONFLICT', {
      detail: `The edit is based on version ${version}, the latest is ${latest}`,
    });
}

function checkDefinitionAlone({ projectId, settings }: SurveyPayload): void {
  const members = Object.entries({ '/project_id': projectId, '/settings': settings });
  const errors = members
    .filter(([, value]) => value !== undefined)
    .map(([path]) => ({
      path,
      code: 'NOT_IN_DRAFT',
      detail:
        'A draft has only a definition, because this member applies at once: change it with PATCH /v1/surveys/{survey_id}',
    }));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** Returns the changed survey, or the same object if nothing changes. */
type Apply = (survey: Survey, stamp: Stamp) => Survey;

interface SurveyWriterDependencies {
  readonly store: Pick<SurveyStore, 'insert' | 'find' | 'replace'>;
  readonly clock: () => Date;
}

/** Writes surveys without losing concurrent changes. */
function createSurveyWriter({ store, clock }: SurveyWriterDependencies) {
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

  function write(read: typeof get, edit: EditTarget, action: SurveyAction, apply: Apply): Promise<Survey> {
    const { context, id } = edit;
    return changeLatest(edit, {
      read: () => read(context.tenantId, id),
      async write(before) {
        const after = apply(before, { actor: context.actor, time: laterOf(clock(), before.updatedAt) });
        if (after === before) return before;
        return (await store.replace(before, after, surveyEvents(context, action, before, after))) ? after : undefined;
      },
    });
  }

  return {
    get,

    /** Creates a survey, or returns the existing one with this id. */
    async create(context: ChangeContext, id: string, toSurvey: () => Promise<Survey>): Promise<Survey> {
      const existing = await store.find(context.tenantId, id);
      if (existing !== undefined) return existing;
      const survey = await toSurvey();
      return store.insert(survey, surveyEvents(context, 'survey.created', undefined, survey));
    },

    change: (edit: EditTarget, action: SurveyAction, apply: Apply) => write(get, edit, action, apply),
    /** Changes a survey, including a deleted one. */
    changeAny: (edit: EditTarget, action: SurveyAction, apply: Apply) => write(findAny, edit, action, apply),
  };
}

/** Clocks of replicas differ, but `updatedAt` must never decrease. */
function laterOf(time: Date, other: Date): Date {
  return time > other ? time : other;
}

interface SurveyVersionServiceDependencies {
  readonly surveys: Pick<SurveyService, 'get'>;
  readonly versions: SurveyVersionStore;
  readonly store: Pick<SurveyStore, 'findPublic'>;
}

export type SurveyVersionService = ReturnType<typeof createSurveyVersionService>;

/** Reads versions of surveys, for tenants and for respondents. */
export function createSurveyVersionService({ surveys, versions, store }: SurveyVersionServiceDependencies) {
  async function find(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion> {
    const found = await versions.find(tenantId, surveyId, version);
    if (found === undefined) throw new AppError('VERSION_NOT_FOUND');
    return found;
  }

  return {
    listPublished: versions.listPublished,

    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionSummary>> {
      await surveys.get(tenantId, surveyId);
      return versions.list(tenantId, surveyId, query);
    },

    async get(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion> {
      await surveys.get(tenantId, surveyId);
      return find(tenantId, surveyId, version);
    },

    /** For respondents. Omits the definition of the latest version if the caller has it, as `knownVersion`. */
    async findPublic(surveyId: string, requestedVersion: number | undefined, knownVersion: number | undefined) {
      const survey = await store.findPublic(surveyId, knownVersion);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      // The survey contains the latest version, which is requested most.
      if (requestedVersion === undefined || requestedVersion === survey.version)
        return { survey, version: survey, wasPublished: survey.publishedVersion === survey.version };
      const version = await find(survey.tenantId, surveyId, requestedVersion);
      return { survey, version, wasPublished: version.publishedAt !== undefined };
    },
  };
}
