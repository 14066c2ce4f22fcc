import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { Logger } from 'pino';
import type { Definition } from '../definitions/definition.ts';
import type { Response, ResponseHead } from '../responses/response.ts';
import type { StoredFile } from './file.ts';
import { sizeProblem } from './file-rules.ts';
import { CLAIMED_MS, type FileSettlement } from './file-settlement.ts';
import type { FileStore } from './file-store.ts';
import { hasFileQuestions, type NamedFile, namedFiles } from './named-files.ts';

type Named = Pick<ResponseHead, 'tenantId' | 'surveyId' | 'id'>;

/** Replaced files that a response in progress keeps. */
const MAX_REPLACED = 100;

/** The files of responses, which come and go with the answers that name them. */
export interface ResponseFiles {
  /**
   * Takes the files that a new response names, so that no other response has them. Throws `INVALID_ANSWERS` with one
   * entry for each question.
   *
   * @param heldBy other ids under which the same response may have taken them
   */
  claim(response: Named, named: readonly NamedFile[], heldBy?: readonly string[]): Promise<void>;
  /**
   * To be called once the response is stored. If that took long, the sweeper may have given its files back: takes them
   * again, so that they stay with the response.
   *
   * @param claimedAt a time before the files were claimed
   */
  confirm(response: Named, named: readonly NamedFile[], claimedAt: Date): Promise<void>;
  /** Gives them back: nothing is, or ever will be, stored under the id of the response. */
  release(response: Named, named: readonly NamedFile[]): Promise<void>;
  /**
   * Writes a change of a response together with its files. What it names newly is taken first. What it names no more is
   * destroyed afterwards, unless the response stays in progress: then it may be named again until the response is over.
   *
   * @param write false when nothing was written
   */
  change(before: Response, after: Response, definition: Definition, write: () => Promise<boolean>): Promise<boolean>;
  /** Deletes a response, and its files when it is. */
  remove(response: Named, write: () => Promise<boolean>): Promise<boolean>;
  /** Destroys the files of responses that are to be deleted, whatever comes in between: they go first. */
  destroyOf(tenantId: TenantId, responseIds: readonly string[]): Promise<void>;
  /** Destroys all files of a survey, also those that no response names. */
  destroyOfSurvey(tenantId: TenantId, surveyId: string): Promise<void>;
}

