import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '../errors/app-error.ts';

/** Plain decimal: no exponent, no hexadecimal, no leading zeros or plus. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * Binds a query string to fields, as JSON values for `messageFromJson`. Throws `INVALID_REQUEST` for parameters that
 * are unknown, repeated without being a list, wrongly encoded, or of the wrong type.
 */
export function readQuery(query: string, fields: ReadonlyMap<string, DescField>): Record<string, unknown> {
  const problems: FieldProblem[] = [];
  const values = new Map<string, unknown[]>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const [name, raw] = at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    const field = name === undefined ? undefined : fields.get(name);
    const path = `/${name ?? pair}`;
    if (field === undefined)
      problems.push({ path, code: 'UNKNOWN_PARAMETER', detail: 'There is no such query parameter' });
    else {
      const value = raw === undefined ? undefined : readValue(field, raw);
      if (value === undefined) problems.push({ path, code: 'WRONG_TYPE', detail: `has to be ${describe(field)}` });
      else values.set(field.name, [...(values.get(field.name) ?? []), value]);
    }
  }
  const result: Record<string, unknown> = {};
  for (const [name, all] of values) {
    const repeated = fields.get(name)?.fieldKind === 'list';
    if (!repeated && all.length > 1) problems.push({ path: `/${name}`, code: 'REPEATED', detail: 'may be given once' });
    result[name] = repeated ? all : all[0];
  }
  if (problems.length > 0) {
    const detail = `The query parameter ${problems[0]?.path.slice(1)} is not valid`;
    throw new AppError('INVALID_REQUEST', { detail, errors: problems });
  }
  return result;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined; // told as a problem by the caller
  }
}

function readValue(field: DescField, raw: string): unknown {
  switch (field.scalar) {
    case ScalarType.STRING:
      return raw;
    case ScalarType.BOOL:
      return raw === 'true' ? true : raw === 'false' ? false : undefined;
    default:
      return DECIMAL.test(raw) ? Number(raw) : undefined;
  }
}

function describe(field: DescField): string {
  if (field.scalar === ScalarType.BOOL) return 'true or false';
  return field.scalar === ScalarType.STRING ? 'text in UTF-8' : 'a plain decimal number';
}
