import type { DescMethod } from '@bufbuild/protobuf';

/** The full name of an operation, for messages: `survey.surveys.v1.SurveyService.CreateSurvey`. */
export function operationNameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
