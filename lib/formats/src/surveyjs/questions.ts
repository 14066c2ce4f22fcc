import type { JsonObject } from '@bufbuild/protobuf';
import { readBoolean, readChoice, readRanking } from './choice-elements.ts';
import { type ElementContext, type SurveyjsElement, toQuestion, warnOfUnsupportedType } from './element.ts';
import { readMatrixDropdown } from './matrix-dropdown-elements.ts';
import { readJsonText, readMatrix, readMultipleText } from './matrix-elements.ts';
import { readRating, readSlider } from './rating-elements.ts';
import { readComment, readText } from './text-elements.ts';

type ReadElement = (element: SurveyjsElement, context: ElementContext) => Iterable<JsonObject>;

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
export function readQuestions(element: SurveyjsElement, context: ElementContext): Iterable<JsonObject> {
  const read = Object.hasOwn(READERS, element.type) ? READERS[element.type] : undefined;
  return (read ?? readJsonText)(element, context);
}

function readFile(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members } = element;
  const bytes = members.takeNumber('maxSize') ?? 0;
  const accept = members.takeText('acceptedTypes');
  return [
    toQuestion(element, context, {
      type: 'file_upload',
      members: {
        ...(members.takeFlag('allowMultiple') ? {} : { max_files: 1 }),
        ...(Number.isInteger(bytes) && bytes > 0 ? { max_bytes: bytes } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
    }),
  ];
}

function readSignature(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  warnOfUnsupportedType(element, context, 'it becomes a file_upload for an image');
  return [toQuestion(element, context, { type: 'file_upload', members: { max_files: 1, accept: 'image/*' } })];
}

/** Converts an expression to an optional text question, so that calculated values in responses can be imported. */
function readExpression(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  warnOfUnsupportedType(element, context, 'it becomes a text with the calculated value');
  return [toQuestion(element, context, { type: 'text', members: { required: false }, source: { kept_as: 'json' } })];
}
