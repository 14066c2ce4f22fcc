import { readTextLimits } from '../answers/check-text.ts';
import { type OptionList, readOptionList } from '../answers/option-list.ts';
import { createQuestionMembers, type QuestionMembers } from '../answers/question-members.ts';
import type { TextFormat } from '../answers/text-formats.ts';
import { readAccept } from '../answers/types/file-upload.ts';
import { readSelections } from '../answers/types/multiple-choice.ts';
import { readScale, type Scale, toNumber, valuesOf } from '../answers/types/rating.ts';
import { readRequiredRows } from '../answers/types/row-answers.ts';
import type { ListName } from '../columns/cell-format.ts';
import { isObject, itemsOf } from '../json.ts';
import { lookUpOrder, readTexts, textIn } from '../labels.ts';
import { LIMITS } from '../limits.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';
import type { Question as LocatedQuestion } from './definition.ts';
import { readDefinition } from './read-definition.ts';

/** An option, row or column. */
export interface QuestionItem {
  /** Answers contain this id. */
  readonly id: string;
  /** The text to show, in the chosen language; the id if there is none. */
  readonly text: string;
}

export interface QuestionOption extends QuestionItem {
  /** Whether the option cannot be chosen together with others. Only multiple choice has such options. */
  readonly exclusive: boolean;
}

interface TextLengths {
  /** In characters (Unicode code points). */
  readonly minLength: number;
  readonly maxLength: number;
}

interface Moments {
  /** First and last date or time allowed, as they are in the definition. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

interface Rows {
  readonly rows: readonly QuestionItem[];
  /** Number of rows that need an answer if the question is required. */
  readonly requiredRows: number;
}

/** The members of a question that depend on its type. Defaults are filled in. */
interface TypeMembers {
  readonly single_choice: { readonly options: readonly QuestionOption[]; readonly allowOther: boolean };
  readonly multiple_choice: {
    readonly options: readonly QuestionOption[];
    readonly allowOther: boolean;
    readonly minSelections: number;
    /** Undefined without a limit. */
    readonly maxSelections: number | undefined;
  };
  readonly text: TextLengths & { readonly format: TextFormat | undefined; readonly pattern: string | undefined };
  readonly textarea: TextLengths;
  readonly rating: Scale & {
    /** All values in ascending order; undefined if there are more than a thousand steps. */
    readonly values: readonly number[] | undefined;
    /** Texts of values, in the chosen language. Not every value has one. */
    readonly labels: ReadonlyMap<number, string>;
  };
  /** Without rows, the answer is one option. */
  readonly likert: Rows & { readonly options: readonly QuestionOption[] };
  readonly matrix: Rows & {
    readonly columns: readonly QuestionItem[];
    /** Whether a row can have several columns. */
    readonly multiple: boolean;
  };
  readonly date: Moments;
  readonly time: Moments;
  readonly file_upload: {
    readonly maxFiles: number;
    /** Size of one file in bytes; undefined means the limit of the platform. */
    readonly maxBytes: number | undefined;
    /** Accepted media types and file extensions in lower case; empty accepts all. */
    readonly accept: readonly string[];
  };
}

/**
 * A question of the type `Type`, ready to be shown. If `Type` is a union, the member `type` says which members the
 * question has.
 */
export type QuestionOf<Type extends QuestionTypeName> = {
  readonly [One in Type]: CommonMembers & TypeMembers[One] & { readonly type: One };
}[Type];

export type Question = QuestionOf<QuestionTypeName>;

/** The members of every question. */
interface CommonMembers {
  readonly id: string;
  /** Position of its page in `pages` of the definition, from 0. */
  readonly page: number;
  /** In the chosen language; empty if absent. */
  readonly title: string;
  readonly description: string;
  /** Whether the definition requires an answer. Logic can change this: see `requiredQuestions`. */
  readonly required: boolean;
}

type Members<Type extends QuestionTypeName> = QuestionMembers<Type> & {
  items(name: ListName): readonly QuestionItem[];
  options(): readonly QuestionOption[];
  localize(text: unknown): string | undefined;
};

