import type { Response } from '../responses/response.ts';
import type { ExportFormat } from './export-format.ts';

/** A response a line (https://github.com/ndjson/ndjson-spec). */
export const ndjsonFormat: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  begin: () => '',
  *write(responses) {
    for (const response of responses) yield `${toText(response)}\n`;
  },
  end: () => '',
};

/** An array of responses, one a line. */
export function createJsonFormat(): ExportFormat {
  let separator = '\n';
  return {
    contentType: 'application/json',
    extension: 'json',
    begin: () => '[',
    *write(responses) {
      for (const response of responses) {
        yield `${separator}${toText(response)}`;
        separator = ',\n';
      }
    },
    end: () => '\n]\n',
  };
}

/** As the API shows it. Written without the message in between, which takes longer than all the rest. */
function toText(response: Response): string {
  return JSON.stringify({
    id: response.id,
    tenant_id: response.tenantId,
    survey_id: response.surveyId,
    status: response.status,
    data: response.data,
    created_at: response.createdAt,
    started_at: response.startedAt,
    completed_at: response.completedAt,
    survey_version: response.surveyVersion,
    external_id: response.externalId,
    metadata: response.metadata,
    updated_at: response.updatedAt,
    language: response.language,
    link_id: response.linkId,
  });
}
