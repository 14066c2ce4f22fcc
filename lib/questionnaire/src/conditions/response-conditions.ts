import { isRejection } from '../answers/answer-type.ts';
import { type AnswerValue, isUnanswered } from '../answers/answer-value.ts';
import { createPatternCompiler } from '../answers/patterns/pattern.ts';
import { toNfc } from '../answers/plain-text.ts';
import { readDay } from '../answers/types/date.ts';
import { compileQuestion } from '../compiled-question.ts';
import { nearestName } from '../definition/nearest-name.ts';
import { readDefinition } from '../definition/read-definition.ts';
import { describeUnknown } from '../definition/unknown-members.ts';
import { isAbsent, isArray, type JsonObject, ownMember } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { LintProblem } from '../lint/report.ts';
import {
  type AnswerForms,
  type Fault,
  isFault,
  type Literal,
  momentOperand,
  numberOperand,
  type Operand,
  textOperand,
} from '../logic/operand.ts';
import { buildTest, OPERATORS } from '../logic/operators.ts';
import { typeNameOf } from '../logic/resolve-logic.ts';
import { METADATA_LIMITS, type MetadataField, readMetadataValue } from '../metadata/metadata-fields.ts';
import { addProblem, toProblem } from '../problem.ts';
import { check } from '../schema/check.ts';
import type { ValueOf } from '../schema/schema.ts';
import type { ResponseData } from '../validate.ts';
import { CONDITION_LIMITS, responseConditions } from './condition-schema.ts';

/** The parts of a stored response that conditions can test. */
export interface TestedResponse {
  /** Valid answers, without those to hidden questions. */
  readonly data: ResponseData;
  readonly metadata?: JsonObject | undefined;
  readonly externalId?: string | undefined;
  readonly language?: string | undefined;
  /** In lower case. */
  readonly linkId?: string | undefined;
  readonly startedAt?: Date | undefined;
  readonly completedAt?: Date | undefined;
}

/** Conditions on the responses to a survey, in any of its versions. */
export interface ResponseConditions {
  /** Equal for equal conditions in any order. It contains the values: do not log it. */
  readonly canonical: string;
  forVersion(version: SurveyVersion): VersionConditions;
}

/** Conditions on the responses to one version. */
export interface VersionConditions {
  /** Tests one condition at a time, so that the caller can let other work run. Returns whether the conditions hold. */
  test(response: TestedResponse): Generator<undefined, boolean>;
  /**
   * Whether the version lacks a question of the conditions, or has it with a type that a condition cannot test. The
   * question counts as unanswered.
   */
  readonly lacksQuestion: boolean;
}

export interface ResolvedConditions {
  /** Undefined if there are problems. */
  readonly conditions: ResponseConditions | undefined;
  /** Paths are JSON pointers from the root of the conditions. */
  readonly problems: readonly LintProblem[];
  /** Whether the result can differ if more of the earlier versions are given. */
  readonly dependsOnEarlier: boolean;
}

/** Finds the questions of a version. */
export type SurveyVersion = (id: string) => Source | undefined;

type Given = ValueOf<typeof responseConditions>;
type GivenCondition = Given['conditions'][number];

/** A part of a response, as the conditions on it see it. */
interface Source {
  /** For errors. */
  readonly typeName: string;
  readonly operand: Operand;
}

interface Part extends Source {
  read(response: TestedResponse): AnswerValue | undefined;
}

interface Condition {
  readonly operator: GivenCondition['operator'];
  readonly value: unknown;
  /** Ids of the options in `value`, by id or text. */
  readonly optionIds: ReadonlyMap<unknown, Literal>;
  /** Id of the question, or name of the part. */
  readonly name: string;
  /** Undefined if the condition tests an answer. */
  readonly part: Part | undefined;
}

/**
 * Reads conditions on responses, and resolves their questions and options.
 *
 * @param where any JSON value; `condition-schema.ts` describes it
 * @param versions latest first. The latest one that has a question decides about errors. An option is resolved in all of
 *   them
 * @param fields declared metadata: numbers and dates are compared as such, other metadata as texts
 */
