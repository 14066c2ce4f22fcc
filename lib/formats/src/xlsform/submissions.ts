import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { shorten } from '@survey/questionnaire/shorten';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import { type DroppedValue, type FileResponse, type UnreadValue, unknownColumn } from '../shared/file-response.ts';
import { fitMetadata } from '../shared/fit-metadata.ts';
import { textsOf } from '../shared/language-texts.ts';
import { questionsOf } from '../shared/payload-questions.ts';
import { OTHER_SURVEY } from '../shared/response-details.ts';
import { sourceDataOf } from '../shared/source-data.ts';
import type { WarnOnce } from '../shared/warn-once.ts';
import type { ColumnKind } from '../tables/column-values.ts';
import { createToAnswer, idsOfChoices, namesOfChoices, type ToAnswer } from './answers.ts';
import type { KnownColumns } from './column-names.ts';
import { toRows } from './repeats.ts';

interface Submission {
  readonly index: number;
  /** Cells that are not empty, by `group/name`, `group-name`, name or label. */
  readonly cells: ReadonlyMap<string, JsonValue>;
  readonly pathOf: () => string;
  /** Rows of repeats by repeat, if they are not in the cells. */
  readonly repeats?: JsonObject;
  /** Whether it is a row of a table, whose header was checked. */
  readonly isRow: boolean;
  /** Location for messages, such as `row 3`; can be empty. */
  readonly location: string;
}

export interface SubmissionReader {
  (submission: Submission): FileResponse;
  /** All possible column names of questions. */
  readonly names: ReadonlySet<string>;
  columns(): KnownColumns;
  /** The path of a repeat by its path, name or label. Other names are unchanged. */
  toRepeatName(name: string): string;
  /** The target of a column in the option `columns`; undefined for a column that is kept in the metadata. */
  targetOf(name: string): string | undefined;
  /** The kind of dates and times in a column; undefined for others. */
  kindOf(name: string): ColumnKind | undefined;
}

/** A question of the form, or a row of a table. */
interface FormField {
  readonly id: string;
  readonly row: string | undefined;
  /** Path in the form: `group/name`. */
  readonly formPath: string;
  readonly texts: readonly string[];
}

/** The question or row that a column answers. */
interface AnswerTarget {
  readonly id: string;
  readonly question: JsonObject;
  readonly row: string | undefined;
  /** Possible column names, unambiguous ones first. */
  readonly names: readonly string[];
  readonly toAnswer: ToAnswer;
}

const IDS = ['meta/instanceID', 'meta-instanceID', 'instanceID', '_uuid', 'KEY', '__id', '_id'];
const SUBMITTED = ['_submission_time', 'SubmissionDate', '__system/submissionDate'];
/** Targets of the columns that the tool adds to each submission. */
const TOOL_COLUMNS: ReadonlyMap<string, string> = new Map([
  ...IDS.map((name) => [name, 'id'] as const),
  ...[...SUBMITTED, 'end'].map((name) => [name, 'submitted_at'] as const),
  ['start', 'started_at'],
]);
/** Names of other columns that the tools add to each submission, such as `_id`, `formhub/uuid` and `SubmitterName`. */
const ABOUT_RESPONSE =
  /^(?:_|(?:meta|formhub)[/-]|(?:Submitter(?:ID|Name)|Attachments(?:Present|Expected)|Status|ReviewState|DeviceID|Edits|FormVersion)$)/;
const NO_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)$/;
const NO_TIME = 'the value is not a time';
const MAX_KEPT = 10_000;
/** At most this many slashes of a column name are read: more than groups can nest. */
const MAX_SLASHES = 100;

