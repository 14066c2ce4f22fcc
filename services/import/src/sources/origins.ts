import type { FieldProblem } from '@survey/runtime/errors/app-error';

/** Where the parts of a payload come from. */
export interface Origins {
  /** The part at one JSON pointer of the payload comes from a place in the file. */
  note(payloadPath: string, filePath: string): void;
  /** A problem of the payload, told by the place in the file of the smallest part that was noted. */
  inFile(problem: FieldProblem): FieldProblem;
}

export function createOrigins(): Origins {
  const places = new Map<string, string>();
  return {
    note(payloadPath, filePath) {
      places.set(payloadPath, filePath);
    },

    inFile(problem) {
      for (let part = problem.path; part !== ''; part = part.slice(0, part.lastIndexOf('/'))) {
        const place = places.get(part);
        if (place !== undefined) return { ...problem, path: place };
      }
      return { ...problem, path: places.get('') ?? '' };
    },
  };
}
