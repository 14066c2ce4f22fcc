import type { Definition } from '@survey/questionnaire/definition/definition';
import { isArray, isObject, itemsOf } from '@survey/questionnaire/json';
import { type NormalCondition, type NormalEntry, normaliseLogic } from '@survey/questionnaire/logic/normalise-logic';
import { joinBars } from './csv-cells.ts';
import type { CsvQuestion } from './csv-question.ts';
import type { Omissions } from './omissions.ts';

type Questions = ReadonlyMap<string, CsvQuestion>;

const ENTRY_MEMBERS = ['question_id', 'conditions', 'action', 'match', 'target_question'];
const CONDITION_MEMBERS = ['source_question', 'question_id', 'operator', 'value', 'action', 'target_question'];

/**
 * Returns the `logic_conditions` cell of each question: the conditions of a single show rule, which must all hold.
 * Other logic is omitted: a part of it alone would hide the wrong questions.
 */
export function toLogicCells(
  { logic }: Definition,
  questions: Questions,
  omissions: Omissions,
): ReadonlyMap<string, string> {
  const cells = new Map<string, string | undefined>();
  for (const item of logic) {
    const entries = normaliseLogic([item], () => {});
    omissions.addUnknown(item.source, ENTRY_MEMBERS, 'logic.');
    for (const condition of itemsOf(item.source['conditions'])) {
      if (isObject(condition)) omissions.addUnknown(condition, CONDITION_MEMBERS, 'logic.');
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

/** Formats a condition as `<question_id>:<operator>:<value>`, or returns undefined if the format cannot express it. */
function conditionPart({ source, operator, value }: NormalCondition, questions: Questions): string | undefined {
  if (!canBePart(source) || source.includes(':')) return undefined;
  if (operator === 'is_answered' || operator === 'is_not_answered') return `${source}:${operator}`;
  const findOption = questions.get(source)?.findOption;
  const isList = operator === 'in' || operator === 'not_in';
  const values = (isArray(value) ? value : [value]).map((item) => valuePart(item, findOption));
  const known = values.filter((item) => item !== undefined);
  if (known.length < values.length || known.length === 0 || (known.length > 1 && !isList)) return undefined;
  return `${source}:${operator}:${isList ? joinBars(known) : known[0]}`;
}

function valuePart(value: unknown, findOption: CsvQuestion['findOption']): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const part = findOption === undefined ? String(value) : findOption(value)?.importedId;
  return part !== undefined && canBePart(part) ? part : undefined;
}

/** Whether a text survives an import: the format cannot escape semicolons, and an import trims spaces. */
function canBePart(text: string): boolean {
  return text !== '' && text.trim() === text && !text.includes(';');
}
