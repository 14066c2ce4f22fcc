import type { Warn } from '@survey/formats/shared/reader';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { MAX_WARNINGS } from './report.ts';

/** The first warnings of an import, at least one of each code, and the number of further ones. */
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
      const warning = toRequestProblem(problem, location);
      if (first.length < MAX_WARNINGS) {
        first.push(warning);
        return;
      }
      more += 1;
      if (first.some(({ code }) => code === problem.code)) return;
      const repeated = first.findLastIndex(
        ({ code }, index) => first.findIndex((other) => other.code === code) < index,
      );
      if (repeated === -1) return;
      first.splice(repeated, 1);
      first.unshift(warning);
    },
    first: () => first,
    more: () => more,
  };
}

/** Converts the location of a problem in the file to one in the request. */
export function toRequestProblem(problem: FieldProblem, location: string): FieldProblem {
  return { ...problem, path: location + problem.path };
}
