import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError } from '@survey/runtime/errors/app-error';
import { mergePatch } from '@survey/runtime/json/merge-patch';
import type { Definition } from '../definitions/definition.ts';
import { mergeAnswers } from '../responses/merge-answers.ts';
import type { Response } from '../responses/response.ts';
import { checkMetadata, validateAnswers } from '../responses/response-rules.ts';

/** What is to change of a response: answers by question, a merge patch of metadata. A member that is there and undefined takes all of it away. */
export interface Correction {
  readonly data?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** What a correction may change. */
type Corrected = Pick<Response, 'status' | 'data' | 'metadata'>;

/**
 * The response as a correction makes it; undefined when it is so already. Throws `VALIDATION_FAILED` or
 * `INVALID_ANSWERS` with everything that is wrong.
 *
 * @param definition of the version that it answers
 */
export function correct(response: Response, correction: Correction, definition: Definition): Corrected | undefined {
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

/** Of one that is over, all that was asked for stays necessary, and its state follows from the answers again. */
function correctAnswers({ status, data: before }: Response, change: JsonObject | undefined, definition: Definition) {
  const given = change === undefined ? {} : mergeAnswers(before, change);
  const isOver = status === 'completed' || status === 'disqualified';
  const { data, disqualified, errors } = validateAnswers(definition, given, { partial: !isOver });
  if (errors.length > 0) throw new AppError('INVALID_ANSWERS', { errors });
  if (!isOver) return { data, status };
  return { data, status: disqualified ? ('disqualified' as const) : ('completed' as const) };
}

function mergeMetadata(metadata: JsonObject | undefined, patch: JsonObject | undefined): JsonObject | undefined {
  // What an object patches is one.
  return patch && (mergePatch(metadata, patch) as JsonObject);
}
