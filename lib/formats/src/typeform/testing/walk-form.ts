import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** The path of a respondent through a form, according to Typeform's documentation and independent of the reader. */
export interface Walk {
  /** The `ref`s of all fields that a respondent reaches; undefined for an endless loop. */
  readonly visited: ReadonlySet<string> | undefined;
}

/** Answers to all fields by `ref`, whether reached or not. */
export type RawAnswers = ReadonlyMap<string, RawAnswer>;

/** Refs of choices, or a text, number, boolean or date. */
export type RawAnswer = readonly string[] | string | number | boolean;

interface Node {
  readonly ref: string;
  /** The `ref`s of fields that are shown together with this one. */
  readonly with: readonly string[];
}

/** @param unknown value of conditions that use no answer */
export function walkForm(form: JsonObject, answers: RawAnswers, unknown: (condition: JsonObject) => boolean): Walk {
  const nodes = flatten(form['fields'] as JsonObject[]);
  const actions = new Map<string, JsonObject[]>();
  for (const entry of (form['logic'] ?? []) as JsonObject[]) {
    const ref = entry['type'] === 'hidden' ? '' : String(entry['ref']);
    actions.set(ref, [...(actions.get(ref) ?? []), ...(entry['actions'] as JsonObject[])]);
  }
  const visited = new Set<string>();
  const next = (ref: string, after: number): number => {
    for (const action of actions.get(ref) ?? []) {
      if (action['action'] !== 'jump' || !holds(action['condition'] as JsonObject, visited, answers, unknown)) continue;
      const { type, value } = (action['details'] as { to: { type: string; value: string } }).to;
      const target = nodes.findIndex((node) => node.ref === value);
      return type === 'field' && target >= 0 ? target : nodes.length;
    }
    return after;
  };
  let position = next('', 0);
  for (let steps = 0; position < nodes.length; steps += 1) {
    if (steps > 3 * nodes.length) return { visited: undefined };
    const node = nodes[position];
    if (node === undefined) break;
    for (const ref of [node.ref, ...node.with]) visited.add(ref);
    position = next(node.ref, position + 1);
  }
  return { visited };
}

function flatten(fields: readonly JsonObject[]): Node[] {
  return fields
    .filter(({ type }) => type !== 'thankyou_screen')
    .flatMap(({ ref, type, properties }) => {
      const inside = ((properties as JsonObject | undefined)?.['fields'] ?? []) as JsonObject[];
      if (type === 'group') return [{ ref: String(ref), with: [] }, ...flatten(inside)];
      return [{ ref: String(ref), with: inside.map((field) => String(field['ref'])) }];
    });
}

function holds(
  condition: JsonObject,
  visited: ReadonlySet<string>,
  answers: RawAnswers,
  unknown: (condition: JsonObject) => boolean,
): boolean {
  const op = String(condition['op']);
  const vars = (condition['vars'] ?? []) as JsonObject[];
  const holdsPart = (one: JsonObject) => holds(one, visited, answers, unknown);
  if (op === 'always') return true;
  if (op === 'and') return vars.every(holdsPart);
  if (op === 'or') return vars.some(holdsPart);
  const [left, right] = vars;
  if (left?.['type'] !== 'field') return unknown(condition);
  const ref = String(left['value']);
  // A field that was not reached has no answer, even if an earlier visit answered it.
  return compare(op, visited.has(ref) ? answers.get(ref) : undefined, right?.['value'] ?? null);
}

function compare(op: string, answer: RawAnswer | undefined, value: JsonValue): boolean {
  const denied = op.startsWith('not_') || op === 'is_not';
  if (denied) return !compare(op === 'is_not' ? 'is' : op.slice('not_'.length), answer, value);
  if (answer === undefined) return false;
  if (Array.isArray(answer)) return answer.includes(String(value));
  const text = String(answer);
  switch (op) {
    case 'is':
    case 'equal':
    case 'on':
      return answer === value;
    case 'contains':
      return text.toLowerCase().includes(String(value).toLowerCase());
    case 'begins_with':
      return text.startsWith(String(value));
    case 'ends_with':
      return text.endsWith(String(value));
    case 'lower_than':
    case 'earlier_than':
      return compareOrder(answer, value) < 0;
    case 'lower_equal_than':
    case 'earlier_than_or_on':
      return compareOrder(answer, value) <= 0;
    case 'greater_than':
    case 'later_than':
      return compareOrder(answer, value) > 0;
    case 'greater_equal_than':
    case 'later_than_or_on':
      return compareOrder(answer, value) >= 0;
    default:
      throw new Error(`The walker does not know ${op}`);
  }
}

function compareOrder(answer: RawAnswer, value: JsonValue): number {
  if (typeof answer === 'number') return answer - Number(value);
  return String(answer) < String(value) ? -1 : Number(String(answer) > String(value));
}
