import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { isEmptyText, type Text, toJsonText } from '../shared/language-texts.ts';
import { sourceDataOf } from '../shared/source-data.ts';
import { createTakenMembers, type TakenMembers } from '../shared/taken-members.ts';
import { readQuestions } from './questions.ts';
import { type Element, keepRest, type Tools, toQuestion } from './tools.ts';

interface Given {
  readonly type: string;
  readonly name: string;
  readonly members: TakenMembers;
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
  { type, name, members, path, canBeRequired }: Given,
  tools: Tools,
): readonly NamedQuestion[] {
  const { texts, warn } = tools;
  const given = texts.read(members.take('title'), `${path}/title`);
  const title = isEmptyText(given) ? name : given;
  const description = texts.read(members.take('description'), `${path}/description`);
  const valueName = members.takeText('valueName') ?? name;
  const validators = members.takeList('validators').filter((validator) => isObject(validator));
  const isRequired = members.takeFlag('isRequired') && canBeRequired;
  const element: Element = { type, name, valueName, isRequired, title, members, validators, path };
  const made: JsonObject[] = [];
  for (const question of readQuestions(element, tools)) {
    tools.budget.expect(made.length + 1, [], path);
    made.push(question);
  }
  const ofParts = made.length > 1 ? keepOfParts(element, tools) : {};
  const [comment] = readComment(element, tools);
  const kept = {
    ...keepRest(members, path, warn),
    ...(validators.length === 0 ? {} : keepRest(createTakenMembers({ validators }), path, warn)),
  };
  const [only] = made;
  const ofElement = made.map((question, index): NamedQuestion => {
    const { required: own = isRequired && made.length === 1, ...rest } = question;
    const complete = {
      ...rest,
      ...(own === true && canBeRequired ? { required: true } : {}),
      ...(index === 0 ? textMember('description', description) : {}),
    };
    const source = index === 0 ? { ...kept, ...ofParts, ...sourceDataOf(complete) } : sourceDataOf(complete);
    return { question: { ...complete, source_data: source }, names: namesOf(element, question) };
  });
  if (comment === undefined || only === undefined) return ofElement;
  return [...ofElement, { question: comment, names: [`${name}-Comment`, `${valueName}-Comment`] }];
}

/** Source data of an element that becomes several questions: none of them is required. */
function keepOfParts({ isRequired, name, path }: Element, { warn }: Tools): JsonObject {
  if (!isRequired) return {};
  const detail = `${name.slice(0, 200)} becomes several questions, none of which is required`;
  warn('isRequired', { path: `${path}/isRequired`, code: 'LOGIC_NOT_CONVERTED', detail });
  return { isRequired };
}

/** Converts the comment field, unless it is the text of `other`. */
function readComment(element: Element, tools: Tools): readonly JsonObject[] {
  const { members, name, path } = element;
  const has = ['showCommentArea', 'hasComment'].map((flag) => members.takeFlag(flag)).includes(true);
  const text = tools.texts.read(members.take('commentText'), `${path}/commentText`);
  if (!has) return [];
  const title = isEmptyText(text) ? `${name}: comment` : text;
  return [
    toQuestion(element, tools, { type: 'textarea', name: `${name}-Comment`, title, source: { part: 'comment' } }),
  ];
}

/** The names of a question in expressions. Parts have the name of their element as prefix. */
function namesOf({ name, valueName }: Element, { source_data: kept }: JsonObject): readonly string[] {
  const { item, column } = isObject(kept) ? kept : {};
  if (typeof item === 'string') return [`${name}.${item}`, `${valueName}.${item}`];
  return column === undefined ? [name, valueName] : [];
}

function textMember(name: string, text: Text): JsonObject {
  return isEmptyText(text) ? {} : { [name]: toJsonText(text) };
}
