import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { sourceDataOf } from '../core/source-data.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import { type ElementContext, keepRest, type SurveyjsElement, toQuestion } from './element.ts';
import { createMemberReader, type MemberReader } from './member-reader.ts';
import { readQuestions } from './questions.ts';

interface ElementSource {
  readonly type: string;
  readonly name: string;
  readonly members: MemberReader;
  readonly path: string;
  /** Whether `isRequired` applies. */
  readonly canBeRequired: boolean;
}

interface NamedQuestion {
  readonly question: JsonObject;
  readonly names: readonly string[];
}

/** Converts an element to questions, including one for its comment. */
export function readElement(
  { type, name, members, path, canBeRequired }: ElementSource,
  context: ElementContext,
): readonly NamedQuestion[] {
  const { texts, warnOnce } = context;
  const given = texts.read(members.take('title'), `${path}/title`);
  const title = isEmptyText(given) ? name : given;
  const description = texts.read(members.take('description'), `${path}/description`);
  const valueName = members.takeText('valueName') ?? name;
  const validators = members.takeList('validators').filter((validator) => isObject(validator));
  const isRequired = members.takeFlag('isRequired') && canBeRequired;
  const element: SurveyjsElement = { type, name, valueName, isRequired, title, members, validators, path };
  const converted: JsonObject[] = [];
  for (const question of readQuestions(element, context)) {
    context.budget.expect(converted.length + 1, [], path);
    converted.push(question);
  }
  const requiredSource = converted.length > 1 ? keepRequired(element, context) : {};
  const [comment] = readComment(element, context);
  const kept = {
    ...keepRest(members, path, warnOnce),
    ...(validators.length === 0 ? {} : keepRest(createMemberReader({ validators }), path, warnOnce)),
  };
  const [first] = converted;
  const named = converted.map((question, index): NamedQuestion => {
    const { required: wantsRequired = isRequired && converted.length === 1, ...rest } = question;
    const complete = {
      ...rest,
      ...(wantsRequired === true && canBeRequired ? { required: true } : {}),
      ...(index > 0 || isEmptyText(description) ? {} : { description: toJsonText(description) }),
    };
    const source = index === 0 ? { ...kept, ...requiredSource, ...sourceDataOf(complete) } : sourceDataOf(complete);
    return { question: { ...complete, source_data: source }, names: namesOf(element, question) };
  });
  if (comment === undefined || first === undefined) return named;
  return [...named, { question: comment, names: [`${name}-Comment`, `${valueName}-Comment`] }];
}

/** Keeps `isRequired` of an element that becomes several questions. In SurveyJS, an answer to one of them is enough. */
function keepRequired({ isRequired, name, path }: SurveyjsElement, { warnOnce }: ElementContext): JsonObject {
  if (!isRequired) return {};
  const detail = `${name.slice(0, 200)} becomes several questions; only those that are required themselves are required`;
  warnOnce('isRequired', { path: `${path}/isRequired`, code: 'LOGIC_NOT_CONVERTED', detail }, name);
  return { isRequired };
}

/** Converts the comment field, unless it is the text of `other`. */
function readComment(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members, name, path } = element;
  const isShown = ['showCommentArea', 'hasComment'].map((flag) => members.takeFlag(flag)).includes(true);
  const text = context.texts.read(members.take('commentText'), `${path}/commentText`);
  if (!isShown) return [];
  const title = isEmptyText(text) ? `${name}: comment` : text;
  return [
    toQuestion(element, context, { type: 'textarea', name: `${name}-Comment`, title, source: { part: 'comment' } }),
  ];
}

/** The names of a question in expressions. Parts have the name of their element as prefix. */
function namesOf({ name, valueName }: SurveyjsElement, { source_data: kept }: JsonObject): readonly string[] {
  const { item, column } = isObject(kept) ? kept : {};
  if (typeof item === 'string') return [`${name}.${item}`, `${valueName}.${item}`];
  return column === undefined ? [name, valueName] : [];
}
