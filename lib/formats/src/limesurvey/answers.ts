import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, itemsOf, ownMember, setMember } from '@survey/questionnaire/json';
import {
  Ambiguous,
  type FindOption,
  isChosenWord,
  toUnknown,
  toUnknownName,
  type WordedOption,
} from '../core/columns/choices.ts';
import {
  type CellValue,
  type CellWording,
  createCodedAnswers,
  optionOf,
  optionsIn,
} from '../core/columns/coded-answers.ts';
import type { UnassignedValue, UnusableValue } from '../core/responses/response.ts';
import { dateOfTime } from '../core/responses/times.ts';
import { OTHER_TEXT } from '../core/texts.ts';
import { invalidImport } from '../files/report.ts';
import { withoutEndZeros } from '../tables/numbers.ts';
import type { AnswerColumn, IndexedQuestion } from './headers.ts';

/** LimeSurvey's text for an unanswered question. */
export const NO_ANSWER = 'N/A';
/** LimeSurvey's code for the choice of `other`. */
export const OTHER_CODE = '-oth-';
/** The answer of a respondent who chose `other`, if no column has the text. */
const OTHER_CHOSEN = { option: OTHER, text: OTHER_TEXT };
/** Maximum characters of a column name in a message. Names can include the question text. */
const MAX_NAME = 200;

interface ReadAnswers {
  readonly answers: JsonObject;
  /** Cells that could mean several options. */
  readonly ambiguous: readonly UnusableValue[];
  /** Texts of `other` to questions that have another answer. */
  readonly unassigned: readonly UnassignedValue[];
}

/**
 * Reads the answers of a response by question id. An unknown option becomes a value that validation rejects
 * (`toUnknown`). An example of each kind of column, with the answer to Q1:
 * - `value`: `Q1` with `A3` gives `"A3"`.
 * - `other`: `Q1[other]` with `Tea` gives `{option: "other", text: "Tea"}`, or adds `other: "Tea"` to several choices.
 * - `other_code`: `Q1` with `-oth-` gives the text `"Other"`, if `Q1[other]` is empty.
 * - `option`: `Q1[A3]` with `Y` adds `"A3"` to `["A1"]`.
 * - `row`: `Q1[SQ1]` with `A3` adds `SQ1: "A3"`.
 * - `cell`: `Q1[SQ1_SQ2]` with `1` adds `SQ1: ["SQ2"]`.
 * - `rank`: `Q1[2]` with `A3` adds `A3: "2"`. The column is the rank; the answer has a row for each item.
 * - `ranks`: `Q1` with `["A3","A1"]` gives `{A3: "1", A1: "2"}`, if no column of a rank has an answer.
 */
export function readAnswers(
  cells: Iterable<readonly [column: AnswerColumn, cell: string, name: string]>,
  wording: CellWording,
): ReadAnswers {
  const { answers, unread: ambiguous, add } = createCodedAnswers();
  const others = new Map<IndexedQuestion, string>();
  for (const [column, cell, name] of cells) {
    if (cell === '') continue;
    const describe = (ids: string) =>
      `column ${name.slice(0, MAX_NAME)}: the cell could mean ${ids}; export the responses with answer codes`;
    const { kind, question } = column;
    const hasAnswer = ownMember(answers, question.id) !== undefined;
    if (kind === 'other') others.set(question, cell);
    else if (kind === 'rank') {
      const { row, value } = rankOf(column, cell, wording);
      add({ kind: 'row', question, row }, cell, value, describe);
    } else if (kind === 'ranks') {
      if (!hasAnswer) setMember(answers, question.id, ranksOf(question, cell, wording.find));
    } else if (kind === 'other_code') {
      // The column of the text replaces this, whichever comes first.
      if (!hasAnswer && cell !== NO_ANSWER) setMember(answers, question.id, OTHER_TEXT);
    } else add(column, cell, cellValueOf(column, cell, wording), describe);
  }
  const unassigned = [...others].flatMap(([question, text]): readonly UnassignedValue[] => {
    // LimeSurvey writes N/A for a question that was not shown. Respondents can write it, too.
    if (text === NO_ANSWER && !canHaveOther(ownMember(answers, question.id))) return [];
    const isAmbiguous = ambiguous.some(({ name }) => name === question.id);
    if (!isAmbiguous && addOther(answers, question, text, wording)) return [];
    const detail = 'the question has another answer';
    return [{ column: `${question.id}.other`, code: 'NOT_AN_ANSWER', detail, value: text }];
  });
  return { answers, ambiguous, unassigned };
}

