import { isArray } from '../json.ts';
import { isRefusal, type Refusal, refuse } from './answer-type.ts';
import type { OptionList } from './option-list.ts';
import { toNfc } from './plain-text.ts';

/** Checks that a value is the id of an option. */
export function checkOption(value: unknown, options: OptionList): { readonly value: string } | Refusal {
  if (typeof value !== 'string') return refuse('WRONG_TYPE', 'the answer must be an option id');
  const id = toNfc(value);
  return options.has(id) ? { value: id } : refuse('UNKNOWN_OPTION', 'the question has no such option');
}

/** Checks a set of option ids in any order, and returns it in the order of the options. */
export function checkOptionSet(value: unknown, options: OptionList): { readonly value: readonly string[] } | Refusal {
  if (!isArray(value)) return refuse('WRONG_TYPE', 'the answer must be an array of option ids');
  const chosen: string[] = [];
  for (const item of value) {
    const option = checkOption(item, options);
    if (isRefusal(option)) return refuse(option.code, `item ${chosen.length + 1}: ${option.detail}`);
    chosen.push(option.value);
  }
  const ordered = options.inOrder(chosen, (id) => id);
  return ordered === undefined ? refuse('DUPLICATE_OPTION', 'an option is given twice') : { value: ordered };
}
