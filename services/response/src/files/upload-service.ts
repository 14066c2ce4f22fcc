import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import type { IdempotencyStore } from '@survey/runtime/idempotency/idempotency-store';
import { withMinimumSpeed } from '@survey/runtime/rest/request-body';
import { createSharedCapacity } from '../rates/shared-capacity.ts';
import type { IdempotencyScope } from '../responses/response-sealer.ts';
import type { Clocks } from '../stopwatch.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { cleanFilename, type FileContent, MAX_FILE_BYTES, type NewFile } from './file.ts';
import type { CountUpload } from './file-metrics.ts';
import { checkSize, createFileReceiver, type FileToReceive } from './file-receiver.ts';
import { maxBytesOf } from './file-rules.ts';
import type { FileSealer } from './file-sealer.ts';
import type { FileStore } from './file-store.ts';

interface Upload {
  readonly survey: CompiledSurvey;
  readonly scope: IdempotencyScope;
  readonly questionId: string;
  readonly filename: string | undefined;
  /** `Content-Type` and `Content-Length` of the request. */
  readonly declaredType: string | undefined;
  readonly length: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Throws if survey or link is closed. Called after the body has arrived, which can take minutes. */
  readonly recheck: () => Promise<unknown>;
}

/** A file that answers may name. */
interface Uploaded extends FileContent {
  readonly id: string;
  readonly filename: string | undefined;
  readonly expiresAt: Date;
  /** `replayed`: an earlier upload with the same idempotency key has stored the file. */
  readonly origin: 'stored' | 'replayed';
}

interface Dependencies extends Clocks {
  readonly store: FileStore;
  readonly sealer: FileSealer;
  readonly idempotencyKeys: Pick<IdempotencyStore, 'begin'>;
  readonly count: CountUpload;
  readonly newId: () => string;
}

type Sealer = Awaited<ReturnType<FileSealer['forTenant']>>;

/**
 * Maximum number and size of a survey's files that no answer names yet, to protect the disk. An upload counts itself
 * before the check. If concurrent uploads exceed the limit together, all of them may be rejected.
 */
const MAX_UNATTACHED = { count: 10_000, bytes: 10 * 1024 ** 3 };
const UNATTACHED_RETRY_SECONDS = 60;
/** Maximum number of concurrent uploads, to protect the memory. One survey can use half of them. */
const CONCURRENT = { items: 64, bytes: Number.POSITIVE_INFINITY };
const CONCURRENT_SHARES = { tenant: 3 / 4, survey: 1 / 2 };
const HOUR_MS = 60 * 60_000;
/** Longer than any upload takes, because `withMinimumSpeed` rejects slow uploads. */
const UPLOADING_MS = HOUR_MS;
const UNATTACHED_MS = 24 * HOUR_MS;
/** Lifetime of an idempotency key: the documented day, plus an hour. */
const KEY_MS = 25 * HOUR_MS;

export type UploadService = ReturnType<typeof createUploadService>;

