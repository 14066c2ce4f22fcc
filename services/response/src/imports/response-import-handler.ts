import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { ResponseImportService as ResponseImportServiceDesc } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { fromImportedMessage } from './response-import-mapper.ts';
import type { ResponseImportService } from './response-import-service.ts';

/** Stores responses for the import service. */
export function createResponseImportHandler(imports: ResponseImportService) {
  return implement(ResponseImportServiceDesc, {
    async storeImportedResponses({ surveyId, responses, silent, importBegunAt }, context) {
      const items = responses.map(fromImportedMessage);
      const destination = { surveyId, silent, begunAt: toBegunAt(importBegunAt) };
      return { outcomes: [...(await imports.storeImported(tenantCallOf(context), destination, items))] };
    },

    async findImportedResponses({ surveyId, ids, importBegunAt }, context) {
      const destination = { surveyId, begunAt: toBegunAt(importBegunAt) };
      return { stored: [...(await imports.findImported(tenantCallOf(context), destination, ids))] };
    },
  });
}

/** Import services of the previous release do not send the time. */
function toBegunAt(time: Timestamp | undefined): Date {
  return time === undefined ? new Date(0) : timestampDate(time);
}
