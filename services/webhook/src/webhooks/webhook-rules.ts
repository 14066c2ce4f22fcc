import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { isEventName, isEventPattern } from '../events/event-catalog.ts';
import { ADDRESS_REFUSED, type TargetCheck } from '../targets/target.ts';

/** Checks the event types of a webhook: names or patterns. */
export function checkEventTypes(patterns: readonly string[]): readonly FieldProblem[] {
  if (patterns.length === 0)
    return [{ path: '/event_types', code: 'REQUIRED', detail: 'A webhook needs at least one event type' }];
  return unknownAmong(patterns, isEventPattern);
}

/** Checks event types without patterns. */
export function checkEventNames(names: readonly string[]): readonly FieldProblem[] {
  return unknownAmong(names, isEventName);
}

/** Reports the ids that are not in `known`. */
export function checkSurveyIds(ids: readonly string[], known: ReadonlySet<string>): readonly FieldProblem[] {
  const problem = { code: 'UNKNOWN_SURVEY', detail: 'There is no survey with this id' };
  return ids.flatMap((id, index) => (known.has(id) ? [] : [{ path: `/survey_ids/${index}`, ...problem }]));
}

function unknownAmong(given: readonly string[], isKnown: (name: string) => boolean): readonly FieldProblem[] {
  const problem = {
    code: 'UNKNOWN_EVENT_TYPE',
    detail: 'There is no event type with this name; see GET /v1/webhook-event-types',
  };
  return given.flatMap((name, index) => (isKnown(name) ? [] : [{ path: `/event_types/${index}`, ...problem }]));
}

/** Throws `WEBHOOK_URL_REFUSED` if the URL is not allowed. */
export function requireAllowed(check: TargetCheck): void {
  if (check.kind === 'allowed') return;
  const problems = check.kind === 'rejected' ? check.problems : [ADDRESS_REFUSED];
  const errors = problems.map((problem) => ({ path: '/url', ...problem }));
  // Clients do not see why a name does not resolve. Logs have the cause.
  const cause = check.kind === 'unresolved' ? check.cause : undefined;
  throw new AppError('WEBHOOK_URL_REFUSED', { errors, cause });
}
