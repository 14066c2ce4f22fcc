import type { FileRules } from './answers/answer-type.ts';
import type { CountingRule } from './answers/counting-rule.ts';
import type { CompilePattern } from './answers/patterns/limit-patterns.ts';
import { checkShape } from './check-shape.ts';
import { type ColumnFormat, createColumnFormat } from './columns/columns.ts';
import { compileQuestion } from './compiled-question.ts';
import { readDefinition } from './definition/read-definition.ts';
import type { JsonObject } from './json.ts';
import { lintPatterns, lintSteps, lintValues } from './lint/lint-conditions.ts';
import { lintQuestions } from './lint/lint-questions.ts';
import { lintReachability } from './lint/lint-reachability.ts';
import { lintSections } from './lint/lint-sections.ts';
import { createTranslationLint, lintLanguages } from './lint/lint-translations.ts';
import { createReport, type Lint } from './lint/report.ts';
import { compileLogic } from './logic/compile-logic.ts';
import { countSteps } from './logic/steps.ts';
import { once } from './once.ts';
import type { QuestionTypeName } from './schema/question-schema.ts';
import { reportShapeProblems } from './schema/report-shape-problems.ts';
import { createResponseJsonSchema } from './schema/response-json-schema.ts';
import {
  type ApplyLogic,
  type CheckAnswer,
  createAnswerFunctions,
  type ResponseData,
  type Validate,
} from './validate.ts';

/** A compiled definition. Cache it by survey id and version: compiling is much slower than validating. */
export interface CompiledDefinition extends ColumnFormat {
  /** Errors block publishing, warnings do not. */
  readonly lint: Lint;
  readonly validate: Validate;
  /** Applies the logic to answers as they are, valid or not. */
  readonly applyTo: ApplyLogic;
  readonly checkAnswer: CheckAnswer;
  /** The JSON Schema (2020-12) of the answers of a completed response. */
  answersJsonSchema(): JsonObject;
  /** Ids of the questions that logic hides. Takes valid answers as stored and does not check them, so it is fast. */
  readonly hiddenBy: (answers: ResponseData) => readonly string[];
  /** The questions in order, with the way to count their answers. */
  readonly questions: readonly CountedQuestion[];
  /** The questions that take files. */
  readonly fileQuestions: readonly FileQuestion[];
}

export interface CountedQuestion {
  readonly id: string;
  readonly type: QuestionTypeName;
  readonly required: boolean;
  /** Position of its page, from 0. */
  readonly page: number;
  readonly countingRule: CountingRule;
}

/** A question whose answers name files. */
export interface FileQuestion extends FileRules {
  readonly id: string;
  /** JSON pointer of its answer: `/data/<id>`. */
  readonly dataPath: string;
}

/** All errors that block storing or publishing, and warnings. Patterns are compiled with `compilePattern`. */
export function lintWith(compilePattern: CompilePattern, payload: unknown): Lint {
  const { errors, warnings } = compileWith(compilePattern, payload).lint;
  return { errors: [...checkShape(payload), ...errors], warnings };
}

/** Compiles a definition, and its patterns with `compilePattern`. */
export function compileWith(compilePattern: CompilePattern, definition: unknown): CompiledDefinition {
  const parsed = readDefinition(definition);
  const { report, lint } = createReport();
  reportShapeProblems(definition, 'publishing', report, createTranslationLint(parsed.languages, report));
  const all = parsed.questions.map((question) => compileQuestion(question, compilePattern, report));
  lintLanguages(parsed.survey, report);
  lintQuestions(parsed, all, report);
  lintSections(parsed, report);
  const program = compileLogic(parsed, all, report);
  const steps = countSteps(all, program.rules);
  lintReachability(program, all, report);
  lintPatterns(program.rules, report);
  lintValues(program.rules, all, report);
  lintSteps(program.rules, all, report);

  // If several questions have the same id, keep the first.
  const questions = all.filter(({ id, position }) => parsed.byId.get(id)?.position === position);
  const columnFormat = once(() => createColumnFormat(questions));
  return {
    lint,
    ...createAnswerFunctions(questions, program, steps, parsed.languages),
    answersJsonSchema: () => createResponseJsonSchema(questions, program, parsed.languages),
    questions: questions.map(({ id, type, required, page, rules }) => ({
      id,
      type,
      required,
      page,
      countingRule: rules.countingRule,
    })),
    fileQuestions: questions.flatMap(({ id, dataPath, rules }) =>
      rules.files ? [{ id, dataPath, ...rules.files }] : [],
    ),
    // Created on demand: there can be 100,000 columns, and validation does not need them.
    get columns() {
      return columnFormat().columns;
    },
    answersFromColumns: (row) => columnFormat().answersFromColumns(row),
    cellsFromAnswers: (data) => columnFormat().cellsFromAnswers(data),
  };
}
