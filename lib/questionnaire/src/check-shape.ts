import { findBadMetadata, findUnknownMembers } from './definition/unknown-members.ts';
import { isAbsent, isObject, type JsonObject } from './json.ts';
import { createReport, type LintProblem, type Report } from './lint/report.ts';
import { checkLimits } from './shape/check-limits.ts';
import { checkSurvey } from './shape/check-survey.ts';

/**
 * Checks that a definition can be stored, also as a draft. It takes any JSON value and never throws.
 *
 * The payload is `{schema_version, version, survey: {title, supported_languages, pages: [{questions}], …}}`.
 * `definition/members.ts` lists every member. `compile(definition).lint` reports problems that block only publishing.
 */
export const checkShape = (definition: unknown): readonly LintProblem[] => {
  const { report, lint } = createReport();
  if (!isObject(definition)) {
    report('WRONG_TYPE', '', 'the definition must be an object');
    return lint.errors;
  }
  checkHeader(definition, report);
  checkSurvey(definition, report);
  checkMembers(definition, report);
  checkLimits(definition, report);
  return lint.errors;
};

const SCHEMA_VERSION = /^[0-9]+\.[0-9]+$/;
const MAX_VERSION = 2 ** 31 - 1;

/** Checks `schema_version` and `version`. */
const checkHeader = (definition: JsonObject, report: Report): void => {
  const schemaVersion = definition.schema_version;
  if (isAbsent(schemaVersion)) report('MISSING_MEMBER', '/schema_version', 'schema_version is missing');
  else if (typeof schemaVersion !== 'string' || !SCHEMA_VERSION.test(schemaVersion)) {
    report('BAD_SCHEMA_VERSION', '/schema_version', 'schema_version must be a string such as "1.0"');
  }

  const version = definition.version;
  if (isAbsent(version)) report('MISSING_MEMBER', '/version', 'version is missing');
  else if (!isVersion(version)) {
    report('BAD_VERSION', '/version', `version must be an integer from 1 to ${MAX_VERSION}`);
  }
};

const isVersion = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_VERSION;

/** Reports unknown members; free content belongs in `metadata`. */
const checkMembers = (definition: JsonObject, report: Report): void => {
  for (const path of findBadMetadata(definition)) report('WRONG_TYPE', path, 'metadata must be an object');
  for (const { path, detail, nearest } of findUnknownMembers(definition)) {
    const advice = nearest === undefined ? 'free content belongs in metadata' : `did you mean "${nearest}"?`;
    report('UNKNOWN_MEMBER', path, `${detail}; ${advice}`);
  }
};
