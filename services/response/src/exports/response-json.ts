import type { ResponseText } from '../responses/response.ts';
import type { ExportFormat } from './export-format.ts';

/** One response per line (https://github.com/ndjson/ndjson-spec). */
export const ndjsonFormat: ExportFormat<ResponseText> = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  begin: () => '',
  write: (responses) => responses.map((response) => `${toText(response)}\n`).join(''),
  end: () => '',
};

export function createJsonFormat(): ExportFormat<ResponseText> {
  let separator = '\n';
  return {
    contentType: 'application/json',
    extension: 'json',
    begin: () => '[',
    write(responses) {
      const lines = responses.map(toText).join(',\n');
      const text = lines === '' ? '' : separator + lines;
      if (lines !== '') separator = ',\n';
      return text;
    },
    end: () => '\n]\n',
  };
}

/**
 * Writes a response in the form of the API. Inserts answers as stored JSON text, which halves the time of an export.
 */
function toText(response: ResponseText): string {
  const { data, metadata } = response;
  const before = JSON.stringify({
    id: response.id,
    tenant_id: response.tenantId,
    survey_id: response.surveyId,
    status: response.status,
  });
  const after = JSON.stringify({
    created_at: response.createdAt,
    started_at: response.startedAt,
    completed_at: response.completedAt,
    survey_version: response.surveyVersion,
    external_id: response.externalId,
    updated_at: response.updatedAt,
    language: response.language,
    link_id: response.linkId,
    invitation_id: response.invitationId,
  });
  const members = metadata === undefined ? `"data":${data}` : `"data":${data},"metadata":${metadata}`;
  return `${before.slice(0, -1)},${members},${after.slice(1)}`;
}
