import { createBudget } from '../core/budget.ts';
import { createSurveyDraft } from '../core/draft.ts';
import { createUniqueIds } from '../core/ids.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { createWarnOnce } from '../files/report.ts';
import { jumpsOf } from './conditions.ts';
import { readFormDocument } from './document.ts';
import { objectIn, textIn } from './item.ts';
import { addItems } from './questions.ts';
import { readResponsesWithForm } from './responses.ts';

const FORM_MEMBERS = new Set(['formId', 'info', 'items', 'settings']);
const INFO_MEMBERS = new Set(['title', 'description', 'documentTitle']);

/** Reads a form of Google Forms, as returned by `GET /v1/forms/{formId}`. */
export const readGoogleFormsSurvey: SurveyFileReader = async (file, options) => {
  const { form, items, path, hasResponses } = await readFormDocument(file);
  const warnOnce = createWarnOnce(options.warn);
  const keep = createKeepMembers(options.warn);
  const draft = createSurveyDraft(warnOnce, createBudget());
  const sections = addItems(items, `${path}/items`, { keep, warnOnce, toUniqueId: createUniqueIds() }, draft);
  const info = objectIn(form, 'info') ?? {};
  const title = textIn(info, 'title') || textIn(info, 'documentTitle');
  const description = textIn(info, 'description');
  const { payload, toFileProblem } = draft.finish(
    {
      title: title === '' ? options.title : title,
      ...(description === '' ? {} : { description }),
      supported_languages: [options.language],
      source_data: {
        ...keep(form, FORM_MEMBERS, path),
        ...keep(info, INFO_MEMBERS, `${path}/info`),
        ...keep(objectIn(form, 'settings') ?? {}, new Set(), `${path}/settings`),
        source: 'google_forms',
        source_id: textIn(form, 'formId'),
      },
    },
    { jumps: jumpsOf(sections), source: { sections: branchesOf(sections) }, hasOnlyJumps: true },
  );
  return { payload, toFileProblem, responses: hasResponses ? readResponsesWithForm(file, payload) : undefined };
};

/** The jumps of each question, as in the file. */
function branchesOf(sections: ReturnType<typeof addItems>) {
  return sections.flatMap(({ branching }) =>
    branching.map(({ question, choice }) => ({ question: question['id'] ?? '', options: choice['options'] ?? [] })),
  );
}
