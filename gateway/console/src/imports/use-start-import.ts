import type { ImportJob, ImportReport, Survey } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import type { Target } from './import-formats.ts';
import { type ImportSettings, toResponsesQuery, toSurveyQuery } from './import-settings.ts';

/** The platform accepts a file for 30 minutes. */
const UPLOAD_MS = 30 * 60_000;

export interface ImportStart {
  readonly file: File;
  readonly target: Target;
  /** The survey of responses. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  readonly isDryRun: boolean;
}

/** Uploads files. A start that is repeated after an error has the same idempotency key, so nothing is stored twice. */
export function useStartImport() {
  const client = useClient();
  const queryClient = useQueryClient();
  const sendOnce = useIdempotency();
  const upload = useRef<AbortController>(undefined);
  /** Not the state: it changes only with the next render, and a page that is left at once must not be blocked. */
  const isActive = useRef(false);
  const [state, setState] = useState<{ readonly isUploading: boolean; readonly error?: unknown }>({
    isUploading: false,
  });
  useEffect(() => () => upload.current?.abort(), []);

  /** Returns the id of the import; undefined if it could not be started. */
  async function start({ file, target, surveyId, settings, isDryRun }: ImportStart): Promise<string | undefined> {
    const { name, size, lastModified } = file;
    const controller = new AbortController();
    upload.current = controller;
    const content = { name, size, lastModified, target, surveyId, settings, isDryRun };
    const send = (idempotencyKey: string) => {
      const options = { idempotencyKey, prefer: 'respond-async', timeoutMs: UPLOAD_MS, signal: controller.signal };
      return target === 'survey'
        ? client.imports.importSurvey(file, toSurveyQuery(settings, isDryRun), options)
        : client.imports.importResponses(surveyId, file, toResponsesQuery(settings, isDryRun), options);
    };
    setState({ isUploading: true });
    isActive.current = true;
    try {
      const reply = await sendOnce<Survey | ImportReport | ImportJob>(content, send);
      await queryClient.invalidateQueries({ queryKey: ['imports'] });
      setState({ isUploading: false });
      return idOf(reply);
    } catch (error) {
      setState(controller.signal.aborted ? { isUploading: false } : { isUploading: false, error });
      return undefined;
    } finally {
      isActive.current = false;
    }
  }

  return { ...state, start, stop: () => upload.current?.abort(), isActive: () => isActive.current };
}

/** The id of the import in the reply: the job, the report, or the survey with its report. */
function idOf(reply: Survey | ImportReport | ImportJob): string | undefined {
  if ('definition' in reply) return reply.import?.id;
  return reply.id;
}
