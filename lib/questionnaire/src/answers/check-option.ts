import { isArray } from '../json.ts';
import { type Refusal, refuse } from './answer-type.ts';
import type { OptionList } from './option-list.ts';
import { toNfc } from './plain-text.ts';

/** Takes the id of one of the options. */
export const checkOption = (value: unknown, options: OptionList): { readonly value: string } | Refusal => {
  if (typeof value !== 'string') return refuse('WRONG_TYPE', 'the answer must be an option id');
  const id = toNfc(value);
  return options.has(id) ? { value: id } : refuse('UNKNOWN_OPTION', 'the answer is none of the options');
};

/** Takes a set of option ids in any order, and gives it in the order of the options. */
export const checkOptionSet = (
  value: unknown,
  options: OptionList,
): { readonly value: readonly string[] } | Refusal => {
  if (!isArray(value)) return refuse('WRONG_TYPE', 'the answer must be an array of option ids');
  const chosen = new Set<string>();
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string') return refuse('WRONG_TYPE', `item ${index + 1} must be an option id`);
    const id = toNfc(item);
    if (!options.has(id)) return refuse('UNKNOWN_OPTION', `item ${index + 1} is none of the options`);
    if (chosen.has(id)) return refuse('DUPLICATE_OPTION', `item ${index + 1} was chosen before`);
    chosen.add(id);
  }
  return { value: options.ids.filter((id) => chosen.has(id)) };
};
