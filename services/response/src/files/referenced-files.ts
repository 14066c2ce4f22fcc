import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { Definition } from '../definitions/definition.ts';

export interface ReferencedFile {
  readonly fileId: string;
  readonly question: FileQuestion;
}

/** Returns the files to which normalised answers refer. */
export function referencedFiles(definition: Definition, data: JsonObject): readonly ReferencedFile[] {
  return definition
    .compiled()
    .fileQuestions.flatMap((question) => fileIdsIn(data[question.id]).map((fileId) => ({ fileId, question })));
}

export function hasFileQuestions(definition: Definition): boolean {
  return definition.compiled().fileQuestions.length > 0;
}

export function isReferenced(
  data: JsonObject,
  { id, questionId }: { readonly id: string; readonly questionId: string },
) {
  return Object.hasOwn(data, questionId) && fileIdsIn(data[questionId]).includes(id);
}

/** Returns the ids of files that an answer names. */
export function fileIdsIn(answer: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((item) =>
    typeof item === 'object' && item !== null && 'file_id' in item && typeof item.file_id === 'string'
      ? [item.file_id]
      : [],
  );
}

export function idsOf(references: readonly ReferencedFile[]): readonly string[] {
  return [...new Set(references.map(({ fileId }) => fileId))];
}

/** Returns the files that are not among others, for the same question. */
export function without(
  files: readonly ReferencedFile[],
  others: readonly ReferencedFile[],
): readonly ReferencedFile[] {
  const keyOf = ({ fileId, question }: ReferencedFile) => JSON.stringify([question.id, fileId]);
  const keys = new Set(others.map(keyOf));
  return files.filter((one) => !keys.has(keyOf(one)));
}