export function resolveConditions(
  where: unknown,
  versions: readonly SurveyVersion[],
  fields: readonly MetadataField[] = [],
): ResolvedConditions {
  const shapeProblems = findShapeProblems(where);
  if (shapeProblems.length > 0) return { conditions: undefined, problems: shapeProblems, dependsOnEarlier: false };
  // `findShapeProblems` has checked the type.
  const { match, conditions: given } = where as Given;
  const resolution = createResolution(versions, fields);
  const conditions = given.map((condition, index) => resolution.resolve(condition, `/conditions/${index}`));
  const { problems, dependsOnEarlier } = resolution;
  if (problems.length > 0) return { conditions: undefined, problems, dependsOnEarlier: dependsOnEarlier() };
  const valid = conditions.filter((condition) => condition !== undefined);
  return { conditions: toResponseConditions(match ?? 'all', valid), problems, dependsOnEarlier: dependsOnEarlier() };
}

function findShapeProblems(where: unknown): readonly LintProblem[] {
  const problems: LintProblem[] = [];
  const { length } = JSON.stringify(where) ?? '';
  if (length > CONDITION_LIMITS.characters) {
    const detail = `the conditions have ${length} characters; at most ${CONDITION_LIMITS.characters} are allowed`;
    return [toProblem('LIMIT_EXCEEDED', '', detail)];
  }
  const add = (code: LintProblem['code'], path: string, detail: string, suggestion?: string) => {
    const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    addProblem(problems, toProblem(code, path, detail + hint));
  };
  check(responseConditions, where, {
    add: ({ code, detail, names = [] }, path, name, value) =>
      add(code, path, detail(name), typeof value === 'string' ? nearestName(value, names) : undefined),
    addUnknownMember: (owner, path, name) => {
      const { detail, nearest } = describeUnknown(owner, name);
      add('UNKNOWN_MEMBER', path, detail, nearest);
    },
    addTranslations: () => {},
    setQuestion: () => {},
    isFull: () => problems.length >= LIMITS.problems,
  });
  if (problems.length > 0) return problems;
  const { conditions } = where as Given;
  const values = conditions.reduce((sum, { value }) => sum + (isArray(value) ? value.length : 1), 0);
  const reportExcess = (count: number, limit: number, unit: string) => {
    if (count > limit) add('LIMIT_EXCEEDED', '/conditions', `${count} ${unit}; at most ${limit} are allowed`);
  };
  reportExcess(conditions.length, CONDITION_LIMITS.conditions, 'conditions');
  reportExcess(values, CONDITION_LIMITS.values, 'values');
  return problems;
}

/**
 * Reads a version, `{survey}`. Compiles only the questions that are asked for, because most versions are large, and
 * conditions test few questions.
 */
export function readVersion(definition: JsonObject): SurveyVersion {
  const { byId } = readDefinition(definition);
  const compilePattern = createPatternCompiler();
  const found = new Map<string, Source>();
  return (id) => {
    const question = byId.get(id);
    if (question === undefined) return undefined;
    const known = found.get(id);
    if (known !== undefined) return known;
    const compiled = compileQuestion(question, compilePattern, () => {});
    const source = { typeName: typeNameOf(compiled), operand: compiled.rules.operand };
    found.set(id, source);
    return source;
  };
}

