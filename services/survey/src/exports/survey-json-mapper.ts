import { create } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { messageToJson } from '@survey/runtime/rest/json-output';
import { type Survey, toPayload } from '../surveys/survey.ts';
import { toSettingsMessage } from '../surveys/survey-settings-mapper.ts';
import type { ExportFile } from './export-file.ts';

/** The payload that would make the survey, without its project: other tenants have others. */
export function toSurveyJson(survey: Survey): ExportFile {
  const settings = messageToJson(
    SurveySettingsSchema,
    create(SurveySettingsSchema, toSettingsMessage(survey.settings)),
  );
  return {
    // Without spaces, of which a definition that is deep has many times its own size.
    text: `${JSON.stringify({ ...toPayload(survey), settings })}\n`,
    omitted: survey.projectId === undefined ? [] : ['project_id'],
  };
}
