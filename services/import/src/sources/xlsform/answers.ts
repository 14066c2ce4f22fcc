import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { textsOf } from '../language-texts.ts';
import { OTHER_TEXT } from '../other-text.ts';
import { sourceDataOf } from '../source-data.ts';
import { type SourceOption, toSourceOptions } from '../source-operand.ts';

interface Cells {
  /** The value of a cell, which is used then. */
  take(name: string): JsonValue | undefined;
  readonly cells: ReadonlyMap<string, JsonValue>;
}

/** The answer to a question that may go by several names; undefined when there is none. */
export type ToAnswer = (names: readonly string[], cells: Cells) => JsonValue | undefined;

const CHOSEN = /^(1|true|yes)$/i;
const NOT_CHOSEN = /^(0|false|no)$/i;

export function createToAnswer(question: JsonObject): ToAnswer {
  const { kept_as: keptAs, part } = sourceDataOf(question);
  const options = toChoices(question, 'options');
  const first = (names: readonly string[], { take, cells }: Cells): JsonValue | undefined => {
    const name = names.find((one) => cells.has(one));
    return name === undefined ? undefined : take(name);
  };
  const read =
    (convert: (value: string) => JsonValue): ToAnswer =>
    (names, cells) => {
      const value = first(names, cells);
      return value === undefined
        ? undefined
        : convert(typeof value === 'object' ? JSON.stringify(value) : String(value));
    };
  if (keptAs === 'json') return read((value) => value);
  if (keptAs === 'ranks') return read((value) => toRanks(value, question));
  switch (question['type']) {
    case 'single_choice':
      return (names, cells) => {
        const value = first(names, cells);
        if (value === undefined) return undefined;
        const id = idOf(String(value), options);
        return id === 'other' ? { option: 'other', text: otherOf(names, cells) } : id;
      };
    case 'multiple_choice':
      return (names, cells) => {
        const flags = flagged(names, cells, options);
        const value = first(names, cells);
        const chosen = flags ?? (value === undefined ? undefined : toIds(String(value), options));
        if (chosen === undefined || !chosen.includes('other')) return chosen;
        const others = chosen.filter((id) => id !== 'other');
        return { options: others, other: otherOf(names, cells) };
      };
    case 'date':
      return read((value) => value.replace(/[T ].*$/s, ''));
    case 'time':
      return read((value) => toTime(part === 'time' ? value.replace(/^[^T ]*[T ]/, '') : value));
    case 'file_upload':
      // Their names stay among what is no answer.
      return () => undefined;
    default:
      return read((value) => value);
  }
}

/** An option, row or column, and what it is called in all languages. */
interface Choice extends SourceOption {
  readonly texts: readonly string[];
}

function toChoices(question: JsonObject, list: 'options' | 'rows'): readonly Choice[] {
  const texts = new Map(
    itemsOf(question[list])
      .filter((item) => isObject(item))
      .map(({ id, text }) => [id, text]),
  );
  // What is read of JSON is JSON.
  return toSourceOptions(question, list).map((one) => ({ ...one, texts: textsOf(texts.get(one.id) as JsonValue) }));
}

/** The id of a choice by its name; a label is left for whoever checks the answer. */
function idOf(value: string, options: readonly Choice[]): string {
  return options.find((option) => option.value === value.trim())?.id ?? value.trim();
}

/** Names are joined by spaces, and so are labels, which may have some themselves. */
function toIds(value: string, options: readonly Choice[]): string[] {
  const names = value.split(/\s+/).filter((name) => name !== '');
  // Of several with one name the first.
  const known = new Map(options.toReversed().map((option) => [option.value, option.id]));
  const ids = names.map((name) => known.get(name) ?? name);
  return names.every((name) => known.has(name)) ? ids : (labelsIn(value.trim(), options) ?? ids);
}

/** The choices whose labels, longest first, make up a text; undefined when they do not. */
function labelsIn(text: string, options: readonly Choice[]): string[] | undefined {
  const labels = options
    .flatMap(({ id, texts }) => texts.map((label) => ({ id, label: label.trim() })))
    .filter(({ label }) => label !== '')
    .toSorted((one, other) => other.label.length - one.label.length);
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = labels.find(
      ({ label }) => text.startsWith(label, at) && /^(\s|$)/.test(text.slice(at + label.length, at + label.length + 1)),
    );
    // Each is chosen once, so that more are none.
    if (next === undefined || found.length === options.length) return undefined;
    found.push(next.id);
    at += next.label.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return found;
}

/** Of a column for each choice, by its name or its label, those that are chosen; undefined when there is none. */
function flagged(names: readonly string[], { take, cells }: Cells, options: readonly Choice[]): string[] | undefined {
  const called = (option: Choice) => [String(option.value), ...option.texts];
  const isBase = (base: string) => options.some((option) => called(option).some((one) => cells.has(`${base}/${one}`)));
  const base = names.find(isBase);
  if (base === undefined) return undefined;
  return options.flatMap((option) => {
    const name = called(option).find((one) => cells.has(`${base}/${one}`));
    const flag = name === undefined ? undefined : take(`${base}/${name}`);
    if (flag === undefined || NOT_CHOSEN.test(String(flag))) return [];
    return CHOSEN.test(String(flag)) || called(option).includes(String(flag)) ? [option.id] : [];
  });
}

function otherOf(names: readonly string[], { take, cells }: Cells): JsonValue {
  const name = names.map((one) => `${one}_other`).find((one) => cells.has(one));
  return (name === undefined ? undefined : take(name)) ?? OTHER_TEXT;
}

/** `[b a]` → `{b: '1', a: '2'}` */
function toRanks(value: string, question: JsonObject): JsonValue {
  const [rows, places] = [toChoices(question, 'rows'), toSourceOptions(question, 'columns')];
  return Object.fromEntries(toIds(value, rows).map((id, index) => [id, places[index]?.id ?? String(index + 1)]));
}

/** Without parts of seconds and zone. */
function toTime(value: string): string {
  return value.trim().replace(/^(\d{2}:\d{2}(?::\d{2})?).*$/s, '$1');
}
