import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { DraftQuestion } from '../core/draft.ts';
import { createMemberReader, type MemberReader } from './document.ts';
import { type ElementContext, keepRest, type SurveyjsElement, toQuestion, warnOfUnsupportedType } from './element.ts';
import { readMatrix, readMatrixDropdown, readMultipleText } from './matrices.ts';
import {
  readBoolean,
  readChoice,
  readComment,
  readJsonText,
  readRanking,
  readRating,
  readSlider,
  readText,
} from './questions.ts';

interface ElementSource {
  readonly type: string;
  readonly name: string;
  readonly members: MemberReader;
  readonly path: string;
  /** Whether `isRequired` applies. */
  readonly canBeRequired: boolean;
}

interface NamedQuestion {
  readonly question: DraftQuestion;
  /** Its names in expressions. */
  readonly names: readonly string[];
}

/** Converts an element to questions, including one for its comment. */
export function readElement(
  { type, name, members, path, canBeRequired }: ElementSource,
  context: ElementContext,
): readonly NamedQuestion[] {
  const { texts, warnOnce } = context;
  const title = texts.take(members, 'title', path, name);
  const description = texts.take(members, 'description', path);
  const valueName = members.takeText('valueName') ?? name;
  const validators = members.takeList('validators').filter((validator) => isObject(validator));
  const isRequired = members.takeFlag('isRequired') && canBeRequired;
  const element: SurveyjsElement = { type, name, valueName, isRequired, title, members, validators, path };
  const converted: DraftQuestion[] = [];
  for (const question of readQuestions(element, context)) {
    context.draft.requireCapacityFor(converted.length + 1, [], path);
    converted.push(question);
  }
  const requiredSource = converted.length > 1 ? keepRequired(element, context) : {};
  const comment = readCommentField(element, context);
  const kept = {
    ...keepRest(members, path, warnOnce),
    ...(validators.length === 0 ? {} : keepRest(createMemberReader({ validators }), path, warnOnce)),
    ...requiredSource,
  };
  const named = converted.map((question, index): NamedQuestion => {
    const { required = isRequired && converted.length === 1 } = question;
    const ofFirst = index > 0 ? {} : { description, kept: { ...kept, ...question.kept } };
    const complete = { ...question, required: required === true && canBeRequired, ...ofFirst };
    return { question: complete, names: namesOf(element, question) };
  });
  if (comment === undefined || named.length === 0) return named;
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
function readCommentField(element: SurveyjsElement, context: ElementContext): DraftQuestion | undefined {
  const { members, name, path } = element;
  const title = context.texts.take(members, 'commentText', path, `${name}: comment`);
  if (!members.takeFlag('showCommentArea', 'hasComment')) return undefined;
  return toQuestion(element, { type: 'textarea', name: `${name}-Comment`, title, source: { part: 'comment' } });
}

/** The names of a question in expressions. Parts have the name of their element as prefix. */
function namesOf({ name, valueName }: SurveyjsElement, { needed }: DraftQuestion): readonly string[] {
  const { item, column } = needed;
  if (typeof item === 'string') return [`${name}.${item}`, `${valueName}.${item}`];
  return column === undefined ? [name, valueName] : [];
}

type ReadElement = (element: SurveyjsElement, context: ElementContext) => DraftQuestion | Iterable<DraftQuestion>;

const readOne: ReadElement = (element, context) => readChoice(element, context, 'one');
const readMany: ReadElement = (element, context) => readChoice(element, context, 'several');

const READERS: Readonly<Record<string, ReadElement>> = {
  text: readText,
  comment: readComment,
  radiogroup: readOne,
  dropdown: readOne,
  buttongroup: readOne,
  checkbox: readMany,
  tagbox: readMany,
  imagepicker: (element, context) => (element.members.takeFlag('multiSelect') ? readMany : readOne)(element, context),
  boolean: readBoolean,
  rating: readRating,
  slider: readSlider,
  nouislider: readSlider,
  matrix: readMatrix,
  multipletext: readMultipleText,
  matrixdropdown: readMatrixDropdown,
  ranking: readRanking,
  file: readFile,
  signaturepad: readSignature,
  expression: readExpression,
};

/** Converts an element to questions. Unknown types become a text. */
function readQuestions(element: SurveyjsElement, context: ElementContext): Iterable<DraftQuestion> {
  const read = Object.hasOwn(READERS, element.type) ? READERS[element.type] : undefined;
  const questions = (read ?? readJsonText)(element, context);
  return Symbol.iterator in questions ? questions : [questions];
}

function readFile(element: SurveyjsElement, _context: ElementContext): DraftQuestion {
  const { members } = element;
  const bytes = members.takeNumber('maxSize') ?? 0;
  const accept = members.takeText('acceptedTypes');
  return toQuestion(element, {
    type: 'file_upload',
    members: {
      ...(members.takeFlag('allowMultiple') ? {} : { max_files: 1 }),
      ...(Number.isInteger(bytes) && bytes > 0 ? { max_bytes: bytes } : {}),
      ...(accept === undefined ? {} : { accept }),
    },
  });
}

function readSignature(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  warnOfUnsupportedType(element, context, 'it becomes a file_upload for an image');
  return toQuestion(element, { type: 'file_upload', members: { max_files: 1, accept: 'image/*' } });
}

/** Converts an expression to an optional text question, so that calculated values in responses can be imported. */
function readExpression(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  warnOfUnsupportedType(element, context, 'it becomes a text with the calculated value');
  return toQuestion(element, { type: 'text', required: false, source: { kept_as: 'json' } });
}
