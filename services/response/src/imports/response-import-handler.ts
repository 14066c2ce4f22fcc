import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type ImportedResponse as ImportedMessage,
  ResponseImportService as ResponseImportServiceDesc,
} from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { parseObject } from '@survey/runtime/json/parse-json';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ImportedResponse, ResponseImportService } from './response-import-service.ts';

/** Stores responses for the import service. */
export function createResponseImportHandler(imports: ResponseImportService) {
  return implement(ResponseImportServiceDesc, {
    async storeImportedResponses({ surveyId, responses, silent, importBegunAt, wasSentBefore }, context) {
      const items = responses.map(fromImportedMessage);
      const run = { surveyId, silent, begunAt: toBegunAt(importBegunAt), wasSentBefore };
      return { outcomes: [...(await imports.storeImported(tenantCallOf(context), run, items))] };
    },

    async findImportedResponses({ surveyId, ids, importBegunAt }, context) {
      const run = { surveyId, begunAt: toBegunAt(importBegunAt) };
      return { stored: [...(await imports.findImported(tenantCallOf(context), run, ids))] };
    },
  });
}

/**
 * The start of the import. Responses that were deleted after it are not stored again. Import services of the previous
 * release do not send the time. For them, no deleted response is stored again.
 */
function toBegunAt(time: Timestamp | undefined): Date {
  return time === undefined ? new Date(0) : timestampDate(time);
}

/**
 * Throws `VALIDATION_FAILED` if the answers are not a JSON object.
 *
 * @param index position of the response in the request
 */
export function fromImportedMessage(message: ImportedMessage, index: number): ImportedResponse {
  const { id, externalId, answers, startedAt, completedAt, language, metadata, status, allowsMissing } = message;
  const data = parseObject(answers);
  if (data === undefined) throw new AppError('VALIDATION_FAILED', { errors: [malformedAnswers(index)] });
  return {
    id,
    externalId,
    data,
    startedAt: startedAt && timestampDate(startedAt),
    completedAt: completedAt && timestampDate(completedAt),
    language,
    metadata,
    // The contract allows no other text.
    status: status === '' ? undefined : (status as ImportedResponse['status']),
    allowsMissing,
  };
}

function malformedAnswers(index: number): FieldProblem {
  return { path: `/responses/${index}/answers`, code: 'WRONG_TYPE', detail: 'must be the JSON text of an object' };
}