function createResolution(versions: readonly SurveyVersion[], fields: readonly MetadataField[]) {
  const partOf = createPartFinder(fields);
  const problems: LintProblem[] = [];
  let dependsOnEarlier = false;
  let steps = 0;

  /** Resolves an option in all versions. An id of the latest one goes before a text of others. */
  function resolveOption(value: unknown, sources: readonly Source[]): Literal | Fault {
    const text = String(value);
    const results = sources.flatMap(({ operand }) => (operand.hasOptions ? (operand.literal?.(value) ?? []) : []));
    const [latest] = results;
    if (latest === text) return latest;
    dependsOnEarlier = true;
    const ambiguous = results.find((result) => isFault(result) && result.code === 'AMBIGUOUS_OPTION');
    if (ambiguous !== undefined) return ambiguous;
    const ids = new Set(results.filter((result) => !isFault(result)));
    const [id, ...others] = ids;
    if (others.length > 0) {
      const detail = `the text ${text} belongs to several options in the versions of the survey: ${[...ids].join(', ')}`;
      return { code: 'AMBIGUOUS_OPTION', detail };
    }
    return id ?? latest ?? { code: 'BAD_VALUE', detail: 'the value must be an option' };
  }

  function findSources({ source_question: id, source }: GivenCondition, path: string) {
    if (isAbsent(id) === isAbsent(source)) {
      const detail = isAbsent(id) ? 'source_question or source is missing' : 'use source_question or source, not both';
      problems.push(toProblem('UNKNOWN_SOURCE', path, detail));
      return undefined;
    }
    if (!isAbsent(source)) {
      const part = partOf(source);
      return { name: source, part, sources: [part] };
    }
    const name = id ?? '';
    const found = versions.map((find) => find(name));
    const sources = found.filter((one) => one !== undefined);
    if (found[0] === undefined) dependsOnEarlier = true;
    if (sources.length > 0) return { name, part: undefined, sources };
    problems.push(toProblem('UNKNOWN_SOURCE', `${path}/source_question`, `the survey has no question ${name}`, name));
    return undefined;
  }

  return {
    problems,
    dependsOnEarlier: () => dependsOnEarlier,

    resolve(given: GivenCondition, path: string): Condition | undefined {
      const found = findSources(given, path);
      const [latest] = found?.sources ?? [];
      if (found === undefined || latest === undefined) return undefined;
      const { operator, value } = given;
      const { name, part, sources } = found;
      const add = (code: LintProblem['code'], member: string, detail: string) =>
        addProblem(problems, toProblem(code, `${path}/${member}`, detail, part === undefined ? name : undefined));
      const optionIds = new Map<unknown, Literal>();
      const literal = (one: unknown) => {
        const result = resolveOption(one, sources);
        if (!isFault(result)) optionIds.set(one, result);
        return result;
      };
      const operand = latest.operand.hasOptions ? { ...latest.operand, literal } : latest.operand;
      const test = buildTest(operator, latest.typeName, operand, value);
      if (isFault(test)) {
        add(test.code, test.code === 'BAD_OPERATOR' ? 'operator' : 'value', test.detail);
        return undefined;
      }
      steps += Math.max(...sources.map((source) => test.steps(source.operand.maxSize)));
      if (steps > CONDITION_LIMITS.steps) {
        const [most, limit] = [steps, CONDITION_LIMITS.steps].map((count) => count.toLocaleString('en'));
        const detail = `the conditions can take ${most} steps for one response; at most ${limit} are allowed`;
        add('LIMIT_EXCEEDED', 'value', detail);
        return undefined;
      }
      return { operator, value, optionIds, name, part };
    },
  };
}

function toResponseConditions(match: 'all' | 'any', conditions: readonly Condition[]): ResponseConditions {
  const forms = conditions.map(({ part, name, operator, value }) =>
    JSON.stringify([part?.typeName ?? null, name, operator, isPresenceTest(operator) ? null : value]),
  );
  return {
    canonical: JSON.stringify([match, [...new Set(forms)].sort()]),

    forVersion(version) {
      const tests = conditions.map((condition) => buildVersionTest(condition, version));
      /** For each condition, the position of the first condition with the same source. */
      const slots = conditions.map(({ name, part }) =>
        conditions.findIndex((other) => other.name === name && other.part === part),
      );
      return {
        lacksQuestion: tests.includes(undefined),
        *test(response) {
          const values: (AnswerValue | undefined)[] = [];
          const answerForms: AnswerForms[] = [];
          for (const [index, { name, part, operator }] of conditions.entries()) {
            const slot = slots[index] ?? index;
            if (slot === index)
              values[slot] = part === undefined ? ownAnswer(response.data, name) : part.read(response);
            const [test, value] = [tests[index], values[slot]];
            answerForms[slot] ??= {};
            const holds =
              value === undefined || test === undefined
                ? OPERATORS[operator].whenUnanswered
                : test.holds(value, answerForms[slot]);
            // The remaining conditions cannot change the result.
            if (holds === (match === 'any')) return holds;
            yield;
          }
          return match === 'all';
        },
      };
    },
  };
}

