import { toOption } from '@survey/questionnaire/answers/option-list';
import { toNfc } from '@survey/questionnaire/answers/plain-text';
import type { Question } from '@survey/questionnaire/definition/definition';
import { isObject, itemsOf, type JsonObject } from '@survey/questionnaire/json';
import type { Omissions } from './omissions.ts';
import { textIn } from './text-in.ts';

/** An option of a question and its form in the file. */
export interface CsvOption {
  readonly id: string;
  /** Its texts in all languages. */
  readonly texts: readonly string[];
  /** Its cell text: the option's text if unique, else its id. */
  readonly cell: string;
  /** The id that an import derives from the cell text. */
  readonly importedId: string;
}

/** Reads the options of a choice question. */
export function readOptions(
  { source }: Question,
  languages: readonly string[],
  omissions: Omissions,
): readonly CsvOption[] {
  const options = itemsOf(source['options']).flatMap((item) => {
    const option = toOption(item);
    const members: JsonObject = isObject(item) ? item : { text: item };
    omissions.addUnknown(members, ['id', 'text'], 'options.');
    if (option === undefined) omissions.add('options');
    return option === undefined ? [] : [{ ...option, text: textIn(languages, members['text'], omissions).trim() }];
  });
  const byText = Map.groupBy(options, ({ text }) => toNfc(text));
  return options.flatMap(({ id, texts, text }) => {
    const cell = text !== '' && byText.get(toNfc(text))?.length === 1 ? text : id.trim();
    const importedId = toOption(cell)?.id;
    if (text !== '' && cell !== text) omissions.add('options.text');
    if (importedId !== id) omissions.add(importedId === undefined ? 'options' : 'options.id');
    return importedId === undefined ? [] : [{ id, texts, cell, importedId }];
  });
}

/** Returns a function that finds an option by id, else by a text that only this option has. */
export function createFindOption(options: readonly CsvOption[]) {
  const byId = new Map(options.toReversed().map((option) => [option.id, option]));
  const byText = new Map<string, CsvOption | 'ambiguous'>();
  for (const option of options) {
    for (const text of new Set(option.texts)) byText.set(text, byText.has(text) ? 'ambiguous' : option);
  }
  return (value: string | number): CsvOption | undefined => {
    const text = toNfc(String(value));
    const found = byText.get(text.trim());
    return byId.get(text) ?? (found === 'ambiguous' ? undefined : found);
  };
}
