import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ImportedResponse as ImportedMessage } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { parseObject } from '@survey/runtime/json/parse-object';
import type { ImportedResponse } from './response-import-service.ts';

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
