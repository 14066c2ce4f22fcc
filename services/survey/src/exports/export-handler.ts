import { create } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import type {
  ExportSurveyRequestSchema,
  ExportSurveyResponseSchema,
} from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { messageToJson } from '@survey/runtime/rest/json-output';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import { type Survey, titleOf, toPayload } from '../surveys/survey.ts';
import { wordsOf } from '../surveys/survey-list.ts';
import { toSettingsMessage } from '../surveys/survey-mapper.ts';
import type { SurveyService } from '../surveys/survey-service.ts';
import { toSurveyCsv } from './survey-csv.ts';

const formats = {
  json: { type: 'application/json', toFile: toSurveyJson },
  csv: { type: 'text/csv; charset=utf-8; header=present', toFile: toSurveyCsv },
} as const;

export function createExportHandler(
  surveys: Pick<SurveyService, 'get'>,
): RawHandler<typeof ExportSurveyRequestSchema, typeof ExportSurveyResponseSchema> {
  return async ({ surveyId, format: requestedFormat }, context, { response }) => {
    const survey = await surveys.get(tenantCallOf(context).tenantId, surveyId);
    // The contract allows no other format, and JSON is the default.
    const format = requestedFormat === 'csv' ? 'csv' : 'json';
    const { type, toFile } = formats[format];
    const { text, omitted } = toFile(survey);
    response.setHeader('content-type', type);
    response.setHeader('content-disposition', `attachment; filename="${fileNameOf(survey)}.${format}"`);
    if (omitted.length > 0) response.setHeader('export-omitted', omitted.join(', '));
    response.end(text);
    return undefined;
  };
}

export interface ExportFile {
  readonly text: string;
  /** Names of the members that an import of the file does not restore. */
  readonly omitted: readonly string[];
}

const MAX_LENGTH = 60;
const UNTITLED = 'survey';

/** A file name that is valid on all systems and in headers: `lunch-in-the-canteen-v3`. */
export function fileNameOf(survey: Survey): string {
  const words = wordsOf(titleOf(survey)).filter((word) => /^[a-z0-9]+$/.test(word));
  const name = words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
  return `${name === '' ? UNTITLED : name}-v${survey.version}`;
}

/** Exports a survey as the payload that creates it. Omits its project, which other tenants do not have. */
export function toSurveyJson(survey: Survey): ExportFile {
  const settings = messageToJson(
    SurveySettingsSchema,
    create(SurveySettingsSchema, toSettingsMessage(survey.settings)),
  );
  return {
    // Without indentation, which would multiply the size of a deeply nested definition.
    text: `${JSON.stringify({ ...toPayload(survey), settings })}\n`,
    omitted: survey.projectId === undefined ? [] : ['project_id'],
  };
}
