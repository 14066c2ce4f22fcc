import { type Format, SOURCES, type Source, type Target } from './import-formats.ts';

/** A guess that the user can correct. The dry run tells whether it was right. */
export interface Guess {
  readonly source: Source;
  readonly format: Format;
}

/** Bytes at the beginning of a file that suffice for a guess. */
export const HEAD_BYTES = 65_536;

const EXTENSIONS: Readonly<Record<string, Format>> = {
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
const STRUCTURE = /^[^\r\n]*"?\bclass"?\t"?type\/scale"?\t/;

type Sign = readonly [source: Source, pattern: RegExp];

/** Texts that only files of one tool have, in the order of their reliability. */
const SIGNS: Readonly<Record<Target, Partial<Record<Format, readonly Sign[]>>>> = {
  survey: {
    qsf: [['qualtrics', /^/]],
    lss: [['limesurvey', /^/]],
    lsa: [['limesurvey', /^/]],
    tsv: [['limesurvey', /^/]],
    xlsx: [['xlsform', /^/]],
    csv: [
      ['custom', /question_(id|type|title)/i],
      ['xlsform', /^"?survey"?[,;\t\r\n]|(^|[,;\t])"?type"?[,;\t]"?name"?[,;\t]/im],
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
      ['qualtrics', /(^|,)"?(StartDate|RecordedDate|ResponseI[Dd]|ResponseSet)"?,/m],
      ['limesurvey', /(^|[,;\t])"?(submitdate|startlanguage|lastpage)"?[,;\t]/m],
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

/**
 * Guesses the tool and the format of a file from its name and its beginning.
 *
 * @param head the first `HEAD_BYTES` bytes as text
 */
export function guessFile(name: string, head: string, target: Target): Guess {
  const text = head.replace(/^\ufeff/, '').trimStart();
  const format = guessFormat(name, text, target);
  const signs = SIGNS[target][format] ?? [];
  const source = signs.find(([, pattern]) => pattern.test(text))?.[0] ?? 'custom';
  return isSupported(source, format, target) ? { source, format } : { source, format: formatOf(source, target) };
}

function guessFormat(name: string, text: string, target: Target): Format {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const format = EXTENSIONS[extension] ?? formatOfText(text);
  if (target === 'survey' && format === 'csv' && STRUCTURE.test(text)) return 'tsv';
  if (target === 'responses' && format === 'json' && isNdjson(text)) return 'ndjson';
  return format;
}

function formatOfText(text: string): Format {
  if (text.startsWith('PK')) return 'xlsx';
  if (text.startsWith('<')) return 'lss';
  return /^[[{]/.test(text) ? 'json' : 'csv';
}

/** Whether the first two lines are objects of their own. */
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

function isSupported(source: Source, format: Format, target: Target): boolean {
  return SOURCES[source].formats[target].includes(format);
}

/** The only or usual format of a source. */
export function formatOf(source: Source, target: Target): Format {
  const [format] = SOURCES[source].formats[target];
  if (format === undefined) throw new Error(`the source ${source} has no format`);
  return format;
}
