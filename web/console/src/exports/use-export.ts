import type { Survey } from '@survey/client';
import { localize } from '@survey/questionnaire';
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
  return (options: ExportOptions): Promise<boolean> => {
    const { format } = options;
    const query = toExportQuery(options, filter);
    return start({
      group: survey.id,
      fileName: `${exportTitle(survey, language)}.${format}`,
      mediaType: EXPORT_MEDIA_TYPES[format],
      asksWhereToSave: true,
      isExport: true,
      rowFormat: format === 'xlsx' ? undefined : format,
      open: (signal) => client.responses.exportByQuery(survey.id, query, { signal }),
    });
  };
}

/** The beginning of the names of exported files. */
export function exportTitle({ definition }: Survey, language: string): string {
  return localize(definition, definition.title, language) || 'responses';
}
