import type { JsonObject } from '@bufbuild/protobuf';

/** One of the questions that a SurveyMonkey question is converted to. */
export interface Part {
  /** Suffix of the question id; empty for the question itself. */
  readonly idSuffix: string;
  /** Title in addition to the heading; can be empty. */
  readonly title: string;
  readonly members: JsonObject;
  /** Source data that selects the answers to this part in responses. */
  readonly answerSource: JsonObject;
  readonly required: boolean;
}

/** The only part of a question. */
export function onlyPart(members: JsonObject, required: boolean, answerSource: JsonObject = {}): Part {
  return { idSuffix: '', title: '', members, answerSource, required };
}
