import { SurveyService as SurveyServiceDesc } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { surveyStatuses } from './survey.ts';
import { toProblemMessage, toSurveyMessage } from './survey-mapper.ts';
import type { SurveyService } from './survey-service.ts';

export function createSurveyHandler(surveys: SurveyService) {
  return implement(SurveyServiceDesc, {
    async createSurvey({ schemaVersion, version, survey: definition = {} }, context) {
      const survey = await surveys.create(tenantCallOf(context), { schemaVersion, version, definition });
      context.responseHeader.set('location', `${API_PREFIX}/surveys/${survey.id}`);
      return { survey: toSurveyMessage(survey) };
    },

    async listSurveys({ status, ...page }, context) {
      const query = { ...toPageQuery(page), status: surveyStatuses.find((known) => known === status) };
      const { items, nextCursor } = await surveys.list(tenantCallOf(context).tenantId, query);
      return { surveys: items.map(toSurveyMessage), nextCursor: nextCursor ?? '' };
    },

    async getSurvey({ surveyId }, context) {
      return { survey: toSurveyMessage(await surveys.get(tenantCallOf(context).tenantId, surveyId)) };
    },

    async deleteSurvey({ surveyId }, context) {
      await surveys.remove(tenantCallOf(context), surveyId);
      return {};
    },

    async publishSurvey({ surveyId }, context) {
      return { survey: toSurveyMessage(await surveys.publish(tenantCallOf(context), surveyId)) };
    },

    async closeSurvey({ surveyId }, context) {
      return { survey: toSurveyMessage(await surveys.close(tenantCallOf(context), surveyId)) };
    },

    async validateSurvey({ surveyId }, context) {
      const { errors, warnings } = await surveys.validate(tenantCallOf(context).tenantId, surveyId);
      return {
        valid: errors.length === 0,
        errors: errors.map(toProblemMessage),
        warnings: warnings.map(toProblemMessage),
      };
    },
  });
}
