import type { QuestionOf } from '@survey/questionnaire';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import { useState } from 'preact/hooks';
import type { PendingFile, UploadProblem, Uploads } from '../session/uploads.ts';
import type { Messages } from '../texts/messages.ts';
import { type ControlProps, elementIdOf } from './frame.tsx';

/** The files of all questions, and the actions for them. */
export interface FileActions extends Pick<Uploads, 'start' | 'retry' | 'remove'> {
  readonly pending: readonly PendingFile[];
  /** Name of an uploaded file. */
  readonly nameOf: (fileId: string) => string;
  /** Removes an uploaded file from the answer. */
  readonly removeUploaded: (questionId: string, fileId: string) => void;
}

/** Maximum number of file names in the message about too many files. */
const SHOWN_NAMES = 5;

interface FileUploadProps extends ControlProps<QuestionOf<'file_upload'>> {
  readonly files: FileActions;
}

/** Files are uploaded immediately when they are chosen. The answer has the ids that the platform gave them. */
export function FileUpload({ question, answer, messages, aria, files }: FileUploadProps) {
  const pending = files.pending.filter((one) => one.question.id === question.id);
  const fileIds = fileIdsOf(answer);
  const left = question.maxFiles - fileIds.length - pending.length;
  /** Names of chosen files that exceed the maximum number of files. */
  const [refused, setRefused] = useState<readonly string[]>([]);

  function start(chosen: readonly File[]): void {
    setRefused(chosen.slice(left).map(({ name }) => name));
    for (const file of chosen.slice(0, left)) void files.start(question, file);
  }

  const inputId = `${elementIdOf(question.id)}-input`;
  return (
    <>
      <ul class="files">
        {fileIds.map((id) => (
          <li key={id} class="file">
            <bdi class="file-name">{files.nameOf(id)}</bdi>
            <span class="visually-hidden">{messages.uploaded(files.nameOf(id))}</span>
            <button
              type="button"
              class="link"
              aria-label={messages.remove(files.nameOf(id))}
              onClick={() => files.removeUploaded(question.id, id)}
            >
              ✕
            </button>
          </li>
        ))}
        {pending.map((one) => (
          <li key={one.file} class="file">
            <bdi class="file-name">{one.file.name}</bdi>
            {one.problem === undefined ? (
              <progress aria-label={messages.uploading(one.file.name)} value={one.share} max={1} />
            ) : (
              <span class="error" role="alert">
                {problemText(messages, one.problem)}
              </span>
            )}
            {one.problem === 'UPLOAD_FAILED' && (
              <button type="button" class="link" onClick={() => void files.retry(one)}>
                {messages.retry}
              </button>
            )}
            <button
              type="button"
              class="link"
              aria-label={messages.remove(one.file.name)}
              onClick={() => files.remove(one)}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <p class="error" role="alert" lang={messages.tag}>
          {messages.tooManyFiles} <bdi>{refused.slice(0, SHOWN_NAMES).join(', ')}</bdi>
          {refused.length > SHOWN_NAMES && '…'}
        </p>
      )}
      {left > 0 && (
        <label class="button file-button" for={inputId}>
          <span id={`${inputId}-label`} lang={messages.tag}>
            {messages.addFiles}
          </span>
          <input
            id={inputId}
            type="file"
            class="visually-hidden"
            {...aria}
            aria-labelledby={`${aria['aria-labelledby']} ${inputId}-label`}
            multiple={question.maxFiles > 1}
            accept={question.accept.join(',') || undefined}
            onChange={({ currentTarget }) => {
              start([...(currentTarget.files ?? [])]);
              // Without this, choosing a removed file again would cause no change event.
              currentTarget.value = '';
            }}
          />
        </label>
      )}
    </>
  );
}

function problemText(messages: Messages, problem: UploadProblem): string {
  switch (problem) {
    case 'FILE_TOO_LARGE':
      return messages.fileTooLarge;
    case 'FILE_KIND_REFUSED':
      return messages.fileKindRefused;
    case 'UPLOAD_FAILED':
      return messages.uploadFailed;
  }
}
