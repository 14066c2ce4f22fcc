import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { SurveyVersion, SurveyVersionHead } from './survey.ts';
import type { SurveyService, SurveyStore } from './survey-service.ts';

/** Where the versions of surveys are kept. */
export interface SurveyVersionStore {
  find(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion | undefined>;
  /** Latest first. */
  list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionHead>>;
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
    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<SurveyVersionHead>> {
      await surveys.get(tenantId, surveyId);
      return versions.list(tenantId, surveyId, query);
    },

    async get(tenantId: TenantId, surveyId: string, version: number): Promise<SurveyVersion> {
      await surveys.get(tenantId, surveyId);
      return find(tenantId, surveyId, version);
    },

    /**
     * For respondents, who name the survey alone: the survey, and the version that is asked for, or the latest. The
     * definition of the latest is left out when its version is the known one.
     */
    async findPublic(surveyId: string, asked: number | undefined, knownVersion: number | undefined) {
      const survey = await store.findPublic(surveyId, knownVersion);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      // The latest is in the survey itself, which is asked for all the time.
      if (asked === undefined || asked === survey.version)
        return { survey, version: survey, wasLive: survey.liveVersion === survey.version };
      const version = await find(survey.tenantId, surveyId, asked);
      return { survey, version, wasLive: version.publishedAt !== undefined };
    },
  };
}
