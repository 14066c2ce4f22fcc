import { isRejection } from '../answers/answer-type.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { ownMember } from '../json.ts';
import { toProblem } from '../problem.ts';
import type { AnswerProblem, ResponseData } from '../validate.ts';
import type { CellKind, ListItem, ListName } from './cell-format.ts';

/** One CSV column of responses: `q`, `q[option]`, `q[row]`, `q[row][column]` or `q.other`. */
export interface Column {
  readonly name: string;
  readonly question_id: string;
  /** The option, row and column in the name, in order; the option `other` for `q.other`. */
  readonly items: readonly ListItem[];
  /** The list whose ids the cells contain. A cell can also contain `other`. Undefined if the cells have no ids. */
  readonly holds?: ListName;
  /** The kind of validated values in the cells; undefined for texts and ids. */
  readonly kind?: CellKind;
}

interface ColumnAnswers {
  /** Answers by question id, for `validate(data, {lenient: true})`. */
  readonly data: { readonly [questionId: string]: unknown };
  readonly errors: readonly AnswerProblem[];
}

/** Converts the answers of responses to CSV cells and back. The caller adds the header and metadata. */
export interface ColumnFormat {
  readonly columns: readonly Column[];
  /** Reads the answers from one row, by column name. Missing cells count as empty; unknown columns are ignored. */
  answersFromColumns(row: { readonly [column: string]: string | undefined }): ColumnAnswers;
  /** Returns one cell per column; takes the result of `validate`. */
  cellsFromAnswers(data: ResponseData): readonly string[];
}

interface QuestionColumns {
  readonly question: CompiledQuestion;
  readonly columns: readonly Column[];
}

export function createColumnFormat(questions: readonly CompiledQuestion[]): ColumnFormat {
  const all: readonly QuestionColumns[] = questions.map((question) => ({
    question,
    columns: question.rules.cells
      .columns()
      .map(({ suffix, ...rest }) => ({ name: `${question.id}${suffix}`, question_id: question.id, ...rest })),
  }));
  return {
    columns: all.flatMap(({ columns }) => columns),

    answersFromColumns: (row) => {
      const answers: [string, unknown][] = [];
      const errors: AnswerProblem[] = [];
      for (const { question, columns } of all) {
        const cells = columns.map(({ name }) => String(ownMember(row, name) ?? ''));
        const result = question.rules.cells.fromCells(cells);
        if (isRejection(result)) errors.push(toProblem(result.code, question.dataPath, result.detail, question.id));
        else if (result.value !== undefined) answers.push([question.id, result.value]);
      }
      return { data: Object.fromEntries(answers), errors };
    },

    cellsFromAnswers: (data) =>
      all.flatMap(({ question, columns }) => {
        const answer = Object.hasOwn(data, question.id) ? data[question.id] : undefined;
        return answer === undefined ? columns.map(() => '') : question.rules.cells.toCells(answer);
      }),
  };
}
