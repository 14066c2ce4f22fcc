import type { PublicFile } from '@survey/client';
import type { QuestionOf } from '@survey/questionnaire';
import { toApiError } from './errors.ts';
import type { QuestionErrors } from './flow.ts';

/** The reason why a file was not uploaded. Only `UPLOAD_FAILED` can be retried. */
export type UploadProblem = 'FILE_TOO_LARGE' | 'FILE_KIND_REFUSED' | 'UPLOAD_FAILED';

/** A file without an id: it is being uploaded, or was not accepted. */
export interface PendingFile {
  readonly question: UploadQuestion;
  readonly file: File;
  /** The sent share, from 0 to 1. */
  readonly share: number;
  readonly problem?: UploadProblem;
  /** Stops the upload. Also identifies it. */
  readonly abort: AbortController;
}

type UploadQuestion = Pick<QuestionOf<'file_upload'>, 'id' | 'maxBytes'>;

/** Uploads files. They continue while other pages are shown. */
export interface Uploads {
  start(question: UploadQuestion, file: File): Promise<void>;
  retry(pending: PendingFile): Promise<void>;
  /** Stops an upload, or removes a file that was not accepted. */
  remove(pending: PendingFile): void;
  /** Stops all uploads. */
  clear(): void;
}

interface Dependencies {
  /** Uploads a file. Rejects with an `ApiError`. */
  readonly upload: (
    questionId: string,
    file: File,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ) => Promise<PublicFile>;
  /** Called with all pending files after each change. */
  readonly onChange: (pending: readonly PendingFile[]) => void;
  readonly onUploaded: (questionId: string, uploaded: PublicFile, file: File) => void;
}

export function createUploads({ upload, onChange, onUploaded }: Dependencies): Uploads {
  let all: readonly PendingFile[] = [];

  function set(pending: readonly PendingFile[]): void {
    all = pending;
    onChange(all);
  }

  function change(abort: AbortController, changes: Partial<PendingFile>): void {
    set(all.map((one) => (one.abort === abort ? { ...one, ...changes } : one)));
  }

  async function start(question: UploadQuestion, file: File): Promise<void> {
    const abort = new AbortController();
    const pending: PendingFile = { question, file, share: 0, abort };
    if (question.maxBytes !== undefined && file.size > question.maxBytes) {
      set([...all, { ...pending, problem: 'FILE_TOO_LARGE' }]);
      return;
    }
    set([...all, pending]);
    try {
      const uploaded = await upload(question.id, file, (share) => change(abort, { share }), abort.signal);
      // A file that was removed meanwhile must not become an answer.
      if (abort.signal.aborted) return;
      onUploaded(question.id, uploaded, file);
      remove(pending);
    } catch (error) {
      if (!abort.signal.aborted) change(abort, { problem: problemOf(error) });
    }
  }

  function remove({ abort }: PendingFile): void {
    abort.abort();
    set(all.filter((one) => one.abort !== abort));
  }

  return {
    start,
    retry(pending) {
      remove(pending);
      return start(pending.question, pending.file);
    },
    remove,
    clear() {
      for (const { abort } of all) abort.abort();
      set([]);
    },
  };
}

function problemOf(error: unknown): UploadProblem {
  const { code, errors, status } = toApiError(error);
  const codes: readonly string[] = [code, ...errors.map((one) => one.code)];
  if (codes.includes('FILE_TOO_LARGE') || status === 413) return 'FILE_TOO_LARGE';
  return codes.includes('FILE_KIND_REFUSED') ? 'FILE_KIND_REFUSED' : 'UPLOAD_FAILED';
}

/** Errors of questions with pending files: `UPLOAD_RUNNING` while one is uploaded, else `FILES_NOT_UPLOADED`. */
export function uploadErrorsIn(pending: readonly PendingFile[], questions: readonly string[]): QuestionErrors {
  const found = new Map<string, 'UPLOAD_RUNNING' | 'FILES_NOT_UPLOADED'>();
  for (const { question, problem } of pending) {
    if (!questions.includes(question.id) || found.get(question.id) === 'UPLOAD_RUNNING') continue;
    found.set(question.id, problem === undefined ? 'UPLOAD_RUNNING' : 'FILES_NOT_UPLOADED');
  }
  return found;
}

/** Updates the shown errors when pending files change. Returns the same map if no error changes. */
export function withUploadErrors(errors: QuestionErrors, pending: readonly PendingFile[]): QuestionErrors {
  const current = uploadErrorsIn(pending, [...errors.keys()]);
  const updated = [...errors].flatMap(([id, code]): [string, string][] => {
    const isUpload = code === 'UPLOAD_RUNNING' || code === 'FILES_NOT_UPLOADED';
    const latest = current.get(id) ?? (isUpload ? undefined : code);
    return latest === undefined ? [] : [[id, latest]];
  });
  const isSame = updated.length === errors.size && updated.every(([id, code]) => errors.get(id) === code);
  return isSame ? errors : new Map(updated);
}
