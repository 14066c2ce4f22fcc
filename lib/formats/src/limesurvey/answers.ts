import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, setMember } from '@survey/questionnaire/json';
import {
  Ambiguous,
  type FindOption,
  isChosenWord,
  toUnknown,
  toUnknownName,
  type Wording,
} from '../core/columns/choices.ts';
import type { DroppedValue, UnreadValue } from '../core/responses/response.ts';
import { dateOfTime } from '../core/responses/times.ts';
import { OTHER_TEXT } from '../core/texts.ts';
import { invalidImport } from '../files/report.ts';
import { withoutEndZeros } from '../tables/numbers.ts';
import type { AnswerColumn, IndexedOption, IndexedQuestion } from './headers.ts';

const OTHER_CODE = '-oth-';
/** Maximum characters of a column name in a message. Names can include the question text. */
const MAX_NAME = 200;

interface CellContext {
  readonly find: FindOption;
  readonly wording: Wording;
}

interface ReadAnswers {
  readonly answers: JsonObject;
  /** Cells that could mean several options. */
  readonly unread: readonly UnreadValue[];
  /** Texts of `other` to questions that have another answer. */
  readonly dropped: readonly DroppedValue[];
}

/** Reads the answers of a response by question id. Validation rejects the values of unknown options (`toUnknown`). */
export function readAnswers(
  cells: Iterable<readonly [column: AnswerColumn, cell: string, name: string]>,
  context: CellContext,
): ReadAnswers {
  const answers: Record<string, JsonValue> = {};
  const others = new Map<IndexedQuestion, string>();
  const ambiguousIds = new Set<string>();
  const unread: UnreadValue[] = [];
  for (const [column, cell, name] of cells) {
    if (cell === '') continue;
    const { question } = column;
    const reportAmbiguous = ({ ids }: Ambiguous, row?: IndexedOption): void => {
      const detail = `the cell could mean ${ids.join(' or ')}; export the responses with answer codes`;
      const id = row === undefined ? question.id : `${question.id}[${row.id}]`;
      ambiguousIds.add(question.id);
      unread.push({
        kind: 'answer',
        name: id,
        code: 'AMBIGUOUS_ANSWER',
        detail: `column ${name.slice(0, MAX_NAME)}: ${detail}`,
        value: cell,
      });
    };
    switch (column.kind) {
      case 'value': {
        const value = answerOf(question, cell, context);
        if (value instanceof Ambiguous) reportAmbiguous(value);
        else if (value !== undefined) setMember(answers, question.id, value);
        break;
      }
      case 'chosen':
        // A placeholder, until another column has the text of `other`.
        if (cell !== NO_ANSWER && answers[question.id] === undefined) setMember(answers, question.id, OTHER_TEXT);
        break;
      case 'other':
        others.set(question, cell);
        break;
      case 'option': {
        const chosen = choiceOf(question, cell, column.option);
        if (chosen !== undefined) setMember(answers, question.id, [...listIn(answers, question.id), chosen]);
        break;
      }
      case 'row': {
        const id = rowOptionOf(question, cell, context);
        if (id instanceof Ambiguous) reportAmbiguous(id, column.row);
        else if (id !== undefined) setMember(rowsIn(answers, question.id), column.row.id, id);
        break;
      }
      case 'cell': {
        const chosen = choiceOf(question, cell, column.column);
        const rows = rowsIn(answers, question.id);
        if (chosen !== undefined) setMember(rows, column.row.id, [...listIn(rows, column.row.id), chosen]);
        break;
      }
      case 'rank': {
        const id = optionOf(question.rows, cell, context);
        if (id instanceof Ambiguous) reportAmbiguous(id, column.rank);
        // The name of an unknown row is rejected like its value.
        else if (id !== undefined) {
          setMember(rowsIn(answers, question.id), typeof id === 'string' ? id : JSON.stringify(id), column.rank.id);
        }
        break;
      }
      case 'ranks':
        if (answers[question.id] === undefined) setMember(answers, question.id, ranksOf(question, cell, context.find));
    }
  }
  const dropped = [...others].flatMap(([question, text]): readonly DroppedValue[] => {
    // LimeSurvey writes this for a question that was not shown; respondents write it, too.
    if (text === NO_ANSWER && !hasOtherText(answers[question.id])) return [];
    if (!ambiguousIds.has(question.id) && addOther(answers, question, text, context)) return [];
    const detail = 'the question has another answer';
    return [{ column: `${question.id}.other`, code: 'NOT_AN_ANSWER', detail, value: text }];
  });
  return { answers, unread, dropped };
}

