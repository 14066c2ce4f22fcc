import type { FieldProblem } from '@survey/runtime/errors/app-error';

/** Maps parts of the payload to locations in the file. */
export interface Origins {
  /** Records the location in the file of a part of the payload. Both are JSON pointers. */
  note(payloadPath: string, filePath: string): void;
  /** Converts the path of a problem to the location of the smallest recorded part around it. */
  toFileProblem(problem: FieldProblem): FieldProblem;
}

export function createOrigins(): Origins {
  const locations = new Map<string, string>();
  return {
    note(payloadPath, filePath) {
      locations.set(payloadPath, filePath);
    },

    toFileProblem(problem) {
      for (let part = problem.path; part !== ''; part = part.slice(0, part.lastIndexOf('/'))) {
        const location = locations.get(part);
        if (location !== undefined) return { ...problem, path: location };
      }
      return { ...problem, path: locations.get('') ?? '' };
    },
  };
}
