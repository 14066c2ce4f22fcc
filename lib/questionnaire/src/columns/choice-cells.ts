import { rejection } from '../answers/answer-type.ts';
import { OTHER } from '../answers/answer-value.ts';
import { isObject } from '../json.ts';
import { type CellFormat, columnOf, OTHER_COLUMN } from './cell-format.ts';

/** Columns `q` with the option id or `other`, and `q.other` with the text. */
export const choiceWithOtherCells: CellFormat = {
  columns: () => [columnOf([], 'options'), OTHER_COLUMN],
  toCells: (answer) => (isObject(answer) ? [String(answer.option), String(answer.text)] : [String(answer), '']),
  fromCells: ([option = '', text = '']) => {
    if (text === '') return { value: option === '' ? undefined : option };
    if (option !== '' && option !== OTHER) {
      return rejection('OTHER_NOT_ALLOWED', 'the row has both an option and a text for other; keep one of them');
    }
    return { value: { option: OTHER, text } };
  },
};
