import type { FileRules } from './answers/answer-type.ts';
import type { QuestionTypeName } from './answers/answer-types.ts';
import type { Countable } from './answers/countable.ts';
import { createPatternCompiler } from './answers/pattern.ts';
import { type ColumnFormat, createColumnFormat } from './columns/columns.ts';
import { compileQuestion } from './compiled-question.ts';
import { readDefinition } from './definition/read-definition.ts';
import { lintQuestions } from './lint/lint-questions.ts';
import { lintReachability } from './lint/lint-reachability.ts';
import { lintSections } from './lint/lint-sections.ts';
import { lintTexts } from './lint/lint-texts.ts';
import { createReport, type Lint } from './lint/report.ts';
import { compileLogic } from './logic/compile-logic.ts';
import { once } from './once.ts';
import { createValidate, type Validate } from './validate.ts';

/** A definition made ready for use; keep it by survey id and version, making it costs far more than using it. */
export interface CompiledDefinition extends ColumnFormat {
  /** What keeps the survey from being published (errors), and what is only worth a look (warnings). */
  readonly lint: Lint;
  readonly validate: Validate;
  /** What there is to count in answers: the questions in their order. */
  readonly questions: readonly CountedQuestion[];
  /** The questions that take files. */
  readonly fileQuestions: readonly FileQuestion[];
}

/** A question, and what of its answers can be counted. */
export interface CountedQuestion {
  readonly id: string;
  readonly type: QuestionTypeName;
  readonly countable: Countable;
}

/** A question whose answers name files. */
export interface FileQuestion extends FileRules {
  readonly id: string;
  /** JSON pointer of its answer: `/data/<id>`. */
  readonly dataPath: string;
}

/**
 * Compiles a definition, `{schema_version, version, survey}`.
 *
 * Takes any JSON value, never throws and never changes it. What does not hold its shape is left out without a
 * word here: that is for `checkShape` to report. Of what lint finds wrong a member counts as not given and a
 * logic entry as not there.
 */
export const compile = (definition: unknown): CompiledDefinition => {
  const read = readDefinition(definition);
  const { report, lint } = createReport();
  const compilePattern = createPatternCompiler();
  const all = read.questions.map((question) => compileQuestion(question, compilePattern, report));
  lintQuestions(read, all, report);
  lintTexts(read, report);
  lintSections(read, report);
  const program = compileLogic(read, all, report);
  lintReachability(program, all, report);

  const questions = all.filter(({ id, position }) => read.byId.get(id)?.position === position);
  const columnFormat = once(() => createColumnFormat(questions));
  return {
    lint,
    validate: createValidate(questions, program),
    questions: questions.map(({ id, type, rules }) => ({ id, type, countable: rules.countable })),
    fileQuestions: questions.flatMap(({ id, dataPath, rules }) =>
      rules.files ? [{ id, dataPath, ...rules.files }] : [],
    ),
    // Columns can be a hundred thousand, and most definitions are compiled only to validate.
    get columns() {
      return columnFormat().columns;
    },
    answersFromColumns: (row) => columnFormat().answersFromColumns(row),
    cellsFromAnswers: (data) => columnFormat().cellsFromAnswers(data),
  };
};
