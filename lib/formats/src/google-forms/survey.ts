import { createSurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { objectOf } from '../core/source-questions.ts';
import { createWarnOnce, type Warn } from '../files/report.ts';
import { readFormDocument, textIn } from './document.ts';
import { jumpsOf } from './logic.ts';
import { addItems } from './questions.ts';
import { readResponsesWithForm } from './responses.ts';

const FORM_MEMBERS = new Set(['formId', 'info', 'items', 'settings']);
const INFO_MEMBERS = new Set(['title', 'description', 'documentTitle']);

/** Reads a form of Google Forms, as returned by `GET /v1/forms/{formId}`. */
export const readGoogleFormsSurvey: SurveyFileReader = async (file, options) => {
  const { form, items, path, hasResponses } = await readFormDocument(file);
  const warnOnce = createWarnOnce(options.warn);
  const keep = createKeepMembers(options.warn);
  const draft = createSurveyDraft({ source: 'google_forms', title: options.title, warnOnce });
  const sections = addItems(items, `${path}/items`, { keep, warnOnce }, draft);
  for (const jump of jumpsOf(sections)) draft.jump(jump);
  const info = objectOf(form['info']);
  const { payload, toFileProblem } = draft.finish({
    title: textIn(info, 'title') || textIn(info, 'documentTitle'),
    description: textIn(info, 'description'),
    languages: [options.language],
    id: textIn(form, 'formId'),
    kept: {
      ...keep(form, FORM_MEMBERS, path),
      ...keep(info, INFO_MEMBERS, `${path}/info`),
      ...keep(objectOf(form['settings']), new Set(), `${path}/settings`),
    },
    jumps: { sections: branchesOf(sections) },
  });
  const responses = hasResponses ? (warn: Warn) => readResponsesWithForm(file, payload, warn) : undefined;
  return { payload, toFileProblem, responses };
};

/** The jumps of each question, as in the file. */
function branchesOf(sections: ReturnType<typeof addItems>) {
  return sections.flatMap(({ branching }) =>
    branching.map(({ question, choice }) => ({ question: question['id'] ?? '', options: choice['options'] ?? [] })),
  );
}
