import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isObject } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { createBudget } from '../core/budget.ts';
import { createSurveyDraft } from '../core/draft.ts';
import { createUniqueIds } from '../core/ids.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson, readJsonItems } from '../files/json.ts';
import { createWarnOnce } from '../files/report.ts';
import { createReadCondition, searchedFields } from './conditions.ts';
import { addDeletedChoices } from './deleted-choices.ts';
import { RESPONSES_PATH, readFormDocument, webhookResponse } from './document.ts';
import { addFields } from './fields.ts';
import { readJumps, START } from './jumps.ts';
import { readResponsesWithForm, readWebhookResponse } from './responses.ts';
import { readScreens } from './screens.ts';
import { createFormTexts } from './texts.ts';

const readers = { withForm: readResponsesWithForm, webhook: readWebhookResponse };
const FORM_MEMBERS = new Set(['id', 'title', 'fields', 'logic', 'welcome_screens', 'thankyou_screens']);

/** Reads a Typeform form, as returned by its API. */
export const readTypeformSurvey: SurveyFileReader = async (file, options) => {
  const { form: given, path, translations, responses } = await readFormDocument(file);
  const { form, deleted } = await addDeletedChoices(given, translations.values(), readResponseValues(file, responses));
  const warnOnce = createWarnOnce(options.warn);
  const keep = createKeepMembers(options.warn);
  const language = languageOf(form) ?? options.language;
  const texts = createFormTexts(form, language, translations, warnOnce);
  const draft = createSurveyDraft(warnOnce, createBudget());
  draft.addStep({ key: START, questions: [] }, '');
  const screens = readScreens(form, path, texts, warnOnce);
  const searched = searchedFields(form['logic']);
  const added = addFields(
    form,
    path,
    { texts, toUniqueId: createUniqueIds(), keep, warnOnce, searched, deleted },
    draft,
  );
  const jumpContext = { stepOf: added.stepKeys, endings: new Set([...screens.endings, ...added.endings]) };
  const readCondition = createReadCondition(added.questions);
  const logic = readJumps(form['logic'], `${path}/logic`, jumpContext, readCondition, warnOnce);
  const title = texts.read(form, 'title', `${path}/title`);
  const { payload, toFileProblem } = draft.finish(
    {
      title: isEmptyText(title) ? options.title : toJsonText(title),
      ...screens.members,
      supported_languages: [language, ...translations.keys()],
      ...(added.sections.length === 0 ? {} : { sections: [...added.sections] }),
      source_data: {
        ...keep(form, FORM_MEMBERS, path),
        ...screens.kept,
        source: 'typeform',
        ...(typeof form['id'] === 'string' ? { source_id: form['id'] } : {}),
      },
    },
    { ...logic, source: { logic: form['logic'] ?? [] } },
  );
  return {
    payload,
    toFileProblem,
    responses: responses === 'none' ? undefined : (warn) => readers[responses](file, payload, warn),
  };
};

/** The responses in a file with a form. Ends at an error: the import of the responses reports the error. */
async function* readResponseValues(
  file: ImportFile,
  location: 'none' | 'withForm' | 'webhook',
): AsyncGenerator<JsonValue> {
  if (location === 'webhook') yield webhookResponse(await readJson(file))?.value ?? {};
  if (location !== 'withForm') return;
  try {
    for await (const { value } of readJsonItems(file, RESPONSES_PATH)) yield value;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function languageOf(form: JsonObject): string | undefined {
  const settings = form['settings'];
  const language = isObject(settings) ? settings['language'] : undefined;
  return canonicalTag(language);
}
