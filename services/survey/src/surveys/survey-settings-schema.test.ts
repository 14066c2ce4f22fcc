import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { settings } from '@survey/questionnaire/schema/settings-schema';
import { expect, it } from 'vitest';

it('the schema of settings and the contract have the same members', () => {
  const fields = SurveySettingsSchema.fields.map(({ name }) => name);
  expect(Object.keys(settings.members).sort()).toEqual(fields.sort());
});