/** Builds a test for one version. Undefined if the version lacks the question, or has it with an unfit type. */
function buildVersionTest({ part, name, operator, value, optionIds }: Condition, version: SurveyVersion) {
  const source = part ?? version(name);
  if (source === undefined) return undefined;
  const { operand, typeName } = source;
  // The version may lack an option that others have. Then no answer has the id.
  const toOptionId = (one: unknown): Literal => {
    const own = operand.literal?.(one);
    return optionIds.get(one) ?? (own === undefined || isFault(own) ? String(one) : own);
  };
  const test = buildTest(operator, typeName, operand.hasOptions ? { ...operand, literal: toOptionId } : operand, value);
  return isFault(test) ? undefined : test;
}

function isPresenceTest(operator: Condition['operator']): boolean {
  return operator === 'is_answered' || operator === 'is_not_answered';
}

function ownAnswer(data: ResponseData, id: string): AnswerValue | undefined {
  return Object.hasOwn(data, id) ? data[id] : undefined;
}

const METADATA = 'metadata.';

/** Returns a function that finds the part with a name. Patterns of all parts together are limited, as in a survey. */
function createPartFinder(fields: readonly MetadataField[]): (name: string) => Part {
  const compilePattern = createPatternCompiler();
  const textPart = (name: string, maxLength: number, read: (response: TestedResponse) => string | undefined): Part => ({
    typeName: name,
    operand: textOperand(compilePattern, maxLength),
    // Values of conditions have this form, too.
    read: (response) => toNfc(read(response)?.trim() ?? '') || undefined,
  });
  const parts = new Map<string, Part>([
    ['external_id', textPart('external_id', 256, ({ externalId }) => externalId)],
    ['language', ignoringCase(textPart('language', 64, ({ language }) => language?.toLowerCase()))],
    ['link_id', ignoringCase(textPart('link_id', 36, ({ linkId }) => linkId))],
    ['duration', { typeName: 'duration', operand: numberOperand, read: durationOf }],
  ]);
  for (const field of fields) {
    if (field.type !== 'number' && field.type !== 'date') continue;
    const operand = field.type === 'number' ? numberOperand : dateOperand;
    const read = ({ metadata = {} }: TestedResponse) => fieldValueOf(field, ownMember(metadata, field.name));
    parts.set(METADATA + field.name, { typeName: field.type, operand, read });
  }
  return (name) => {
    const member = name.slice(METADATA.length);
    const part =
      parts.get(name) ?? textPart('metadata', METADATA_LIMITS.bytes, (response) => metadataOf(response, member));
    parts.set(name, part);
    return part;
  };
}

const dateOperand = momentOperand('a date as YYYY-MM-DD', readDay, [undefined, undefined]);

/** A value that does not fit its field counts as unanswered. */
function fieldValueOf(field: MetadataField, value: unknown): number | string | undefined {
  const result = readMetadataValue(field, value);
  return isRejection(result) || typeof result.value === 'boolean' ? undefined : result.value;
}

function ignoringCase(part: Part): Part {
  const { operand } = part;
  const literal = (value: unknown) => {
    const text = operand.literal?.(value) ?? '';
    return typeof text === 'string' ? text.toLowerCase() : text;
  };
  return { ...part, operand: { ...operand, literal } };
}

/** Seconds from the start to the completion. */
function durationOf({ startedAt, completedAt }: TestedResponse): number | undefined {
  return startedAt && completedAt && (completedAt.getTime() - startedAt.getTime()) / 1_000;
}

/** Members that are not texts are tested as JSON: a number as `5`. */
function metadataOf({ metadata = {} }: TestedResponse, name: string): string | undefined {
  const value = ownMember(metadata, name);
  if (isUnanswered(value)) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
