import type { JsonObject } from '@bufbuild/protobuf';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { Logger } from 'pino';
import type { Response, ResponseFields } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { HELD_STATES, type StoredFile } from './file.ts';
import { sizeProblem } from './file-rules.ts';
import { CLAIMED_MS, type FileSettlement } from './file-settlement.ts';
import type { FileSelection, FileStore } from './file-store.ts';

type ResponseIdentity = Pick<ResponseFields, 'tenantId' | 'surveyId' | 'id'>;

/** Maximum number of files that a response in progress keeps although it no longer names them. */
const MAX_REPLACED = 100;

interface Dependencies {
  readonly store: FileStore;
  readonly settlement: Pick<FileSettlement, 'isResponseStored' | 'settle'>;
  readonly clock: () => Date;
  readonly log: Logger;
}

export type ResponseFiles = ReturnType<typeof createResponseFiles>;

/**
 * Claims, releases and destroys files when responses are stored, changed or deleted. A claim reserves a file for one
 * response until the write of the response has ended.
 */
export function createResponseFiles({ store, settlement, clock, log }: Dependencies) {
  const claimExpiry = () => new Date(clock().getTime() + CLAIMED_MS);

  /** Finds files, after settling expired claims of other responses. */
  async function findSettled(tenantId: TenantId, ids: readonly string[], holders: readonly string[]) {
    const found = await store.findAll(tenantId, ids);
    const expired = found.filter((file) => hasExpiredClaim(file, holders, clock()));
    if (expired.length === 0) return found;
    for (const file of expired) await settlement.settle(file);
    return store.findAll(tenantId, ids);
  }

  async function claim(
    { tenantId, surveyId, id }: ResponseIdentity,
    references: readonly ReferencedFile[],
    heldBy: readonly string[] = [],
  ) {
    if (references.length === 0) return;
    const holders = [id, ...heldBy];
    const fileIds = fileIdsOfReferences(references);
    const found = new Map((await findSettled(tenantId, fileIds, holders)).map((file) => [file.id, file]));
    const problems = toProblems(references, (one) =>
      problemOf(found.get(one.fileId), one, { surveyId, holders, time: clock() }),
    );
    if (problems.length > 0) await reject([...found.values()], holders, problems);
    const missed = await store.claim({ tenantId, responseId: id, heldBy, fileIds }, clock(), claimExpiry());
    if (missed > 0) await checkHeld({ tenantId, id }, references);
  }

  /** Throws `INVALID_ANSWERS` or `UNAVAILABLE` if another response has claimed a file concurrently. */
  async function checkHeld(
    { tenantId, id }: Pick<ResponseIdentity, 'tenantId' | 'id'>,
    references: readonly ReferencedFile[],
  ): Promise<void> {
    const found = await store.findAll(tenantId, fileIdsOfReferences(references));
    const isHeld = ({ state, responseId }: StoredFile) => HELD_STATES.includes(state) && responseId === id;
    const held = new Set(found.filter(isHeld).map((file) => file.id));
    const errors = toProblems(references, ({ fileId }) => (held.has(fileId) ? undefined : NOT_FOUND));
    if (errors.length > 0) await reject(found, [id], errors);
  }

  /** Throws `UNAVAILABLE` if another response has claimed a file but is not stored, else `INVALID_ANSWERS`. */
  async function reject(found: readonly StoredFile[], holders: readonly string[], errors: readonly FieldProblem[]) {
    for (const file of found)
      if (isClaimedByOther(file, holders) && !(await settlement.isResponseStored(file)))
        throw new AppError('UNAVAILABLE', { detail: CLAIMED, retryAfterSeconds: 1 });
    throw new AppError('INVALID_ANSWERS', { errors });
  }

  /** Throws `INVALID_ANSWERS` if a response would keep too many files that it no longer names. */
  async function checkReplaced(
    { tenantId, id }: ResponseIdentity,
    namedIds: readonly string[],
    replaced: readonly ReferencedFile[],
  ): Promise<void> {
    const count = (await store.countHeld(tenantId, id)) - namedIds.length;
    if (count > MAX_REPLACED) throw new AppError('INVALID_ANSWERS', { errors: toProblems(replaced, () => TOO_MANY) });
  }

  /** Ignores errors, because the sweeper destroys the files later. */
  async function destroyDropped(response: ResponseIdentity, dueAt: Date, marked: FileSelection): Promise<void> {
    try {
      await store.destroyDropped(response, dueAt, marked, clock());
    } catch (error) {
      log.warn({ err: error, response_id: response.id }, 'cannot destroy files of a response; the file sweeper will');
    }
  }

  return {
    /**
     * Claims the files that a new response names. Throws `INVALID_ANSWERS` with one error per question. Throws
     * `UNAVAILABLE` while another response that claims a file is being stored.
     *
     * @param heldBy earlier ids of the same response, which may have claimed the files
     */
    claim,

    /**
     * Settles the claims of a failed attempt: releases the files, unless the response is stored. Makes a concurrent
     * attempt to store the response fail. Ignores errors, because the sweeper settles the remaining files.
     */
    async release({ tenantId, id }: ResponseIdentity, references: readonly ReferencedFile[]): Promise<void> {
      if (references.length === 0) return;
      try {
        for (const file of await store.findAll(tenantId, fileIdsOfReferences(references)))
          if (file.state === 'claimed' && file.responseId === id) await settlement.settle(file);
      } catch (error) {
        log.warn({ err: error, response_id: id }, 'cannot release files of a response; the file sweeper will');
      }
    },

    /**
     * Claims added files, runs a write that changes a response, then destroys dropped files. A response in progress
     * keeps its dropped files until it is finished, so that the respondent can name them again.
     *
     * @param write returns false if nothing was written
     */
    async change(
      before: Response,
      after: Response,
      definition: CompiledSurvey,
      write: () => Promise<boolean>,
    ): Promise<boolean> {
      const { named, added, dropped, marked, destroysMarked } = compareFiles(before, after, definition);
      await claim(after, added);
      if (!destroysMarked && dropped.length > 0) await checkReplaced(after, fileIdsOfReferences(named), dropped);
      if (marked === undefined) return write();
      const dueAt = claimExpiry();
      const count = await store.markDropping(after.tenantId, [after.id], dueAt, marked);
      const isWritten = await write();
      if (isWritten && destroysMarked && count > 0) await destroyDropped(after, dueAt, marked);
      return isWritten;
    },

    /** Runs a write that deletes a response, then destroys its files. */
    async remove(response: ResponseIdentity, write: () => Promise<boolean>): Promise<boolean> {
      const [dueAt, all] = [claimExpiry(), { kept: [] }];
      const count = await store.markDropping(response.tenantId, [response.id], dueAt, all);
      const isRemoved = await write();
      if (isRemoved && count > 0) await destroyDropped(response, dueAt, all);
      return isRemoved;
    },

    /**
     * Runs a write that deletes responses, then destroys the files of the deleted ones. Like `remove`, it keeps the
     * files of a response that changes concurrently, and so is not deleted.
     *
     * @param write returns the ids of the deleted responses
     */
    async removeAll(
      tenantId: TenantId,
      responseIds: readonly string[],
      write: () => Promise<readonly string[]>,
    ): Promise<readonly string[]> {
      const count = await store.markDropping(tenantId, responseIds, claimExpiry(), { kept: [] });
      const removed = await write();
      if (count > 0) await store.destroyOf(tenantId, removed, clock());
      return removed;
    },

    /** Destroys the files of responses. Call it before deleting the responses, so that no file is orphaned. */
    destroyOf: (tenantId: TenantId, responseIds: readonly string[]): Promise<void> =>
      store.destroyOf(tenantId, responseIds, clock()),
    /** Destroys all files of a survey, including those that no response names. */
    destroyOfSurvey: (tenantId: TenantId, surveyId: string): Promise<void> =>
      store.destroyOfSurvey(tenantId, surveyId, clock()),
  };
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

const NOT_FOUND: Problem = {
  code: 'FILE_NOT_FOUND',
  detail: 'each file must be uploaded for this question, and must not belong to another response',
};

const CLAIMED = 'Another response that names the file is being stored, try again';

const TOO_MANY: Problem = {
  code: 'TOO_MANY_FILES',
  detail: `a response in progress can replace at most ${MAX_REPLACED} files`,
};

function isClaimedByOther({ state, responseId }: StoredFile, holders: readonly string[]): boolean {
  return state === 'claimed' && responseId !== undefined && !holders.includes(responseId);
}

/** Whether another response claimed the file so long ago that its write must have ended. */
function hasExpiredClaim(file: StoredFile, holders: readonly string[], time: Date): boolean {
  return isClaimedByOther(file, holders) && file.dueAt !== undefined && file.dueAt < time;
}

function problemOf(
  file: StoredFile | undefined,
  { question }: ReferencedFile,
  { surveyId, holders, time }: { readonly surveyId: string; readonly holders: readonly string[]; readonly time: Date },
): Problem | undefined {
  if (file === undefined || file.surveyId !== surveyId || file.questionId !== question.id) return NOT_FOUND;
  const { state, responseId, expiresAt, size } = file;
  const isFree = state === 'ready' && expiresAt !== undefined && expiresAt > time;
  const isOwn = HELD_STATES.includes(state) && responseId !== undefined && holders.includes(responseId);
  if (!isFree && !isOwn) return NOT_FOUND;
  return sizeProblem(question, size);
}

function toProblems(
  references: readonly ReferencedFile[],
  find: (one: ReferencedFile) => Problem | undefined,
): readonly FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const one of references) {
    const problem = find(one);
    const path = one.question.dataPath;
    if (problem !== undefined && !problems.has(path)) problems.set(path, { path, ...problem });
  }
  return [...problems.values()];
}

