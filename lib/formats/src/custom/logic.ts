import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isOperator, OPERATORS, type Operator } from '@survey/questionnaire/logic/operators';
import { type ReportCell, splitBars } from './csv-row.ts';

const CONDITIONS = 'logic_conditions';
/** The value can contain colons. */
const CONDITION = /^([^:]*):([^:]*)(?::(.*))?$/s;
const WITHOUT_VALUE: readonly Operator[] = ['is_answered', 'is_not_answered'];
const WITH_LIST: readonly Operator[] = ['in', 'not_in'];

/**
 * The logic entry of a row; undefined if there is none. Conditions are `<question_id>:<operator>:<value>`, separated by
 * `;`. The row's question is shown if all hold.
 */
export function readConditions(cells: ReadonlyMap<string, string>, report: ReportCell): JsonObject | undefined {
  const cell = cells.get(CONDITIONS) ?? '';
  if (cell.trim() === '') return undefined;
  const target = (cells.get('question_id') ?? '').trim();
  if (target === '') report('question_id', 'MISSING_ID', 'a question with conditions needs an id');
  const conditions = cell
    .split(';')
    .filter((part) => part.trim() !== '')
    .flatMap((part) => readCondition(part, report));
  return { question_id: target, conditions };
}

function readCondition(part: string, report: ReportCell): readonly JsonObject[] {
  const [, source = '', operator = '', value] = CONDITION.exec(part)?.map((match) => match?.trim()) ?? [];
  const reject = (code: string, detail: string) => {
    report(CONDITIONS, code, detail);
    return [];
  };
  if (source === '') return reject('BAD_CONDITION', 'a condition must be <question_id>:<operator>:<value>');
  if (!isOperator(operator)) {
    return reject('BAD_OPERATOR', `the operator must be one of ${Object.keys(OPERATORS).join(', ')}`);
  }
  const condition = { source_question: source, operator, action: 'show' };
  if (WITHOUT_VALUE.includes(operator)) {
    return value === undefined || value === '' ? [condition] : reject('BAD_VALUE', `${operator} takes no value`);
  }
  if (value === undefined || value === '') return reject('BAD_VALUE', `${operator} needs a value`);
  const given: JsonValue = WITH_LIST.includes(operator) ? splitBars(value) : value;
  return [{ ...condition, value: given }];
}
