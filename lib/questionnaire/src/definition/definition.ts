import type { JsonObject } from '../json.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';

/** A question of the definition, with its id and path for problems. */
export interface Question {
  /** The id, or the path for a question without id. A path is never a valid id. */
  readonly id: string;
  readonly type: QuestionTypeName;
  /** JSON pointer from the payload's root. */
  readonly path: string;
  /** Index among all questions of the survey. */
  readonly position: number;
  /** Index of its page. */
  readonly page: number;
  readonly source: JsonObject;
}

/** An object of the definition (a page, a section, a logic entry) with its JSON pointer. */
export interface Located {
  readonly path: string;
  readonly source: JsonObject;
}

/** The readable parts of a definition. `checkShape` reports the others. */
export interface Definition {
  readonly survey: JsonObject;
  readonly languages: readonly string[];
  readonly pages: readonly Located[];
  readonly questions: readonly Question[];
  /** The first question wins if several have the same id. */
  readonly byId: ReadonlyMap<string, Question>;
  readonly sections: readonly Located[];
  readonly logic: readonly Located[];
}
