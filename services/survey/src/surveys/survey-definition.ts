import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { lintWith } from '@survey/questionnaire/compiled-definition';
import { completeDefinition } from '@survey/questionnaire/complete-definition';
import type { Lint } from '@survey/questionnaire/lint/report';
import { AppError } from '@survey/runtime/errors/app-error';
import { type Definition, toPayload } from './survey.ts';

type VersionedDefinition = Definition & { readonly version: number };

/** Checks the shape and adds missing question ids. Throws `INVALID_DEFINITION`. */
export function toStorable(survey: VersionedDefinition, newQuestionId: () => string): Definition {
  const payload = toPayload(survey);
  const errors = checkShape(payload);
  if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  // completeDefinition returns the JSON object with the `survey` object from toPayload.
  const definition = completeDefinition(payload, newQuestionId)['survey'] as JsonObject;
  return { definition, schemaVersion: survey.schemaVersion };
}

/** Throws `INVALID_DEFINITION` if lint errors block publishing. */
export function checkPublishable(definition: VersionedDefinition): void {
  const { errors } = compile(toPayload(definition)).lint;
  if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
}

/** The JSON Schema of the answers to a version. */
export function toAnswerSchema(definition: VersionedDefinition): JsonObject {
  // A JSON Schema is JSON.
  return compile(toPayload(definition)).answersJsonSchema() as JsonObject;
}

/** All errors that block storing or publishing, and warnings. */
export function checkPayload(payload: unknown): Lint {
  return lintWith(createPatternCompiler(), payload);
}
