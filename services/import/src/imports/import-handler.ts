import { ImportService as ImportServiceDesc } from '@survey/proto/survey/imports/v1/import_service_pb';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { requirePermission, tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { Idempotency } from '@survey/runtime/rpc/idempotency';
import { FIRST_REVISION, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { fromResponsesMessage, fromSurveyMessage, toReportMessage } from './import-mapper.ts';
import { bringsResponses, type ImportService } from './import-service.ts';

interface Dependencies {
  readonly imports: ImportService;
  readonly idempotency: Idempotency;
}

export function createImportHandler({ imports, idempotency }: Dependencies) {
  return implement(ImportServiceDesc, {
    async importSurvey(request, context) {
      const { importSurvey } = ImportServiceDesc.method;
      const call = tenantCallOf(context);
      const file = fromSurveyMessage(request);
      if (bringsResponses(file)) requirePermission(call, 'responses:import');
      const answer = await idempotency.answer(importSurvey, request, context, async (id) => {
        const { survey, report } = await imports.importSurvey(call, id, file);
        setEtag(context, FIRST_REVISION);
        return { survey: { ...survey, import: toReportMessage(report) } };
      });
      context.responseHeader.set('location', `${API_PREFIX}/surveys/${answer.survey?.id}`);
      return answer;
    },

    async importResponses(request, context) {
      const { importResponses } = ImportServiceDesc.method;
      return idempotency.answer(importResponses, request, context, async (origin) => {
        const report = await imports.importResponses(tenantCallOf(context), origin, fromResponsesMessage(request));
        return { report: toReportMessage(report) };
      });
    },
  });
}