interface FileChanges {
  /** Files that the response names now. */
  readonly named: readonly ReferencedFile[];
  readonly added: readonly ReferencedFile[];
  readonly dropped: readonly ReferencedFile[];
  /** Files to mark before the write. The sweeper settles them if the process dies. Undefined if there are none. */
  readonly marked: FileSelection | undefined;
  /** Whether to destroy the marked files after the write. */
  readonly destroysMarked: boolean;
}

function compareFiles(before: Response, after: Response, definition: CompiledSurvey): FileChanges {
  const [earlier, named] = [referencedFiles(definition, before.data), referencedFiles(definition, after.data)];
  const [added, dropped] = [withoutFiles(named, earlier), withoutFiles(earlier, named)];
  const changes = { named, added, dropped };
  const marked = dropped.length === 0 ? undefined : { dropped: fileIdsOfReferences(dropped) };
  // Keep dropped files until the response is finished, because the respondent can name them again.
  if (after.status === 'in_progress') return { ...changes, marked, destroysMarked: false };
  // This save finishes the response. Earlier saves may have dropped files too.
  if (before.status === 'in_progress' && hasFileQuestions(definition))
    return { ...changes, marked: { kept: fileIdsOfReferences(named) }, destroysMarked: true };
  return { ...changes, marked, destroysMarked: true };
}

export interface ReferencedFile {
  readonly fileId: string;
  readonly question: FileQuestion;
}

/** Returns the files that normalised answers name. */
export function referencedFiles(definition: CompiledSurvey, data: JsonObject): readonly ReferencedFile[] {
  return definition
    .compiled()
    .fileQuestions.flatMap((question) => fileIdsOf(data[question.id]).map((fileId) => ({ fileId, question })));
}

function hasFileQuestions(definition: CompiledSurvey): boolean {
  return definition.compiled().fileQuestions.length > 0;
}

function fileIdsOfReferences(references: readonly ReferencedFile[]): readonly string[] {
  return [...new Set(references.map(({ fileId }) => fileId))];
}

/** Returns the files that `others` does not contain for the same question. */
function withoutFiles(files: readonly ReferencedFile[], others: readonly ReferencedFile[]): readonly ReferencedFile[] {
  const keyOf = ({ fileId, question }: ReferencedFile) => JSON.stringify([question.id, fileId]);
  const keys = new Set(others.map(keyOf));
  return files.filter((one) => !keys.has(keyOf(one)));
}
