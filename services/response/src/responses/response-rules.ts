import type { JsonObject } from '@bufbuild/protobuf';
import { nameLanguages } from '@survey/questionnaire/definition/language-tag';
import type { ValidateOptions } from '@survey/questionnaire/validate';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { type CompiledSurvey, declaredLanguagesOf, findLanguage } from '../definitions/definition.ts';

const MAX_METADATA_BYTES = 16 * 1024;
/** Limit for normalised answers as JSON. Request bodies have the same limit, but answers also arrive over gRPC. */
const MAX_DATA_BYTES = 2 * 1024 * 1024;

/** Validates and normalises answers. Returns all errors. */
export function validateAnswers(
  definition: CompiledSurvey,
  answers: JsonObject,
  options: Pick<ValidateOptions, 'strict' | 'lenient' | 'partial' | 'inactive' | 'language'>,
): { readonly data: JsonObject; readonly disqualified: boolean; readonly errors: readonly FieldProblem[] } {
  const { data, disqualified, errors } = definition.compiled().validate(answers, options);
  const problems: FieldProblem[] = errors.map(({ path, code, detail }) => ({ path, code, detail }));
  if (bytesOf(data) > MAX_DATA_BYTES)
    problems.push({
      path: '/data',
      code: 'TOO_LARGE',
      detail: `the answers must not exceed ${MAX_DATA_BYTES} bytes of JSON`,
    });
  // The type of normalised answers is a read-only subtype of JSON.
  return { data: data as JsonObject, disqualified, errors: problems };
}

/** Returns an error if the version does not declare the language. */
export function languageProblems(definition: CompiledSurvey, language: string | undefined): readonly FieldProblem[] {
  if (language === undefined || findLanguage(definition, language) !== undefined) return [];
  const detail = `must be one of the languages of the survey: ${nameLanguages(declaredLanguagesOf(definition))}`;
  return [{ path: '/language', code: 'UNDECLARED_LANGUAGE', detail }];
}

/** Throws `VALIDATION_FAILED` if the metadata is too large. */
export function checkMetadata(metadata: JsonObject | undefined): void {
  const errors = metadataProblems(metadata);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

export function metadataProblems(metadata: JsonObject | undefined): readonly FieldProblem[] {
  if (metadata === undefined || bytesOf(metadata) <= MAX_METADATA_BYTES) return [];
  return [{ path: '/metadata', code: 'TOO_LARGE', detail: `must not exceed ${MAX_METADATA_BYTES} bytes of JSON` }];
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
