import type { JsonObject } from '@bufbuild/protobuf';

/** One of the questions that a question of SurveyMonkey's becomes. */
export interface Part {
  /** Tells it from the others, and follows the question's id in its own; empty for the question itself. */
  readonly name: string;
  /** What it asks for beside the heading of all; empty when that is all. */
  readonly title: string;
  readonly members: JsonObject;
  /** Which of the answers are to it: kept as source data. */
  readonly answers: JsonObject;
  readonly required: boolean;
}

/** A part that is all of the question. */
export function wholeOf(members: JsonObject, required: boolean, answers: JsonObject = {}): Part {
  return { name: '', title: '', members, answers, required };
}
