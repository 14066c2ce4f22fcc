import { LANGUAGE_TAG } from '../definition/language-tag.ts';
import { LIMITS } from '../limits.ts';
import { logicEntry } from './logic-schema.ts';
import { question } from './question-schema.ts';
import {
  anyValue,
  fault,
  list,
  missingMember,
  mustBe,
  number,
  object,
  required,
  string,
  type ValueOf,
} from './schema.ts';
import { settings } from './settings-schema.ts';
import { freeMembers, requiredTitle, translatable } from './texts.ts';

const MAX_VERSION = 2 ** 31 - 1;
const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

const anObject = mustBe('WRONG_TYPE', 'an object', 'storing');
const anArray = mustBe('WRONG_TYPE', 'an array', 'storing');
const noLanguage = fault('MISSING_LANGUAGE', 'at least one language must be declared', 'storing');

const page = object({
  title: 'SurveyPage',
  noun: 'a page',
  description: 'Questions that are shown together.',
  fault: anObject,
  members: {
    questions: required(list(question, { fault: anArray, description: 'The questions, in order.' }), missingMember),
    id: anyValue({ description: 'A name of your own. It has no effect.' }),
    title: translatable('The title of the page.'),
    description: translatable('An explanation for respondents.'),
    ...freeMembers,
  },
});

function questionIds(description: string) {
  return list(string({ fault: fault('UNKNOWN_SECTION_QUESTION', 'the survey has no such question') }), {
    fault: mustBe('WRONG_TYPE', 'an array of question ids'),
    description,
  });
}

const section = object({
  title: 'SurveySection',
  noun: 'a section',
  description: 'A group of questions that logic can affect together.',
  examples: [{ id: 'details', title: 'Details', question_ids: ['taste', 'comment'] }],
  fault: anObject,
  members: {
    id: string({
      fault: fault('WRONG_TYPE', 'the id of a section must be a string'),
      description: 'Logic refers to it. A question with the same id wins.',
    }),
    title: translatable('The title of the section.'),
    description: translatable('An explanation for respondents.'),
    question_ids: questionIds('Ids of the questions.'),
    questions: questionIds('The same as `question_ids`.'),
    ...freeMembers,
  },
});

function screen(memberDescription: string) {
  return object({
    title: 'SurveyScreen',
    noun: 'a screen',
    description: 'Texts before or after the questions.',
    memberDescription,
    fault: mustBe('WRONG_TYPE', 'an object with title and description'),
    members: {
      title: translatable('The title.'),
      description: translatable('The text.'),
      ...freeMembers,
    },
  });
}

/** The definition of a survey. */
export const survey = object({
  title: 'SurveyDefinition',
  noun: 'a survey',
  description: 'The questions to respondents, with their logic.',
  fault: anObject,
  members: {
    title: requiredTitle('The title of the survey.'),
    supported_languages: required(
      list(
        string({
          pattern: LANGUAGE_TAG,
          maxLength: LIMITS.languageTag,
          fault: fault('BAD_LANGUAGE', 'the language must be a BCP 47 tag such as "en"', 'storing'),
          examples: ['en'],
        }),
        {
          fault: mustBe('WRONG_TYPE', 'an array of language tags', 'storing'),
          empty: noLanguage,
          maxItems: LIMITS.languages,
          description: '[BCP 47](https://www.rfc-editor.org/info/bcp47) tags. The first one is the default language.',
        },
      ),
      noLanguage,
    ),
    pages: required(list(page, { fault: anArray, description: 'The pages, in order.' }), missingMember),
    description: translatable('An explanation for respondents.'),
    logic: list(logicEntry, { fault: anArray, description: 'Rules that show, hide or require questions.' }),
    sections: list(section, { fault: anArray, description: 'Groups of questions.' }),
    welcome_screen: screen('Shown before the first page.'),
    thank_you_screen: screen('Shown after the last page.'),
    ...freeMembers,
  },
});

/** The payload that creates or changes a survey. */
export const payload = object({
  title: 'SurveyPayload',
  noun: 'the payload',
  description: 'A survey, as it is sent and exported.',
  examples: [
    {
      schema_version: '1.0',
      version: 1,
      survey: {
        title: 'Lunch',
        supported_languages: ['en'],
        pages: [{ questions: [{ id: 'taste', type: 'rating', title: 'How was it?', required: true }] }],
      },
    },
  ],
  fault: fault('WRONG_TYPE', 'the definition must be an object', 'storing'),
  members: {
    schema_version: required(
      string({
        enum: ['1.0'],
        fault: mustBe('BAD_SCHEMA_VERSION', '"1.0", the only version of this format', 'storing'),
        description: 'Version of this format: `"1.0"`.',
        examples: ['1.0'],
      }),
      missingMember,
    ),
    version: required(
      number({
        integer: true,
        minimum: 1,
        maximum: MAX_VERSION,
        fault: mustBe('BAD_VERSION', `an integer from 1 to ${MAX_VERSION}`, 'storing'),
        description: 'For a new survey, its first version number; for a change, the version that you edited.',
        examples: [1],
      }),
      missingMember,
    ),
    survey: required(survey, missingMember),
    project_id: string({
      pattern: UUID,
      format: 'uuid',
      fault: mustBe('WRONG_TYPE', 'a UUID', 'storing'),
      description: 'The project of the survey.',
    }),
    settings,
    $schema: string({
      fault: mustBe('WRONG_TYPE', 'a string', 'storing'),
      description: 'Address of the JSON Schema, for editors. It is not kept.',
    }),
  },
});

export type SurveyPayload = ValueOf<typeof payload>;
export type SurveyDefinition = ValueOf<typeof survey>;
