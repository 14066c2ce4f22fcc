import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createRandom as createSeededRandom } from '@survey/runtime/testing/seeded-random';
import type { RawAnswer, RawAnswers } from './walk-form.ts';

/** Returns an integer from 0 to below a limit. */
export type Random = (limit: number) => number;

/** Random numbers from a seed. */
export function createRandom(seed: number): Random {
  const random = createSeededRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

const WORDS = ['jump', 'jumper', 'a jump', 'stay', 'x'];
const DATES = ['2024-01-01', '2024-06-30', '2025-01-01'];
const TYPES = ['single', 'single', 'several', 'yes_no', 'number', 'opinion_scale', 'short_text', 'date', 'statement'];

/** A form of a few fields, some in groups, with jumps of all kinds, most of them forward. */
export function randomForm(random: Random): JsonObject {
  let count = 0;
  const field = (depth: number): JsonObject => {
    const ref = `r${count}`;
    count += 1;
    const kind = pick(random, depth === 0 ? [...TYPES, 'group', 'contact_info'] : TYPES);
    if (kind === 'group' || kind === 'contact_info') {
      const inside =
        kind === 'group'
          ? Array.from({ length: 1 + random(3) }, () => field(depth + 1))
          : [textField(`${ref}a`), textField(`${ref}b`)];
      return { id: `f-${ref}`, ref, title: ref, type: kind, properties: { fields: inside } };
    }
    return { id: `f-${ref}`, ref, title: ref, ...typeMembers(String(kind), ref) };
  };
  const fields = Array.from({ length: 2 + random(6) }, () => field(0));
  const all = allFields(fields);
  const logic = all
    .filter(() => random(3) > 0)
    .map(({ ref }) => ({
      type: 'field',
      ref: ref ?? '',
      actions: Array.from({ length: 1 + random(3) }, () => action(random, all, String(ref))),
    }));
  return { id: 'random', title: 'Random', settings: { language: 'en' }, fields, logic };
}

/** All fields, including nested ones. Fields of contacts are left out: jumps cannot use them. */
function allFields(fields: readonly JsonObject[]): readonly JsonObject[] {
  return fields.flatMap((field) => {
    const inside = (field['properties'] as JsonObject | undefined)?.['fields'];
    return field['type'] === 'group' && Array.isArray(inside) ? [field, ...allFields(inside as JsonObject[])] : [field];
  });
}

/** Answers to most fields, usually with values that conditions use. */
export function randomAnswers(fields: readonly JsonObject[], random: Random): RawAnswers {
  const answers = new Map<string, RawAnswer>();
  for (const field of allFields(fields)) {
    const answer = random(5) === 0 ? undefined : randomAnswer(field, random);
    if (answer !== undefined) answers.set(String(field['ref']), answer);
  }
  return answers;
}

/** A Typeform response with these answers. */
export function toResponse(fields: readonly JsonObject[], answers: RawAnswers): JsonObject {
  return {
    response_id: 'r',
    landed_at: '2024-01-01T00:00:00Z',
    submitted_at: '2024-01-01T00:00:00Z',
    answers: allFields(fields).flatMap((field) => {
      const answer = answers.get(String(field['ref']));
      return answer === undefined ? [] : [{ field: { id: field['id'] ?? '' }, ...answerMembers(field, answer) }];
    }),
  };
}

function typeMembers(kind: string, ref: string): JsonObject {
  if (kind !== 'single' && kind !== 'several') return { type: kind };
  const choices = ['a', 'b', 'c'].map((name) => ({ id: `${ref}-${name}`, ref: `${ref}${name}`, label: name }));
  return { type: 'multiple_choice', properties: { allow_multiple_selection: kind === 'several', choices } };
}

function textField(ref: string): JsonObject {
  return { id: `f-${ref}`, ref, title: ref, type: 'short_text' };
}

function action(random: Random, fields: readonly JsonObject[], ref: string): JsonObject {
  const own = fields.findIndex((field) => field['ref'] === ref);
  const later = fields.slice(own + 1);
  const isBack = random(20) === 0;
  const target = pick(random, isBack ? fields : later);
  const to =
    target === undefined || random(8) === 0
      ? { type: 'thankyou', value: 'default_tys' }
      : { type: 'field', value: target['ref'] ?? '' };
  return { action: 'jump', details: { to }, condition: condition(random, fields.slice(0, own + 1 + random(2)), 0) };
}

function condition(random: Random, fields: readonly JsonObject[], depth: number): JsonObject {
  if (random(8) === 0) return { op: 'always', vars: [] };
  if (depth < 2 && random(4) === 0) {
    const vars = Array.from({ length: 2 + random(2) }, () => condition(random, fields, depth + 1));
    return { op: pick(random, ['and', 'or']) ?? 'and', vars };
  }
  if (random(25) === 0) {
    const vars = [
      { type: 'hidden', value: 'h' },
      { type: 'constant', value: 'x' },
    ];
    return { op: 'equal', vars };
  }
  const asked = fields.filter(({ type }) => !['statement', 'group', 'contact_info'].includes(String(type)));
  const field = pick(random, asked);
  if (field === undefined) return { op: 'always', vars: [] };
  const { op, type, value } = comparison(random, field);
  return {
    op,
    vars: [
      { type: 'field', value: field['ref'] ?? '' },
      { type, value },
    ],
  };
}

function comparison(random: Random, field: JsonObject): { op: string; type: string; value: JsonValue } {
  const op = (...ops: readonly string[]) => pick(random, ops) ?? 'is';
  switch (field['type']) {
    case 'multiple_choice':
      return { op: op('is', 'is_not'), type: 'choice', value: pick(random, choiceRefs(field)) ?? '' };
    case 'yes_no':
      return { op: 'is', type: 'constant', value: random(2) === 0 };
    case 'short_text': {
      const ops = ['equal', 'not_equal', 'contains', 'not_contains', 'begins_with', 'ends_with', 'not_begins_with'];
      return { op: op(...ops), type: 'constant', value: pick(random, WORDS) ?? '' };
    }
    case 'date': {
      const ops = ['on', 'not_on', 'earlier_than', 'earlier_than_or_on', 'later_than', 'later_than_or_on'];
      return { op: op(...ops), type: 'constant', value: pick(random, DATES) ?? '' };
    }
    default: {
      const ops = ['equal', 'not_equal', 'lower_than', 'lower_equal_than', 'greater_than', 'greater_equal_than'];
      return { op: op(...ops), type: 'constant', value: random(5) };
    }
  }
}

function randomAnswer(field: JsonObject, random: Random): RawAnswer | undefined {
  switch (field['type']) {
    case 'multiple_choice': {
      const refs = choiceRefs(field);
      const isMultiple = (field['properties'] as JsonObject)['allow_multiple_selection'] === true;
      const chosen = isMultiple ? refs.filter(() => random(2) === 0) : [pick(random, refs) ?? ''];
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'dropdown':
      return [pick(random, choiceRefs(field)) ?? ''];
    case 'yes_no':
    case 'legal':
      return random(2) === 0;
    case 'number':
      return pick(random, [0, 1, 2, 3, 4, 12, 17, 18, 42, 99, -1, 2.5]) ?? 0;
    case 'opinion_scale':
    case 'rating':
      return 1 + random(5);
    case 'short_text':
    case 'long_text':
      return pick(random, WORDS) ?? '';
    case 'date':
      return pick(random, DATES) ?? '';
    default:
      return undefined;
  }
}

function answerMembers(field: JsonObject, answer: RawAnswer): JsonObject {
  if (typeof answer === 'boolean') return { type: 'boolean', boolean: answer };
  if (typeof answer === 'number') return { type: 'number', number: answer };
  if (typeof answer === 'string')
    return field['type'] === 'date' ? { type: 'date', date: answer } : { type: 'text', text: answer };
  const choices = ((field['properties'] as JsonObject)['choices'] ?? []) as JsonObject[];
  const ids = choices.filter(({ ref }) => answer.includes(String(ref))).map(({ id }) => String(id));
  const isMultiple = (field['properties'] as JsonObject)['allow_multiple_selection'] === true;
  return isMultiple ? { type: 'choices', choices: { ids } } : { type: 'choice', choice: { id: ids[0] ?? '' } };
}

function choiceRefs(field: JsonObject): readonly string[] {
  return ((field['properties'] as JsonObject)['choices'] as JsonObject[]).map(({ ref }) => String(ref));
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : items[random(items.length)];
}
