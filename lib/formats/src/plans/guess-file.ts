import { isTimestamp } from '../answer-table/table-words.ts';
import { formatsOf, type ImportContent } from '../sources.ts';

/** The tool and the format of a file. */
export interface Guess {
  readonly source: string;
  readonly format: string;
}

/** The parts of a file that a guess uses. */
export interface GuessedFile {
  /** Name of the file; can be empty. */
  readonly name: string;
  /** The first characters of a text; of a workbook, its first rows as CSV. */
  readonly head: string;
  /** Format by content: `xlsx` for a workbook, `zip` for another archive; undefined for a text. */
  readonly container: 'xlsx' | 'zip' | undefined;
  /** Names of the sheets of a workbook. */
  readonly sheets: readonly string[];
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  qsf: 'qsf',
  lss: 'lss',
  lsa: 'lsa',
  xlsx: 'xlsx',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};

/** The header of LimeSurvey's tab-separated structure. */
const LIMESURVEY_TSV_HEADER = /^[^\r\n]*"?\bclass"?\t"?type\/scale"?\t/;

/** Beginnings of a JSON file and of an LSS file. No heading of a table begins like them. */
const JSON_TEXT = /^(?:\{\s*["}]|\[\s*[[{"\]])/;
const LSS_TEXT = /^<(?:\?xml|document)\b/;

/** The first columns of Microsoft Forms. */
const MICROSOFT_FORMS = /^"?ID"?[,;\t]"?Start time"?[,;\t]"?Completion time"?[,;\t]/i;

type Sign = readonly [source: string, pattern: RegExp];

