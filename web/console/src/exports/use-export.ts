import type { ResponseConditions, Survey } from '@survey/client';
import { localize } from '@survey/questionnaire';
import { canonicalForm } from '@survey/questionnaire/conditions/condition-sources';
import { useDownloads } from '../downloads/downloads.tsx';
import { useClient } from '../session/session.tsx';
import type { ResponseFilter } from '../surveys/response-counts.ts';
import { type ExportOptions, toExportQuery } from './export-options.ts';

export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportOptions['format'], string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

/**
 * Returns a function that downloads an export of the responses. It returns true when the download has begun, and false
 * if the user closed the dialog for its location.
 */
export function useExport(survey: Survey, filter: ResponseFilter, language: string) {
  const client = useClient();
  const { start } = useDownloads();
  return async (options: ExportOptions): Promise<boolean> => {
    const { format } = options;
    const query = toExportQuery(options, filter);
    const suffix = await toSuffix(query.where);
    return start({
      group: survey.id,
      fileName: `${exportTitle(survey, language)}${suffix}.${format}`,
      mediaType: EXPORT_MEDIA_TYPES[format],
      asksWhereToSave: true,
      isExport: true,
      rowFormat: format === 'xlsx' ? undefined : format,
      open: (signal) => client.responses.exportByQuery(survey.id, query, { signal }),
    });
  };
}

/**
 * The part of a file name that tells exports with different conditions apart: the same digits as in the names of the
 * platform.
 */
export async function toSuffix(where: ResponseConditions | undefined): Promise<string> {
  // Browsers compute digests only on pages with HTTPS.
  if (where === undefined || !window.isSecureContext) return '';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalForm(where)));
  const digits = Array.from(new Uint8Array(digest, 0, 4), (byte) => byte.toString(16).padStart(2, '0'));
  return ` ${digits.join('')}`;
}

/** The beginning of the names of exported files. */
export function exportTitle({ definition }: Survey, language: string): string {
  return localize(definition, definition.title, language) || 'responses';
}
