import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';
import { listOf, membersOf } from './qsf.ts';

/** Whether all respondents see all choices and rows of a question. */
export function showsAllItems(question: JsonObject): boolean {
  // Carried-forward choices depend on another answer.
  if (isObject(question['DynamicChoices']) || showsSome(question['Randomization'])) return false;
  const items = ['Choices', 'Answers'].flatMap((name) => listOf(question[name], ''));
  if (items.some(({ value }) => isObject(value['DisplayLogic']))) return false;
  return listOf(question['AdditionalQuestions'], '').every(({ value }) => showsAllItems(value));
}

/** Whether a randomization shows only some of the items. */
export function showsSome(randomization: JsonValue | undefined): boolean {
  if (!isObject(randomization)) return false;
  const { Advanced: advanced, TotalRandSubset: count } = randomization;
  if ((numberOf(count) ?? 0) > 0) return true;
  if (!isObject(advanced)) return false;
  const { RandomSubSet: some, Undisplayed: without, TotalRandSubset: total } = advanced;
  return (numberOf(total) ?? 0) > 0 || membersOf(some).length > 0 || membersOf(without).length > 0;
}
