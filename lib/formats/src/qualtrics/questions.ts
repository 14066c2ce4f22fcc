import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { MAX_RANKS, numberScale } from '../core/draft.ts';
import { MAX_TEXT } from '../core/source-data.ts';
import { isCount, numberOf } from '../core/source-questions.ts';
import { joinTexts, type Text } from '../core/texts.ts';
import { type Item, isOn, itemsOf, memberOf, membersOf, type SourceQuestion, scalarText, toItems } from './document.ts';

/**
 * A question of the survey that a Qualtrics question becomes. Most become a single part. A form becomes a text for each
 * choice: `QID4_1`, `QID4_2`. A choice with a text entry, such as "Other: ___", adds a text: `QID1_3_TEXT`.
 */
export interface Part {
  /** Id of its columns in exports, or the beginning of it: `QID4_1`. */
  readonly sourceId: string;
  /** Name of its columns in exports, or the beginning of it: `Q4_1`. */
  readonly tag: string;
  readonly path: string;
  readonly title: Text;
  /** Type, options, limits. */
  readonly members: JsonObject;
  readonly required: SourceQuestion['required'];
  /** Only in text entries of choices: the choice. The text entry is asked if the choice is chosen. */
  readonly choice?: { readonly question: string; readonly key: string };
}

type Build = (question: SourceQuestion) => Iterable<Part>;

/** Builders by type, selector and subselector. */
const BUILDERS: ReadonlyMap<string, Build> = new Map(
  Object.entries<Build>({
    'MC/SAVR': buildSingle,
    'MC/SAHR': buildSingle,
    'MC/SACOL': buildSingle,
    'MC/DL': buildSingle,
    'MC/SB': buildSingle,
    'MC/NPS': buildScore,
    NPS: buildScore,
    'MC/MAVR': buildMultiple,
    'MC/MAHR': buildMultiple,
    'MC/MACOL': buildMultiple,
    'MC/MSB': buildMultiple,
    'TE/SL': buildLine,
    'TE/PW': buildLine,
    'TE/ML': buildArea,
    'TE/ESTB': buildArea,
    'TE/FORM': (question) => partsOfChoices(question, readTextRules(question, 'text')),
    'Matrix/Likert': buildLikert,
    'Matrix/Likert/MultipleAnswer': buildMatrix,
    'Matrix/Bipolar': buildLikert,
    'Matrix/TE': (question) => buildCells(question, readTextRules(question, 'textarea')),
    'Matrix/CS': buildNumberCells,
    'Matrix/RO': buildNumberCells,
    'Matrix/Profile': buildProfile,
    Slider: buildSliders,
    CS: buildNumbers,
    RO: buildRanks,
    SBS: buildColumns,
    FileUpload: (question) => [onlyPart(question, { type: 'file_upload', max_files: 1 })],
  }),
);

/**
 * Converts a question to parts; none for an unknown type. Parts are generated one by one, because a small file can
 * expand to more than memory.
 */
export function build(question: SourceQuestion): Iterable<Part> {
  const [type = '', selector = ''] = question.kind.split('/');
  const builder = BUILDERS.get(question.kind) ?? BUILDERS.get(`${type}/${selector}`) ?? BUILDERS.get(type);
  return builder?.(question) ?? [];
}

/** Between the title of a question and that of its part. */
const SEPARATOR = ' – ';

/** The part that is the whole question. */
function onlyPart(question: SourceQuestion, members: JsonObject, title: Text = question.title): Part {
  const { id, tag, path, required } = question;
  return { sourceId: id, tag, path, title, members, required };
}

/** The part for a choice or row. */
function partOf(question: SourceQuestion, item: Item, members: JsonObject, suffix = ''): Part {
  const title = joinTexts(question.title, item.text, SEPARATOR);
  const part = onlyPart(question, members, title);
  const end = `_${item.key}${suffix}`;
  return { ...part, sourceId: `${question.id}${end}`, tag: `${question.tag}${end}`, path: item.path };
}

function* partsOfChoices(question: SourceQuestion, members: JsonObject): Generator<Part> {
  for (const item of itemsOf(question, 'Choices')) yield partOf(question, item, members);
}

/** Text questions for the items with a text entry. With `onlyIfChosen`, an item must be chosen first. */
function* entriesOf(question: SourceQuestion, items: readonly Item[], onlyIfChosen: boolean): Generator<Part> {
  for (const item of items) {
    if (!isOn(item.value['TextEntry'])) continue;
    const part = partOf({ ...question, required: false }, item, { type: 'text', max_length: MAX_TEXT }, '_TEXT');
    yield onlyIfChosen ? { ...part, choice: { question: question.id, key: item.key } } : part;
  }
}

