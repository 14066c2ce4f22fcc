import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { isEventName, isEventPattern } from '../events/event-catalog.ts';
import { ADDRESS_REFUSED, type TargetCheck } from '../targets/target.ts';

/** What is wrong with the types of events that a webhook asks for. */
export function checkEventTypes(patterns: readonly string[]): readonly FieldProblem[] {
  if (patterns.length === 0)
    return [{ path: '/event_types', code: 'REQUIRED', detail: 'A webhook asks for one type of event at least' }];
  return unknownAmong(patterns, isEventPattern);
}

/** What is wrong with a list of types of events, by their names alone. */
export function checkEventNames(names: readonly string[]): readonly FieldProblem[] {
  return unknownAmong(names, isEventName);
}

/** The ids of surveys that are not among the known ones. */
export function checkSurveyIds(ids: readonly string[], known: ReadonlySet<string>): readonly FieldProblem[] {
  const problem = { code: 'UNKNOWN_SURVEY', detail: 'There is no survey with this id' };
  return ids.flatMap((id, index) => (known.has(id) ? [] : [{ path: `/survey_ids/${index}`, ...problem }]));
}

function unknownAmong(given: readonly string[], isKnown: (name: string) => boolean): readonly FieldProblem[] {
  const problem = { code: 'UNKNOWN_EVENT_TYPE', detail: 'There is no event type of this name' };
  return given.flatMap((name, index) => (isKnown(name) ? [] : [{ path: `/event_types/${index}`, ...problem }]));
}

/** Throws `WEBHOOK_URL_REFUSED` for what webhooks cannot be sent to. */
export function requireAllowed(check: TargetCheck): void {
  if (check.kind === 'allowed') return;
  const problems = check.kind === 'refused' ? check.problems : [ADDRESS_REFUSED];
  const errors = problems.map((problem) => ({ path: '/url', ...problem }));
  // Why a name does not resolve is for our logs alone.
  const cause = check.kind === 'unresolved' ? check.cause : undefined;
  throw new AppError('WEBHOOK_URL_REFUSED', { errors, cause });
}
