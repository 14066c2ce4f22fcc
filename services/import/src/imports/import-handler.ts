import { ImportService as ImportServiceDesc } from '@survey/proto/survey/imports/v1/import_service_pb';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { requirePermission, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { FIRST_REVISION, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { fromOptionsMessage, fromValueMessage, toReportMessage } from './import-mapper.ts';
import { bringsResponses, type ImportService } from './import-service.ts';

export function createImportHandler(imports: ImportService) {
  return implement(ImportServiceDesc, {
    async importSurvey({ source, format, data, options }, context) {
      const call = tenantCallOf(context);
      const request = { source, format, data: fromValueMessage(data), options: fromOptionsMessage(options) };
      if (bringsResponses(request)) requirePermission(call, 'responses:import');
      const { survey, report } = await imports.importSurvey(call, request);
      context.responseHeader.set('location', `${API_PREFIX}/surveys/${survey.id}`);
      setEtag(context, FIRST_REVISION);
      return { survey: { ...survey, import: toReportMessage(report) } };
    },

    async importResponses({ surveyId, format, responses }, context) {
      const request = { surveyId, format, data: fromValueMessage(responses) };
      return { report: toReportMessage(await imports.importResponses(tenantCallOf(context), request)) };
    },
  });
}