/** Whether a text of `other` can belong to an answer: to `other` itself, or to several choices. */
function canHaveOther(answer: unknown): boolean {
  return Array.isArray(answer) ? answer.length > 0 : isObject(answer) && answer['option'] === OTHER;
}

/** The options that the cells of a column name, if each cell has one option; empty for other columns. */
export function optionsOfColumn(column: AnswerColumn): readonly WordedOption[] {
  return column.kind === 'rank' ? column.question.rows : optionsIn(column);
}

/** The row of the item in a column of a rank, with the rank as its value. An unknown item gives an invalid row. */
function rankOf({ question, rank }: Extract<AnswerColumn, { kind: 'rank' }>, cell: string, wording: CellWording) {
  const item = optionOf(question.rows, cell, wording);
  if (item === undefined || item instanceof Ambiguous) return { row: rank, value: item };
  return { row: { id: typeof item === 'string' ? item : JSON.stringify(item) }, value: rank.id };
}

function cellValueOf(column: Exclude<AnswerColumn, { kind: 'rank' }>, cell: string, wording: CellWording): CellValue {
  const { question } = column;
  switch (column.kind) {
    case 'option':
      return choiceOf(question, cell, column.option);
    case 'cell':
      return choiceOf(question, cell, column.column);
    case 'row':
      return optionOf(question.options, cell, wording, () => idOfCode(question, codeOfRowWord(question, cell)));
    default:
  }
  switch (question.type) {
    case 'single_choice':
      if (question.allowOther && cell === OTHER_CODE) return OTHER_CHOSEN;
      return optionOf(question.options, cell, wording, () => {
        // Exports with full answers instead of codes have this English word, unless the survey is in another language.
        if (question.allowOther && cell === OTHER_TEXT) return OTHER_CHOSEN;
        return hasBuiltInWords(question) ? idOfCode(question, codeOfWord(question, cell)) : undefined;
      });
    case 'date':
      return dateOfTime(cell);
    case 'time':
      return toTime(cell);
    case 'text':
      // Databases pad numbers with zeros: `42.0000000000`.
      return question.format === 'number' || question.format === 'integer' ? withoutEndZeros(cell) : cell;
    default:
      return cell;
  }
}

function idOfCode({ options }: IndexedQuestion, code: string | undefined): string | undefined {
  return options.find((option) => option.code === code)?.id;
}

/** Adds the text of `other`. Returns false, without adding it, if the question has another answer. */
function addOther(
  answers: JsonObject,
  { id, type, options }: IndexedQuestion,
  text: string,
  { wording }: CellWording,
): boolean {
  const chosen = ownMember(answers, id);
  if (type === 'multiple_choice') {
    setMember(answers, id, { options: [...(itemsOf(chosen) as readonly JsonValue[])], other: text });
    return true;
  }
  const isPlaceholder = chosen === undefined || (isObject(chosen) && chosen['option'] === OTHER);
  // An unknown text can be the word for `other` in another language, but an unknown code cannot.
  const isUnknownWord = wording !== 'codes' && !options.some((option) => option.id === chosen);
  if (!isPlaceholder && !isUnknownWord) return false;
  setMember(answers, id, { option: OTHER, text });
  return true;
}

/**
 * The option id if it is chosen, or the value for a cell that is neither yes nor no. A word has priority over the text
 * of the option: the column of an option with the text "No" has "No" if it is not chosen.
 */
function choiceOf(question: IndexedQuestion, cell: string, option: WordedOption): JsonValue | undefined {
  const word = codeOfWord(question, cell);
  const isChosen = word === undefined ? isChosenWord(cell) : word === 'Y';
  if (isChosen !== undefined) return isChosen ? option.id : undefined;
  if (cell === option.code || option.texts.includes(cell)) return option.id;
  return cell === NO_ANSWER ? undefined : toUnknown(cell, question.options);
}

/** The ranks of items in a JSON list of codes; the cell itself, which validation rejects, if it is no ranking. */
function ranksOf({ rows, columns }: IndexedQuestion, cell: string, find: FindOption): JsonValue {
  const codes = listOfTexts(cell);
  if (codes === undefined || codes.length > columns.length) return cell;
  const ranks: JsonObject = {};
  for (const [position, code] of codes.entries()) {
    if (code === '') continue;
    const found = find(rows, code, 'codes');
    const name = typeof found === 'string' ? found : toUnknownName(code, rows);
    if (Object.hasOwn(ranks, name)) return cell;
    setMember(ranks, name, columns[position]?.id ?? '');
  }
  return ranks;
}

