import { flagCells } from '../../columns/flag-cells.ts';
import { isArray, isObject, type JsonObject } from '../../json.ts';
import { LIMITS } from '../../limits.ts';
import { choicesOperand } from '../../logic/operand.ts';
import { idSetJson, objectJson, textJson, UNANSWERED } from '../answer-json-schema.ts';
import { type Checked, isRejection, type ReadAnswerRules, type Rejection, rejection } from '../answer-type.ts';
import { type AnswerValue, type ChoicesWithOther, isUnanswered, OTHER } from '../answer-value.ts';
import { checkOptionSet } from '../check-option.ts';
import { checkOtherText } from '../check-other-text.ts';
import { coerceChoices } from '../coerce.ts';
import { choicesOf } from '../counting-rule.ts';
import { type OptionList, readOptionList } from '../option-list.ts';
import type { QuestionMembers } from '../question-members.ts';
import { checkOrder } from '../range.ts';

/** A set, `["a", "c"]`, or with `allow_other`: `{"options": ["a"], "other": "…"}`. */
export const multipleChoice: ReadAnswerRules<'multiple_choice'> = (members) => {
  const options = readOptionList(members, 'options');
  const allowOther = members.get('allow_other') ?? false;
  const { min, max } = readSelections(members, maxSelections(options, allowOther));

  const check = (value: unknown): Checked => {
    const split = splitChoices(value, allowOther);
    if (isRejection(split)) return split;
    if (allowOther && isArray(split.options) && split.options.includes(OTHER)) {
      return rejection('OTHER_TEXT_REQUIRED', 'the option other needs a text: {"options": […], "other": "…"}');
    }
    const chosen = checkOptionSet(split.options, options);
    if (isRejection(chosen)) return chosen;
    const other = isUnanswered(split.other) ? undefined : checkOtherText(split.other);
    if (other !== undefined && isRejection(other)) return other;

    const count = chosen.value.length + (other === undefined ? 0 : 1);
    if (count === 0) return { value: undefined };
    const isExclusive = hasExclusive(chosen.value, options);
    // An exclusive option cannot be chosen with others, so it is enough alone.
    if (count < min && !isExclusive) return rejection('TOO_FEW', `at least ${min} options must be chosen`);
    if (count > max) return rejection('TOO_MANY', `at most ${max} options can be chosen`);
    if (count > 1 && isExclusive) {
      return rejection('EXCLUSIVE_OPTION', 'an exclusive option was chosen with another option');
    }
    return { value: other === undefined ? chosen.value : { options: chosen.value, other: other.value } };
  };

  return {
    check,
    jsonSchema: (required) => choicesJson(options, allowOther, required, { min, max }),
    coerce: (value) => coerceChoices(value, options),
    namesInactive: options.hasInactive
      ? (answer) => chosenIds(answer).some((id) => options.get(id)?.inactive === true)
      : undefined,
    operand: choicesOperand(options, allowOther ? OTHER : undefined, chosenIds),
    cells: flagCells(options, allowOther),
    countingRule: choicesOf(allowOther ? [...options.ids, OTHER] : options.ids, chosenIds),
  };
};

interface Selections {
  readonly min: number;
  readonly max: number;
}

/** Reads `min_selections` and `max_selections`; the text of `other` counts as one. */
export function readSelections(members: QuestionMembers<'multiple_choice'>, possible: number): Selections {
  const min = members.get('min_selections');
  const max = members.get('max_selections');
  checkOrder(members, ['min_selections', min], ['max_selections', max]);
  if (min !== undefined && min > possible) {
    members.report('BAD_RANGE', 'min_selections', `min_selections is greater than the ${possible} possible choices`);
  }
  return { min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY };
}

/** The maximum number of choices that an answer can have. */
function maxSelections(options: OptionList, allowOther: boolean): number {
  const combinable = options.activeIds.filter((id) => options.get(id)?.exclusive !== true).length;
  return Math.max(combinable + (allowOther ? 1 : 0), Math.min(options.activeIds.length, 1));
}

function choicesJson(
  options: OptionList,
  allowOther: boolean,
  required: boolean,
  { min, max }: Selections,
): JsonObject {
  const { activeIds: ids } = options;
  const combinable = ids.filter((id) => options.get(id)?.exclusive !== true);
  const exclusive = ids.filter((id) => options.get(id)?.exclusive === true);
  const least = Math.max(1, min);
  const chosen =
    exclusive.length === 0
      ? idSetJson(ids, least, max)
      : { anyOf: [idSetJson(exclusive, 1, 1), idSetJson(combinable, least, max)] };
  if (!allowOther) return chosen;
  const optionsWithOther = idSetJson(combinable, Math.max(0, min - 1), max - 1);
  const optionalWithOther = min > 1 ? optionsWithOther : { anyOf: [optionsWithOther, { type: 'null' }] };
  const other = textJson(1, LIMITS.otherText, ['\\S']);
  // A list of ids; the same as an object; an object with the text of `other`; an unanswered object.
  return {
    anyOf: [
      chosen,
      objectJson({ options: chosen, other: UNANSWERED }, ['options']),
      objectJson({ options: optionalWithOther, other }, min > 1 ? ['options', 'other'] : ['other']),
      ...(required ? [] : [objectJson({ options: { enum: [null, []] }, other: UNANSWERED }, [])]),
    ],
  };
}

function splitChoices(value: unknown, allowOther: boolean): { options: unknown; other?: unknown } | Rejection {
  if (!isObject(value)) return { options: value };
  if (Object.keys(value).some((name) => name !== 'options' && name !== OTHER)) {
    return rejection('WRONG_TYPE', 'the answer must be an array of option ids or {"options": […], "other": "…"}');
  }
  if (!allowOther)
    return rejection('OTHER_NOT_ALLOWED', 'the question does not allow other; use an array of its options');
  return { options: value.options ?? [], other: value[OTHER] };
}

function hasExclusive(ids: readonly string[], options: OptionList): boolean {
  return ids.some((id) => options.get(id)?.exclusive === true);
}

function chosenIds(answer: AnswerValue): readonly string[] {
  // `check` above returns only these two shapes.
  const chosen = answer as readonly string[] | ChoicesWithOther;
  return 'other' in chosen ? [...chosen.options, OTHER] : chosen;
}
