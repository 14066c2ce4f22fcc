import { timeCell } from '../../columns/text-cell.ts';
import { timeRule } from '../counting-rule.ts';
import { momentType } from './moment.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

/** `HH:MM` or `HH:MM:SS`, from 00:00 to 23:59:59, without time zone. `10:00` equals `10:00:00`. */
export const time = momentType({
  expected: 'a time as HH:MM or HH:MM:SS',
  jsonSchema: { type: 'string', pattern: TIME.source },
  cells: timeCell,
  countingRule: timeRule,
  toMoment: (text) => {
    if (!TIME.test(text)) return undefined;
    return text.length === 'HH:MM'.length ? `${text}:00` : text;
  },
});