/** Reads submissions by the names that the survey keeps in `source_data`. */
export function createSubmissionReader(payload: JsonObject, warnOnce: WarnOnce): SubmissionReader {
  const targets = createAnswerTargets(payload);
  const isToolColumn = (name: string) => TOOL_COLUMNS.has(name) && !names.has(name);
  const names = new Set(targets.flatMap((one) => one.names));
  const toolFields = toolFieldNames(payload);
  const isAboutResponse = (name: string) => ABOUT_RESPONSE.test(name) || toolFields.has(lastStep(name));
  const repeatPaths = toRepeatPaths(payload);
  const findTarget = once(() => createFindTarget(targets));
  const kinds = once(() => toKinds(targets));

  const read = ({ index, cells: given, repeats: listed = {}, pathOf, isRow, location }: Submission): FileResponse => {
    const used = new Set<string>();
    const cells = isRow ? new Map([...given].filter(([, value]) => value !== 'n/a')) : given;
    if (cells.size < given.size) {
      warnOnce('n/a', {
        path: pathOf(),
        code: 'NOT_IMPORTED',
        detail: 'The value n/a means "not answered" and is not imported',
      });
    }
    const take = (name: string): JsonValue | undefined => {
      const value = cells.get(name);
      if (value !== undefined) used.add(name);
      return value;
    };
    const suffixes = once(() => suffixesByQuestion(cells.keys(), names));
    const columns = { take, cells, suffixesOf: (name: string) => suffixes().get(name) ?? [] };
    const answers: [string, JsonValue][] = [];
    const tables = new Map<string, [string, JsonValue][]>();
    for (const { id, row, names: possibleNames, toAnswer } of targets) {
      const answer = toAnswer(possibleNames, columns);
      if (answer === undefined) continue;
      if (row === undefined) answers.push([id, answer]);
      else
        tables
          .set(id, tables.get(id) ?? [])
          .get(id)
          ?.push([row, answer]);
    }
    const repeats = { ...listed };
    for (const [name, path] of repeatPaths) {
      const value = cells.get(name);
      if (Array.isArray(value)) setMember(repeats, path, toRows(take(name) ?? value, name));
    }
    for (const [id, byRow] of tables) answers.push([id, Object.fromEntries(byRow)]);
    const badTimes = new Map<string, JsonValue>();
    const timeOf = (name: string): Date | undefined => {
      const value = isToolColumn(name) ? cells.get(name) : undefined;
      const time = typeof value === 'string' ? parseTime(value) : undefined;
      if (typeof value === 'string' && NO_ZONE.test(value)) {
        const detail = `Times without a zone, such as in ${name}, are read as UTC`;
        warnOnce('zone', { path: pathOf(), code: 'TIME_ZONE_ASSUMED', detail });
      }
      if (value !== undefined && time === undefined) {
        const detail = `Invalid times in ${name} are not imported`;
        warnOnce(name, { path: pathOf(), code: 'NOT_IMPORTED', detail });
        badTimes.set(name, value);
      }
      return time;
    };
    const [idName] = IDS.filter((name) => cells.has(name) && isToolColumn(name));
    const submitted = SUBMITTED.map(timeOf).find((time) => time !== undefined);
    const completedAt = timeOf('end') ?? submitted;
    const rest = [...cells].filter(([name]) => !used.has(name) && !isToolColumn(name));
    for (const [name] of rest) {
      const detail = `${name.slice(0, 200)} is not an answer and is kept in the metadata`;
      warnOnce(name, {
        path: pathOf(),
        code: 'KEPT_AS_SOURCE_DATA',
        detail: location === '' ? detail : `${location}: ${detail}`,
      });
    }
    const startedAt = timeOf('start') ?? completedAt;
    const source = Object.fromEntries(rest.map(([name, value]) => [name, shortened(value)]));
    const unread = [...badTimes].map(
      ([name, value]): UnreadValue => ({ kind: 'response', name, code: 'BAD_TIME', detail: NO_TIME, value }),
    );
    const dropped: readonly DroppedValue[] = [
      ...rest
        .filter(([name]) => !isAboutResponse(name))
        .map(([column]) => unknownColumn(column, { keptAs: ['source_data', column] })),
    ];
    const id = idName === undefined ? '' : String(cells.get(idName)).replace(/^uuid:/, '');
    const isUnknown = used.size === 0 && Object.keys(repeats).length === 0 && dropped.length > 0;
    if (isUnknown && !isRow) return { index, id, ...OTHER_SURVEY };
    return {
      index,
      id,
      externalId: undefined,
      startedAt,
      completedAt,
      language: undefined,
      answers: Object.fromEntries(answers),
      ...(unread.length === 0 ? {} : { unread }),
      ...fitMetadata(
        {
          ...(rest.length === 0 ? {} : { source_data: source }),
          ...(Object.keys(repeats).length === 0 ? {} : { repeats }),
        },
        { warnOnce, path: pathOf(), dropped },
      ),
    };
  };
  return Object.assign(read, {
    names,
    columns: once(() => toKnownColumns(targets, names)),
    toRepeatName: (name: string) => repeatPaths.get(name) ?? name,
    targetOf: (name: string) => findTarget()(name) ?? (isToolColumn(name) ? TOOL_COLUMNS.get(name) : undefined),
    kindOf: (name: string) =>
      kinds().get(name) ?? (isToolColumn(name) && TOOL_COLUMNS.get(name) !== 'id' ? 'timestamp' : undefined),
  });
}

