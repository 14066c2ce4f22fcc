import type { QuestionOf } from '@survey/questionnaire';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toApiError } from '../session/errors.ts';
import type { UploadError } from '../session/flow.ts';
import type { Messages } from '../texts/messages.ts';
import { type ControlProps, elementIdOf } from './frame.tsx';

/** Uploads a file. Resolves with its id; rejects with an `ApiError`. */
export type Upload = (
  questionId: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<string>;

interface FileUploadProps extends ControlProps<QuestionOf<'file_upload'>> {
  readonly upload: Upload;
  /** Name of an uploaded file. */
  readonly nameOf: (fileId: string) => string;
  /** Called with the error that the question has until all files are uploaded, and with undefined then. */
  readonly onUploadError: (error: UploadError | undefined) => void;
}

/** A file that has no id yet. */
interface Pending {
  readonly file: File;
  readonly share: number;
  readonly error?: string;
  readonly abort: AbortController;
}

/** Files are uploaded at once when they are chosen. The answer has the ids that the platform gave them. */
export function FileUpload(props: FileUploadProps) {
  const { question, answer, onAnswer, messages, described, upload, nameOf, onUploadError } = props;
  const [pending, setPending] = useState<readonly Pending[]>([]);
  const fileIds = ((answer ?? []) as readonly { readonly file_id: string }[]).map(({ file_id }) => file_id);
  // Uploads end long after they began, and must not undo other changes of the answer.
  const latest = useRef(fileIds);
  latest.current = fileIds;

  const isRunning = pending.some(({ error }) => error === undefined);
  const uploadError = isRunning ? 'UPLOAD_RUNNING' : pending.length > 0 ? 'UPLOAD_FAILED' : undefined;
  useEffect(() => onUploadError(uploadError), [uploadError]);

  function answerWith(ids: readonly string[]): void {
    latest.current = [...ids];
    onAnswer(ids.length === 0 ? undefined : ids.map((file_id) => ({ file_id })));
  }

  function change(one: AbortController, changes: Partial<Pending>): void {
    setPending((all) => all.map((other) => (other.abort === one ? { ...other, ...changes } : other)));
  }

  function remove(one: AbortController): void {
    one.abort();
    setPending((all) => all.filter(({ abort }) => abort !== one));
  }

  async function start(file: File): Promise<void> {
    const abort = new AbortController();
    if (question.maxBytes !== undefined && file.size > question.maxBytes) {
      setPending((all) => [...all, { file, share: 0, abort, error: messages.fileTooLarge }]);
      return;
    }
    setPending((all) => [...all, { file, share: 0, abort }]);
    try {
      const id = await upload(question.id, file, (share) => change(abort, { share }), abort.signal);
      answerWith([...latest.current, id]);
      remove(abort);
    } catch (error) {
      if (!abort.signal.aborted) change(abort, { error: uploadProblem(messages, error) });
    }
  }

  const inputId = `${elementIdOf(question.id)}-input`;
  return (
    <>
      <ul class="files">
        {fileIds.map((id) => (
          <li key={id} class="file">
            <bdi class="file-name">{nameOf(id)}</bdi>
            <span class="visually-hidden">{messages.uploaded(nameOf(id))}</span>
            <button
              type="button"
              class="link"
              aria-label={messages.remove(nameOf(id))}
              onClick={() => answerWith(fileIds.filter((one) => one !== id))}
            >
              ✕
            </button>
          </li>
        ))}
        {pending.map(({ file, share, error, abort }) => (
          <li key={file} class="file">
            <bdi class="file-name">{file.name}</bdi>
            {error === undefined ? (
              <progress aria-label={messages.uploading(file.name)} value={share} max={1} />
            ) : (
              <span class="error" role="alert">
                {error}
              </span>
            )}
            {error === messages.uploadFailed && (
              <button
                type="button"
                class="link"
                onClick={() => {
                  remove(abort);
                  void start(file);
                }}
              >
                {messages.retry}
              </button>
            )}
            <button type="button" class="link" aria-label={messages.remove(file.name)} onClick={() => remove(abort)}>
              ✕
            </button>
          </li>
        ))}
      </ul>
      {fileIds.length + pending.length < question.maxFiles && (
        <label class="button file-button" for={inputId}>
          <span id={`${inputId}-label`} lang={messages.tag}>
            {messages.addFiles}
          </span>
          <input
            id={inputId}
            type="file"
            class="visually-hidden"
            {...described}
            aria-labelledby={`${described['aria-labelledby']} ${inputId}-label`}
            multiple={question.maxFiles > 1}
            accept={question.accept.join(',') || undefined}
            onChange={({ currentTarget }) => {
              const left = question.maxFiles - fileIds.length - pending.length;
              for (const file of [...(currentTarget.files ?? [])].slice(0, left)) void start(file);
              // The same file can be chosen again after it was removed.
              currentTarget.value = '';
            }}
          />
        </label>
      )}
    </>
  );
}

function uploadProblem(messages: Messages, error: unknown): string {
  const { code, errors, status } = toApiError(error);
  const codes: readonly string[] = [code, ...errors.map((one) => one.code)];
  if (codes.includes('FILE_TOO_LARGE') || status === 413) return messages.fileTooLarge;
  return codes.includes('FILE_KIND_REFUSED') ? messages.fileKindRefused : messages.uploadFailed;
}
