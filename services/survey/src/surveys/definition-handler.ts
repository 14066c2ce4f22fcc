import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toSurveyMessage } from './survey-mapper.ts';
import type { SurveyService } from './survey-service.ts';

/** What other services ask for. */
export function createDefinitionHandler(surveys: SurveyService) {
  return implement(DefinitionService, {
    async getDefinition({ surveyId }) {
      const survey = await surveys.findDefinition(surveyId);
      const { tenantId, schemaVersion, version, definition } = survey;
      const status = survey.deletedAt === undefined ? survey.status : 'deleted';
      return { tenantId, status, schemaVersion, version, definition };
    },

    async storeImportedSurvey({ surveyId, schemaVersion, version, definition = {}, status }, context) {
      const arrives = status === 'closed' ? 'closed' : 'draft';
      const given = { schemaVersion, version, definition };
      return { survey: toSurveyMessage(await surveys.storeImported(tenantCallOf(context), surveyId, arrives, given)) };
    },
  });
}