/** Creates a search for the targets of questions, of their choices and of the texts of "other", by name. */
function createFindTarget(targets: readonly AnswerTarget[]): (name: string) => string | undefined {
  const found = new Map<string, { readonly target: string; readonly question: JsonObject }>();
  const others = new Map<string, string>();
  for (const { id, row, names, question } of targets) {
    const target = row === undefined ? id : `${id}[${row}]`;
    for (const name of names) {
      if (!found.has(name)) found.set(name, { target, question });
      if (question['allow_other'] === true && !others.has(`${name}_other`)) others.set(`${name}_other`, `${id}.other`);
    }
  }
  const choices = new Map<JsonObject, ReadonlyMap<string, string>>();
  const idsIn = (question: JsonObject) => {
    const ids = choices.get(question) ?? idsOfChoices(question);
    choices.set(question, ids);
    return ids;
  };
  return (name) => {
    const whole = found.get(name)?.target ?? others.get(name);
    if (whole !== undefined) return whole;
    for (const at of slashesIn(name)) {
      const base = found.get(name.slice(0, at));
      const choice = base && idsIn(base.question).get(name.slice(at + 1));
      if (base !== undefined && choice !== undefined) return `${base.target}[${choice}]`;
    }
    return undefined;
  };
}

/** Kinds of the columns of dates and times by name. A date and its time share a column. */
function toKinds(targets: readonly AnswerTarget[]): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>();
  for (const { question, names } of targets) {
    const { type } = question;
    if (type !== 'date' && type !== 'time') continue;
    const isShared = sourceDataOf(question)['part'] !== undefined;
    for (const name of names) kinds.set(name, isShared ? 'timestamp' : type);
  }
  return kinds;
}