function listOfTexts(cell: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Extracts the time of `1970-01-01 09:30:00`. */
function toTime(cell: string): string {
  const time = /(?:^|[ T])(\d{2}:\d{2})(:\d{2})?$/.exec(cell);
  if (time === null) return cell;
  const [, minutes = '', seconds = ''] = time;
  return seconds === ':00' ? minutes : `${minutes}${seconds}`;
}

/** Learns from sample cells whether LimeSurvey's words for Yes, No, and so on are in a known language. */
interface WordSample {
  look(column: AnswerColumn, cell: string): void;
  /** Throws `INVALID_IMPORT` if no sampled word of a question type is known. */
  check(): void;
}

export function createWordSample(): WordSample {
  const known = new Set<string>();
  const unknown = new Map<string, string>();
  return {
    look({ kind, question }, cell) {
      // Skips comments on choices: their columns have the same question type, but contain free texts.
      const isWord = kind === 'option' || (kind === 'value' && question.type === 'single_choice');
      if (cell === NO_ANSWER || !isWord || !hasBuiltInWords(question)) return;
      const { letter, options, sourceId } = question;
      const isOption = options.some(({ code, texts }) => code === cell || texts.includes(cell));
      const isChoice = kind === 'option' && isChosenWord(cell) !== undefined;
      if (isOption || isChoice || codeOfWord(question, cell) !== undefined) known.add(letter);
      else if (!unknown.has(letter)) unknown.set(letter, sourceId);
    },
    check() {
      const errors = [...unknown]
        .filter(([letter]) => !known.has(letter))
        .map(([, question]) => ({
          path: '',
          code: 'UNKNOWN_WORDS',
          detail: `${question}: its words for Yes, No or a gender are in an unknown language; export the responses with answer codes`,
        }));
      if (errors.length > 0) throw invalidImport(errors);
    },
  };
}

/** "Yes" in full answers of several languages, and `1` or `2` in exports that convert Y and N. */
const YES = words(
  'y yes 1 true ja oui sí si sim sì tak да igen ano áno kyllä jah jā taip da evet ναι hai はい 是 예 네 نعم כן có ya bai',
);
const NO = words(
  'n no 0 2 false nein nee non não nie нет nem ne ei nē nu nej nei hayır όχι いいえ 否 不 아니요 아니오 لا לא không tidak ez',
);
const FEMALE = words(
  'f female weiblich frau vrouw féminin femme femenino mujer feminino femmina donna kobieta kvinna женский',
);
const MALE = words('m male männlich mann man masculin homme masculino hombre maschio uomo mężczyzna мужской');

const UNCERTAIN = words(
  'u uncertain unsicher incertain dudoso inseguro incerto incerta onzeker niepewny osäker usikker epävarma',
);
const INCREASE = words('i increase zunahme erhöhen augmentation augmenter aumentar aumento incremento toename wzrost');
const SAME = words('s same gleich unverändert identique inchangé igual mismo mesmo uguale stesso gelijk zelfde');
const DECREASE = words(
  'd decrease abnahme verringern diminution diminuer disminuir diminuir diminuzione afname spadek',
);

/** Translated answers in the rows of an array (a table question), by question type and code. */
const ROW_WORDS: ReadonlyMap<string, Readonly<Record<string, ReadonlySet<string>>>> = new Map(
  Object.entries({
    C: { Y: YES, N: NO, U: UNCERTAIN },
    E: { I: INCREASE, S: SAME, D: DECREASE },
  }),
);

/** Question types with answers that LimeSurvey translates itself. */
const TRANSLATED_TYPES = 'MPYG';

/** Whether LimeSurvey translates the options of a question itself: Yes and No (`M`, `P`, `Y`), or a gender (`G`). */
function hasBuiltInWords({ letter }: Pick<IndexedQuestion, 'letter'>): boolean {
  return letter !== '' && TRANSLATED_TYPES.includes(letter);
}

/** The code of a translated word: F or M for a gender (`G`), otherwise Y or N; undefined for an unknown word. */
function codeOfWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  if (letter === 'G') return FEMALE.has(word) ? 'F' : MALE.has(word) ? 'M' : undefined;
  return YES.has(word) ? 'Y' : NO.has(word) ? 'N' : undefined;
}

/** The code of a translated word in the row of an array (`C`, `E`); undefined for an unknown word. */
function codeOfRowWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  return Object.entries(ROW_WORDS.get(letter) ?? {}).find(([, known]) => known.has(word))?.[0];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
