import { create } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { messageToJson } from '@survey/runtime/rest/json-output';
import { type Survey, toPayload } from '../surveys/survey.ts';
import { toSettingsMessage } from '../surveys/survey-mapper.ts';
import type { ExportFile } from './export-handler.ts';

/** Exports a survey as a creation payload, without its project, which other tenants do not have. */
export function toSurveyJson(survey: Survey): ExportFile {
  const settings = messageToJson(
    SurveySettingsSchema,
    create(SurveySettingsSchema, toSettingsMessage(survey.settings)),
  );
  return {
    // Compact: indenting a deeply nested definition would multiply its size.
    text: `${JSON.stringify({ ...toPayload(survey), settings })}\n`,
    omitted: survey.projectId === undefined ? [] : ['project_id'],
  };
}