function* buildSingle(question: SourceQuestion): Generator<Part> {
  const items = itemsOf(question, 'Choices');
  if (items.length === 0) return yield* buildWithoutChoices(question);
  yield onlyPart(question, { type: 'single_choice', options: toItems(question, items, 'options') });
  yield* entriesOf(question, items, true);
}

function* buildMultiple(question: SourceQuestion): Generator<Part> {
  const items = itemsOf(question, 'Choices');
  if (items.length === 0) return yield* buildWithoutChoices(question);
  const [min, max] = ['MinChoices', 'MaxChoices'].map((name) => numberOf(question.settings[name]));
  const limits = {
    ...(min !== undefined && min > 0 && min <= items.length ? { min_selections: min } : {}),
    ...(max !== undefined && max > 0 && max >= (min ?? 0) ? { max_selections: max } : {}),
  };
  yield onlyPart(question, { type: 'multiple_choice', options: toItems(question, items, 'options'), ...limits });
  yield* entriesOf(question, items, true);
}

function buildWithoutChoices(question: SourceQuestion): Iterable<Part> {
  const detail = 'It has no choices of its own (they may come from another question), and becomes a text';
  question.warnOfQuestion('NO_SUCH_TYPE', detail);
  return [onlyPart(question, { type: 'text', max_length: MAX_TEXT })];
}

function buildLine(question: SourceQuestion): Iterable<Part> {
  return [onlyPart(question, readTextRules(question, 'text'))];
}

function buildArea(question: SourceQuestion): Iterable<Part> {
  return [onlyPart(question, readTextRules(question, 'textarea'))];
}

function buildNumbers(question: SourceQuestion): Iterable<Part> {
  question.warnOfKind('NO_SUCH_TYPE', 'A constant sum becomes a number for each choice, without the sum');
  return partsOfChoices(question, { type: 'text', format: 'number' });
}

function buildScore(question: SourceQuestion): Iterable<Part> {
  return [onlyPart(question, { type: 'rating', min: 0, max: 10 })];
}

function buildSliders(question: SourceQuestion): Iterable<Part> {
  const { Configuration: configuration } = question.value;
  const setting = (name: string) => numberOf(memberOf(configuration, name));
  const isStars = question.kind.startsWith('Slider/STAR');
  const min = isStars ? 0 : (setting('CSSliderMin') ?? 0);
  const max = (isStars ? setting('StarCount') : setting('CSSliderMax')) ?? (isStars ? 5 : 100);
  const decimals = Math.round(Math.min(Math.max(setting('NumDecimals') ?? 0, 0), 6));
  const isHalf = isStars && memberOf(configuration, 'StarType') !== 'discrete';
  // A power of ten is not exact: 10 ** -5 is 0.000009999999999999999.
  const step = isHalf ? 0.5 : Number(`1e-${decimals}`);
  const range = {
    type: 'rating',
    ...(min <= max ? { min, max } : { min: max, max: min }),
    ...(step === 1 ? {} : { step }),
  };
  return itemsOf(question, 'Choices').length === 0 ? [onlyPart(question, range)] : partsOfChoices(question, range);
}

function buildRanks(question: SourceQuestion): Iterable<Part> {
  const items = itemsOf(question, 'Choices');
  if (items.length === 0 || items.length > MAX_RANKS) return [];
  question.warnOfKind('NO_SUCH_TYPE', 'A ranking becomes a matrix of choices and ranks, which allows equal ranks');
  return [
    onlyPart(question, {
      type: 'matrix',
      rows: toItems(question, items, 'rows'),
      columns: numberScale(items.length),
    }),
  ];
}

function* buildLikert(question: SourceQuestion): Generator<Part> {
  const rows = itemsOf(question, 'Choices');
  const scale = itemsOf(question, 'Answers');
  if (rows.length === 0 || scale.length === 0) return yield* buildWithoutChoices(question);
  const options = toItems(question, scale, 'options');
  yield onlyPart(question, { type: 'likert', rows: toItems(question, rows, 'rows'), options });
  yield* entriesOf(question, rows, false);
}

function* buildMatrix(question: SourceQuestion): Generator<Part> {
  const rows = itemsOf(question, 'Choices');
  const answers = itemsOf(question, 'Answers');
  if (rows.length === 0 || answers.length === 0) return yield* buildWithoutChoices(question);
  const columns = toItems(question, answers, 'options');
  yield onlyPart(question, { type: 'matrix', multiple: true, rows: toItems(question, rows, 'rows'), columns });
  yield* entriesOf(question, rows, false);
}

function buildNumberCells(question: SourceQuestion): Iterable<Part> {
  return buildCells(question, { type: 'text', format: 'number' });
}

