import type { ResponseCondition, ResponseConditions } from '@survey/client';
import { CONDITION_LIMITS } from '@survey/questionnaire/conditions/condition-schema';
import { nameOf } from '@survey/questionnaire/conditions/condition-sources';
import { isObject } from '@survey/questionnaire/json';
import { isOperator } from '@survey/questionnaire/logic/operators';

const PREFIX = 'where=';

/**
 * Writes conditions for the fragment of an address. Browsers do not send the fragment, so values get into no log. The
 * router decodes parts of it: `readFragment` reads both forms.
 */
export function toFragment(where: ResponseConditions | undefined): string {
  return where === undefined ? '' : PREFIX + encodeURIComponent(JSON.stringify(where));
}

/** Reads the conditions of a fragment, without `#`. Returns `invalid` if it has others: anybody can edit an address. */
export function readFragment(fragment: string): ResponseConditions | 'invalid' | undefined {
  if (!fragment.startsWith(PREFIX)) return undefined;
  try {
    return readWhere(JSON.parse(decodeURIComponent(fragment.slice(PREFIX.length)))) ?? 'invalid';
  } catch {
    return 'invalid';
  }
}

function readWhere(value: unknown): ResponseConditions | undefined {
  if (!isObject(value) || !Array.isArray(value.conditions)) return undefined;
  const { match = 'all', conditions } = value;
  if (match !== 'all' && match !== 'any') return undefined;
  if (conditions.length === 0 || conditions.length > CONDITION_LIMITS.conditions) return undefined;
  const read = conditions.flatMap((condition) => readCondition(condition) ?? []);
  return read.length === conditions.length ? { match, conditions: read } : undefined;
}

function readCondition(given: unknown): ResponseCondition | undefined {
  if (!isObject(given)) return undefined;
  const { source_question, source, operator, value } = given;
  if (!isOperator(operator)) return undefined;
  const test = { operator, ...(value === undefined ? {} : { value }) };
  if (typeof source_question === 'string' && source === undefined) return { source_question, ...test };
  if (typeof source === 'string' && source_question === undefined) return { source, ...test };
  return undefined;
}

/** Whether the conditions are there. Several must hold together, which alternatives cannot say. */
export function hasConditions(where: ResponseConditions | undefined, wanted: readonly ResponseCondition[]): boolean {
  if (where?.match === 'any' && wanted.length > 1) return false;
  const keys = new Set(where?.conditions.map(keyOf));
  return wanted.every((condition) => keys.has(keyOf(condition)));
}

/**
 * Adds the conditions that are not there yet. Several must hold together. Alternatives cannot say that of a part, so
 * several conditions replace them, except a single one, which must hold anyway.
 */
export function addConditions(
  where: ResponseConditions | undefined,
  added: readonly ResponseCondition[],
): ResponseConditions {
  const { match = 'all', conditions = [] } = where ?? {};
  const replacesAlternatives = match === 'any' && added.length > 1;
  const kept = replacesAlternatives && conditions.length > 1 ? [] : conditions;
  const keys = new Set(kept.map(keyOf));
  return {
    match: replacesAlternatives ? 'all' : match,
    conditions: [...kept, ...added.filter((condition) => !keys.has(keyOf(condition)))],
  };
}

/** Removes conditions. Returns undefined if none are left. */
export function removeConditions(
  where: ResponseConditions | undefined,
  removed: readonly ResponseCondition[],
): ResponseConditions | undefined {
  const keys = new Set(removed.map(keyOf));
  const left = where?.conditions.filter((condition) => !keys.has(keyOf(condition))) ?? [];
  return left.length === 0 ? undefined : { match: where?.match ?? 'all', conditions: left };
}

/** Equal for conditions with the same meaning. */
export function keyOf(condition: ResponseCondition): string {
  return JSON.stringify([nameOf(condition), condition.operator, condition.value]);
}
