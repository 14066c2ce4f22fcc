import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type DraftQuestion, numberScale, ratingLabels } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { type LocatedObject, objectOf, objectsOf } from '../core/source-questions.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { listIn, type SurveyTexts } from './document.ts';

export interface QuestionContext {
  readonly texts: SurveyTexts;
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
}

/** An element of a block, or a question of older versions. */
interface Element extends LocatedObject {
  readonly type: string;
}

/** Members of a question, and the members of the element that they are made of. */
interface Converted {
  readonly members: JsonObject;
  readonly used: readonly string[];
  /** The replacement, for types without an equivalent. */
  readonly replacement?: string;
}

const AS_TEXT: Converted = { members: { type: 'textarea' }, used: [], replacement: 'a text' };
/** Members that elements of all types have. */
const COMMON = [
  ...['id', 'type', 'headline', 'subheader', 'html', 'required', 'logic', 'logicFallback', 'buttonLabel'],
  ...['backButtonLabel', 'isDraft'],
];
/** Titles of the fields of an address and a contact by name, in the order of their answers. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  address: {
    addressLine1: 'Address line 1',
    addressLine2: 'Address line 2',
    city: 'City',
    state: 'State',
    zip: 'Zip',
    country: 'Country',
  },
  contactInfo: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    phone: 'Phone',
    company: 'Company',
  },
};
const FORMATS: Readonly<Record<string, string>> = { email: 'email', url: 'url', number: 'number' };
const MEGABYTE = 1024 * 1024;
const MAX_NPS = 10;

/** Converts an element. Addresses and contacts become a question for each field that is shown. */
export function toQuestions(located: LocatedObject, context: QuestionContext): readonly DraftQuestion[] {
  const element = { ...located, type: String(located.source['type'] ?? '') };
  const fields = Object.hasOwn(FIELDS, element.type) ? FIELDS[element.type] : undefined;
  return fields === undefined ? [toQuestion(element, context)] : toFieldQuestions(element, fields, context);
}

function toQuestion(element: Element, context: QuestionContext): DraftQuestion {
  const { source, path, type } = element;
  const { keep, warnOnce } = context;
  const { members, used, replacement } = convert(element, context);
  if (replacement !== undefined) {
    const name = type === '' ? 'An element without a type' : type.slice(0, 50);
    const detail = `${name} has no equivalent question type and becomes ${replacement}`;
    warnOnce(`type ${name} ${replacement}`, { path: `${path}/type`, code: 'NO_SUCH_TYPE', detail });
  }
  const id = String(source['id'] ?? '');
  return {
    name: id,
    at: path,
    nameAt: `${path}/id`,
    title: titleOf(element, context),
    description: descriptionOf(element, context),
    members,
    required: source['required'] === true,
    needed: { source_id: id, type },
    kept: keep(source, new Set([...COMMON, ...used]), path),
  };
}

function titleOf({ source, path, type }: Element, { texts, warnOnce }: QuestionContext): Text {
  const title = texts.read(source['headline'], `${path}/headline`);
  if (!isEmptyText(title)) return title;
  const detail = 'A question without a title gets its type as title';
  warnOnce('title', { path: `${path}/headline`, code: 'TITLE_MADE', detail });
  return type === '' ? 'Question' : type;
}

function descriptionOf({ source, path }: Element, { texts }: QuestionContext): Text {
  const read = (name: string) => texts.read(source[name], `${path}/${name}`);
  return joinTexts(read('subheader'), read('html'), '\n\n');
}

function convert(element: Element, context: QuestionContext): Converted {
  const { source } = element;
  switch (element.type) {
    case 'openText':
      return convertText(source);
    case 'multipleChoiceSingle':
    case 'multipleChoiceMulti':
    case 'pictureSelection':
      return convertChoice(element, context);
    case 'nps':
    case 'rating':
      return convertRating(element, context);
    case 'consent':
      return toSingleChoice(element, [['accepted', 'label', 'Accepted']], context);
    case 'cta': {
      const button = source['ctaButtonLabel'] === undefined ? 'buttonLabel' : 'ctaButtonLabel';
      const clicked = ['clicked', button, 'Clicked'] as const;
      const dismissed = ['dismissed', 'dismissButtonLabel', 'Skipped'] as const;
      return { ...toSingleChoice(element, [clicked, dismissed], context), replacement: 'a single_choice' };
    }
    case 'cal': {
      const booked = ['booked', 'bookedLabel', 'Booked'] as const;
      return { ...toSingleChoice(element, [booked], context), replacement: 'a single_choice' };
    }
    case 'date':
      return { members: { type: 'date' }, used: ['format'] };
    case 'fileUpload':
      return convertFile(source);
    case 'matrix': {
      const rows = itemsIn(element, 'rows', context);
      const columns = itemsIn(element, 'columns', context);
      if (rows.length === 0 || columns.length === 0) return AS_TEXT;
      return { members: { type: 'matrix', rows, columns }, used: ['rows', 'columns'] };
    }
    case 'ranking': {
      const rows = itemsIn(element, 'choices', context);
      if (rows.length === 0) return AS_TEXT;
      const members = { type: 'matrix', rows, columns: numberScale(rows.length) };
      return { members, used: ['choices'], replacement: 'a matrix of choices and ranks' };
    }
    default:
      return AS_TEXT;
  }
}

