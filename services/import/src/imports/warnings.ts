import type { Warn } from '@survey/formats/shared/reader';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { MAX_WARNINGS } from './report.ts';

/** The first warnings of an import, and the number of further ones. */
export interface Warnings {
  readonly warn: Warn;
  first(): readonly FieldProblem[];
  more(): number;
}

/** @param location of the file in the request, a prefix of all paths */
export function createWarnings(location: string): Warnings {
  const first: FieldProblem[] = [];
  let more = 0;
  return {
    warn(problem) {
      if (first.length === MAX_WARNINGS) more += 1;
      else first.push(toRequestProblem(problem, location));
    },
    first: () => first,
    more: () => more,
  };
}

/** Converts the location of a problem in the file to one in the request. */
export function toRequestProblem(problem: FieldProblem, location: string): FieldProblem {
  return { ...problem, path: location + problem.path };
}