/** A question for each cell of a table. */
function* buildCells(question: SourceQuestion, members: JsonObject): Generator<Part> {
  const columns = itemsOf(question, 'Answers');
  for (const row of itemsOf(question, 'Choices')) {
    for (const column of columns) {
      const part = partOf(question, row, members, `_${column.key}`);
      yield { ...part, title: joinTexts(part.title, column.text, SEPARATOR) };
    }
  }
}

/**
 * A part of a question that is read like a question.
 *
 * @param pick finds the part in the question and in each of its translations
 */
function narrow(question: SourceQuestion, pick: (owner: JsonObject) => JsonObject): SourceQuestion {
  const text: SourceQuestion['text'] = (get, path) => question.text((owner) => get(pick(owner)), path);
  return { ...question, value: pick(question.value), text };
}

/** A profile has a scale for each row. */
function* buildProfile(question: SourceQuestion): Generator<Part> {
  for (const row of itemsOf(question, 'Choices')) {
    if (!isObject(memberOf(question.value['Answers'], row.key))) continue;
    const rowQuestion = narrow(question, (owner) => ({ ...owner, Answers: memberOf(owner['Answers'], row.key) ?? {} }));
    const items = itemsOf(rowQuestion, 'Answers');
    if (items.length === 0) continue;
    yield partOf(question, row, { type: 'single_choice', options: toItems(rowQuestion, items, 'options') });
  }
}

/** Each column of a side-by-side question is a question: `QID1#2` for column 2. */
function* buildColumns(question: SourceQuestion): Generator<Part> {
  for (const [key, column] of membersOf(question.value['AdditionalQuestions'])) {
    if (!isObject(column)) continue;
    const { QuestionType: type, Selector: selector, SubSelector: sub } = column;
    const inColumn = narrow(question, (owner) => {
      const { ChoiceOrder: order = [], Choices: rows, AdditionalQuestions: columns } = owner;
      const member = memberOf(columns, key);
      if (!isObject(member)) return {};
      // The rows of the whole question apply to each column. Columns repeat the rows, but without their settings.
      return { ...member, Choices: rows ?? member['Choices'] ?? {}, ChoiceOrder: order };
    });
    const path = `${question.path}/AdditionalQuestions/${key}`;
    const title = inColumn.text((owner) => owner['QuestionText'], path);
    yield* build({
      ...inColumn,
      id: `${question.id}#${key}`,
      tag: `${question.tag}#${key}`,
      kind: [type, selector, sub].filter((name) => typeof name === 'string').join('/'),
      path,
      title: joinTexts(question.title, title, SEPARATOR),
    });
  }
}

/** Patterns of dates in answers, by date format of the question. */
const DATE_FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ['mm/dd/yyyy', /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/],
  ['dd/mm/yyyy', /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/],
  ['yyyy/mm/dd', /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/],
]);

export function readTextRules({ settings }: SourceQuestion, type: 'text' | 'textarea'): JsonObject {
  const [min, max] = ['MinChars', 'MaxChars'].map((name) => numberOf(settings[name]));
  const longest = isCount(max) && max >= (min ?? 0) ? max : MAX_TEXT;
  const limits = { ...(isCount(min) && min <= longest ? { min_length: min } : {}), max_length: longest };
  if (type === 'textarea') return { type, ...limits };
  switch (scalarText(settings['ContentType'])) {
    case 'ValidEmail':
      return { type, format: 'email' };
    case 'ValidPhone':
      return { type, format: 'phone' };
    case 'ValidURL':
      return { type, format: 'url' };
    case 'ValidNumber':
      return { type, format: decimalsOf(settings) === 0 ? 'integer' : 'number' };
    case 'ValidDate':
      return dateFormatOf(settings) === undefined ? { type, ...limits } : { type: 'date' };
    default:
      return { type, ...limits };
  }
}

/** The date format of a question; undefined if it has none, or an unknown one. */
export function dateFormatOf(settings: JsonObject): string | undefined {
  const format = scalarText(settings['DateFormat'])?.toLowerCase();
  return format !== undefined && DATE_FORMATS.has(format) ? format : undefined;
}

/** Converts a date to `YYYY-MM-DD`. Other texts are returned unchanged. */
export function toDate(text: string, format: string | undefined): string {
  const { year, month, day } = (format === undefined ? undefined : DATE_FORMATS.get(format)?.exec(text)?.groups) ?? {};
  if (year === undefined || month === undefined || day === undefined) return text;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

function decimalsOf({ ValidNumber: rules }: JsonObject): number | undefined {
  return isObject(rules) ? numberOf(rules['NumDecimals']) : undefined;
}
