import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isArray, isObject } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSurveyDraft, type SurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { isEmptyText } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson, readJsonItems } from '../files/json.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import {
  createFormTexts,
  type Field,
  type FormTexts,
  RESPONSES_PATH,
  readFormDocument,
  toField,
  webhookResponse,
} from './document.ts';
import { createReadCondition, readJumps, START, searchedFields } from './logic.ts';
import { addDeletedChoices, type QuestionContext, toQuestion } from './questions.ts';
import { readResponsesWithForm, readWebhookResponse } from './responses.ts';

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
  const draft = createSurveyDraft({ source: 'typeform', title: options.title, warnOnce });
  draft.step({ key: START, questions: [], at: '' });
  const screens = readScreens(form, path, texts, warnOnce);
  const searched = searchedFields(form['logic']);
  const added = addFields(form, path, { texts, keep, warnOnce, searched, deleted }, draft);
  const jumpContext = { stepOf: added.stepKeys, endings: new Set([...screens.endings, ...added.endings]) };
  const readCondition = createReadCondition(added.questions);
  const { jumps, hasOnlyJumps } = readJumps(form['logic'], `${path}/logic`, jumpContext, readCondition, warnOnce);
  for (const jump of jumps) draft.jump(jump);
  const written = { logic: form['logic'] ?? [] };
  const { payload, toFileProblem } = draft.finish({
    title: texts.read(form, 'title', `${path}/title`),
    languages: [language, ...translations.keys()],
    welcome: screens.welcome,
    thanks: screens.thanks,
    id: typeof form['id'] === 'string' ? form['id'] : undefined,
    kept: { ...keep(form, FORM_MEMBERS, path), ...screens.kept, ...(hasOnlyJumps ? {} : written) },
    jumps: written,
  });
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

interface AddedFields {
  /** Questions by the `ref` of their field. */
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Keys of steps by the `ref` of a group, of a field that is shown together with others, or of a matrix row. */
  readonly stepKeys: ReadonlyMap<string, string>;
  /** The `ref`s of thank-you screens among the fields. */
  readonly endings: readonly string[];
}

/** Groups whose fields are shown together. */
const SHOWN_TOGETHER = new Set(['contact_info', 'address', 'inline_group']);

/** Field types without an answer. A group without fields has none either. */
const TYPES_WITHOUT_ANSWER = new Set(['statement', 'payment', 'group']);
const GROUP_MEMBERS = new Set(['id', 'type', 'title', 'properties', 'validations']);
const GROUP_PROPERTIES = new Set(['description', 'fields']);

/**
 * Adds the fields of a form to a draft. A statement or group begins a page and becomes its title. A group also becomes
 * a section, and a new page begins after it.
 */
function addFields(form: JsonObject, path: string, context: QuestionContext, draft: SurveyDraft): AddedFields {
  const questions = new Map<string, JsonObject>();
  const stepKeys = new Map<string, string>();
  const endings: string[] = [];
  const { texts, keep, warnOnce } = context;
  const textsOf = ({ source, path: at }: Field) => ({
    title: texts.read(source, 'title', at),
    description: texts.read(source, 'description', at),
  });
  const sourceDataOf = ({ source, properties, id, type, path: at }: Field): JsonObject => ({
    ...keep(source, GROUP_MEMBERS, at),
    ...keep(properties, GROUP_PROPERTIES, `${at}/properties`),
    source_id: id,
    type,
  });

  const addQuestion = (field: Field): JsonObject => {
    const question = draft.question(toQuestion(field, context));
    if (!questions.has(field.ref)) questions.set(field.ref, question);
    return question;
  };

  const addGroup = (group: Field): readonly JsonObject[] => {
    const { title, description } = textsOf(group);
    draft.page({ title, description, at: group.path });
    const isTogether = SHOWN_TOGETHER.has(group.type);
    if (!isTogether) draft.step({ key: group.ref, questions: [], at: '' });
    const groupQuestions = group.fields.flatMap((field) => (isTogether ? [addQuestion(field)] : addField(field)));
    if (isTogether) draft.step({ key: group.ref, questions: groupQuestions, at: group.path });
    for (const { ref } of isTogether ? group.fields : [group]) stepKeys.set(ref, group.ref);
    draft.section({
      name: group.id,
      title: isEmptyText(title) ? group.type : title,
      questions: groupQuestions.map(({ id }) => String(id)),
      sourceData: sourceDataOf(group),
    });
    draft.page({ at: group.path });
    return groupQuestions;
  };

  const addStatement = (field: Field): void => {
    draft.page({ ...textsOf(field), sourceData: sourceDataOf(field), at: field.path });
    draft.step({ key: field.ref, questions: [], at: field.path });
    const detail = `${field.type} has no answer and becomes the title of a page`;
    warnOnce(field.type, { path: `${field.path}/type`, code: 'NO_SUCH_TYPE', detail });
  };

  const addField = (field: Field): readonly JsonObject[] => {
    if (field.type === 'thankyou_screen') {
      endings.push(field.ref);
      return [];
    }
    if (field.fields.length > 0 && field.type !== 'matrix') return addGroup(field);
    if (TYPES_WITHOUT_ANSWER.has(field.type)) {
      addStatement(field);
      return [];
    }
    for (const { ref } of field.fields) stepKeys.set(ref, field.ref);
    const question = addQuestion(field);
    draft.step({ key: field.ref, questions: [question], at: field.path });
    return [question];
  };

  const list = form['fields'];
  for (const [index, field] of (isArray(list) ? list : []).entries())
    addField(toField(field, `${path}/fields/${index}`));
  return { questions, stepKeys, endings };
}

/** Typeform's default thank-you screen with its advertisement. */
const DEFAULT_REF = 'default_tys';

/** Reads the welcome and thank-you screens. Only the first one of each kind is converted. */
function readScreens(form: JsonObject, path: string, texts: FormTexts, warnOnce: WarnOnce) {
  const endings = screensOf(form, 'thankyou_screens', path);
  const thanks = endings.filter(({ source }) => source['ref'] !== DEFAULT_REF);
  const welcomes = screensOf(form, 'welcome_screens', path);
  const read = ([first]: readonly Screen[]) =>
    first && {
      title: texts.read(first.source, 'title', first.path),
      description: texts.read(first.source, 'description', first.path),
    };
  for (const [name, list] of [
    ['thankyou_screens', thanks],
    ['welcome_screens', welcomes],
  ] as const) {
    if (list.length < 2) continue;
    const detail = `Only the first of several ${name} is used; the others are kept in source_data`;
    warnOnce(name, { path: `${path}/${name}`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return {
    welcome: read(welcomes),
    thanks: read(thanks),
    kept: {
      ...(welcomes.length === 0 ? {} : { welcome_screens: welcomes.map(({ source }) => source) }),
      ...(endings.length === 0 ? {} : { thankyou_screens: endings.map(({ source }) => source) }),
    },
    endings: endings.map(({ source }) => String(source['ref'])),
  };
}

interface Screen {
  readonly source: JsonObject;
  readonly path: string;
}

function screensOf(form: JsonObject, name: string, path: string): readonly Screen[] {
  const list = form[name];
  if (!isArray(list)) return [];
  return list.flatMap((source, index) => (isObject(source) ? [{ source, path: `${path}/${name}/${index}` }] : []));
}
