import type { ImportJob, ImportReport, Survey } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useIdempotency } from '../ui/idempotency-key.ts';
import type { Target } from './import-formats.ts';
import { type ImportSettings, toResponsesQuery, toSurveyQuery } from './import-settings.ts';
import { useUploads } from './uploads.tsx';

export interface ImportStart {
  readonly file: File;
  readonly target: Target;
  /** The survey that gets the responses. Not used for imports of surveys. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  readonly isDryRun: boolean;
}

/**
 * Starts imports by uploading their files. A start that is repeated after an error has the same idempotency key, so
 * nothing is stored twice. The list of uploads shows progress and errors.
 */
export function useStartImport() {
  const { run } = useUploads();
  const queryClient = useQueryClient();
  const sendOnce = useIdempotency();
  const [isUploading, setUploading] = useState(false);

  /** Returns the id of the import; undefined if it could not be started. */
  async function start({ file, target, surveyId, settings, isDryRun }: ImportStart): Promise<string | undefined> {
    const { name, size, lastModified } = file;
    const content = { name, size, lastModified, target, surveyId, settings, isDryRun };
    setUploading(true);
    try {
      const reply = await run(file, (client, signal) =>
        sendOnce<Survey | ImportReport | ImportJob>(content, (idempotencyKey) => {
          const options = { idempotencyKey, prefer: 'respond-async', signal };
          return target === 'survey'
            ? client.imports.importSurvey(file, toSurveyQuery(settings, isDryRun), options)
            : client.imports.importResponses(surveyId, file, toResponsesQuery(settings, isDryRun), options);
        }),
      );
      if (reply !== undefined) await queryClient.invalidateQueries({ queryKey: ['imports'] });
      return reply && idOf(reply);
    } finally {
      setUploading(false);
    }
  }

  return { isUploading, start };
}

/** The id of the import in the reply: the job, the report, or the survey with its report. */
function idOf(reply: Survey | ImportReport | ImportJob): string | undefined {
  if ('definition' in reply) return reply.import?.id;
  return reply.id;
}