/** By format: texts that only files of one tool have, in the order of reliability. `/^/`: only this tool has it. */
const SIGNS: Readonly<Record<ImportContent, Readonly<Record<string, readonly Sign[]>>>> = {
  survey: {
    qsf: [['qualtrics', /^/]],
    lss: [['limesurvey', /^/]],
    lsa: [['limesurvey', /^/]],
    tsv: [['limesurvey', /^/]],
    csv: [
      ['custom', /(^|[,;\t])"? ?question_(id|type|title) ?"?([,;\t\r\n]|$)/im],
      ['xlsform', /^"?survey"?[,;\t\r\n]|(^|[,;\t])"?type"?[,;\t]"?name"?[,;\t]/im],
      ['microsoft_forms', MICROSOFT_FORMS],
    ],
    json: [
      ['qualtrics', /"SurveyElements"\s*:/],
      ['formbricks', /"(welcomeCard|hiddenFields|logicFallback)"\s*:|"type"\s*:\s*"multipleChoice(Single|Multi)"/],
      ['google_forms', /"(formId|questionItem|documentTitle)"\s*:/],
      ['surveymonkey', /"(question_count|page_count|headings|collect_stats)"\s*:/],
      ['typeform', /"(thankyou_screens|welcome_screens|workspace)"\s*:|"fields"\s*:\s*\[\s*\{\s*"(id|ref|title)"/],
      ['xlsform', /"(\$?kuid|asset_type|\$xpath|summary)"\s*:|"content"\s*:\s*\{\s*"survey"/],
      ['surveyjs', /"(elements|showProgressBar|visibleIf|completedHtml)"\s*:/],
    ],
  },
  responses: {
    lsa: [['limesurvey', /^/]],
    csv: [
      ['typeform', /[,;\t]"?(Start|Submit) Date \(UTC\)"?[,;\t\r\n]/m],
      ['surveymonkey', /^"?Respondent ?ID"?[,;\t]/],
      ['microsoft_forms', MICROSOFT_FORMS],
      ['qualtrics', /(^|[,;\t])"?(StartDate|RecordedDate|ResponseI[Dd]|ResponseSet)"?[,;\t]/m],
      ['limesurvey', /(^|[,;\t])"?(submitdate|startlanguage|lastpage)(\. [^",;\t\r\n\u2028\u2029]*)?"?[,;\t]/m],
      ['xlsform', /(^|[,;\t])"?(SubmissionDate|_uuid|_submission_time|KEY|meta[-/]instanceID)"?([,;\t\r\n]|$)/m],
    ],
    json: [
      ['typeform', /"(form_response|landed_at|landing_id)"\s*:/],
      ['surveymonkey', /"(collector_id|recipient_id|response_status|collection_mode)"\s*:/],
      ['formbricks', /"surveyId"\s*:\s*"|"(ttc|singleUseId)"\s*:/],
      ['google_forms', /"(lastSubmittedTime|responseId)"\s*:/],
      ['limesurvey', /"(submitdate|startlanguage|lastpage)"\s*:/],
      ['xlsform', /"(_xform_id_string|_uuid|__id|_submission_time)"\s*:/],
      ['surveyjs', /"(HappendAt|InstanceId)"\s*:/],
    ],
  },
};

/** If the source does not have the guessed format, the first of these that it has is taken. */
const FALLBACK_FORMATS = ['json', 'csv', 'xlsx', 'qsf', 'lss'];

/** Guesses the tool and the format of a file from its name and its beginning. A given source or format is kept. */
export function guessFile(file: GuessedFile, content: ImportContent, given: Partial<Guess> = {}): Guess {
  const text = file.head.replace(/^\ufeff/, '').trimStart();
  const format = given.format ?? guessFormat(file, text, content);
  const source = given.source ?? guessSource(file, text, format, content);
  const supported = formatsOf(source, content);
  if (given.format !== undefined || supported.includes(format)) return { source, format };
  return { source, format: FALLBACK_FORMATS.find((one) => supported.includes(one)) ?? format };
}

function guessSource({ sheets }: GuessedFile, text: string, format: string, content: ImportContent): string {
  if (content === 'survey' && sheets.some((name) => name.trim().toLowerCase() === 'survey')) return 'xlsform';
  const signs = SIGNS[content][format === 'xlsx' ? 'csv' : format] ?? [];
  const found = signs.find(([, pattern]) => pattern.test(text))?.[0];
  if (found !== undefined) return found;
  const isTable = format === 'csv' || format === 'xlsx';
  if (isTable && beginsWithTimestampHeading(text)) return 'google_forms';
  return isTable && content === 'survey' ? 'table' : 'custom';
}

/** Whether the first heading is the time of the response, as in a Google Sheet of a form. */
function beginsWithTimestampHeading(text: string): boolean {
  const [, first = ''] = /^"?([^",;\t\r\n]*)/.exec(text) ?? [];
  return isTimestamp(first);
}

function guessFormat({ name, container }: GuessedFile, text: string, content: ImportContent): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const byName = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (container === 'xlsx') return 'xlsx';
  if (container === 'zip') return byName === 'lsa' ? 'lsa' : 'csv';
  if (text === '') return byName ?? 'csv';
  const format = formatOfText(text, byName === 'csv');
  if (format === 'json') return byName === 'qsf' ? 'qsf' : toJsonFormat(text, byName, content);
  return content === 'survey' && format === 'csv' && LIMESURVEY_TSV_HEADER.test(text) ? 'tsv' : format;
}

/** Detects the format by content. In files named as tables, `[1] Age` and `<b>Age</b>` are headings. */
function formatOfText(text: string, isNamedTable: boolean): 'lss' | 'json' | 'csv' {
  if (LSS_TEXT.test(text) || (text.startsWith('<') && !isNamedTable)) return 'lss';
  return JSON_TEXT.test(text) || (/^[[{]/.test(text) && !isNamedTable) ? 'json' : 'csv';
}

function toJsonFormat(text: string, byName: string | undefined, content: ImportContent): string {
  return content === 'responses' && (byName === 'ndjson' || isNdjson(text)) ? 'ndjson' : 'json';
}

/** Whether the first line is JSON of its own, and the second one begins an object. */
function isNdjson(text: string): boolean {
  const [first = '', second = ''] = text.split('\n', 2);
  return second.trimStart().startsWith('{') && isJson(first);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
