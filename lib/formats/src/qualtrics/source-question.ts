import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { pointer } from '@survey/questionnaire/pointer';
import { createUniqueOptionIds } from '../core/ids.ts';
import { moveReserved } from '../core/source-data.ts';
import { type HtmlToText, isEmptyText, type Text, textOf, toJsonText } from '../core/texts.ts';
import { toLanguageTag } from './languages.ts';
import { type Located, listOf, membersOf, scalarText } from './qsf.ts';

export interface SourceQuestion extends Located {
  /** `QID1`, or `QID1#2` for column 2 of a side-by-side question. */
  readonly id: string;
  /** Column name in exports. */
  readonly tag: string;
  /** Type, selector and subselector in Qualtrics, such as `MC/SAVR/TX`. */
  readonly kind: string;
  readonly title: Text;
  readonly required: boolean;
  /** Settings of its validation; can be empty. */
  readonly settings: JsonObject;
  /** Reads a text member from the question and its translations. */
  text(get: (owner: JsonObject) => JsonValue | undefined, path: string): Text;
  /** Warns once about a change of all questions of this kind. */
  warnOfKind(code: string, detail: string): void;
  /**
   * Warns about a change that respondents notice, once for each question.
   *
   * @param below member of the question, as a path
   */
  warnOfQuestion(code: string, detail: string, below?: string): void;
}

type ItemList = 'Choices' | 'Answers';

export interface Item extends Located {
  /** The member of the question that contains the item. */
  readonly list: ItemList;
  /** Its key in exports and logic. */
  readonly key: string;
  readonly text: Text;
}

/** Shared state for reading the texts of a file. */
export interface FileTexts {
  readonly toText: HtmlToText;
  /** Language of untranslated texts. */
  readonly language: string;
  /** Called for each language with a text. */
  onLanguage(tag: string): void;
  onUnknownLanguage(code: string, path: string): void;
}

/** Makes a reader for the texts of a question or block, in all languages. */
export function createTextReader({ value, path }: Located, texts: FileTexts): SourceQuestion['text'] {
  const written = membersOf(isObject(value['Language']) ? value['Language'] : undefined);
  const translations = written.slice(0, LIMITS.languages).flatMap(([code, owner]) => {
    const tag = toLanguageTag(code);
    if (tag === undefined) texts.onUnknownLanguage(code, pointer(`${path}/Language`, code));
    if (tag === undefined || tag === texts.language || !isObject(owner)) return [];
    texts.onLanguage(tag);
    return [[tag, owner] as const];
  });
  return (get, textPath) =>
    textOf([
      [texts.language, texts.toText(scalarText(get(value)) ?? '', textPath)],
      ...translations.map(([tag, owner]) => [tag, texts.toText(scalarText(get(owner)) ?? '', textPath)] as const),
    ]);
}

/** The choices or answers in display order. */
export function itemsOf(question: SourceQuestion, list: ItemList): readonly Item[] {
  const path = `${question.path}/${list}`;
  const items = new Map(
    listOf(question.value[list], path).map(({ key, path: textPath, value }) => {
      const text = question.text((owner) => memberOf(memberOf(owner[list], key), 'Display'), `${textPath}/Display`);
      return [key, { list, key, path: textPath, value, text }];
    }),
  );
  const order = membersOf(question.value[list === 'Choices' ? 'ChoiceOrder' : 'AnswerOrder']);
  const keys = new Set(order.map(([, key]) => String(scalarText(key))));
  const shown = [...keys].flatMap((key) => items.get(key) ?? []);
  return [...shown, ...[...items.values()].filter(({ key }) => !keys.has(key))];
}

/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set('source_id recode variable export_tag'.split(' '));

/** Makes options (also for columns of a matrix) or rows. Exports have codes of options, and a column for each row. */
export function toItems(question: SourceQuestion, items: readonly Item[], to: 'options' | 'rows'): JsonValue[] {
  const toUniqueId = createUniqueOptionIds();
  const { RecodeValues: recodes, VariableNaming: names, ChoiceDataExportTags: tags } = question.value;
  return items.map(({ list, key, text, value }) => {
    const isRow = to === 'rows';
    const recode = isRow ? undefined : scalarText(memberOf(recodes, key));
    const variable = isRow ? undefined : scalarText(memberOf(names, key));
    const tag = isRow ? scalarText(memberOf(tags, key)) : undefined;
    const { Display: _text, TextEntry: _entry, ExclusiveAnswer: exclusive, ...rest } = value;
    const kept = Object.entries(rest).filter(([, member]) => !isNothing(member));
    if (value['DisplayLogic'] !== undefined) {
      const detail = 'Logic of choices and rows is not converted; they are always shown';
      question.warnOfQuestion('LOGIC_NOT_CONVERTED', detail, list);
    }
    return {
      id: toUniqueId(key),
      text: toJsonText(isEmptyText(text) ? key : text),
      ...(isOn(exclusive) ? { exclusive: true } : {}),
      source_data: {
        ...moveReserved(Object.fromEntries(kept), RESERVED_NAMES, 'more'),
        source_id: key,
        ...(recode === undefined ? {} : { recode }),
        ...(variable === undefined ? {} : { variable }),
        ...(tag === undefined ? {} : { export_tag: tag }),
      },
    };
  });
}

/** Whether a member is empty or false, so that nothing is lost without it. */
export function isNothing(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === false || value === '';
}

/** Whether a flag is set. Files write true, "true" or "on". */
export function isOn(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== '' && !['false', 'off', 'no'].includes(value.toLowerCase());
  return value === true || (typeof value === 'number' && value !== 0);
}

export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
