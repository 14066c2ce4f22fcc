import type { ListName } from '../columns/cell-format.ts';
import type { Question } from '../definition/definition.ts';
import { isAbsent, itemsOf } from '../json.ts';
import type { LintCode } from '../lint/lint-codes.ts';
import type { ReportProblem } from '../lint/report.ts';
import { fits } from '../schema/check.ts';
import { type QuestionOfType, type QuestionTypeName, question as questions } from '../schema/question-schema.ts';
import type { CompilePattern } from './patterns/limit-patterns.ts';

/** Reads the members of one question. Values that do not fit the schema are ignored. */
export interface QuestionMembers<Type extends QuestionTypeName> extends QuestionReport {
  get<Name extends keyof QuestionOfType<Type> & string>(
    name: Name,
  ): NonNullable<QuestionOfType<Type>[Name]> | undefined;
  /** The items of a list, which may not fit the schema. */
  list(name: ListName): readonly unknown[];
  /** Compiles a pattern for texts of the question. */
  readonly compilePattern: CompilePattern;
}

/** Reports problems of one question. */
export interface QuestionReport {
  /** @param at a path below the question */
  report(code: LintCode, at: string, detail: string): void;
}

/** The type of the question must be `Type`. */
export function createQuestionMembers<Type extends QuestionTypeName>(
  { id, path, type, source }: Question,
  compilePattern: CompilePattern,
  report: ReportProblem,
): QuestionMembers<Type> {
  const members = questions.variants[type]?.members ?? {};
  return {
    get: (name) => {
      const value = source[name];
      const schema = members[name]?.schema;
      if (isAbsent(value) || schema === undefined || !fits(schema, value)) return undefined;
      // The schema of the member has this type.
      return value as NonNullable<QuestionOfType<Type>[typeof name]>;
    },
    list: (name) => itemsOf(source[name]),
    compilePattern,
    report: (code, at, detail) => report(code, `${path}/${at}`, detail, id),
  };
}