/** Encrypts and stores uploaded files chunk by chunk as they arrive. */
export function createUploadService(dependencies: Dependencies) {
  const { store, sealer, idempotencyKeys, count, clock, now, newId } = dependencies;
  const receive = createFileReceiver(store);
  const inFuture = (ms: number) => new Date(clock().getTime() + ms);
  const capacity = createSharedCapacity(CONCURRENT, CONCURRENT_SHARES);

  async function upload(request: Upload): Promise<Uploaded> {
    const question = findQuestion(request);
    checkLength(question, request.length ?? 0);
    const { tenantId, surveyId } = request.survey;
    const tenantSealer = await sealer.forTenant(tenantId);
    const filename = request.filename === undefined ? undefined : cleanFilename(request.filename);
    const identity = { id: newId(), tenantId, surveyId, questionId: question.id };
    const file: NewFile = {
      ...identity,
      filename: filename === undefined ? undefined : tenantSealer.sealName(identity, filename),
      // A file of unknown size counts with the maximum while it arrives.
      size: request.length ?? maxBytesOf(question),
      deleteAt: inFuture(UPLOADING_MS),
    };
    const content = await storeBytes(request, { file, filename, question, tenantSealer });
    // Do not discard the file after an error below: the idempotency key may already refer to it.
    const requestHash = tenantSealer.hashOf({ questionId: question.id, filename, ...content });
    const id = await findFileId(request, file, requestHash, tenantSealer);
    // Complete even the file of an earlier upload: its process may have died before this line.
    await store.complete(tenantId, id, content, inFuture(UNATTACHED_MS));
    const stored = await store.find(tenantId, id);
    // The file of an earlier upload may have expired.
    if (stored?.expiresAt === undefined || stored.state === 'doomed') throw new AppError('FILE_NOT_FOUND');
    const { size, contentType, chunks, expiresAt } = stored;
    return { id, filename, size, contentType, chunks, expiresAt, origin: id === file.id ? 'stored' : 'replayed' };
  }

  async function storeBytes(
    { body, declaredType, recheck }: Upload,
    receiving: Omit<FileToReceive, 'body' | 'declaredType'>,
  ) {
    const { file } = receiving;
    await store.begin(file);
    try {
      await checkUnattached(file);
      const content = await receive({ ...receiving, body: withMinimumSpeed(body, now), declaredType });
      await recheck();
      return content;
    } catch (error) {
      await store.discard(file, clock());
      throw error;
    }
  }

  /** Returns the id of the file that the key refers to: an earlier file that still exists, or this file. */
  async function findFileId(
    { scope, idempotencyKey }: Upload,
    file: NewFile,
    requestHash: Uint8Array,
    tenantSealer: Sealer,
  ) {
    if (idempotencyKey === undefined) return file.id;
    const { tenantId } = file;
    const id = tenantSealer.idOfIdempotencyKey(scope, idempotencyKey);
    const use = { id, tenantId, requestHash, recordId: file.id, reply: undefined, expiresAt: inFuture(KEY_MS) };
    const first = await idempotencyKeys.begin(use);
    if (first.recordId === file.id) return file.id;
    const isSame = Buffer.from(requestHash).equals(first.requestHash);
    // The key can refer to a deleted file, if the first upload was interrupted before its file was complete.
    if (isSame && (await isGone(tenantId, first.recordId))) return file.id;
    await store.discard(file, clock());
    if (!isSame) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return first.recordId;
  }

  async function isGone(tenantId: TenantId, id: string): Promise<boolean> {
    const file = await store.find(tenantId, id);
    return file === undefined || file.state === 'doomed';
  }

  async function checkUnattached({ tenantId, surveyId }: NewFile): Promise<void> {
    const { count, bytes } = await store.countUnattached(tenantId, surveyId);
    if (count <= MAX_UNATTACHED.count && bytes <= MAX_UNATTACHED.bytes) return;
    const detail = 'The survey has too many uploaded files that no answer refers to yet';
    const quota = concurrencyQuota('unattached-files', MAX_UNATTACHED.count);
    throw new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: UNATTACHED_RETRY_SECONDS, quota });
  }

  return {
    /**
     * Stores a file. Deletes a rejected file. Throws `INVALID_FILE`, `BODY_TOO_LARGE`, `OVERLOADED`,
     * `IDEMPOTENCY_KEY_REUSED`, `DEADLINE_EXCEEDED` if the upload is slow, and `TOO_MANY_REQUESTS` if the survey has
     * too many files that no answer names.
     */
    async upload(request: Upload): Promise<Uploaded> {
      const release = capacity.acquire(request.survey);
      try {
        const file = await upload(request);
        count(file.origin, file.origin === 'stored' ? file.size : 0);
        return file;
      } catch (error) {
        count(error instanceof AppError && error.status < 500 ? 'refused' : 'failed');
        throw error;
      } finally {
        release();
      }
    },
  };
}

function checkLength(question: FileQuestion, length: number): void {
  if (length > MAX_FILE_BYTES) throw new AppError('BODY_TOO_LARGE');
  checkSize(question, length);
}

function findQuestion({ survey, questionId }: Upload): FileQuestion {
  const { questions, fileQuestions } = survey.compiled();
  const question = fileQuestions.find(({ id }) => id === questionId);
  if (question !== undefined) return question;
  const exists = questions.some(({ id }) => id === questionId);
  const problem = exists
    ? { code: 'NO_FILE_UPLOAD', detail: 'the question is not a file upload' }
    : { code: 'UNKNOWN_QUESTION', detail: 'the survey has no such question' };
  throw new AppError('INVALID_FILE', { errors: [{ path: '/question_id', ...problem }] });
}
