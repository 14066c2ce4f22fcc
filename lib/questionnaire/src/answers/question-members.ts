import type { Question } from '../definition/definition.ts';
import { isAbsent } from '../json.ts';
import type { LintCode } from '../lint/lint-codes.ts';
import type { Report } from '../lint/report.ts';
import type { CompilePattern } from './pattern.ts';

/** Reads the members of one question. Members of the wrong type are reported and ignored. */
export interface QuestionMembers {
  get(name: string): unknown;
  flag(name: string): boolean;
  string(name: string): string | undefined;
  /** A finite number. */
  number(name: string): number | undefined;
  /** An integer of at least 0. */
  count(name: string): number | undefined;
  /** Compiles a pattern for texts of the question. */
  readonly compilePattern: CompilePattern;
  /** Reports a problem; `at` is a path below the question. */
  report(code: LintCode, at: string, detail: string): void;
}

export const createQuestionMembers = (
  { id, path, source }: Question,
  compilePattern: CompilePattern,
  report: Report,
): QuestionMembers => {
  const reportAt: QuestionMembers['report'] = (code, at, detail) => report(code, `${path}/${at}`, detail, id);

  const read = <Value>(
    name: string,
    isRight: (value: unknown) => value is Value,
    code: LintCode,
    kind: string,
  ): Value | undefined => {
    const value = source[name];
    if (isAbsent(value)) return undefined;
    if (isRight(value)) return value;
    reportAt(code, name, `${name} must be ${kind}`);
    return undefined;
  };

  return {
    get: (name) => source[name],
    flag: (name) => read(name, isBoolean, 'WRONG_TYPE', 'true or false') ?? false,
    string: (name) => read(name, isString, 'WRONG_TYPE', 'a string'),
    number: (name) => read(name, isNumber, 'BAD_RANGE', 'a number'),
    count: (name) => read(name, isCount, 'BAD_RANGE', 'an integer of at least 0'),
    compilePattern,
    report: reportAt,
  };
};

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown): value is number => isNumber(value) && Number.isInteger(value) && value >= 0;
