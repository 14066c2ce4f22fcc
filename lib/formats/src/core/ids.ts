import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { normalize, toNfc } from '@survey/questionnaire/answers/plain-text';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isObject, setMember } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { mapObjects } from './source-data.ts';
import { objectsOf } from './source-questions.ts';

/** A survey with new ids. Answers and columns with the old ids can be renamed too. */
export interface RenewedSurvey {
  readonly payload: JsonObject;
  /** Replaces old ids of questions, options and rows in answers. */
  renameIdsInAnswers(answers: JsonObject): JsonObject;
  /** Takes values keyed by column, such as `q[row]` or `q.other`. Replaces old ids in the values and in the keys. */
  renameColumns(values: JsonObject): JsonObject;
}

type Ids = ReadonlyMap<string, string>;

/** New ids of a question, its choices and rows, by old id. */
interface QuestionIds {
  readonly id: string;
  /** New ids of options or matrix columns. */
  readonly choices: Ids;
  readonly rows: Ids;
  /** Whether answers have a choice for each row, also if `rows` is empty because no row has an id. */
  readonly isByRow: boolean;
}

/** The list that answers choose from, by question type. The options of a rating are numbers, not ids. */
const choiceLists: Readonly<Record<string, 'options' | 'columns'>> = {
  single_choice: 'options',
  multiple_choice: 'options',
  likert: 'options',
  matrix: 'columns',
};

/**
 * Copies a survey with new ids for questions, options, rows, columns, pages and sections, including in logic. Options
 * that are only a text have no id and stay unchanged.
 *
 * @param payload a creation payload with a valid shape
 */
export function renewIds(payload: JsonObject, newId: () => string): RenewedSurvey {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const questions = new Map<string, QuestionIds>();
  for (const page of objectsOf(survey['pages'])) {
    for (const question of objectsOf(page['questions'])) {
      const id = question['id'];
      if (typeof id === 'string' && !questions.has(id)) questions.set(id, idsOf(question, newId));
    }
  }
  const sections = newIdsOf(survey['sections'], newId);
  const newIdOf = (id: string) => questions.get(id)?.id ?? sections.get(id);
  return {
    payload: {
      ...payload,
      survey: {
        ...survey,
        ...mapObjects(survey, 'pages', (page) => ({
          ...page,
          ...renewMember(page, 'id', newId),
          ...mapObjects(page, 'questions', (question) => renewQuestion(question, questions)),
        })),
        ...mapObjects(survey, 'sections', (section) => ({
          ...section,
          ...renewMember(section, 'id', (id) => sections.get(id)),
          ...renewIdList(section, 'question_ids', newIdOf),
          ...renewIdList(section, 'questions', newIdOf),
        })),
        ...mapObjects(survey, 'logic', (entry) => renewEntry(entry, questions, newIdOf)),
      },
    },
    renameIdsInAnswers: (answers) =>
      Object.fromEntries(
        Object.entries(answers).map(([id, value]) => {
          const ids = questions.get(id);
          return ids === undefined ? [id, value] : [ids.id, renewAnswer(value, ids)];
        }),
      ),
    renameColumns: (values) => renameColumns(values, questions),
  };
}

function renameColumns(values: JsonObject, questions: ReadonlyMap<string, QuestionIds>): JsonObject {
  const renewed: JsonObject = {};
  for (const [name, value] of Object.entries(values)) {
    const found = findColumn(name, questions);
    if (found === undefined) setMember(renewed, name, value);
    else setMember(renewed, found.name, renewValue(value, found, questions));
  }
  return renewed;
}

/** Renews the value of a column: an answer, the choices for a row, or an object of cells by column name. */
function renewValue(value: JsonValue, column: NamedColumn, questions: ReadonlyMap<string, QuestionIds>): JsonValue {
  const { ids, suffix } = column;
  if (suffix === OTHER_SUFFIX) return value;
  if (suffix !== '') return renewChoice(value, ids.choices);
  const isOfColumns = isObject(value) && Object.keys(value).some((name) => findColumn(name, questions)?.ids === ids);
  return isOfColumns ? renameColumns(value as JsonObject, questions) : renewAnswer(value, ids);
}

interface NamedColumn {
  /** The name with new ids. */
  readonly name: string;
  readonly ids: QuestionIds;
  /** The part of the name after the id of the question. */
  readonly suffix: string;
}

/** Finds the question of a column. An id can contain brackets, so each `[` is tried as the end of the id. */
function findColumn(name: string, questions: ReadonlyMap<string, QuestionIds>): NamedColumn | undefined {
  const whole = questions.get(name);
  if (whole !== undefined) return { name: whole.id, ids: whole, suffix: '' };
  if (name.endsWith(OTHER_SUFFIX)) {
    const ids = questions.get(name.slice(0, -OTHER_SUFFIX.length));
    if (ids !== undefined) return { name: `${ids.id}${OTHER_SUFFIX}`, ids, suffix: OTHER_SUFFIX };
  }
  if (!name.endsWith(']')) return undefined;
  for (let at = name.indexOf('['); at !== -1; at = name.indexOf('[', at + 1)) {
    const ids = questions.get(name.slice(0, at));
    if (ids !== undefined) return { name: `${ids.id}${renewSuffix(name.slice(at), ids)}`, ids, suffix: name.slice(at) };
  }
  return undefined;
}

