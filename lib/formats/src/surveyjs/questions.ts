import type { JsonObject } from '@bufbuild/protobuf';
import { readBoolean, readChoice, readRanking } from './choice-elements.ts';
import { readMatrixDropdown } from './matrix-dropdown-elements.ts';
import { readJsonText, readMatrix, readMultipleText } from './matrix-elements.ts';
import { readRating, readSlider } from './rating-elements.ts';
import { readComment, readText } from './text-elements.ts';
import { type Element, type Tools, toQuestion, warnOfType } from './tools.ts';

type ReadElement = (element: Element, tools: Tools) => Iterable<JsonObject>;

const one: ReadElement = (element, tools) => readChoice(element, tools, 'one');
const several: ReadElement = (element, tools) => readChoice(element, tools, 'several');

const READERS: Readonly<Record<string, ReadElement>> = {
  text: readText,
  comment: readComment,
  radiogroup: one,
  dropdown: one,
  buttongroup: one,
  checkbox: several,
  tagbox: several,
  imagepicker: (element, tools) => (element.members.takeFlag('multiSelect') ? several : one)(element, tools),
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
export function readQuestions(element: Element, tools: Tools): Iterable<JsonObject> {
  const read = Object.hasOwn(READERS, element.type) ? READERS[element.type] : undefined;
  return (read ?? readJsonText)(element, tools);
}

function readFile(element: Element, tools: Tools): readonly JsonObject[] {
  const { members } = element;
  const bytes = members.takeNumber('maxSize') ?? 0;
  const accept = members.takeText('acceptedTypes');
  return [
    toQuestion(element, tools, {
      type: 'file_upload',
      members: {
        ...(members.takeFlag('allowMultiple') ? {} : { max_files: 1 }),
        ...(Number.isInteger(bytes) && bytes > 0 ? { max_bytes: bytes } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
    }),
  ];
}

function readSignature(element: Element, tools: Tools): readonly JsonObject[] {
  warnOfType(element, tools, 'it becomes a file_upload for an image');
  return [toQuestion(element, tools, { type: 'file_upload', members: { max_files: 1, accept: 'image/*' } })];
}

/** Converts an expression to an optional text, which keeps calculated values readable. */
function readExpression(element: Element, tools: Tools): readonly JsonObject[] {
  warnOfType(element, tools, 'it becomes a text with the calculated value');
  return [toQuestion(element, tools, { type: 'text', members: { required: false }, source: { kept_as: 'json' } })];
}
