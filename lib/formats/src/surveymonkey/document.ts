import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { type LocatedObject, locatedObjects, objectOf } from '../core/source-questions.ts';
import type { HtmlToText } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { wrongType } from '../files/report.ts';

/** Path of the responses in a file that also has the survey. */
export const RESPONSES_PATH = ['responses', 'data'];

/** Members of responses, not of surveys. */
const RESPONSE_MEMBERS = ['collector_id', 'recipient_id', 'response_status', 'collection_mode'];

interface DetailsDocument {
  readonly details: JsonObject;
  readonly path: string;
  readonly hasResponses: boolean;
}

/** Finds the details of a survey in a file: either the details alone, or `{survey, responses?}`. */
export async function readDetailsDocument(file: ImportFile): Promise<DetailsDocument> {
  const data = await readJson(file, { without: RESPONSES_PATH });
  if (isArray(data) && data.length > 0) throw rejectionOfList(data, '');
  if (!isObject(data)) throw wrongType('', 'The file must be an object with the details of a survey');
  const { survey, responses } = data;
  if (!isObject(survey)) return { details: checkPages(data, ''), path: '', hasResponses: false };
  if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['data']))) {
    throw wrongType('/responses', 'The responses must be an object with an array `data`');
  }
  return { details: checkPages(survey, '/survey'), path: '/survey', hasResponses: !isAbsent(responses) };
}

function checkPages(details: JsonObject, path: string): JsonObject {
  // A response also has pages with questions.
  if (isResponse(details)) throw rejectionOfList([details], path);
  if (isArray(details['pages']) && details['pages'].every(hasQuestions)) return details;
  const { error, data, event_type: event } = details;
  if (isObject(error)) throw wrongType(path, `The file is an error reply of SurveyMonkey: ${String(error['message'])}`);
  if (isArray(data)) throw rejectionOfList(data, path);
  if (!isAbsent(event)) throw wrongType(path, 'The file is a webhook notification, without a survey');
  throw wrongType(
    `${path}/pages`,
    'The survey must have pages with questions: export it with GET /v3/surveys/{id}/details',
  );
}

function rejectionOfList(list: readonly JsonValue[], path: string): Error {
  const [first] = list;
  if (!isObject(first) || !isResponse(first)) {
    return wrongType(path, 'The file is a list: export a single survey with GET /v3/surveys/{id}/details');
  }
  const { survey_id: given } = first;
  const id = typeof given === 'string' && /^\d{1,30}$/.test(given) ? given : '{id}';
  const detail = `The file has responses, and their survey is missing: export it with GET /v3/surveys/${id}/details, and import {"survey": …, "responses": …}, or first the survey and then the responses`;
  return wrongType(path, detail);
}

function isResponse(value: JsonObject): boolean {
  return RESPONSE_MEMBERS.some((name) => !isAbsent(value[name]));
}

/** Whether a page has a list of questions. Pages of a survey without its details have none. */
function hasQuestions(page: unknown): boolean {
  return isObject(page) && isArray(page['questions']);
}

export interface SurveyMonkeyQuestion extends LocatedObject {
  readonly id: string;
  /** `family/subtype`. */
  readonly kind: string;
  readonly family: string;
  readonly subtype: string;
  /** Choices, rows and columns include hidden items. A list is empty if all its items are hidden. */
  readonly choices: readonly LocatedObject[];
  readonly rows: readonly LocatedObject[];
  readonly columns: readonly LocatedObject[];
  /** The `other` choice, or the comment field. */
  readonly other: JsonObject | undefined;
  readonly display: JsonObject;
  readonly validation: JsonObject;
  /** Undefined if the question is optional. */
  readonly required: JsonObject | undefined;
}

export function toMonkeyQuestion(value: JsonValue, path: string): SurveyMonkeyQuestion {
  const source = objectOf(value);
  const answers = objectOf(source['answers']);
  const answersPath = `${path}/answers`;
  const family = String(source['family'] ?? '');
  const subtype = String(source['subtype'] ?? '');
  return {
    source,
    path,
    id: toId(source['id']) ?? path,
    kind: `${family}/${subtype}`,
    family,
    subtype,
    choices: listIn(answers, 'choices', answersPath),
    rows: listIn(answers, 'rows', answersPath),
    columns: listIn(answers, 'cols', answersPath),
    other: isObject(answers['other']) && isShown(answers['other']) ? answers['other'] : undefined,
    display: objectOf(source['display_options']),
    validation: objectOf(source['validation']),
    required: isObject(source['required']) ? source['required'] : undefined,
  };
}

/** The choices, rows or columns in a list; empty if all are hidden. */
export function listIn(owner: JsonObject, name: string, path: string): readonly LocatedObject[] {
  const items = locatedObjects(owner, name, path);
  return shownOf(items).length === 0 ? [] : items;
}

export function shownOf(items: readonly LocatedObject[]): readonly LocatedObject[] {
  return items.filter(({ source }) => isShown(source));
}

/** Whether respondents see an item. */
export function isShown({ visible }: JsonObject): boolean {
  return visible !== false;
}

function toId(value: JsonValue | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

/** Converts choices, rows or columns to options, with their ids as source data. */
export type ReadList = (items: readonly LocatedObject[]) => JsonObject[];

/** Members that are converted. The order replaces `position`, and hidden items (`visible`) are inactive. */
export const ITEM_MEMBERS: ReadonlySet<string> = new Set('id text position visible choices required type'.split(' '));

export function createReadList(toText: HtmlToText, keep: KeepMembers): ReadList {
  return (items) => {
    const toUniqueId = createUniqueOptionIds();
    return items.map(({ source, path }, index) => {
      const id = String(source['id'] ?? '');
      const text = toText(String(source['text'] ?? ''), `${path}/text`);
      return {
        id: toUniqueId(id === '' ? text : id),
        text: text === '' ? String(source['weight'] ?? index + 1) : text,
        ...(isShown(source) ? {} : { inactive: true }),
        source_data: { ...keep(source, ITEM_MEMBERS, path), source_id: id === '' ? text : id },
      };
    });
  };
}
