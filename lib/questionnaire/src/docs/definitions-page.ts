import { ANSWER_CODES } from '../answers/answer-codes.ts';
import { compile } from '../compile.ts';
import { LIMITS } from '../limits.ts';
import { OPERATOR_NAMES } from '../logic/operators.ts';
import { payload } from '../schema/definition-schema.ts';
import type { Member, Members, ObjectSchema, Schema } from '../schema/schema.ts';
import { freeMembers } from '../schema/texts.ts';

/** Links to the sections of objects. The link text is plural if the objects are in arrays. */
const SECTIONS: Readonly<Record<string, string>> = {
  SurveyDefinition: '[survey](#survey)',
  SurveyPage: '[pages](#pages)',
  SurveyQuestion: '[questions](#questions)',
  QuestionOption: '[options](#options)',
  LogicEntry: '[entries](#logic)',
  LogicCondition: '[conditions](#logic)',
  SurveySection: '[sections](#sections)',
  SurveyScreen: '[screen](#screens)',
  SurveySettings: '[settings](#settings)',
  SurveyMetadataField: '[fields](#metadata-fields)',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': '[RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) time with offset',
};

/** Maximum number of values that the type of a member lists. */
const MAX_LISTED_VALUES = 5;

/** Replaces each line `{{NAME}}` of `docs/definitions.md` by the table of this name. */
export function fillTables(page: string): string {
  const codes = Object.entries(ANSWER_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  const tables = new Map([
    ...memberTables(payload),
    ['answer codes', toTable(['error code', 'meaning'], codes)],
    ['operators', operatorsTable()],
    ['limits', limitsTable()],
  ]);
  const missing = new Set(tables.keys());
  const filled = page.replaceAll(/^\{\{(.+)\}\}$/gm, (_, name) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`docs/definitions.md has an unknown table: ${name}`);
    missing.delete(name);
    return table;
  });
  if (missing.size > 0) throw new Error(`docs/definitions.md lacks: ${[...missing].join(', ')}`);
  return filled;
}

/** The tables of all objects in a value, by the title of the object. */
function memberTables(schema: Schema): readonly (readonly [title: string, table: string])[] {
  if (schema.kind === 'list') return memberTables(schema.items);
  if (schema.kind === 'union') return schema.of.flatMap(memberTables);
  if (schema.kind === 'object') return tablesOf(schema, {});
  if (schema.kind !== 'variants') return [];
  const { title, fallback, variants } = schema;
  const variantTables = Object.values(variants).flatMap((variant) => tablesOf(variant, fallback.members));
  return [...tablesOf({ ...fallback, title }, {}), ...variantTables];
}

/** @param except members that another table has */
function tablesOf({ title, members }: ObjectSchema, except: Members): ReturnType<typeof memberTables> {
  const rows = Object.entries(members)
    .filter(([name]) => !Object.hasOwn({ ...freeMembers, ...except }, name))
    .map(([name, member]) => [`\`${name}\``, typeOf(member.schema), describe(member)]);
  const inner = Object.values(members).flatMap(({ schema }) => memberTables(schema));
  return [[title, toTable(['member', 'type', ''], rows)], ...inner];
}

function describe({ schema, missing }: Member): string {
  const description = 'memberDescription' in schema ? schema.memberDescription : undefined;
  const sentences = [description ?? schema.description];
  if (missing !== undefined) sentences.unshift('Required.');
  if (schema.default !== undefined) sentences.push(`Default: \`${schema.default}\`.`);
  return sentences.join(' ');
}

/** @param several whether to name the items of an array */
function typeOf(schema: Schema, several = false): string {
  const plural = several ? 's' : '';
  switch (schema.kind) {
    case 'text':
      return `[text${plural}](#texts-and-languages)`;
    case 'string': {
      const values = (schema.enum ?? []).map((value) => `\`${value}\``);
      if (values.length > 1 && values.length <= MAX_LISTED_VALUES) return oneOf(values);
      return FORMATS[schema.format ?? ''] ?? `string${plural}`;
    }
    case 'number': {
      const { integer, minimum, exclusiveMinimum, maximum } = schema;
      const range = exclusiveMinimum === undefined ? rangeOf(minimum, maximum) : `, more than ${exclusiveMinimum}`;
      return (integer ? 'integer' : 'number') + range;
    }
    case 'list':
      return `array of ${typeOf(schema.items, true)}${rangeOf(schema.empty && 1, schema.maxItems)}`;
    case 'union': {
      const types = schema.of.filter(({ kind }) => kind !== 'null').map((alternative) => typeOf(alternative, several));
      const section = types.find((type) => Object.values(SECTIONS).includes(type));
      return section ?? (several && types.length > 1 ? 'values' : oneOf(types));
    }
    case 'object':
    case 'variants':
      return SECTIONS[schema.title] ?? 'object';
    case 'map':
      return 'object';
    default:
      return schema.kind;
  }
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  const most = maximum?.toLocaleString('en');
  if (minimum === undefined) return most === undefined ? '' : `, at most ${most}`;
  return `, ${minimum} ${most === undefined ? 'or more' : `to ${most}`}`;
}

/** `a, b or c` */
function oneOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

function limitsTable(): string {
  const limits = {
    'definition, as compact JSON': `${LIMITS.definitionBytes / 2 ** 20} MiB`,
    questions: LIMITS.questions,
    'options, rows or columns of a question': LIMITS.options,
    'cells of all questions, added up: rows × columns (or × options, if there are more of them)': LIMITS.cells,
    conditions: LIMITS.conditions,
    'questions that a logic entry affects, added up over all entries': LIMITS.affectedQuestions,
    languages: LIMITS.languages,
    'steps of logic and patterns, for answers of the largest size': LIMITS.steps,
    'objects and arrays inside each other': LIMITS.nesting,
  };
  return toTable(
    ['', 'at most'],
    Object.entries(limits).map(([name, limit]) => [name, limit.toLocaleString('en')]),
  );
}

/** Source questions of conditions, by the heading of their column in the table of operators. */
const SOURCE_QUESTIONS = {
  'single_choice, likert without rows': { type: 'single_choice', options: ['a'] },
  multiple_choice: { type: 'multiple_choice', options: ['a'] },
  text: { type: 'text' },
  textarea: { type: 'textarea' },
  'rating, text with a number format': { type: 'rating' },
  'date, time': { type: 'date' },
  'likert with rows, matrix, file_upload': { type: 'file_upload' },
};

/** The operators that conditions on each type of question can have. */
function operatorsTable(): string {
  const conditions = OPERATOR_NAMES.map((operator) => [{ source_question: 'source', operator, action: 'hide' }]);
  const logic = conditions.map((entry) => ({ question_id: 'target', conditions: entry }));
  const columns = Object.values(SOURCE_QUESTIONS).map((question) => {
    const questions = [
      { id: 'source', ...question },
      { id: 'target', type: 'text' },
    ];
    const { errors } = compile({ survey: { pages: [{ questions }], logic } }).lint;
    const badOperators = errors.filter(({ code }) => code === 'BAD_OPERATOR');
    const rejected = new Set(badOperators.map(({ path }) => path.split('/')[3]));
    return OPERATOR_NAMES.map((_, index) => (rejected.has(String(index)) ? '' : 'yes'));
  });
  return toTable(
    ['operator', ...Object.keys(SOURCE_QUESTIONS)],
    OPERATOR_NAMES.map((operator, index) => [`\`${operator}\``, ...columns.map((cells) => cells[index] ?? '')]),
  );
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [toLine(head), `|${'---|'.repeat(head.length)}`, ...rows.map(toLine)].join('\n');
}
