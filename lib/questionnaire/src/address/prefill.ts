import { type Checked, isRejection } from '../answers/answer-type.ts';
import { type AnswerValue, OTHER } from '../answers/answer-value.ts';
import type { Question } from '../definition/questions.ts';
import { setMember } from '../json.ts';
import type { ResponseData } from '../validate.ts';
import type { PrefillParameters } from './address-parameters.ts';

/** The parameters of one question. */
interface Given {
  /** Values of `a.<question>`. */
  readonly values: string[];
  /** Values of `a.<question>.<part>` by part: a row, or `other`. */
  readonly parts: Map<string, string[]>;
}

/** Checks and normalises an answer to one question. */
type Check = (value: unknown) => Checked;

/** Codes of items that respondents cannot choose. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'UNKNOWN_OPTION',
  'AMBIGUOUS_OPTION',
  'INACTIVE_OPTION',
  'OTHER_TEXT_REQUIRED',
]);

/**
 * Reads answers from the parameters `a.<question>` and `a.<question>.<part>`. Wrong values are omitted.
 *
 * @param checkOf returns the check of a question
 */
export function readPrefill(
  questions: readonly Question[],
  checkOf: (questionId: string) => Check,
  parameters: PrefillParameters,
): ResponseData {
  const answers: Record<string, AnswerValue> = {};
  for (const [question, given] of groupByQuestion(questions, parameters)) {
    const answer = answerIn(toAnswer(question, given, checkOf(question.id)));
    if (answer !== undefined) setMember(answers, question.id, answer);
  }
  return answers;
}

function groupByQuestion(questions: readonly Question[], parameters: PrefillParameters): Map<Question, Given> {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const given = new Map<Question, Given>();
  for (const [path, value] of parameters) {
    // Ids can have dots. The longest id counts.
    let end = path.length;
    while (end > 0 && !byId.has(path.slice(0, end))) end = path.lastIndexOf('.', end - 1);
    const question = byId.get(path.slice(0, Math.max(0, end)));
    if (question === undefined) continue;
    const { values, parts } = given.get(question) ?? { values: [], parts: new Map<string, string[]>() };
    given.set(question, { values, parts });
    const part = path.slice(end + 1);
    if (end === path.length) values.push(value);
    else parts.set(part, [...(parts.get(part) ?? []), value]);
  }
  return given;
}

function toAnswer(question: Question, { values, parts }: Given, check: Check): Checked {
  const [value] = values;
  const [other] = parts.get(OTHER) ?? [];
  switch (question.type) {
    case 'single_choice': {
      const hasOwnText = other !== undefined && (value === undefined || value === OTHER);
      return check(hasOwnText ? { option: OTHER, text: other } : value);
    }
    case 'multiple_choice': {
      const options = toItems(values, (item) => check([item]));
      return check(other === undefined ? options : { options, other });
    }
    case 'likert':
      return question.rows.length === 0 ? check(value) : toRows(parts, false, check);
    case 'matrix':
      return toRows(parts, question.multiple, check);
    case 'file_upload':
      return { value: undefined };
    default:
      return check(value);
  }
}

function toRows(parts: Given['parts'], multiple: boolean, check: Check): Checked {
  const rows = [...parts].flatMap(([row, values]) => {
    const cell = multiple ? toItems(values, (item) => check({ [row]: [item] })) : values[0];
    return Object.entries(answerIn(check({ [row]: cell })) ?? {});
  });
  return check(Object.fromEntries(rows));
}

/** Returns the items that are offered. Splits values at commas, unless the whole value is an item. */
function toItems(values: readonly string[], check: (item: string) => Checked): readonly string[] {
  const isOffered = (item: string) => {
    const checked = check(item);
    // Other codes, such as `TOO_FEW`, are about the number of items.
    return !isRejection(checked) || !NOT_OFFERED.has(checked.code);
  };
  const items = values.flatMap((value) => (isOffered(value) ? [value] : value.split(',').map((item) => item.trim())));
  return [...new Set(items)].filter(isOffered);
}

function answerIn(checked: Checked): AnswerValue | undefined {
  return isRejection(checked) ? undefined : checked.value;
}
