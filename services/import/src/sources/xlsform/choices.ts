import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { textsOf } from '../language-texts.ts';
import { type SourceOption, toSourceOptions } from '../source-operand.ts';

interface Choice extends SourceOption {
  /** Its name, and its label in all languages. */
  readonly called: readonly string[];
}

/** The options, rows or columns of a question, found by what submissions call them. */
export interface Choices {
  readonly count: number;
  readonly byName: ReadonlyMap<JsonValue, string>;
  /** By names and labels, which several may have. */
  readonly byCall: ReadonlyMap<string, readonly Choice[]>;
  /** Longest first. */
  readonly labels: () => readonly { readonly id: string; readonly label: string }[];
}

export function toChoices(question: JsonObject, list: 'options' | 'rows' | 'columns'): Choices {
  const texts = new Map(
    itemsOf(question[list])
      .filter((item) => isObject(item))
      .map(({ id, text }) => [id, text]),
  );
  // What is read of JSON is JSON.
  const choices = toSourceOptions(question, list).map((one) => {
    const labels = textsOf(texts.get(one.id) as JsonValue);
    return { ...one, labels, called: [String(one.value), ...labels] };
  });
  const calls = choices.flatMap((choice) => [...new Set(choice.called)].map((call) => ({ call, choice })));
  return {
    count: choices.length,
    // Of several with one name the first.
    byName: new Map(choices.toReversed().map(({ value, id }) => [value, id])),
    byCall: new Map(
      [...Map.groupBy(calls, ({ call }) => call)].map(([call, of]) => [call, of.map(({ choice }) => choice)]),
    ),
    labels: once(() =>
      choices
        .flatMap(({ id, labels }) => labels.map((label) => ({ id, label: label.trim() })))
        .filter(({ label }) => label !== '')
        .toSorted((one, other) => other.label.length - one.label.length),
    ),
  };
}

/** The id of a choice by its name; a label is left for whoever checks the answer. */
export function idOf(value: string, { byName }: Choices): string {
  return byName.get(value.trim()) ?? value.trim();
}

/** Names are joined by spaces, and so are labels, which may have some themselves. */
export function toIds(value: string, choices: Choices): string[] {
  const names = value.split(/\s+/).filter((name) => name !== '');
  const ids = names.map((name) => choices.byName.get(name) ?? name);
  return names.every((name) => choices.byName.has(name)) ? ids : (labelsIn(value.trim(), choices) ?? ids);
}

/** The choices whose labels, longest first, make up a text; undefined when they do not. */
function labelsIn(text: string, { count, labels }: Choices): string[] | undefined {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = labels().find(
      ({ label }) => text.startsWith(label, at) && /^(\s|$)/.test(text.slice(at + label.length, at + label.length + 1)),
    );
    // Each is chosen once, so that more are none.
    if (next === undefined || found.length === count) return undefined;
    found.push(next.id);
    at += next.label.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return found;
}
