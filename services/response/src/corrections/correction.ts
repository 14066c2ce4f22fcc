import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { CompiledSurvey } from '../definitions/definition.ts';
import { mergeAnswers, mergeMetadata } from '../responses/merge-content.ts';
import type { Response } from '../responses/response.ts';
import { checkMetadata, validateAnswers } from '../responses/response-rules.ts';

/**
 * Changed answers by question id, and a merge patch of the metadata. A member that is present but undefined removes the
 * stored value.
 */
export interface Correction {
  readonly data?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
}

type Corrected = Pick<Response, 'status' | 'data' | 'metadata'>;

/**
 * Applies a correction to a response. Returns undefined if nothing changes. Throws `VALIDATION_FAILED` or
 * `INVALID_ANSWERS` with all errors.
 *
 * @param definition the version that the response answers
 */
export function correct(response: Response, correction: Correction, definition: CompiledSurvey): Corrected | undefined {
  const metadata = Object.hasOwn(correction, 'metadata')
    ? mergeMetadata(response.metadata, correction.metadata)
    : response.metadata;
  checkMetadata(metadata);
  const answers = Object.hasOwn(correction, 'data')
    ? correctAnswers(response, correction.data, definition)
    : { data: response.data, status: response.status };
  const corrected = { ...answers, metadata };
  const { data, status } = response;
  return isDeepStrictEqual(corrected, { data, status, metadata: response.metadata }) ? undefined : corrected;
}

/**
 * Validates the changed answers, and determines the status of a finished response again. A finished response may lack
 * required answers only if it lacked them before, such as an imported one.
 */
function correctAnswers(
  { status, data: before, language }: Response,
  change: JsonObject | undefined,
  definition: CompiledSurvey,
) {
  const merged = change === undefined ? {} : mergeAnswers(before, change);
  const isFinished = status === 'completed' || status === 'disqualified';
  const options = { partial: !isFinished, inactive: true, language };
  const { data, disqualified, errors } = validateAnswers(definition, merged, options);
  if (errors.length > 0) {
    const missingBefore = missingOf(validateAnswers(definition, before, options).errors);
    const caused = errors.filter((error) => !isMissing(error) || !missingBefore.has(error.path));
    if (caused.length > 0) throw new AppError('INVALID_ANSWERS', { errors: caused });
  }
  if (!isFinished) return { data, status };
  return { data, status: disqualified ? ('disqualified' as const) : ('completed' as const) };
}

/** Returns the paths of required answers that are missing. */
function missingOf(errors: readonly FieldProblem[]): ReadonlySet<string> {
  return new Set(errors.filter(isMissing).map(({ path }) => path));
}

function isMissing({ code }: FieldProblem): boolean {
  return code === 'REQUIRED';
}
