import type { QuestionTypeName } from '../answers/answer-types.ts';
import type { JsonObject } from '../json.ts';

/** A question as it stands in the definition, with what is needed to name it in a problem. */
export interface Question {
  /** Its id; a question without one is known by its path, which no id can be. */
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

/** An object of a list in the definition (a page, a section, a logic entry) and where it stands. */
export interface Placed {
  readonly path: string;
  readonly source: JsonObject;
}

/** What of a definition could be read; what could not is a problem of its shape and left out here. */
export interface Definition {
  readonly survey: JsonObject;
  readonly languages: readonly string[];
  readonly pages: readonly Placed[];
  readonly questions: readonly Question[];
  /** Of several questions with one id the first counts. */
  readonly byId: ReadonlyMap<string, Question>;
  readonly sections: readonly Placed[];
  readonly logic: readonly Placed[];
}
