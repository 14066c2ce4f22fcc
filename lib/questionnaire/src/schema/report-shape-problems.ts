import { nearestName } from '../definition/nearest-name.ts';
import { describeUnknown } from '../definition/unknown-members.ts';
import { LIMITS } from '../limits.ts';
import type { LintTranslations } from '../lint/lint-translations.ts';
import type { ReportProblem } from '../lint/report.ts';
import { check } from './check.ts';
import { payload } from './definition-schema.ts';
import type { Fault } from './schema.ts';

/**
 * Reports the parts of a definition that do not fit its schema. `blocks` selects the problems that block storing, or
 * those that block only publishing.
 *
 * @param lintTranslations called for each text with translations
 */
export function reportShapeProblems(
  definition: unknown,
  blocks: Fault['blocks'],
  report: ReportProblem,
  lintTranslations: LintTranslations = () => {},
): void {
  let questionId: string | undefined;
  let reported = 0;
  check(payload, definition, {
    add: ({ code, detail, names = [], ...fault }, path, name, value) => {
      if (fault.blocks !== blocks) return;
      const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
      report(
        code,
        path,
        nearest === undefined ? detail(name) : `${detail(name)}; did you mean "${nearest}"?`,
        questionId,
      );
      reported += 1;
    },
    addUnknownMember: (owner, path, name) => {
      if (blocks !== 'storing') return;
      const { detail, nearest } = describeUnknown(owner, name);
      const advice = nearest === undefined ? 'free content belongs in metadata' : `did you mean "${nearest}"?`;
      report('UNKNOWN_MEMBER', path, `${detail}; ${advice}`);
      reported += 1;
    },
    addTranslations: (translations, path) => lintTranslations(translations, path, questionId),
    setQuestion: (question) => {
      questionId = typeof question?.id === 'string' ? question.id : undefined;
    },
    isFull: () => reported >= LIMITS.problems,
  });
}
