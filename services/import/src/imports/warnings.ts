import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Warn } from '../sources/reader.ts';
import { MAX_WARNINGS } from './report.ts';

/** The first warnings of an import, and how many there are beyond. */
export interface Warnings {
  readonly warn: Warn;
  first(): readonly FieldProblem[];
  more(): number;
}

/** @param place where the file stood in the request: paths in it are told from there */
export function createWarnings(place: string): Warnings {
  const first: FieldProblem[] = [];
  let more = 0;
  return {
    warn(problem) {
      if (first.length === MAX_WARNINGS) more += 1;
      else first.push(inRequest(problem, place));
    },
    first: () => first,
    more: () => more,
  };
}

/** A problem of the file, told by its place in the request. */
export function inRequest(problem: FieldProblem, place: string): FieldProblem {
  return { ...problem, path: place + problem.path };
}
