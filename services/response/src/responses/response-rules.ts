import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { type Definition, findLanguage } from '../definitions/definition.ts';

const MAX_METADATA_BYTES = 16 * 1024;
/** Normalised answers as JSON. A request body has the same limit, but answers come over gRPC too. */
const MAX_DATA_BYTES = 2 * 1024 * 1024;

/** Answers as they are to be stored, with everything that is wrong with them. */
export function validateAnswers(
  definition: Definition,
  given: JsonObject,
  options: { readonly strict?: boolean; readonly lenient?: boolean; readonly partial?: boolean },
): { readonly data: JsonObject; readonly disqualified: boolean; readonly errors: readonly FieldProblem[] } {
  const { data, disqualified, errors } = definition.compiled().validate(given, options);
  const problems: FieldProblem[] = errors.map(({ path, code, detail }) => ({ path, code, detail }));
  if (problems.length === 0 && bytesOf(data) > MAX_DATA_BYTES)
    problems.push({ path: '/data', code: 'TOO_LARGE', detail: `the answers take more than ${MAX_DATA_BYTES} bytes` });
  // Normalised answers are JSON; their type is only more precise, and read-only.
  return { data: data as JsonObject, disqualified, errors: problems };
}

/** What is wrong with the language of a response; it has to be one that the version declares. */
export function languageProblems(definition: Definition, language: string | undefined): readonly FieldProblem[] {
  if (language === undefined || findLanguage(definition, language) !== undefined) return [];
  return [{ path: '/language', code: 'UNDECLARED_LANGUAGE', detail: 'the survey does not declare it' }];
}

/** Throws `VALIDATION_FAILED` when it is larger than what is kept with a response. */
export function checkMetadata(metadata: JsonObject | undefined): void {
  const errors = metadataProblems(metadata);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** What is wrong with the metadata of a response: it has to be small. */
export function metadataProblems(metadata: JsonObject | undefined): readonly FieldProblem[] {
  if (metadata === undefined || bytesOf(metadata) <= MAX_METADATA_BYTES) return [];
  return [{ path: '/metadata', code: 'TOO_LARGE', detail: `it takes more than ${MAX_METADATA_BYTES} bytes` }];
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