/** The paths of repeats by path, name and label. Ambiguous names are left out. */
function toRepeatPaths(payload: JsonObject): ReadonlyMap<string, string> {
  const paths = new Map<string, string | undefined>();
  for (const question of questionsOf(payload)) {
    const { source_id: path, kept_as: keptAs } = sourceDataOf(question);
    if (keptAs !== 'json' || typeof path !== 'string') continue;
    for (const name of new Set([path, lastStep(path), ...textsOf(question['title'])])) {
      paths.set(name, paths.has(name) && name !== path ? undefined : path);
    }
  }
  return new Map([...paths].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function toKnownColumns(targets: readonly AnswerTarget[], names: ReadonlySet<string>): KnownColumns {
  const withOther = targets.filter(({ question }) => question['allow_other'] === true);
  const choices = new Map<string, ReadonlySet<string>>();
  // The rows of a table share its choices.
  for (const [question, rows] of Map.groupBy(targets, (target) => target.question)) {
    const calls = namesOfChoices(question);
    if (calls.size > 0) for (const name of rows.flatMap((row) => row.names)) choices.set(name, calls);
  }
  return {
    names,
    choices,
    withOther: new Set(withOther.flatMap(({ names: own }) => own)),
  };
}

function createAnswerTargets(payload: JsonObject): readonly AnswerTarget[] {
  const toolFields = toolFieldNames(payload);
  const questions = questionsOf(payload).filter((question) => typeof sourceDataOf(question)['source_id'] === 'string');
  const candidates = questions.flatMap((question) => {
    const toAnswer = createToAnswer(question);
    // A date and its time share a cell.
    const isCounted = sourceDataOf(question)['part'] !== 'time';
    return fieldsOf(question).map(({ id, row, formPath, texts }) => {
      const name = lastStep(formPath);
      const ambiguousNames = [name, ...texts].filter((one) => !toolFields.has(one));
      const exactNames = [formPath, formPath.replaceAll('/', '-')];
      return { id, question, row, toAnswer, isCounted, exactNames, ambiguousNames };
    });
  });
  const counted = Map.groupBy(
    candidates.filter(({ isCounted }) => isCounted).flatMap(({ ambiguousNames }) => [...new Set(ambiguousNames)]),
    (name) => name,
  );
  return candidates.map(({ id, question, row, toAnswer, exactNames, ambiguousNames }) => ({
    id,
    question,
    row,
    names: [...exactNames, ...ambiguousNames.filter((name) => (counted.get(name)?.length ?? 0) <= 1)],
    toAnswer,
  }));
}

/** The question itself, or the rows of its table. */
function fieldsOf(question: JsonObject): readonly FormField[] {
  const id = String(question['id']);
  const { source_id: formPath, kept_as: keptAs } = sourceDataOf(question);
  const { rows: listed, title } = question;
  const rows = keptAs === undefined && Array.isArray(listed) ? listed.filter((row) => isObject(row)) : [];
  if (rows.length === 0) return [{ id, row: undefined, formPath: String(formPath), texts: textsOf(title) }];
  return rows.map((row) => ({
    id,
    row: String(row['id']),
    formPath: String(sourceDataOf(row)['source_id'] ?? row['id']),
    texts: textsOf(row['text']),
  }));
}

/** Groups column suffixes by question: `dishes/soup` becomes `soup` of `dishes`. */
function suffixesByQuestion(
  columns: Iterable<string>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const column of columns) {
    for (const at of slashesIn(column)) {
      const name = column.slice(0, at);
      if (names.has(name))
        parts
          .set(name, parts.get(name) ?? [])
          .get(name)
          ?.push(column.slice(at + 1));
    }
  }
  return parts;
}

/** Positions of slashes, which separate groups, and can be part of labels. */
function* slashesIn(column: string): Generator<number> {
  let at = column.indexOf('/');
  for (let count = 0; at !== -1 && count < MAX_SLASHES; count += 1) {
    yield at;
    at = column.indexOf('/', at + 1);
  }
}

/** Names of rows that the tool fills in, such as the start time. */
function toolFieldNames(payload: JsonObject): ReadonlySet<string> {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const rows = itemsOf(sourceDataOf(survey)['filled_in']).filter((row) => isObject(row));
  return new Set(rows.map((row) => row['name']).filter((name) => typeof name === 'string'));
}

/** The last name of a path: `name` of `group/name`. */
function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Parses RFC 3339 times, even with a space, without a colon in the zone, or without a zone. */
function parseTime(text: string): Date | undefined {
  const [, date, time] = NO_ZONE.exec(text) ?? [];
  if (date !== undefined) return parseTimestamp(`${date}T${time ?? ''}Z`);
  return parseTimestamp(
    text
      .replace(' ', 'T')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
      .replace(/([+-]\d{2})$/, '$1:00'),
  );
}

function shortened(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEPT ? value : shorten(text, MAX_KEPT);
}
