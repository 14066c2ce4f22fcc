import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type DraftQuestion, numberScale } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { listIn, type SurveyTexts } from './document.ts';

export interface QuestionContext {
  readonly texts: SurveyTexts;
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
}

/** An element of a block, or a question of older versions. */
interface Element {
  readonly source: JsonObject;
  readonly path: string;
}

/** Members of a question, and the members of the element that they are made of. */
interface Converted {
  readonly members: JsonObject;
  readonly used: readonly string[];
  /** The replacement, for types without an equivalent. */
  readonly replacement?: string;
}

const COMMON = [
  'id',
  'type',
  'headline',
  'subheader',
  'html',
  'required',
  'logic',
  'logicFallback',
  'buttonLabel',
  'backButtonLabel',
  'isDraft',
];
/** Fields of an address and a contact, in the order of their answers. */
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
export function toQuestions(element: Element, context: QuestionContext): readonly DraftQuestion[] {
  const type = String(element.source['type'] ?? '');
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  return fields === undefined ? [toQuestion(element, type, context)] : toFieldQuestions(element, type, fields, context);
}

function toQuestion({ source, path }: Element, type: string, context: QuestionContext): DraftQuestion {
  const { keep, warnOnce } = context;
  const { members, used, replacement } = membersOf(source, path, type, context);
  if (replacement !== undefined) {
    const name = type === '' ? 'An element without a type' : type.slice(0, 50);
    const detail = `${name} has no equivalent question type and becomes ${replacement}`;
    warnOnce(`type ${name}`, { path: `${path}/type`, code: 'NO_SUCH_TYPE', detail });
  }
  const id = String(source['id'] ?? '');
  return {
    name: id,
    at: path,
    nameAt: `${path}/id`,
    title: titleOf(source, path, type, context),
    description: descriptionOf(source, path, context),
    members,
    required: source['required'] === true,
    needed: { source_id: id, type },
    kept: keep(source, new Set([...COMMON, ...used]), path),
  };
}

function titleOf(source: JsonObject, path: string, type: string, { texts, warnOnce }: QuestionContext): Text {
  const title = texts.read(source['headline'], `${path}/headline`);
  if (!isEmptyText(title)) return title;
  const detail = 'A question without a title gets its type as title';
  warnOnce('title', { path: `${path}/headline`, code: 'TITLE_MADE', detail });
  return type === '' ? 'Question' : type;
}

function descriptionOf(source: JsonObject, path: string, { texts }: QuestionContext): Text {
  const [sub, html] = ['subheader', 'html'].map((name) => texts.read(source[name], `${path}/${name}`));
  return joinTexts(sub ?? '', html ?? '', '\n\n');
}

function membersOf(source: JsonObject, path: string, type: string, context: QuestionContext): Converted {
  switch (type) {
    case 'openText':
      return textMembers(source);
    case 'multipleChoiceSingle':
    case 'multipleChoiceMulti':
    case 'pictureSelection':
      return choiceMembers(source, path, type, context);
    case 'nps':
    case 'rating':
      return ratingMembers(source, path, type, context);
    case 'consent':
      return withOption('accepted', 'label', 'Accepted', { source, path, context });
    case 'cta': {
      const button = source['ctaButtonLabel'] === undefined ? 'buttonLabel' : 'ctaButtonLabel';
      const made = withOption('clicked', button, 'Clicked', { source, path, context });
      const text = context.texts.read(source['dismissButtonLabel'], `${path}/dismissButtonLabel`);
      const dismissed = { id: 'dismissed', text: toJsonText(isEmptyText(text) ? 'Skipped' : text) };
      const options = [...listIn(made.members, 'options'), { ...dismissed, source_data: { source_id: 'dismissed' } }];
      const used = [...made.used, 'dismissButtonLabel'];
      return { members: { ...made.members, options }, used, replacement: 'a single_choice' };
    }
    case 'cal':
      return {
        ...withOption('booked', 'bookedLabel', 'Booked', { source, path, context }),
        replacement: 'a single_choice',
      };
    case 'date':
      return { members: { type: 'date' }, used: ['format'] };
    case 'fileUpload':
      return fileMembers(source);
    case 'matrix': {
      const [rows, columns] = ['rows', 'columns'].map((name) => itemsIn(source, name, path, context));
      if (!rows?.length || !columns?.length) return { members: { type: 'textarea' }, used: [], replacement: 'a text' };
      return { members: { type: 'matrix', rows: [...rows], columns: [...columns] }, used: ['rows', 'columns'] };
    }
    case 'ranking': {
      const rows = itemsIn(source, 'choices', path, context);
      if (rows.length === 0) return { members: { type: 'textarea' }, used: [], replacement: 'a text' };
      const columns = numberScale(rows.length);
      const members = { type: 'matrix', rows: [...rows], columns };
      return { members, used: ['choices'], replacement: 'a matrix of choices and ranks' };
    }
    default:
      return { members: { type: 'textarea' }, used: [], replacement: 'a text' };
  }
}

