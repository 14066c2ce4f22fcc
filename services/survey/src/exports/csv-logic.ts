import type { Definition } from '@survey/questionnaire/definition/definition';
import { isArray, isObject, itemsOf } from '@survey/questionnaire/json';
import { type NormalCondition, type NormalEntry, normaliseLogic } from '@survey/questionnaire/logic/normalise-logic';
import { joinBars } from './csv-cells.ts';
import { type CsvOption, findOption } from './csv-options.ts';
import type { CsvQuestion } from './csv-question.ts';
import type { Omissions } from './omissions.ts';

type Questions = ReadonlyMap<string, CsvQuestion>;

const ENTRY = ['question_id', 'conditions', 'action', 'match', 'target_question'];
const CONDITION = ['source_question', 'question_id', 'operator', 'value', 'action', 'target_question'];

/**
 * The `logic_conditions` of each question: one rule to show it, all of whose conditions have to hold. A question that
 * has several, or one that says more, gets none of them: a part of what shows a question would hide it wrongly.
 */
export function toLogicCells(
  { logic }: Definition,
  questions: Questions,
  omissions: Omissions,
): ReadonlyMap<string, string> {
  const cells = new Map<string, string | undefined>();
  for (const placed of logic) {
    const entries = normaliseLogic([placed], () => {});
    omissions.addOthers(placed.source, ENTRY, 'logic.');
    for (const condition of itemsOf(placed.source['conditions'])) {
      if (isObject(condition)) omissions.addOthers(condition, CONDITION, 'logic.');
    }
    if (entries.length === 0) omissions.add('logic');
    for (const entry of entries) {
      const { action, target } = entry;
      if (action !== 'show' || target === undefined || !questions.has(target) || target.trim() === '')
        omissions.add('logic');
      else cells.set(target, cells.has(target) ? undefined : entryCell(entry, questions));
    }
  }
  const complete = [...cells].filter((cell): cell is [string, string] => cell[1] !== undefined);
  if (complete.length < cells.size) omissions.add('logic');
  return new Map(complete);
}

function entryCell({ match, conditions }: NormalEntry, questions: Questions): string | undefined {
  if (match === 'any' && conditions.length > 1) return undefined;
  const parts = conditions.map((condition) => conditionPart(condition, questions));
  return parts.includes(undefined) ? undefined : parts.join(';');
}

/** `<question_id>:<operator>:<value>`; undefined when it cannot be written so. */
function conditionPart({ source, operator, value }: NormalCondition, questions: Questions): string | undefined {
  if (!isPart(source) || source.includes(':')) return undefined;
  if (operator === 'is_answered' || operator === 'is_not_answered') return `${source}:${operator}`;
  const options = questions.get(source)?.options;
  const isList = operator === 'in' || operator === 'not_in';
  const values = (isArray(value) ? value : [value]).map((item) => valuePart(item, options));
  const known = values.filter((item) => item !== undefined);
  if (known.length < values.length || known.length === 0 || (known.length > 1 && !isList)) return undefined;
  return `${source}:${operator}:${isList ? joinBars(known) : known[0]}`;
}

function valuePart(value: unknown, options: readonly CsvOption[] | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const part = options === undefined ? String(value) : findOption(options, value)?.importedId;
  return part !== undefined && isPart(part) ? part : undefined;
}

/** Semicolons separate conditions, and nothing escapes them; blanks at the ends are lost. */
function isPart(text: string): boolean {
  return text !== '' && text.trim() === text && !text.includes(';');
}
