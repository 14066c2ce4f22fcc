import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { toUnknown } from '../core/columns/choices.ts';
import { type SourceOption, toSourceOptions } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';

/** The choice that `or_other` adds, with its label in all languages. */
const OTHER = 'other';
const OTHER_LABEL = 'Other';

interface Choice extends SourceOption {
  /** Its name in submissions, and its labels in all languages. */
  readonly namesAndLabels: readonly string[];
}

/** The options, rows or columns of a question, by their names in submissions. */
export interface Choices {
  readonly count: number;
  readonly options: readonly SourceOption[];
  readonly byName: ReadonlyMap<JsonValue, string>;
  /** Choices by name or label. Several can share one. */
  readonly byNameOrLabel: ReadonlyMap<string, readonly Choice[]>;
  /** Labels of all choices in all languages, the longest first. */
  readonly labels: () => readonly { readonly id: string; readonly label: string }[];
}

export function toChoices(question: JsonObject, list: 'options' | 'rows' | 'columns'): Choices {
  const texts = new Map(
    itemsOf(question[list])
      .filter((item) => isObject(item))
      .map(({ id, text }) => [id, text]),
  );
  const choices = toSourceOptions(question, list).map((one) => {
    const ownLabels = textsOf(texts.get(one.id) as JsonValue);
    const labels = one.id === OTHER && ownLabels.length === 0 ? [OTHER_LABEL] : ownLabels;
    return { ...one, labels, namesAndLabels: [String(one.value), ...labels] };
  });
  const entries = choices.flatMap((choice) => [...new Set(choice.namesAndLabels)].map((text) => ({ text, choice })));
  return {
    count: choices.length,
    options: choices,
    // The first choice of a name wins.
    byName: new Map(choices.toReversed().map(({ value, id }) => [value, id])),
    byNameOrLabel: new Map(
      [...Map.groupBy(entries, ({ text }) => text)].map(([text, group]) => [text, group.map(({ choice }) => choice)]),
    ),
    labels: once(() =>
      choices
        .flatMap(({ id, labels }) => labels.map((label) => ({ id, label: label.trim() })))
        .filter(({ label }) => label !== '')
        .toSorted((one, other) => other.label.length - one.label.length),
    ),
  };
}

/** The id of the choice with a name, or with a label that no other choice has; otherwise the value of an unknown one. */
export function idOf(value: string, { byName, byNameOrLabel, options }: Choices): JsonValue {
  const name = value.trim();
  const [choice, ...others] = byNameOrLabel.get(name) ?? [];
  return byName.get(name) ?? (others.length === 0 ? choice?.id : undefined) ?? toUnknown(name, options);
}

/** Reads names with spaces between them, or else labels, which can contain spaces. */
export function toIds(value: string, choices: Choices): JsonValue[] {
  const names = value.split(/\s+/).filter((name) => name !== '');
  const ids = names.map((name) => choices.byName.get(name) ?? toUnknown(name, choices.options));
  return names.every((name) => choices.byName.has(name)) ? ids : (labelsIn(value.trim(), choices) ?? ids);
}

/** Splits a text into labels, longest first; undefined if it has other text. */
function labelsIn(text: string, { count, labels }: Choices): string[] | undefined {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = labels().find(
      ({ label }) => text.startsWith(label, at) && /^(\s|$)/.test(text.slice(at + label.length, at + label.length + 1)),
    );
    // Each choice occurs once at most.
    if (next === undefined || found.length === count) return undefined;
    found.push(next.id);
    at += next.label.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return found;
}
