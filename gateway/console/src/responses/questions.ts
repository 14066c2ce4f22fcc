import { type Definition, localize } from '@survey/questionnaire';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { isObject, itemsOf } from '@survey/questionnaire/json';

/** An option, row or column, with the text that respondents see. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

/** A question of a survey in one language. */
export interface Question {
  readonly id: string;
  readonly type: string;
  /** The title, else the id. */
  readonly title: string;
  readonly description: string;
  /** Position of its page, from 0. */
  readonly page: number;
  readonly options: readonly Item[];
  readonly rows: readonly Item[];
  readonly columns: readonly Item[];
  /** Whether respondents can enter a text in place of an option, or besides options. */
  readonly allowOther: boolean;
  /** Whether a row of a matrix can have several columns. */
  readonly multiple: boolean;
  /** The scale of a rating. */
  readonly scale: Scale;
}

interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Texts of values. */
  readonly labels: ReadonlyMap<number, string>;
}

type Source = Readonly<Record<string, unknown>>;

/** Reads the questions of a definition, in order. Takes any definition that the platform stores. */
export function readQuestions(definition: Definition, language: string): readonly Question[] {
  const textOf = (text: unknown) => localize(definition, text, language);
  return pagesOf(definition).flatMap((page, index) =>
    itemsOf(page.questions)
      .filter(isObject)
      .flatMap((source) => (typeof source.id === 'string' ? [toQuestion(source.id, source, index, textOf)] : [])),
  );
}

/** Reads the titles of the pages, in order. They are empty for pages without one. */
export function readPageTitles(definition: Definition, language: string): readonly string[] {
  return pagesOf(definition).map((page) => localize(definition, page.title, language));
}

function pagesOf(definition: Definition): readonly Source[] {
  return itemsOf((definition as Source).pages).map((page) => (isObject(page) ? page : {}));
}

function toQuestion(id: string, source: Source, page: number, textOf: (text: unknown) => string): Question {
  const itemsIn = (list: unknown) =>
    itemsOf(list).flatMap((item) => {
      const option = toOption(item);
      return option === undefined
        ? []
        : [{ id: option.id, text: textOf(isObject(item) ? item.text : item) || option.id }];
    });
  return {
    id,
    type: String(source.type),
    title: textOf(source.title) || id,
    description: textOf(source.description),
    page,
    options: source.type === 'rating' ? [] : itemsIn(source.options),
    rows: itemsIn(source.rows),
    columns: itemsIn(source.columns),
    allowOther: source.allow_other === true,
    multiple: source.multiple === true,
    scale: readScale(source, textOf),
  };
}

function readScale(source: Source, textOf: (text: unknown) => string): Scale {
  const range = readRange(source.options);
  const min = numberOr(source.min, range?.min ?? 1);
  const max = numberOr(source.max, range?.max ?? Math.max(5, min));
  const step = numberOr(source.step, 1);
  const { labels } = source;
  const entries = Array.isArray(labels)
    ? labels.map((label, index) => [min + index * step, textOf(label)] as const)
    : Object.entries(isObject(labels) ? labels : {}).map(([value, label]) => [Number(value), textOf(label)] as const);
  return { min, max, step, labels: new Map(entries.filter(([, label]) => label !== '')) };
}

/** Reads a scale that is written as `"1-5"`, or as a list of numbers. */
function readRange(options: unknown): { readonly min: number; readonly max: number } | undefined {
  const items = typeof options === 'string' ? [options] : itemsOf(options);
  const numbers = items.flatMap((item) => {
    const value = isObject(item) ? (item.id ?? item.text) : item;
    const range = /^\s*(-?\d+)\s*-\s*(-?\d+)\s*$/.exec(String(value));
    return range === null ? [Number(value)] : [Number(range[1]), Number(range[2])];
  });
  if (numbers.length === 0 || numbers.some((number) => !Number.isFinite(number))) return undefined;
  return { min: numbers.reduce((a, b) => Math.min(a, b)), max: numbers.reduce((a, b) => Math.max(a, b)) };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
