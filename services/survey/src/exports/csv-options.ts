import { toOption } from '@survey/questionnaire/answers/option-list';
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
  const byText = Map.groupBy(options, ({ text }) => text.normalize('NFC'));
  return options.flatMap(({ id, texts, text }) => {
    const cell = text !== '' && byText.get(text.normalize('NFC'))?.length === 1 ? text : id.trim();
    const importedId = toOption(cell)?.id;
    if (text !== '' && cell !== text) omissions.add('options.text');
    if (importedId !== id) omissions.add(importedId === undefined ? 'options' : 'options.id');
    return importedId === undefined ? [] : [{ id, texts, cell, importedId }];
  });
}

/** Finds an option by id, else by a text that only this option has. */
export function findOption(options: readonly CsvOption[], value: string | number): CsvOption | undefined {
  const text = String(value).normalize('NFC');
  const matching = options.filter(({ texts }) => texts.includes(text.trim()));
  return options.find(({ id }) => id === text) ?? (matching.length === 1 ? matching[0] : undefined);
}