function textMembers(source: JsonObject): Converted {
  const { inputType, longAnswer, charLimit } = source;
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

function choiceMembers(source: JsonObject, path: string, type: string, context: QuestionContext): Converted {
  const choices = listIn(source, 'choices');
  const hasOther = choices.some((choice) => isObject(choice) && choice['id'] === 'other');
  const options = itemsIn(source, 'choices', path, context);
  const isMultiple = type === 'multipleChoiceMulti' || (type === 'pictureSelection' && source['allowMulti'] === true);
  if (options.length === 0) return { members: { type: 'textarea' }, used: [], replacement: 'a text' };
  return {
    members: {
      type: isMultiple ? 'multiple_choice' : 'single_choice',
      options: [...options],
      ...(hasOther ? { allow_other: true } : {}),
    },
    used: ['choices', 'allowMulti'],
  };
}

/** The choices, rows or columns of an element. "Other" is not among them. */
function itemsIn(source: JsonObject, name: string, path: string, { texts }: QuestionContext): readonly JsonObject[] {
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

function ratingMembers(source: JsonObject, path: string, type: string, { texts }: QuestionContext): Converted {
  const range = Number(source['range']);
  const [min, max] = type === 'nps' ? [0, MAX_NPS] : [1, Number.isInteger(range) && range > 1 ? range : 5];
  const labels = (
    [
      [min, 'lowerLabel'],
      [max, 'upperLabel'],
    ] as const
  ).flatMap(([value, name]): readonly (readonly [string, JsonValue])[] => {
    const text = texts.read(source[name], `${path}/${name}`);
    return isEmptyText(text) ? [] : [[String(value), toJsonText(text)]];
  });
  return {
    members: { type: 'rating', min, max, ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }) },
    used: ['range', 'scale', 'lowerLabel', 'upperLabel', 'isColorCodingEnabled'],
  };
}

interface OptionContext extends Element {
  readonly context: QuestionContext;
}

/** A choice of one option, such as a consent. */
function withOption(id: string, label: string, fallback: string, { source, path, context }: OptionContext): Converted {
  const text = context.texts.read(source[label], `${path}/${label}`);
  const option = { id, text: toJsonText(isEmptyText(text) ? fallback : text), source_data: { source_id: id } };
  return { members: { type: 'single_choice', options: [option] }, used: [label] };
}

function fileMembers({ allowMultipleFiles, maxSizeInMB, allowedFileExtensions }: JsonObject): Converted {
  const size = Number(maxSizeInMB);
  const extensions = (isArray(allowedFileExtensions) ? allowedFileExtensions : []).filter(
    (one) => typeof one === 'string',
  );
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

function toFieldQuestions(
  { source, path }: Element,
  type: string,
  fields: Readonly<Record<string, string>>,
  context: QuestionContext,
): readonly DraftQuestion[] {
  const { keep } = context;
  const title = titleOf(source, path, type, context);
  const description = descriptionOf(source, path, context);
  const id = String(source['id'] ?? '');
  const shown = Object.entries(fields).flatMap(([name, label], position) => {
    const given = source[name];
    const settings: JsonObject = isObject(given) ? given : {};
    return settings['show'] === false ? [] : [{ name, label, position, settings }];
  });
  return shown.map(({ name, label, position, settings }, index) => ({
    name: `${id}_${name}`,
    at: path,
    nameAt: `${path}/id`,
    title: joinTexts(title, label, ' – '),
    ...(index === 0 ? { description } : {}),
    members: { type: 'text', ...(name === 'email' ? { format: 'email' } : {}) },
    required: settings['required'] === true && source['required'] === true,
    needed: { source_id: id, type, part: String(position) },
    ...(index === 0 ? { kept: keep(source, new Set([...COMMON, ...Object.keys(fields)]), path) } : {}),
  }));
}
