import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isArray } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSurveyDraft, type SurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { type LocatedObject, locatedObjects, objectOf } from '../core/source-questions.ts';
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
  const language = canonicalTag(objectOf(form['settings'])['language']) ?? options.language;
  const texts = createFormTexts(form, language, translations, warnOnce);
  const draft = createSurveyDraft({ source: 'typeform', title: options.title, warnOnce });
  draft.step({ key: START, questions: [], at: '' });
  const screens = readScreens(form, path, texts, warnOnce);
  const searched = searchedFields(form['logic']);
  const fields = isArray(form['fields']) ? form['fields'] : [];
  const added: AddedFields = { questions: new Map(), stepKeys: new Map(), endings: [] };
  for (const [index, field] of fields.entries()) {
    addField(toField(field, `${path}/fields/${index}`), { texts, keep, warnOnce, searched, deleted, draft, added });
  }
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

/** The questions, pages and logic made of the fields of a form. */
interface AddedFields {
  /** Questions by the `ref` of their field. */
  readonly questions: Map<string, JsonObject>;
  /** Keys of steps by the `ref` of a group, of a field that is shown together with others, or of a matrix row. */
  readonly stepKeys: Map<string, string>;
  /** The `ref`s of thank-you screens among the fields. */
  readonly endings: string[];
}

interface FieldContext extends QuestionContext {
  readonly draft: SurveyDraft;
  readonly added: AddedFields;
}

/** Groups whose fields are shown together. */
const SHOWN_TOGETHER = new Set(['contact_info', 'address', 'inline_group']);

/** Field types without an answer. A group without fields has none either. */
const TYPES_WITHOUT_ANSWER = new Set(['statement', 'payment', 'group']);
const GROUP_MEMBERS = new Set(['id', 'type', 'title', 'properties', 'validations']);
const GROUP_PROPERTIES = new Set(['description', 'fields']);

/** Adds a field to the draft. Returns its questions. */
function addField(field: Field, context: FieldContext): readonly JsonObject[] {
  const { draft, added } = context;
  if (field.type === 'thankyou_screen') {
    added.endings.push(field.ref);
    return [];
  }
  if (field.fields.length > 0 && field.type !== 'matrix') return addGroup(field, context);
  if (TYPES_WITHOUT_ANSWER.has(field.type)) {
    addStatement(field, context);
    return [];
  }
  for (const { ref } of field.fields) added.stepKeys.set(ref, field.ref);
  const question = addQuestion(field, context);
  draft.step({ key: field.ref, questions: [question], at: field.path });
  return [question];
}

function addQuestion(field: Field, context: FieldContext): JsonObject {
  const { draft, added } = context;
  const question = draft.question(toQuestion(field, context));
  if (!added.questions.has(field.ref)) added.questions.set(field.ref, question);
  return question;
}

/** Adds a page and a section with the questions of a group. A new page begins after the group. */
function addGroup(group: Field, context: FieldContext): readonly JsonObject[] {
  const { draft, added } = context;
  const texts = textsOf(group, context);
  draft.page({ ...texts, at: group.path });
  const isTogether = SHOWN_TOGETHER.has(group.type);
  if (!isTogether) draft.step({ key: group.ref, questions: [], at: '' });
  const questions = group.fields.flatMap((field) =>
    isTogether ? [addQuestion(field, context)] : addField(field, context),
  );
  if (isTogether) draft.step({ key: group.ref, questions, at: group.path });
  for (const { ref } of isTogether ? group.fields : [group]) added.stepKeys.set(ref, group.ref);
  draft.section({
    name: group.id,
    title: isEmptyText(texts.title) ? group.type : texts.title,
    questions: questions.map(({ id }) => String(id)),
    sourceData: keptMembersOf(group, context),
  });
  draft.page({ at: group.path });
  return questions;
}

/** Begins a page with the texts of a field without an answer. */
function addStatement(field: Field, context: FieldContext): void {
  const { draft, warnOnce } = context;
  draft.page({ ...textsOf(field, context), sourceData: keptMembersOf(field, context), at: field.path });
  draft.step({ key: field.ref, questions: [], at: field.path });
  const detail = `${field.type} has no answer and becomes the title of a page`;
  warnOnce(field.type, { path: `${field.path}/type`, code: 'NO_SUCH_TYPE', detail });
}

function textsOf({ source, path }: LocatedObject, { texts }: Pick<FieldContext, 'texts'>) {
  return { title: texts.read(source, 'title', path), description: texts.read(source, 'description', path) };
}

function keptMembersOf({ source, properties, id, type, path }: Field, { keep }: FieldContext): JsonObject {
  return {
    ...keep(source, GROUP_MEMBERS, path),
    ...keep(properties, GROUP_PROPERTIES, `${path}/properties`),
    source_id: id,
    type,
  };
}

/** Typeform's default thank-you screen with its advertisement. */
const DEFAULT_REF = 'default_tys';

/** Reads the welcome and thank-you screens. Only the first one of each kind is converted. */
function readScreens(form: JsonObject, path: string, texts: FormTexts, warnOnce: WarnOnce) {
  const welcomes = locatedObjects(form, 'welcome_screens', path);
  const endings = locatedObjects(form, 'thankyou_screens', path);
  const listOf = (name: string, screens: readonly LocatedObject[]) =>
    screens.length === 0 ? {} : { [name]: screens.map(({ source }) => source) };
  const readFirst = (name: string, [first, ...others]: readonly LocatedObject[]) => {
    if (others.length > 0) {
      const detail = `Only the first of several ${name} is used; the others are kept in source_data`;
      warnOnce(name, { path: `${path}/${name}`, code: 'KEPT_AS_SOURCE_DATA', detail });
    }
    return first && textsOf(first, { texts });
  };
  return {
    welcome: readFirst('welcome_screens', welcomes),
    thanks: readFirst(
      'thankyou_screens',
      endings.filter(({ source }) => source['ref'] !== DEFAULT_REF),
    ),
    kept: { ...listOf('welcome_screens', welcomes), ...listOf('thankyou_screens', endings) },
    endings: endings.map(({ source }) => String(source['ref'])),
  };
}