interface Dependencies {
  readonly store: FileStore;
  readonly settlement: Pick<FileSettlement, 'settle'>;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** The sweeper of another process may have a clock that is ahead. */
const SURELY_CLAIMED_MS = CLAIMED_MS / 2;

export function createResponseFiles({ store, settlement, clock, log }: Dependencies): ResponseFiles {
  const soon = () => new Date(clock().getTime() + CLAIMED_MS);

  /** The files as they are, after those that are left over of another response have been settled. */
  async function look(tenantId: TenantId, ids: readonly string[], holders: readonly string[]) {
    const found = await store.findAll(tenantId, ids);
    const left = found.filter((file) => isLeft(file, holders, clock()));
    if (left.length === 0) return found;
    for (const file of left) await settlement.settle(file);
    return store.findAll(tenantId, ids);
  }

  async function claim({ tenantId, surveyId, id }: Named, named: readonly NamedFile[], heldBy: readonly string[]) {
    if (named.length === 0) return;
    const holders = [id, ...heldBy];
    const fileIds = idsOf(named);
    const found = new Map((await look(tenantId, fileIds, holders)).map((file) => [file.id, file]));
    const problems = toProblems(named, (one) =>
      problemOf(found.get(one.fileId), one, { surveyId, holders, time: clock() }),
    );
    if (problems.length > 0) throw new AppError('INVALID_ANSWERS', { errors: problems });
    const missed = await store.claim({ tenantId, responseId: id, heldBy, fileIds }, clock(), soon());
    // Another response was faster.
    if (missed > 0) throw new AppError('INVALID_ANSWERS', { errors: toProblems(named, () => NOT_FOUND) });
  }

  async function confirm({ tenantId, id }: Named, named: readonly NamedFile[], claimedAt: Date): Promise<void> {
    if (named.length === 0 || clock().getTime() - claimedAt.getTime() < SURELY_CLAIMED_MS) return;
    const fileIds = idsOf(named);
    const missed = await store.claim({ tenantId, responseId: id, heldBy: [], fileIds }, clock(), soon());
    if (missed > 0)
      log.error({ response_id: id, files: missed }, 'a response was stored too late to keep all of its files');
  }

  /** Throws `INVALID_ANSWERS` when a response in progress would keep too many files that it names no more. */
  async function checkReplaced(
    { tenantId, id }: Named,
    kept: readonly string[],
    replaced: readonly NamedFile[],
  ): Promise<void> {
    const count = (await store.countHeld(tenantId, id)) - kept.length;
    if (count > MAX_REPLACED) throw new AppError('INVALID_ANSWERS', { errors: toProblems(replaced, () => TOO_MANY) });
  }

  /** What was done is done: what cannot be destroyed now the sweeper finds. */
  async function destroyQuestioned({ tenantId, id }: Named, dueAt: Date): Promise<void> {
    try {
      await store.destroyQuestioned(tenantId, id, dueAt, clock());
    } catch (error) {
      log.warn({ err: error, response_id: id }, 'files of a response could not be destroyed, trying again later');
    }
  }

  return {
    claim: (response, named, heldBy = []) => claim(response, named, heldBy),
    confirm,

    async release({ tenantId, id }, named) {
      if (named.length === 0) return;
      const fileIds = named.map(({ fileId }) => fileId);
      try {
        await store.release(tenantId, id, fileIds);
      } catch (error) {
        log.warn({ err: error, response_id: id }, 'files of a response could not be given back, trying again later');
      }
    },

    async change(before, after, definition, write) {
      const [had, has] = [namedFiles(definition, before.data), namedFiles(definition, after.data)];
      const added = without(has, had);
      const claimedAt = clock();
      await claim(after, added, []);
      const dropped = without(had, has);
      const isOver = after.status !== 'in_progress';
      // Then its earlier saves may have dropped files too.
      const isFinished = isOver && before.status === 'in_progress' && hasFileQuestions(definition);
      if (!isOver && dropped.length > 0) await checkReplaced(after, idsOf(has), dropped);
      const dueAt = soon();
      const which = isFinished ? { kept: idsOf(has) } : { dropped: idsOf(dropped) };
      const isQuestioned = isFinished || dropped.length > 0;
      const count = isQuestioned ? await store.question(after.tenantId, after.id, dueAt, which) : 0;
      if (!(await write())) return false;
      await confirm(after, added, claimedAt);
      if (isOver && count > 0) await destroyQuestioned(after, dueAt);
      return true;
    },

    async remove(response, write) {
      const dueAt = soon();
      const count = await store.question(response.tenantId, response.id, dueAt, { kept: [] });
      const isRemoved = await write();
      if (isRemoved && count > 0) await destroyQuestioned(response, dueAt);
      return isRemoved;
    },

    destroyOf: (tenantId, responseIds) => store.destroyOf(tenantId, responseIds, clock()),
    destroyOfSurvey: (tenantId, surveyId) => store.destroyOfSurvey(tenantId, surveyId, clock()),
  };
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

const NOT_FOUND: Problem = {
  code: 'FILE_NOT_FOUND',
  detail: 'a file is none that was uploaded for the question, or another response has it',
};

const TOO_MANY: Problem = {
  code: 'TOO_MANY_FILES',
  detail: `more than ${MAX_REPLACED} files of the response were replaced`,
};

/** Taken for another response that should be stored by now. */
function isLeft({ state, responseId, dueAt }: StoredFile, holders: readonly string[], time: Date): boolean {
  const isOthers = responseId !== undefined && !holders.includes(responseId);
  return state === 'claimed' && isOthers && dueAt !== undefined && dueAt < time;
}

function problemOf(
  file: StoredFile | undefined,
  { question }: NamedFile,
  { surveyId, holders, time }: { readonly surveyId: string; readonly holders: readonly string[]; readonly time: Date },
): Problem | undefined {
  if (file === undefined || file.surveyId !== surveyId || file.questionId !== question.id) return NOT_FOUND;
  const { state, responseId, expiresAt, size } = file;
  const isFree = state === 'ready' && expiresAt !== undefined && expiresAt > time;
  const isOwn =
    (state === 'claimed' || state === 'attached') && responseId !== undefined && holders.includes(responseId);
  if (!isFree && !isOwn) return NOT_FOUND;
  return sizeProblem(question, size);
}

/** One for each question. */
function toProblems(
  named: readonly NamedFile[],
  problemOf: (one: NamedFile) => Problem | undefined,
): readonly FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const one of named) {
    const problem = problemOf(one);
    const path = one.question.dataPath;
    if (problem !== undefined && !problems.has(path)) problems.set(path, { path, ...problem });
  }
  return [...problems.values()];
}

function idsOf(named: readonly NamedFile[]): readonly string[] {
  return [...new Set(named.map(({ fileId }) => fileId))];
}

function without(some: readonly NamedFile[], others: readonly NamedFile[]): readonly NamedFile[] {
  const keyOf = ({ fileId, question }: NamedFile) => JSON.stringify([question.id, fileId]);
  const keys = new Set(others.map(keyOf));
  return some.filter((one) => !keys.has(keyOf(one)));
}
