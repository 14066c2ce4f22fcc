import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { SurveyVersion, SurveyVersionFields } from './survey.ts';
import type { SurveyService, SurveyStore } from './survey-service.ts';

/** Stores versions of surveys. */
export interface SurveyVersionStore {
  find(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion | undefined>;
  /** Newest first. */
  list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionFields>>;
  /** The latest 200 versions that are or were published, in descending order. */
  listPublished(tenantId: TenantId, surveyId: string): Promise<readonly number[]>;
}

interface Dependencies {
  readonly surveys: Pick<SurveyService, 'get'>;
  readonly versions: SurveyVersionStore;
  readonly store: Pick<SurveyStore, 'findPublic'>;
}

export type SurveyVersionService = ReturnType<typeof createSurveyVersionService>;

export function createSurveyVersionService({ surveys, versions, store }: Dependencies) {
  async function find(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion> {
    const found = await versions.find(tenantId, surveyId, version);
    if (found === undefined) throw new AppError('VERSION_NOT_FOUND');
    return found;
  }

  return {
    listPublished: versions.listPublished,

    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionFields>> {
      await surveys.get(tenantId, surveyId);
      return versions.list(tenantId, surveyId, query);
    },

    async get(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion> {
      await surveys.get(tenantId, surveyId);
      return find(tenantId, surveyId, version);
    },

    /**
     * For respondents: finds a survey by id only, with the requested or latest version. The definition of the latest
     * version is left out if the caller knows it.
     */
    async findPublic(surveyId: string, requestedVersion: number | undefined, knownVersion: number | undefined) {
      const survey = await store.findPublic(surveyId, knownVersion);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      // The survey itself has the latest version, which is requested most.
      if (requestedVersion === undefined || requestedVersion === survey.version)
        return { survey, version: survey, wasPublished: survey.publishedVersion === survey.version };
      const version = await find(survey.tenantId, surveyId, requestedVersion);
      return { survey, version, wasPublished: version.publishedAt !== undefined };
    },
  };
}
