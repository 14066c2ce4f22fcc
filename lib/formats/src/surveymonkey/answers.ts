import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  onlyOf,
  type SourceItems,
  toChoiceAnswer,
} from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';

/** Reads the answer to a question from the SurveyMonkey answers. */
export interface AnswerReader {
  readonly question: AnsweredQuestion;
  /** Whether a SurveyMonkey answer belongs to the question. `other_id` marks comments and texts of other choices. */
  takes(answer: JsonObject): boolean;
  /** @param answers all answers to the SurveyMonkey question, which can belong to several questions of the survey */
  read(answers: readonly JsonObject[]): JsonValue | undefined;
}

/** Answer readers by question id of SurveyMonkey. */
export function createAnswerReaders(payload: JsonObject): ReadonlyMap<string, readonly AnswerReader[]> {
  const readers = answeredQuestions(payload).map((question) => ({ question, ...readerOf(question) }));
  return Map.groupBy(readers, ({ question }) => String(question.sourceData['source_id']));
}

function readerOf(question: AnsweredQuestion): Pick<AnswerReader, 'read' | 'takes'> {
  const { part, row_id: row, col_id: column } = question.sourceData;
  const isComment = part === 'comment';
  const takesOther = isComment || question.question['allow_other'] === true;
  const read = isComment ? textOf : converterOf(question);
  const isOwn = (answer: JsonObject) =>
    (row === undefined || isSame(answer['row_id'], row)) && (column === undefined || isSame(answer['col_id'], column));
  const isChoice = question.type === 'single_choice' || question.type === 'multiple_choice';
  const takes = (answer: JsonObject) =>
    isOwn(answer) &&
    (answer['other_id'] === undefined ? !isComment : takesOther) &&
    (!isChoice || answer['choice_id'] !== undefined || answer['other_id'] !== undefined);
  return {
    takes,
    read: (answers) => {
      const taken = answers.filter(takes);
      return taken.length === 0 ? undefined : read(taken);
    },
  };
}

function converterOf({ type, question, sourceData }: AnsweredQuestion): AnswerReader['read'] {
  const options = createSourceItems(question['options']);
  const hasOther = question['allow_other'] === true;
  const hasBothParts = sourceData['type'] === 'datetime/both';
  /** Reads the date or time of a text. A text without it is kept, so that validation rejects it. */
  const partOf = (text: string | undefined, read: (text: string) => string | undefined) =>
    text === undefined ? undefined : (read(text) ?? (hasBothParts ? undefined : text));
  switch (type) {
    case 'single_choice':
    case 'multiple_choice':
      return (answers) => toChoiceAnswer(type, chosenOf(answers, options), hasOther ? otherOf(answers) : undefined);
    case 'likert':
      if (itemsOf(question['rows']).length > 0) return rowReader(question, options);
      return (answers) => onlyOf(chosenOf(answers, options));
    case 'matrix':
      return rowReader(question, createSourceItems(question['columns']));
    case 'rating':
      return ratingReader(sourceData);
    case 'date':
      return (answers) => partOf(textOf(answers), (text) => dateOf(text, isDayFirst(sourceData['date_format'])));
    case 'time':
      return (answers) => partOf(textOf(answers), timeOf);
    case 'file_upload':
      return () => undefined;
    default:
      return textOf;
  }
}

function rowReader(question: JsonObject, columns: SourceItems): AnswerReader['read'] {
  const rows = createSourceItems(question['rows']);
  const isMultiple = question['multiple'] === true;
  const rowOf = ({ row_id: id }: JsonObject) => rows.idOf(id) ?? rows.unknownName(String(id));
  const columnOf = ({ choice_id: choice, col_id: column }: JsonObject) =>
    columns.idOf(choice) ?? columns.idOf(column) ?? columns.unknown(String(choice ?? column));
  return (answers) => {
    const chosen = answers.filter(
      (answer) => answer['choice_id'] !== undefined || (answer['col_id'] !== undefined && answer['text'] === undefined),
    );
    const byRow = [...Map.groupBy(chosen, rowOf)].map(([row, ofRow]) => [row, ofRow.map(columnOf)] as const);
    return Object.fromEntries(byRow.map(([row, items]) => [row, isMultiple ? items : (onlyOf(items) ?? '')]));
  };
}

/** Reads a rating: the number of a slider, or the weight of the chosen star. `source_data` has the weights. */
function ratingReader(sourceData: JsonObject): AnswerReader['read'] {
  const weights = isObject(sourceData['weights']) ? sourceData['weights'] : {};
  return (answers) => {
    const chosen = answers.find((answer) => answer['choice_id'] !== undefined);
    if (chosen === undefined) return textOf(answers);
    const id = String(chosen['choice_id']);
    // An unknown choice becomes an object, so that validation rejects it. Its id could be a valid rating by chance.
    return Object.hasOwn(weights, id) ? weights[id] : { choice_id: id };
  };
}

function chosenOf(answers: readonly JsonObject[], options: SourceItems): JsonValue[] {
  return answers.flatMap(({ choice_id: id }) =>
    id === undefined ? [] : [options.idOf(id) ?? options.unknown(String(id))],
  );
}

/** The `other` text. SurveyMonkey allows it to be empty. */
function otherOf(answers: readonly JsonObject[]): string | undefined {
  const others = answers.filter((answer) => answer['other_id'] !== undefined);
  return others.length === 0 ? undefined : (textOf(others) ?? OTHER_TEXT);
}

function textOf(answers: readonly JsonObject[]): string | undefined {
  const text = answers.map((answer) => answer['text']).find((one) => typeof one === 'string' && one !== '');
  return typeof text === 'string' ? text : undefined;
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return one !== undefined && String(one) === String(other);
}

const DATE = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/;
const ONLY_TIME = /^\d{1,2}:\d\d(?::\d\d)?\s*(?:[AP]M)?$/i;
const TIME = /(?:^|\s)(\d{1,2}):(\d\d)(?::\d\d)?\s*([AP]M)?$/i;

/** Converts a date to YYYY-MM-DD. A time alone gives undefined; other texts are returned unchanged. */
export function dateOf(text: string, isDayFirst: boolean): string | undefined {
  const [, first, second, year] = DATE.exec(text) ?? [];
  if (first === undefined || second === undefined || year === undefined) {
    return ONLY_TIME.test(text.trim()) ? undefined : text;
  }
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Extracts the time as HH:MM; undefined if there is none. */
export function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = TIME.exec(text.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** Whether a date format begins with the day. */
export function isDayFirst(format: JsonValue | undefined): boolean {
  return format === 'date_intl';
}
