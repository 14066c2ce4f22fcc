import { compile } from '@survey/questionnaire/compile';
import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page } from '@survey/runtime/mongo/page';
import { changesNothing, type Edit } from '@survey/runtime/rpc/change-latest';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { type Definition, type PublicSurvey, type Survey, type SurveyDraft, toPayload } from './survey.ts';
import {
  close,
  discardDraft,
  isOver,
  publish,
  remove,
  replaceDefinition,
  restore,
  saveDraft,
  updateSettings,
} from './survey-changes.ts';
import { checkPublishable, toStorable } from './survey-definition.ts';
import type { SurveyListQuery } from './survey-list.ts';
import { checkSettings, defaultSettings, type SurveySettings } from './survey-settings.ts';
import { createSurveyWriter, type SurveyWrites } from './survey-writer.ts';

/** Stores surveys. */
export interface SurveyStore extends SurveyWrites {
  list(tenantId: TenantId, query: SurveyListQuery): Promise<Page<Survey>>;
  /** The ids of existing, not deleted surveys of the tenant. */
  findExisting(tenantId: TenantId, ids: readonly string[]): Promise<readonly string[]>;
  /** Finds a survey of any tenant, also a deleted one. Leaves out its definition if it has the known version. */
  findPublic(id: string, knownVersion: number | undefined): Promise<PublicSurvey | undefined>;
}

/** A creation payload. */
export interface SurveyPayload extends Definition {
  readonly version: number;
  readonly projectId?: string | undefined;
  readonly settings?: SurveySettings | undefined;
}

type CheckedPayload = SurveyPayload & { readonly settings: SurveySettings };

/** A change of anything but the definition. */
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

export function createSurveyService({ store, clock, newQuestionId }: Dependencies) {
  const { get, create, change, changeAny } = createSurveyWriter({ store, clock });

  function checkedSurvey(by: Actor, id: string, status: 'draft' | 'closed', payload: SurveyPayload): Survey {
    const storable = toStorable(payload, newQuestionId);
    const settings = checkSettings(payload.settings ?? defaultSettings, storable.definition);
    return newSurvey(by, id, status, { ...payload, ...storable, settings });
  }

  function newSurvey(by: Actor, id: string, status: 'draft' | 'closed', payload: CheckedPayload): Survey {
    const time = clock();
    return {
      id,
      tenantId: by.tenantId,
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
      createdBy: by.actor,
      updatedBy: by.actor,
      publishedAt: undefined,
      deletedAt: undefined,
      deletedBy: undefined,
    };
  }

  return {
    get,

    /** Creates a survey. Like the other creating methods, returns the existing survey if the id exists. */
    create: (by: Actor, id: string, payload: SurveyPayload) =>
      create(by, id, async () => checkedSurvey(by, id, 'draft', payload)),

    storeImported: (by: Actor, id: string, status: 'draft' | 'closed', payload: SurveyPayload) =>
      create(by, id, async () => checkedSurvey(by, id, status, payload)),

    duplicate: (by: Actor, id: string, newId: string) =>
      create(by, newId, async () => {
        const { definition, schemaVersion, projectId, settings } = await get(by.tenantId, id);
        // Do not check the definition again: one stored by an older release may have unknown members.
        return newSurvey(by, newId, 'draft', { definition, schemaVersion, version: 1, projectId, settings });
      }),

    list: (tenantId: TenantId, query: SurveyListQuery) => store.list(tenantId, query),

    findExisting: (tenantId: TenantId, ids: readonly string[]) => store.findExisting(tenantId, ids),

    /** Creates the next version, which is published immediately if the survey is active. */
    async replace(edit: Edit, payload: SurveyPayload): Promise<Survey> {
      const next = toStorable(payload, newQuestionId);
      return change(edit, 'survey.updated', (survey, stamp) => {
        checkLatest(survey, payload.version);
        const { projectId = survey.projectId } = payload;
        const settings = checkSettings(payload.settings ?? survey.settings, next.definition);
        const after = { ...replaceDefinition(survey, next, stamp), projectId, settings };
        if (after.status === 'active') checkPublishable(after);
        return after;
      });
    },

    /** Stores a draft, which does not affect the latest version until it is published. */
    async saveDraft(edit: Edit, payload: SurveyPayload): Promise<Survey> {
      checkDefinitionAlone(payload);
      const next = toStorable(payload, newQuestionId);
      return change(edit, 'survey.draft_saved', (survey, stamp) => {
        checkLatest(survey, payload.version);
        return saveDraft(survey, next, stamp);
      });
    },

    /** Returns a survey with its draft. */
    async getDraft(tenantId: TenantId, id: string): Promise<Survey & { readonly draft: SurveyDraft }> {
      const { draft, ...survey } = await get(tenantId, id);
      if (draft === undefined) throw new AppError('DRAFT_NOT_FOUND');
      return { ...survey, draft };
    },

    discardDraft: (edit: Edit) => change(edit, 'survey.draft_discarded', discardDraft),

    update: (edit: Edit, patch: SurveyPatch) =>
      change(edit, 'survey.updated', (survey, stamp) => {
        const { projectId } = { ...survey, ...patch };
        const settings = checkSettings({ ...survey.settings, ...patch.settings }, survey.definition);
        if (changesNothing(survey, { projectId, settings })) return survey;
        return updateSettings(survey, { projectId, settings }, stamp);
      }),

    publish: (edit: Edit) =>
      change(edit, 'survey.published', (survey, stamp) => {
        const published = publish(survey, stamp);
        const after = { ...published, settings: checkSettings(published.settings, published.definition) };
        checkPublishable(after);
        return after;
      }),

    close: (edit: Edit) => change(edit, 'survey.closed', close),

    /** Closes an active survey past its `closesAt`; does nothing to others. */
    closeWhenOver: (edit: Edit) =>
      changeAny(edit, 'survey.closed', (survey, stamp) => {
        const isOpen = survey.status === 'active' && survey.deletedAt === undefined;
        return isOpen && isOver(survey.settings, stamp.time) ? close(survey, stamp) : survey;
      }),

    remove: (edit: Edit) => change(edit, 'survey.deleted', remove),
    restore: (edit: Edit) => changeAny(edit, 'survey.restored', restore),

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
