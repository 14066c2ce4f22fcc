import { OTHER_SUFFIX } from '../columns/cell-format.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import type { Definition } from '../definition/definition.ts';
import { LIMITS } from '../limits.ts';
import type { ReportProblem } from './report.ts';

const QUESTION_ID = new RegExp(`^[A-Za-z0-9_.-]{1,${LIMITS.id}}$`);

/** Reports surveys without questions, and invalid or duplicate question ids. */
export function lintQuestions(
  { byId, questions }: Definition,
  compiledQuestions: readonly CompiledQuestion[],
  report: ReportProblem,
): void {
  if (questions.length === 0) report('NO_QUESTIONS', '/survey/pages', 'the survey has no question');
  for (const question of compiledQuestions) {
    const { id, path } = question;
    // A question without an id has its path as id.
    if (id !== path && !QUESTION_ID.test(id)) {
      report('BAD_ID', `${path}/id`, `an id has 1 to ${LIMITS.id} of the characters A-Z a-z 0-9 _ . -`, id);
    }
    if (byId.get(id)?.position !== question.position) {
      report('DUPLICATE_ID', `${path}/id`, 'another question has this id', id);
    }
    const questionWithOtherId = byId.get(`${id}${OTHER_SUFFIX}`);
    if (
      questionWithOtherId !== undefined &&
      question.rules.cells.columns().some(({ suffix }) => suffix === OTHER_SUFFIX)
    ) {
      const detail = `exports have a CSV column of this name, for the other texts of ${id}`;
      report('DUPLICATE_ID', `${questionWithOtherId.path}/id`, detail, questionWithOtherId.id);
    }
  }
}
