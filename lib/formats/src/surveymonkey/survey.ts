import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isArray } from '@survey/questionnaire/json';
import { createSurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { objectsOf } from '../core/source-questions.ts';
import { createHtmlToText } from '../core/texts.ts';
import { createWarnOnce, type Warn } from '../files/report.ts';
import { createReadList, readDetailsDocument, toMonkeyQuestion } from './document.ts';
import { addQuestion } from './questions.ts';
import { readResponsesWithSurvey } from './responses.ts';

const SURVEY_MEMBERS = new Set(['id', 'title', 'language', 'pages']);

/** Reads a SurveyMonkey survey, as returned by `GET /v3/surveys/{id}/details`. */
export const readSurveyMonkeySurvey: SurveyFileReader = async (file, options) => {
  const { details, path, hasResponses } = await readDetailsDocument(file);
  const warnOnce = createWarnOnce(options.warn);
  const keep = createKeepMembers(options.warn);
  const keepRules = {
    validation: createKeepMembers(options.warn),
    required: createKeepMembers(options.warn),
    display: createKeepMembers(options.warn),
  };
  const toText = createHtmlToText(options.warn);
  const draft = createSurveyDraft({ source: 'surveymonkey', title: options.title, warnOnce });
  const readList = createReadList(toText, keep);
  const context = { toText, keep, keepRules, warnOnce, readList, hasResponses };
  for (const [index, page] of objectsOf(details['pages']).entries()) {
    const at = `${path}/pages/${index}`;
    const text = (name: 'title' | 'description') => toText(String(page[name] ?? ''), `${at}/${name}`);
    const sourceData = { source_id: String(page['id'] ?? '') };
    draft.page({ title: text('title'), description: text('description'), sourceData, at });
    const questions = isArray(page['questions']) ? page['questions'] : [];
    for (const [position, question] of questions.entries()) {
      addQuestion(toMonkeyQuestion(question, `${at}/questions/${position}`), context, draft);
    }
  }
  const { payload, toFileProblem } = draft.finish({
    title: toText(String(details['title'] ?? ''), `${path}/title`),
    languages: [canonicalTag(details['language']) ?? options.language],
    id: String(details['id'] ?? ''),
    kept: keep(details, SURVEY_MEMBERS, path),
  });
  const responses = hasResponses ? (warn: Warn) => readResponsesWithSurvey(file, payload, warn) : undefined;
  return { payload, toFileProblem, responses };
};
