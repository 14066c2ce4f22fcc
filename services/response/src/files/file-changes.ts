import type { CompiledSurvey } from '../definitions/definition.ts';
import type { Response } from '../responses/response.ts';
import type { MarkedFiles } from './file-store.ts';
import {
  fileIdsOfReferences,
  hasFileQuestions,
  type ReferencedFile,
  referencedFiles,
  withoutFiles,
} from './referenced-files.ts';

/** The files that a change of a response affects. */
export interface FileChanges {
  /** Files that the response names now. */
  readonly named: readonly ReferencedFile[];
  readonly added: readonly ReferencedFile[];
  readonly dropped: readonly ReferencedFile[];
  /** Files to mark before the write, so that they are settled if the process dies; undefined if there are none. */
  readonly marked: MarkedFiles | undefined;
  /** Whether to destroy the marked files after the write. */
  readonly destroysMarked: boolean;
}

/** Compares the files that a response named before a change and after it. */
export function compareFiles(before: Response, after: Response, definition: CompiledSurvey): FileChanges {
  const [earlier, named] = [referencedFiles(definition, before.data), referencedFiles(definition, after.data)];
  const [added, dropped] = [withoutFiles(named, earlier), withoutFiles(earlier, named)];
  const changes = { named, added, dropped };
  const marked = dropped.length === 0 ? undefined : { dropped: fileIdsOfReferences(dropped) };
  // The respondent can name dropped files again. Settling keeps them until the response is finished.
  if (after.status === 'in_progress') return { ...changes, marked, destroysMarked: false };
  // The response is finished. Earlier saves may have dropped files too.
  if (before.status === 'in_progress' && hasFileQuestions(definition))
    return { ...changes, marked: { kept: fileIdsOfReferences(named) }, destroysMarked: true };
  // The response was finished before, and is corrected.
  return { ...changes, marked, destroysMarked: true };
}
