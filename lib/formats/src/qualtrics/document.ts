import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { pointer } from '@survey/questionnaire/pointer';
import { createUniqueOptionIds } from '../core/ids.ts';
import { moveReserved } from '../core/source-data.ts';
import { type HtmlToText, isEmptyText, type Text, textOf, toJsonText } from '../core/texts.ts';
import { wrongType } from '../files/report.ts';

/** An object of the file with its location (JSON pointer). */
export interface Located {
  readonly path: string;
  readonly value: JsonObject;
}

/** A Qualtrics export (QSF), split into its elements. */
export interface Qsf {
  /** `SurveyEntry`: the settings of the survey. */
  readonly entry: JsonObject;
  /** Payloads of questions by id, such as `QID1`. */
  readonly questions: ReadonlyMap<string, Located>;
  /** Blocks that are not in the trash, by id, in the order of the file. */
  readonly blocks: ReadonlyMap<string, Located>;
  /** Ids of the questions in the trash. */
  readonly trash: ReadonlySet<string>;
  readonly flow: Located | undefined;
  /** Elements other than questions, blocks and the flow. */
  readonly others: readonly Located[];
}

/** Splits a QSF file into its elements. Throws `INVALID_IMPORT` if it is not a QSF. */
export function readQsf(file: JsonValue): Qsf {
  if (!isObject(file) || !isObject(file['SurveyEntry'])) throw rejection('/SurveyEntry', 'an object SurveyEntry');
  const elements = file['SurveyElements'];
  if (!isArray(elements)) throw rejection('/SurveyElements', 'an array SurveyElements');
  const questions = new Map<string, Located>();
  const blocks = new Map<string, Located>();
  const trash = new Set<string>();
  const others: Located[] = [];
  let flow: Located | undefined;
  for (const [index, element] of elements.entries()) {
    const path = `/SurveyElements/${index}`;
    if (!isObject(element)) throw wrongType(path, 'An element must be an object');
    const payload = element['Payload'];
    const located = { path: `${path}/Payload`, value: isObject(payload) ? payload : {} };
    const kind = element['Element'];
    if (kind === 'SQ') questions.set(idOf(payload, 'QuestionID') ?? String(element['PrimaryAttribute']), located);
    else if (kind === 'BL') separateTrash(payload, located.path, blocks, trash);
    else if (kind === 'FL') flow ??= located;
    else others.push({ path, value: element as JsonObject });
  }
  if (questions.size === 0) throw rejection('/SurveyElements', 'at least one question, an element SQ');
  return { entry: file['SurveyEntry'] as JsonObject, questions, blocks, trash, flow, others };
}

/** The objects of a list. Files have either an array, or an object with numbers as names. */
export function listOf(value: JsonValue | undefined, path: string): readonly (Located & { readonly key: string })[] {
  return membersOf(value).flatMap(([key, item]) =>
    isObject(item) ? [{ key, path: pointer(path, key), value: item }] : [],
  );
}

/** The items of an array or object, of any type. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [key: string, item: JsonValue])[] {
  if (isArray(value)) return value.map((item, index) => [String(index), item as JsonValue]);
  return isObject(value) ? Object.entries(value) : [];
}

/** A string or number as a string; otherwise undefined. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function separateTrash(
  payload: JsonValue | undefined,
  path: string,
  blocks: Map<string, Located>,
  trash: Set<string>,
): void {
  for (const { key, path: blockPath, value } of listOf(payload, path)) {
    if (value['Type'] !== 'Trash') blocks.set(idOf(value, 'ID') ?? key, { path: blockPath, value });
    else
      for (const { value: element } of listOf(value['BlockElements'], blockPath))
        trash.add(String(element['QuestionID']));
  }
}

function idOf(value: JsonValue | undefined, name: string): string | undefined {
  return isObject(value) ? scalarText(value[name]) : undefined;
}

function rejection(path: string, expected: string) {
  return wrongType(path, `A survey of Qualtrics (QSF) must have ${expected}`);
}

export interface SourceQuestion extends Located {
  /** `QID1`, or `QID1#2` for column 2 of a side-by-side question. */
  readonly id: string;
  /** Column name in exports. */
  readonly tag: string;
  /** Type, selector and subselector in Qualtrics, such as `MC/SAVR/TX`. */
  readonly kind: string;
  readonly title: Text;
  readonly required: boolean | 'in_tool';
  /** Settings of its validation; can be empty. */
  readonly settings: JsonObject;
  /** Reads a text in all languages. `get` finds it in the question, and in each translation of the question. */
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

/** Language codes that differ from BCP 47. */
const SPECIAL_CODES: Readonly<Record<string, string>> = {
  'ZH-S': 'zh-Hans',
  'ZH-T': 'zh-Hant',
  PB: 'pt-BR',
  'ES-ES': 'es-ES',
  'SR-ME': 'sr-ME',
  DEFAULT: 'en',
};

/** Converts a Qualtrics language code to a BCP 47 tag; undefined if it is invalid. */
export function toLanguageTag(code: string): string | undefined {
  const upper = code.toUpperCase();
  const special = Object.hasOwn(SPECIAL_CODES, upper) ? SPECIAL_CODES[upper] : undefined;
  return special ?? canonicalTag(code);
}