/** Renews `[option]`, `[row]` or `[row][column]`. */
function renewSuffix(suffix: string, { rows, choices, isByRow }: QuestionIds): string {
  const inner = suffix.slice(1, -1);
  if (!isByRow) return `[${choices.get(toKey(inner)) ?? inner}]`;
  const [row = '', column] = rows.has(toKey(inner)) ? [inner] : inner.split('][');
  const renewed = rows.get(toKey(row)) ?? row;
  return column === undefined ? `[${renewed}]` : `[${renewed}][${choices.get(toKey(column)) ?? column}]`;
}

function idsOf(question: JsonObject, newId: () => string): QuestionIds {
  const list = choiceLists[String(question['type'])];
  if (list === undefined) return { id: newId(), choices: new Map(), rows: new Map(), isByRow: false };
  const { [list]: choices, rows } = question;
  return {
    id: newId(),
    choices: newIdsOf(choices, newId),
    rows: newIdsOf(rows, newId),
    isByRow: Array.isArray(rows) && rows.length > 0,
  };
}

function renewQuestion(question: JsonObject, questions: ReadonlyMap<string, QuestionIds>): JsonObject {
  const ids = questions.get(String(question['id']));
  const list = choiceLists[String(question['type'])];
  if (ids === undefined || list === undefined) return { ...question, ...renewMember(question, 'id', () => ids?.id) };
  const renewItem = (newIds: Ids) => (item: JsonObject) => ({
    ...item,
    ...renewMember(item, 'id', (id) => newIds.get(toKey(id))),
  });
  return {
    ...question,
    id: ids.id,
    ...mapObjects(question, list, renewItem(ids.choices)),
    ...mapObjects(question, 'rows', renewItem(ids.rows)),
  };
}

function renewEntry(
  entry: JsonObject,
  questions: ReadonlyMap<string, QuestionIds>,
  newIdOf: (id: string) => string | undefined,
): JsonObject {
  return {
    ...entry,
    ...renewMember(entry, 'question_id', newIdOf),
    ...renewMember(entry, 'target_question', newIdOf),
    ...mapObjects(entry, 'conditions', (condition) => {
      const source = questions.get(String(condition['source_question'] ?? condition['question_id']));
      const { value } = condition;
      return {
        ...condition,
        ...renewMember(condition, 'source_question', newIdOf),
        ...renewMember(condition, 'question_id', newIdOf),
        ...renewMember(condition, 'target_question', newIdOf),
        ...(source === undefined || value === undefined ? {} : { value: renewChoice(value, source.choices) }),
      };
    }),
  };
}

/** An answer is an id, a list of ids, `{option, text}`, `{options, other}`, or choices by row. */
function renewAnswer(value: JsonValue, { choices, rows, isByRow }: QuestionIds): JsonValue {
  if (!isObject(value)) return renewChoice(value, choices);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (isByRow) return [rows.get(toKey(name)) ?? name, renewChoice(part, choices)];
      return [name, name === 'option' || name === 'options' ? renewChoice(part, choices) : part];
    }),
  );
}

/** Values that are not ids stay: they can be the text of an option. */
function renewChoice(value: JsonValue, choices: Ids): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renewChoice(item, choices));
  return typeof value === 'string' || typeof value === 'number' ? (choices.get(toKey(value)) ?? value) : value;
}

function newIdsOf(list: JsonValue | undefined, newId: () => string): Ids {
  const ids = new Map<string, string>();
  for (const { id } of objectsOf(list)) {
    if (typeof id === 'string' && !ids.has(toKey(id))) ids.set(toKey(id), newId());
  }
  return ids;
}

function renewMember(owner: JsonObject, name: string, renew: (id: string) => string | undefined): JsonObject {
  const id = owner[name];
  return typeof id === 'string' ? { [name]: renew(id) ?? id } : {};
}

function renewIdList(owner: JsonObject, name: string, newIdOf: (id: string) => string | undefined): JsonObject {
  const names = owner[name];
  if (!Array.isArray(names)) return {};
  return { [name]: names.map((id) => (typeof id === 'string' ? (newIdOf(id) ?? id) : id)) };
}

/** Ids are compared in Unicode form NFC. An answer can have an id as a number. */
function toKey(id: string | number): string {
  return toNfc(String(id));
}

/** Makes a valid, unique id of a name in another tool. The same names in the same order give the same ids. */
export type ToUniqueId = (name: string) => string;

const SUFFIX_LENGTH = 8;

/** Makes ids for questions, pages and sections: unique, characters `A-Z a-z 0-9 _ . -`. */
export function createUniqueIds(): ToUniqueId {
  const unique = createUnique();
  return (name) => {
    const fit = normalize(name, 'NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .slice(0, LIMITS.id - SUFFIX_LENGTH);
    return unique(/[A-Za-z0-9]/.test(fit) ? fit : `q${fit}`);
  };
}

/** Makes ids for the options, rows or columns of a question: unique, not empty, not the reserved `other`. */
export function createUniqueOptionIds(): ToUniqueId {
  const unique = createUnique();
  return (name) => {
    const fit = toNfc(name).trim();
    if (fit === '') return unique('option');
    return unique(fit === 'other' ? 'other_option' : fit);
  };
}

function createUnique(): ToUniqueId {
  const taken = new Set<string>();
  const lastOf = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let last = lastOf.get(wanted) ?? 1;
    while (taken.has(id)) {
      last += 1;
      id = `${wanted}_${last}`;
    }
    lastOf.set(wanted, last);
    taken.add(id);
    return id;
  };
}