/** Whether a question has an answer with which a text of `other` can occur: `other` itself, or several choices. */
function hasOtherText(answer: JsonValue | undefined): boolean {
  return Array.isArray(answer) ? answer.length > 0 : isObject(answer) && answer['option'] === OTHER;
}

/** The options of a column with a single choice; empty for other columns. */
export function optionsIn({ kind, question }: AnswerColumn): readonly IndexedOption[] {
  if (kind === 'rank') return question.rows;
  return kind === 'row' || (kind === 'value' && question.type === 'single_choice') ? question.options : [];
}

type Read<Value> = Value | Ambiguous | undefined;

function answerOf(question: IndexedQuestion, cell: string, context: CellContext): Read<JsonValue> {
  switch (question.type) {
    case 'single_choice': {
      if (question.allowOther && cell === OTHER_CODE) return { option: 'other', text: OTHER_TEXT };
      return optionOf(question.options, cell, context, () => {
        // Exports with full answers instead of codes have this English word, unless the survey is in another language.
        if (question.allowOther && cell === OTHER_TEXT) return { option: 'other', text: OTHER_TEXT };
        const code = hasBuiltInWords(question) ? codeOfWord(question, cell) : undefined;
        return question.options.find((option) => option.code === code)?.id;
      });
    }
    case 'date':
      return dateOfTime(cell);
    case 'time':
      return toTime(cell);
    case 'text':
      return question.format === 'number' || question.format === 'integer' ? toNumber(cell) : cell;
    default:
      return cell;
  }
}

/** Adds the text of `other`. Returns false, without adding it, if the question has another answer. */
function addOther(
  answers: Record<string, JsonValue>,
  { id, type, options }: IndexedQuestion,
  text: string,
  { wording }: CellContext,
): boolean {
  if (type === 'multiple_choice') {
    setMember(answers, id, { options: [...listIn(answers, id)], other: text });
    return true;
  }
  const chosen = answers[id];
  const isPlaceholder = chosen === undefined || (isObject(chosen) && chosen['option'] === OTHER);
  // An unknown text can be the word for `other` in another language. An unknown code cannot.
  const isUnknownWord = wording !== 'codes' && !options.some((option) => option.id === chosen);
  if (!isPlaceholder && !isUnknownWord) return false;
  setMember(answers, id, { option: 'other', text });
  return true;
}

/**
 * The option id of a cell, or the value for an unknown one; undefined for an unanswered one.
 *
 * @param otherwise the answer of a cell that is no code or text of an option
 */
function optionOf(
  options: readonly IndexedOption[],
  cell: string,
  { find, wording }: CellContext,
  otherwise: () => JsonValue | undefined = () => undefined,
): Read<JsonValue> {
  const found = find(options, cell, wording);
  if (found.kind === 'option') return found.id;
  if (found.kind === 'ambiguous') return new Ambiguous(found.ids);
  return cell === NO_ANSWER ? undefined : (otherwise() ?? toUnknown(cell, options));
}

/** The option id of a cell of a matrix (LimeSurvey: array). Recognises translated built-in answers of LimeSurvey. */
function rowOptionOf(question: IndexedQuestion, cell: string, context: CellContext): Read<JsonValue> {
  const { options } = question;
  return optionOf(options, cell, context, () => {
    const code = codeOfRowWord(question, cell);
    return options.find((option) => option.code === code)?.id;
  });
}

/**
 * The option id if it is chosen, or the value for a cell that is neither yes nor no. Words come before the text of the
 * option: the column of an option with the text "No" has "No" if it is not chosen.
 */
