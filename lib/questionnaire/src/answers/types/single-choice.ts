import { choiceWithOtherCells } from '../../columns/choice-cells.ts';
import { optionCell } from '../../columns/text-cell.ts';
import { isObject } from '../../json.ts';
import { LIMITS } from '../../limits.ts';
import { optionOperand } from '../../logic/operand.ts';
import { idJson, objectJson, textJson } from '../answer-json-schema.ts';
import { type Checked, type ReadAnswerRules, rejection } from '../answer-type.ts';
import { type AnswerValue, OTHER } from '../answer-value.ts';
import { checkOption } from '../check-option.ts';
import { checkOtherText } from '../check-other-text.ts';
import { coerceOption } from '../coerce.ts';
import { choicesOf } from '../counting-rule.ts';
import { readOptionList } from '../option-list.ts';

/** `"a"`, or with `allow_other`: `{"option": "other", "text": "…"}`. */
export const singleChoice: ReadAnswerRules<'single_choice'> = (members) => {
  const options = readOptionList(members, 'options');
  const allowOther = members.get('allow_other') ?? false;

  const checkOther = (answer: object & { readonly option?: unknown; readonly text?: unknown }): Checked => {
    if (answer.option !== OTHER || Object.keys(answer).some((name) => name !== 'option' && name !== 'text')) {
      return rejection('WRONG_TYPE', 'the answer must be an option id or {"option": "other", "text": "…"}');
    }
    if (!allowOther) return rejection('OTHER_NOT_ALLOWED', 'the question does not allow other; use one of its options');
    const text = checkOtherText(answer.text);
    return 'code' in text ? text : { value: { option: OTHER, text: text.value } };
  };

  return {
    check: (value) => {
      if (isObject(value)) return checkOther(value);
      if (allowOther && value === OTHER) return rejection('OTHER_TEXT_REQUIRED', 'the option other needs a text');
      return checkOption(value, options);
    },
    jsonSchema: () => {
      const optionId = idJson(options.activeIds);
      const other = { option: { type: 'string', enum: [OTHER] }, text: textJson(1, LIMITS.otherText, ['\\S']) };
      return allowOther ? { anyOf: [optionId, objectJson(other, ['option', 'text'])] } : optionId;
    },
    coerce: (value) => coerceOption(value, options),
    namesInactive: options.hasInactive ? (answer) => options.get(chosenOption(answer))?.inactive === true : undefined,
    operand: optionOperand(options, allowOther ? OTHER : undefined, chosenOption),
    cells: allowOther ? choiceWithOtherCells : optionCell,
    countingRule: choicesOf(allowOther ? [...options.ids, OTHER] : options.ids, (answer) => [chosenOption(answer)]),
  };
};

function chosenOption(answer: AnswerValue): string {
  return typeof answer === 'string' ? answer : OTHER;
}