function convertText({ inputType, longAnswer, charLimit }: JsonObject): Converted {
  const format = Object.hasOwn(FORMATS, String(inputType)) ? FORMATS[String(inputType)] : undefined;
  const limit = isObject(charLimit) && charLimit['enabled'] === true ? charLimit : {};
  const lengths = Object.entries({ min_length: limit['min'], max_length: limit['max'] }).filter(
    (entry): entry is [string, number] => Number.isInteger(entry[1]) && Number(entry[1]) > 0,
  );
  const isText = format !== undefined || inputType === 'phone' || longAnswer === false;
  return {
    members: {
      type: isText ? 'text' : 'textarea',
      ...(format === undefined ? {} : { format }),
      ...(format === 'number' ? {} : Object.fromEntries(lengths)),
    },
    used: ['inputType', 'longAnswer', 'charLimit', 'placeholder', 'insightsEnabled'],
  };
}

function convertChoice(element: Element, context: QuestionContext): Converted {
  const { source, type } = element;
  const options = itemsIn(element, 'choices', context);
  if (options.length === 0) return AS_TEXT;
  const hasOther = objectsOf(source['choices']).some(({ id }) => id === 'other');
  const isMultiple = type === 'multipleChoiceMulti' || (type === 'pictureSelection' && source['allowMulti'] === true);
  return {
    members: {
      type: isMultiple ? 'multiple_choice' : 'single_choice',
      options,
      ...(hasOther ? { allow_other: true } : {}),
    },
    used: ['choices', 'allowMulti'],
  };
}

/** The choices, rows or columns of an element. "Other" is not among them. */
function itemsIn({ source, path }: Element, name: string, { texts }: QuestionContext): JsonObject[] {
  const toId = createUniqueOptionIds();
  return listIn(source, name).flatMap((item, index) => {
    // Matrices of old versions have texts only.
    const { id, label = item, imageUrl } = isObject(item) ? item : {};
    if (id === 'other') return [];
    const isPicture = typeof imageUrl === 'string';
    const text = isPicture ? '' : texts.read(label, `${path}/${name}/${index}`);
    const sourceId = typeof id === 'string' ? id : String(index);
    return [
      {
        id: toId(sourceId),
        text: toJsonText(isEmptyText(text) ? `${isPicture ? 'Picture ' : ''}${index + 1}` : text),
        source_data: { source_id: sourceId, ...(isPicture ? { image_url: imageUrl } : {}) },
      },
    ];
  });
}

function convertRating({ source, path, type }: Element, { texts }: QuestionContext): Converted {
  const range = Number(source['range']);
  const [min, max] = type === 'nps' ? [0, MAX_NPS] : [1, Number.isInteger(range) && range > 1 ? range : 5];
  const labels = ratingLabels([
    [min, texts.read(source['lowerLabel'], `${path}/lowerLabel`)],
    [max, texts.read(source['upperLabel'], `${path}/upperLabel`)],
  ]);
  return {
    members: { type: 'rating', min, max, ...labels },
    used: ['range', 'scale', 'lowerLabel', 'upperLabel', 'isColorCodingEnabled'],
  };
}

/** Id of an option, the member with its text, and the text if that is empty. */
type MadeOption = readonly [id: string, member: string, fallback: string];

/** Makes a choice of an element without choices, such as a consent. */
function toSingleChoice({ source, path }: Element, made: readonly MadeOption[], { texts }: QuestionContext): Converted {
  const options = made.map(([id, member, fallback]) => {
    const text = texts.read(source[member], `${path}/${member}`);
    return { id, text: toJsonText(isEmptyText(text) ? fallback : text), source_data: { source_id: id } };
  });
  return { members: { type: 'single_choice', options }, used: made.map(([, member]) => member) };
}

function convertFile({ allowMultipleFiles, maxSizeInMB, allowedFileExtensions }: JsonObject): Converted {
  const size = Number(maxSizeInMB);
  const extensions = itemsOf(allowedFileExtensions).filter((one) => typeof one === 'string');
  return {
    members: {
      type: 'file_upload',
      max_files: allowMultipleFiles === true ? LIMITS.files : 1,
      ...(Number.isInteger(size) && size > 0 ? { max_bytes: size * MEGABYTE } : {}),
      ...(extensions.length === 0 ? {} : { accept: extensions.map((one) => `.${one.replace(/^\./, '')}`) }),
    },
    used: ['allowMultipleFiles', 'maxSizeInMB', 'allowedFileExtensions'],
  };
}

/**
 * Makes a question of each field that is shown.
 *
 * @param fields titles of the fields by their names
 */
function toFieldQuestions(
  element: Element,
  fields: Readonly<Record<string, string>>,
  context: QuestionContext,
): readonly DraftQuestion[] {
  const { source, path, type } = element;
  const title = titleOf(element, context);
  const description = descriptionOf(element, context);
  const members = new Set([...COMMON, ...Object.keys(fields)]);
  const id = String(source['id'] ?? '');
  const shown = Object.entries(fields).flatMap(([name, label], position) => {
    const settings = objectOf(source[name]);
    return settings['show'] === false ? [] : [{ name, label, position, isRequired: settings['required'] === true }];
  });
  return shown.map(({ name, label, position, isRequired }, index) => ({
    name: `${id}_${name}`,
    at: path,
    nameAt: `${path}/id`,
    title: joinTexts(title, label, ' – '),
    members: { type: 'text', ...(name === 'email' ? { format: 'email' } : {}) },
    required: isRequired && source['required'] === true,
    needed: { source_id: id, type, part: String(position) },
    ...(index === 0 ? { description, kept: context.keep(source, members, path) } : {}),
  }));
}