function choiceOf(question: IndexedQuestion, cell: string, option: IndexedOption): JsonValue | undefined {
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
  const ranks: Record<string, JsonValue> = {};
  for (const [position, code] of codes.entries()) {
    if (code === '') continue;
    const found = find(rows, code, 'codes');
    const name = found.kind === 'option' ? found.id : toUnknownName(code, rows);
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

/** Databases pad numbers with zeros: `42.0000000000`. */
function toNumber(cell: string): string {
  return /^-?\d+\.\d+$/.test(cell) ? withoutEndZeros(cell) : cell;
}

/** Extracts the time of `1970-01-01 09:30:00`. */
function toTime(cell: string): string {
  const time = /(?:^|[ T])(\d{2}:\d{2})(:\d{2})?$/.exec(cell);
  if (time === null) return cell;
  const [, minutes = '', seconds = ''] = time;
  return seconds === ':00' ? minutes : `${minutes}${seconds}`;
}

function rowsIn(answers: Record<string, JsonValue>, id: string): Record<string, JsonValue> {
  const before = answers[id];
  if (typeof before === 'object' && before !== null && !Array.isArray(before)) return before;
  const rows: Record<string, JsonValue> = {};
  setMember(answers, id, rows);
  return rows;
}

function listIn(owner: Record<string, JsonValue>, name: string): readonly JsonValue[] {
  const value = owner[name];
  return Array.isArray(value) ? value : [];
}

/** LimeSurvey's text for an unanswered question. */
export const NO_ANSWER = 'N/A';

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
const MALE = words('m male männlich mann man masculin homme masculino hombre maschio uomo mężczyzna mężczyzna мужской');

const UNCERTAIN = words(
  'u uncertain unsicher incertain dudoso inseguro incerto incerta onzeker niepewny osäker usikker epävarma',
);
const INCREASE = words('i increase zunahme erhöhen augmentation augmenter aumentar aumento incremento toename wzrost');
const SAME = words('s same gleich unverändert identique inchangé igual mismo mesmo uguale stesso gelijk zelfde');
const DECREASE = words(
  'd decrease abnahme verringern diminution diminuer disminuir diminuir diminuzione afname spadek',
);

/** Translated answers in the rows of an array (a table question), by question type and code. */
const ROW_WORDS: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> = new Map([
  [
    'C',
    new Map([
      ['Y', YES],
      ['N', NO],
      ['U', UNCERTAIN],
    ]),
  ],
  [
    'E',
    new Map([
      ['I', INCREASE],
      ['S', SAME],
      ['D', DECREASE],
    ]),
  ],
]);

/** Question types with answers that LimeSurvey translates itself. */
const TRANSLATED_TYPES = 'MPYG';

/** Whether LimeSurvey translates the answers to a question itself. */
export function hasBuiltInWords({ letter }: Pick<IndexedQuestion, 'letter'>): boolean {
  return letter !== '' && TRANSLATED_TYPES.includes(letter);
}

/** The code of a translated word: Y or N, or F or M for a gender; undefined for an unknown word. */
export function codeOfWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  if (letter === 'G') return FEMALE.has(word) ? 'F' : MALE.has(word) ? 'M' : undefined;
  return YES.has(word) ? 'Y' : NO.has(word) ? 'N' : undefined;
}

/** The code of a translated word in the row of an array; undefined for an unknown word. */
export function codeOfRowWord({ letter }: Pick<IndexedQuestion, 'letter'>, cell: string): string | undefined {
  const word = cell.toLowerCase();
  return [...(ROW_WORDS.get(letter) ?? [])].find(([, known]) => known.has(word))?.[0];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
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
      // Skips the comments on choices: they have the same question type, but free texts.
      const isWord = kind === 'option' || (kind === 'value' && question.type === 'single_choice');
      if (cell === NO_ANSWER || !isWord || !hasBuiltInWords(question)) return;
      const { letter, options, sourceId } = question;
      const isOption = options.some(({ code, texts }) => code === cell || texts.includes(cell));
      if (isOption || codeOfWord(question, cell) !== undefined) known.add(letter);
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
