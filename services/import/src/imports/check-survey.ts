import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { invalidImport } from '@survey/formats/files/invalid-import';
import { fitLengths } from '@survey/formats/shared/long-texts';
import type { ConvertedSurvey, Warn } from '@survey/formats/shared/reader';
import { toShallow } from '@survey/formats/shared/source-data';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { findUnknownMembers, moveUnknownMembers } from '@survey/questionnaire/definition/unknown-members';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Problem } from '@survey/questionnaire/problem';
import { AppError } from '@survey/runtime/errors/app-error';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { checkValues } from '../surveys/survey-settings-mapper.ts';

/** The only version of the format of definitions. */
const SCHEMA_VERSION = '1.0';
/** Allows a page for each question, and pages of text between them. */
const MAX_PAGES = 10 * LIMITS.questions;

/**
 * The survey of a file as this release can store it, with a warning for each change: unknown members are in `metadata`,
 * `max_length` is limited, and `schema_version` is the current one.
 */
export function toStorable(read: ConvertedSurvey, warn: Warn): ConvertedSurvey {
  const { toFileProblem } = read;
  for (const { path, detail, nearest } of findUnknownMembers({ survey: read.payload['survey'] })) {
    const advice = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    warn(toFileProblem({ path, code: 'KEPT_AS_METADATA', detail: `${detail} and is kept in metadata${advice}` }));
  }
  // The casts are safe: the payload is JSON, and stays JSON when members move.
  const payload = moveUnknownMembers(read.payload, (value) => toShallow(value as JsonValue)) as JsonObject;
  const survey = limitLengths(payload['survey'] ?? null, (path, length) => {
    const detail = `max_length is ${length} in the file, and ${LIMITS.textLength} in the survey`;
    warn(toFileProblem({ path, code: 'LENGTH_LIMITED', detail }));
  });
  const version = payload['schema_version'];
  if (version !== SCHEMA_VERSION) {
    const detail = `schema_version is ${JSON.stringify(version)} in the file, and "${SCHEMA_VERSION}" in the survey`;
    warn(toFileProblem({ path: '/schema_version', code: 'SCHEMA_VERSION_SET', detail }));
  }
  return { ...read, payload: { ...payload, schema_version: SCHEMA_VERSION, survey } };
}

/** Lowers the `max_length` of questions to the largest one. */
function limitLengths(survey: JsonValue, warn: (path: string, length: number) => void): JsonValue {
  return mapItems(survey, 'pages', '/survey', (page, pagePath) =>
    mapItems(page, 'questions', pagePath, (question, questionPath) => {
      const length = isObject(question) ? question['max_length'] : undefined;
      if (!isObject(question) || typeof length !== 'number' || length <= LIMITS.textLength) return question;
      // Other types ignore it.
      if (question['type'] !== 'text' && question['type'] !== 'textarea') return question;
      warn(`${questionPath}/max_length`, length);
      return fitLengths({ ...question, max_length: LIMITS.textLength });
    }),
  );
}

/** Maps the items of a member of the value at `path`. Returns the value unchanged if the member is no array. */
function mapItems(
  owner: JsonValue,
  name: string,
  path: string,
  map: (item: JsonValue, path: string) => JsonValue,
): JsonValue {
  if (!isObject(owner)) return owner;
  const items = owner[name];
  if (!Array.isArray(items)) return owner;
  return { ...owner, [name]: items.map((item, index) => map(item, `${path}/${name}/${index}`)) };
}

/**
 * Checks the survey of a file. Returns it compiled, with its lint errors, which block publishing. Throws
 * `INVALID_DEFINITION` with all errors if the shape is invalid, and with `validateLogic` also for lint errors.
 */
export function checkDefinition({ payload, toFileProblem }: ConvertedSurvey, validateLogic: boolean) {
  const toFileProblems = (problems: readonly Problem[]) =>
    problems.map(({ path, code, detail }) => toFileProblem({ path, code, detail }));
  checkSize(payload, toFileProblem);
  const { settings: _, ...definition } = payload; // see `checkSettings`
  const shapeErrors = toFileProblems(checkShape(definition));
  if (shapeErrors.length > 0) throw new AppError('INVALID_DEFINITION', { errors: shapeErrors });
  const compiled = compile(payload);
  const errors = toFileProblems(compiled.lint.errors);
  if (validateLogic && errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  return { definition: compiled, lintErrors: errors };
}

/**
 * Throws `INVALID_IMPORT` for an invalid value of a setting. The survey service checks how settings fit together and
 * fit the definition.
 */
export function checkSettings({ payload, toFileProblem }: ConvertedSurvey, checkMessage: MessageCheck): void {
  try {
    checkValues(payload['settings'] ?? {}, checkMessage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidImport(error.errors.map((problem) => toFileProblem({ ...problem, path: `/settings${problem.path}` })));
  }
}

/** Limits the number of pages and questions before each one is checked: a small file can have millions. */
function checkSize({ survey }: ConvertedSurvey['payload'], toFileProblem: ConvertedSurvey['toFileProblem']): void {
  const pages = isObject(survey) && isArray(survey['pages']) ? survey['pages'] : [];
  let questions = 0;
  for (const page of pages) questions += isObject(page) && isArray(page['questions']) ? page['questions'].length : 0;
  if (pages.length <= MAX_PAGES && questions <= LIMITS.questions) return;
  const detail = `the survey has more than ${LIMITS.questions} questions, or ${MAX_PAGES} pages`;
  throw new AppError('INVALID_DEFINITION', {
    errors: [toFileProblem({ path: '/survey/pages', code: 'LIMIT_EXCEEDED', detail })],
  });
}