const READERS: { readonly [Type in QuestionTypeName]: (members: Members<Type>) => TypeMembers[Type] } = {
  single_choice: (members) => ({ options: members.options(), allowOther: members.get('allow_other') ?? false }),
  multiple_choice: (members) => {
    const allowOther = members.get('allow_other') ?? false;
    const { min, max } = readSelections(members, Number.POSITIVE_INFINITY);
    const maxSelections = Number.isFinite(max) ? max : undefined;
    return { options: members.options(), allowOther, minSelections: min, maxSelections };
  },
  text: (members) => ({
    ...readLengths(members, LIMITS.text),
    format: members.get('format'),
    pattern: members.get('pattern'),
  }),
  textarea: (members) => readLengths(members, LIMITS.textarea),
  rating: (members) => {
    const scale = readScale(members);
    const values = valuesOf(scale);
    return { ...scale, values, labels: readValueLabels(members, values ?? []) };
  },
  likert: (members) => ({ options: members.options(), ...readRows(members) }),
  matrix: (members) => ({
    ...readRows(members),
    columns: members.items('columns'),
    multiple: members.get('multiple') ?? false,
  }),
  date: (members) => ({ min: members.get('min'), max: members.get('max') }),
  time: (members) => ({ min: members.get('min'), max: members.get('max') }),
  file_upload: (members) => ({
    maxFiles: members.get('max_files') ?? LIMITS.files,
    maxBytes: members.get('max_bytes'),
    accept: readAccept(members),
  }),
};

/**
 * Reads the questions of a survey, with their texts in a language. If a translation is missing, the next declared
 * language is used, then any other. Questions of unknown types are omitted.
 *
 * @param survey the member `survey` of a payload
 * @param inactive whether to include options, rows and columns that are no longer offered
 */
export function readQuestions(survey: object, language: string | undefined, inactive: boolean): readonly Question[] {
  const { byId, languages } = readDefinition({ survey });
  const tags = lookUpOrder(languages, language);
  return [...byId.values()].map((question) => readQuestion(question, tags, inactive));
}

function readQuestion(question: LocatedQuestion, tags: readonly string[], inactive: boolean): Question {
  const { id, page, type, source } = question;
  const common = {
    id,
    page,
    title: textIn(tags, source.title) ?? '',
    description: textIn(tags, source.description) ?? '',
    required: source.required === true,
  };
  const read = <Type extends QuestionTypeName>(type: Type) => ({
    ...common,
    type,
    ...READERS[type](createMembers<Type>(question, tags, inactive)),
  });
  // The reader of a type returns the members of this type.
  return read(type) as Question;
}

function createMembers<Type extends QuestionTypeName>(
  question: LocatedQuestion,
  tags: readonly string[],
  inactive: boolean,
) {
  // These members do not report errors or compile patterns: the lint and the validation do this.
  const members = createQuestionMembers<Type>(
    question,
    () => ({ fault: 'not compiled' }),
    () => undefined,
  );
  function read<Item>(name: ListName, toItem: (item: QuestionItem, list: OptionList) => Item): readonly Item[] {
    const list = readOptionList(members, name);
    const texts = readTexts(question.source[name], tags);
    const ids = inactive ? list.ids : list.activeIds;
    return ids.map((id) => toItem({ id, text: texts.get(id) ?? id }, list));
  }
  return {
    ...members,
    items: (name: ListName) => read(name, (item) => item),
    options: () => read('options', (item, list) => ({ ...item, exclusive: list.get(item.id)?.exclusive ?? false })),
    localize: (text: unknown) => textIn(tags, text),
  };
}

function readLengths(members: QuestionMembers<'text' | 'textarea'>, defaultMax: number): TextLengths {
  const { min, max } = readTextLimits(members, defaultMax, 'many');
  return { minLength: min, maxLength: max };
}

function readRows(members: Members<'likert' | 'matrix'>): Rows {
  return {
    rows: members.items('rows'),
    requiredRows: readRequiredRows(members, readOptionList(members, 'rows')),
  };
}

/** Reads `labels`, by value or by position, and the texts of `options` that have both a number and a text. */
function readValueLabels(members: Members<'rating'>, values: readonly number[]): ReadonlyMap<number, string> {
  const labels = members.get('labels') ?? {};
  const valueLabels = Array.isArray(labels)
    ? labels.map((text, index) => [values[index], text])
    : Object.entries(labels).map(([value, text]) => [toNumber(value), text]);
  const options = itemsOf(members.get('options')).filter(isObject);
  const optionLabels = options.map((option) => [toNumber(option), option.id === undefined ? undefined : option.text]);
  return new Map(
    [...optionLabels, ...valueLabels].flatMap(([value, text]) => {
      const label = members.localize(text);
      return typeof value === 'number' && Number.isFinite(value) && label !== undefined ? [[value, label]] : [];
    }),
  );
}
