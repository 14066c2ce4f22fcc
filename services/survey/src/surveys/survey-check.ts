import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import type { Lint } from '@survey/questionnaire/lint/report';

/** Everything that keeps what may be a creation payload from being stored and published, and what is worth a look. */
export function checkPayload(payload: unknown): Lint {
  const { errors, warnings } = compile(payload).lint;
  return { errors: [...checkShape(payload), ...errors], warnings };
}
