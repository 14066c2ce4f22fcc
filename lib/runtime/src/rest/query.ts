import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import { parseObject } from '../json/parse-object.ts';
import { isTimestamp } from './json-form.ts';
import { suggestName } from './json-input.ts';

/** Plain decimal: no exponent, hexadecimal, leading zeros or plus. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The end of a timestamp whose `+` means a space, because it is not encoded. */
const PLUS_AS_SPACE = /\d \d\d:\d\d$/;

/** The `path` of a problem with a query parameter. It is no JSON pointer, because it is not in the body. */
export function parameterPath(name: string): string {
  return `?${name}`;
}

/**
 * Parses a query string (`application/x-www-form-urlencoded`) into JSON values for `messageFromJson`. Throws
 * `INVALID_REQUEST` for parameters that are unknown, repeated without being a list, wrongly encoded, or of the wrong
 * type.
 */
export function readQuery(query: string, fields: ReadonlyMap<string, DescField>): Record<string, unknown> {
  const problems: FieldProblem[] = [];
  const values = new Map<DescField, unknown[]>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const separator = pair.indexOf('=');
    const [rawName, rawValue] = separator < 0 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)];
    const name = decode(rawName) ?? rawName;
    const field = fields.get(name);
    const path = parameterPath(name);
    if (field === undefined) {
      problems.push({
        path,
        code: 'UNKNOWN_PARAMETER',
        detail: `There is no such query parameter${suggestName(name, fields.values())}`,
      });
      continue;
    }
    const value = readValue(field, decode(rawValue));
    if (value === undefined) problems.push({ path, code: 'WRONG_TYPE', detail: `must be ${describe(field)}` });
    else if (isTimestamp(field.message) && PLUS_AS_SPACE.test(String(value)))
      problems.push({ path, code: 'WRONG_TYPE', detail: 'must be an RFC 3339 timestamp; encode its + as %2B' });
    const all = values.get(field);
    if (all === undefined) values.set(field, [value]);
    else if (field.fieldKind === 'list') all.push(value);
    else problems.push({ path, code: 'REPEATED', detail: 'may be given only once' });
  }
  const [first] = problems;
  if (first !== undefined) {
    const detail = `The query parameter ${first.path.slice(1)} is not valid`;
    throw new AppError('INVALID_REQUEST', { detail, errors: problems.slice(0, MAX_FIELD_PROBLEMS) });
  }
  return Object.fromEntries([...values].map(([field, all]) => [field.name, field.fieldKind === 'list' ? all : all[0]]));
}

/** Returns undefined for bytes that must be escaped, and escapes that are not UTF-8. */
function decode(part: string): string | undefined {
  if (/[^!-~]|#/.test(part)) return undefined;
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function readValue(field: DescField, text: string | undefined): unknown {
  if (text === undefined || isTimestamp(field.message)) return text;
  if (field.fieldKind === 'map') return parseObject(text);
  switch (field.scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return DECIMAL.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : undefined;
  }
}

function describe(field: DescField): string {
  if (field.fieldKind === 'map') return 'a JSON object';
  if (field.scalar === ScalarType.BOOL) return 'true or false';
  return field.scalar === ScalarType.STRING || isTimestamp(field.message) ? 'text in UTF-8' : 'a plain decimal number';
}
