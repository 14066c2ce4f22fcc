import type { JsonObject } from '@bufbuild/protobuf';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { CompiledSurvey } from '../definitions/definition.ts';

export interface ReferencedFile {
  readonly fileId: string;
  readonly question: FileQuestion;
}

/** Returns the files to which normalised answers refer. */
export function referencedFiles(definition: CompiledSurvey, data: JsonObject): readonly ReferencedFile[] {
  return definition
    .compiled()
    .fileQuestions.flatMap((question) => fileIdsOf(data[question.id]).map((fileId) => ({ fileId, question })));
}

export function hasFileQuestions(definition: CompiledSurvey): boolean {
  return definition.compiled().fileQuestions.length > 0;
}

export function isReferenced(
  data: JsonObject,
  { id, questionId }: { readonly id: string; readonly questionId: string },
) {
  return Object.hasOwn(data, questionId) && fileIdsOf(data[questionId]).includes(id);
}

export function fileIdsOfReferences(references: readonly ReferencedFile[]): readonly string[] {
  return [...new Set(references.map(({ fileId }) => fileId))];
}

/** Returns the files that `others` does not contain for the same question. */
export function withoutFiles(
  files: readonly ReferencedFile[],
  others: readonly ReferencedFile[],
): readonly ReferencedFile[] {
  const keyOf = ({ fileId, question }: ReferencedFile) => JSON.stringify([question.id, fileId]);
  const keys = new Set(others.map(keyOf));
  return files.filter((one) => !keys.has(keyOf(one)));
}
