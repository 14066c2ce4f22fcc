import type { JsonObject } from '@bufbuild/protobuf';
import { isArray } from '@survey/questionnaire/json';
import type { SurveyDraft } from '../core/draft.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import { type Field, toField } from './field.ts';
import { type QuestionContext, toQuestion } from './questions.ts';

interface AddedFields {
  /** Questions by the `ref` of their field. */
  readonly questions: ReadonlyMap<string, JsonObject>;
  readonly sections: readonly JsonObject[];
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
export function addFields(form: JsonObject, path: string, context: QuestionContext, draft: SurveyDraft): AddedFields {
  const questions = new Map<string, JsonObject>();
  const sections: JsonObject[] = [];
  const stepKeys = new Map<string, string>();
  const endings: string[] = [];
  const { texts, keep, warnOnce } = context;

  const beginPage = ({ source, path: at }: Field, sourceData?: JsonObject): void =>
    draft.beginPage(
      {
        title: texts.read(source, 'title', at),
        description: texts.read(source, 'description', at),
        ...(sourceData === undefined ? {} : { sourceData }),
      },
      at,
    );

  const addQuestion = (field: Field): JsonObject => {
    const question = toQuestion(field, context);
    draft.addQuestion(question, field.path);
    if (!questions.has(field.ref)) questions.set(field.ref, question);
    return question;
  };

  const addGroup = (group: Field): readonly JsonObject[] => {
    beginPage(group);
    const isTogether = SHOWN_TOGETHER.has(group.type);
    if (!isTogether) draft.addStep({ key: group.ref, questions: [] }, '');
    const groupQuestions = group.fields.flatMap((field) => (isTogether ? [addQuestion(field)] : addField(field)));
    if (isTogether) draft.addStep({ key: group.ref, questions: groupQuestions }, group.path);
    for (const { ref } of isTogether ? group.fields : [group]) stepKeys.set(ref, group.ref);
    sections.push(toSection(group, groupQuestions, context));
    draft.beginPage({}, group.path);
    return groupQuestions;
  };

  const addStatement = (field: Field): void => {
    beginPage(field, {
      ...keep(field.source, GROUP_MEMBERS, field.path),
      ...keep(field.properties, GROUP_PROPERTIES, `${field.path}/properties`),
      source_id: field.id,
      type: field.type,
    });
    draft.addStep({ key: field.ref, questions: [] }, field.path);
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
    draft.addStep({ key: field.ref, questions: [question] }, field.path);
    return [question];
  };

  const list = form['fields'];
  for (const [index, field] of (isArray(list) ? list : []).entries())
    addField(toField(field, `${path}/fields/${index}`));
  return { questions, sections, stepKeys, endings };
}

function toSection(
  { id, source, path, type, properties }: Field,
  questions: readonly JsonObject[],
  { texts, toUniqueId, keep }: QuestionContext,
): JsonObject {
  const title = texts.read(source, 'title', path);
  return {
    id: toUniqueId(id),
    title: isEmptyText(title) ? type : toJsonText(title),
    question_ids: questions.map((question) => question['id'] ?? ''),
    source_data: {
      ...keep(source, GROUP_MEMBERS, path),
      ...keep(properties, GROUP_PROPERTIES, `${path}/properties`),
      source_id: id,
      type,
    },
  };
}
