import { isArray } from '../json.ts';
import { isRejection, type Rejection, rejection } from './answer-type.ts';
import type { OptionList } from './option-list.ts';
import { toNfc } from './plain-text.ts';

/** Checks that a value is the id of an option. */
export function checkOption(value: unknown, options: OptionList): { readonly value: string } | Rejection {
  if (typeof value !== 'string') return rejection('WRONG_TYPE', 'the answer must be an option id');
  const id = toNfc(value);
  return options.has(id) ? { value: id } : rejection('UNKNOWN_OPTION', 'the question has no such option');
}

/** Checks a set of option ids in any order, and returns it in the order of the options. */
export function checkOptionSet(value: unknown, options: OptionList): { readonly value: readonly string[] } | Rejection {
  if (!isArray(value)) return rejection('WRONG_TYPE', 'the answer must be an array of option ids');
  const chosen: string[] = [];
  // Among more items than options, one is repeated or unknown, so the rest needs no check.
  for (const item of value.slice(0, options.ids.length + 1)) {
    const option = checkOption(item, options);
    if (isRejection(option)) return rejection(option.code, `item ${chosen.length + 1}: ${option.detail}`);
    chosen.push(option.value);
  }
  const ordered = options.inOrder(chosen, (id) => id);
  return ordered === undefined ? rejection('DUPLICATE_OPTION', 'an option is given twice') : { value: ordered };
}
