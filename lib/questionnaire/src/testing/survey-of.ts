import type { JsonObject } from '../json.ts';

/** A definition with one page; `survey` adds members. */
export function surveyOf(questions: readonly JsonObject[], survey: JsonObject = {}): JsonObject {
  return surveyOfPages([questions], survey);
}

/** A definition with a page for each list of questions. Questions without a title get one. */
export function surveyOfPages(pages: readonly (readonly JsonObject[])[], survey: JsonObject = {}): JsonObject {
  return {
    schema_version: '1.0',
    version: 1,
    survey: {
      title: 'Survey',
      supported_languages: ['en'],
      pages: pages.map((questions) => ({
        questions: questions.map((question) => ({ title: 'Question', ...question })),
      })),
      ...survey,
    },
  };
}

/** A one-line text question. */
export function textQuestion(id: string, members: JsonObject = {}): JsonObject {
  return { id, type: 'text', ...members };
}

/** A single_choice with the options yes and no. */
export function yesNo(id: string, members: JsonObject = {}): JsonObject {
  return {
    id,
    type: 'single_choice',
    options: ['yes', 'no'],
    ...members,
  };
}

/** A logic entry in the long form with one condition. */
export function rule(target: string, action: string, source: string, operator: string, value?: unknown): JsonObject {
  return {
    question_id: target,
    conditions: [{ source_question: source, operator, ...(value === undefined ? {} : { value }), action }],
  };
}
