import { isAbsent, type JsonObject } from '../json.ts';
import type { Report } from '../lint/report.ts';

const SCHEMA_VERSION = /^[0-9]+\.[0-9]+$/;
const GREATEST_VERSION = 2 ** 31 - 1;

/** Checks `schema_version` and `version`, the members beside the survey. */
export const checkHeader = (definition: JsonObject, report: Report): void => {
  const schemaVersion = definition.schema_version;
  if (isAbsent(schemaVersion)) report('MISSING_MEMBER', '/schema_version', 'schema_version is missing');
  else if (typeof schemaVersion !== 'string' || !SCHEMA_VERSION.test(schemaVersion)) {
    report('BAD_SCHEMA_VERSION', '/schema_version', 'schema_version must be a string such as "1.0"');
  }

  const version = definition.version;
  if (isAbsent(version)) report('MISSING_MEMBER', '/version', 'version is missing');
  else if (!isVersion(version)) {
    report('BAD_VERSION', '/version', `version must be an integer from 1 to ${GREATEST_VERSION}`);
  }
};

const isVersion = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= GREATEST_VERSION;
