import { toLooseKey } from '../core/columns/headings.ts';
import type { TitledTable } from '../core/columns/plan.ts';
import { SURVEYMONKEY } from '../surveymonkey/headers.ts';
import { TYPEFORM } from '../typeform/headers.ts';

/** Headings of the time of a response in Google Forms, in its languages, and in similar tools. In lower case. */
const TIMESTAMPS = [
  ...['timestamp', 'zeitstempel', 'horodateur', 'marca temporal', 'marca de tiempo', 'carimbo de data/hora'],
  ...['informazioni cronologiche', 'tijdstempel', 'sygnatura czasowa', 'tidsstämpel', 'tidsstempel', 'aikaleima'],
  ...['отметка времени', 'zaman damgası', 'タイムスタンプ', '时间戳记', '時間戳記', '타임스탬프', 'časová značka'],
  ...['submitted at', 'submission date', 'completion time', 'date submitted', 'submit date (utc)'],
];
const STARTS = ['started at', 'start time', 'start date (utc)'];
const IDS = ['id', 'response id', 'respondent id', 'submission id', 'responseid', 'respondentid', 'submissionid'];
const EMAILS = [
  ...['email address', 'e-mail address', 'e-mail-adresse', 'adresse e-mail'],
  ...['dirección de correo electrónico', 'endereço de e-mail', 'indirizzo email', 'e-mailadres'],
];

const QUALTRICS: ReadonlyMap<string, string> = new Map([
  ['responseid', 'id'],
  ['startdate', 'started_at'],
  ['enddate', 'submitted_at'],
  ...'status progress finished recordeddate duration duration(inseconds) userlanguage ipaddress distributionchannel'
    .split(' ')
    .concat('responseset recipientlastname recipientfirstname recipientemail externalreference'.split(' '))
    .concat('externaldatareference locationlatitude locationlongitude locationaccuracy'.split(' '))
    .map((word) => [word, `metadata.${word}`] as const),
]);
const LIMESURVEY: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['startdate', 'started_at'],
  ['submitdate', 'submitted_at'],
  ...'datestamp lastpage startlanguage seed ipaddr refurl token'
    .split(' ')
    .map((word) => [word, `metadata.${word}`] as const),
]);
const XLSFORM: ReadonlyMap<string, string> = new Map([
  ...['_uuid', 'meta/instanceid', 'meta-instanceid', 'key', '_id'].map((word) => [word, 'id'] as const),
  ...['_submission_time', 'submissiondate', 'end'].map((word) => [word, 'submitted_at'] as const),
  ['start', 'started_at'],
  ...'_index _parent_index _parent_table_name _validation_status _tags _notes _status _submitted_by __version__ _version_'
    .split(' ')
    .concat('formhub/uuid _xform_id_string _attachments _geolocation _bamboo_dataset_id _deleted_at _edited'.split(' '))
    .concat('meta/instancename submitterid submittername attachmentspresent attachmentsexpected reviewstate'.split(' '))
    .concat(
      'deviceid edits formversion username phonenumber subscriberid simserial _total_media _media_count'.split(' '),
    )
    .concat('_media_all_received _xform_id __id _date_modified'.split(' '))
    .map((word) => [word, `metadata.${word}`] as const),
]);
/** Words of tools, by heading in lower case without spaces. A table of the tool has one of the marks. */
const TOOLS: readonly { readonly words: ReadonlyMap<string, string>; readonly marks: readonly string[] }[] = [
  { words: SURVEYMONKEY.words, marks: ['respondentid', 'collectorid'] },
  { words: TYPEFORM.words, marks: ['networkid', 'startdate(utc)', 'submitdate(utc)'] },
  { words: QUALTRICS, marks: ['recordeddate', 'responseid', 'responseset'] },
  { words: LIMESURVEY, marks: ['startlanguage', 'lastpage', 'submitdate'] },
  {
    words: XLSFORM,
    marks: ['_submission_time', '_uuid', 'meta/instanceid', 'meta-instanceid', 'submissiondate', '_index'],
  },
];
/** A table of a tool has at least this many of its words. Questions can have some of them as titles. */
const MIN_TOOL_WORDS = 3;
/** Headings of the score of a response to a quiz. */
const TOTALS = [
  ...['total score', 'gesamtpunktzahl', 'score total', 'puntuación total', 'pontuação total', 'punteggio totale'],
  ...['totaalscore', 'łączny wynik'],
];
const SCORES = ['score', 'punkte', 'punktzahl', 'puntuación', 'pontuação', 'punteggio', 'wynik'];
/** A heading about the score or feedback of a question: the groups are its title. */
const SCORE =
  /^(.+) \[(?:score|punktzahl|puntuación|pontuação|punteggio|wynik|feedback|commentaires|comentarios)\]$|^(.+) - points$|^(?:points|feedback) - (.+)$/is;

/** Whether a heading is about the response in tables of a tool. */
export function isToolWord(heading: string): boolean {
  return WORDS.has(toLooseKey(heading)) || TOOLS.some(({ words }) => words.has(toToolKey(heading)));
}

/** Targets of the headings about the response, by loose key. Each target is that of one heading; others are metadata. */
function wordsOf(headings: readonly string[]): ReadonlyMap<string, string> {
  const keys = headings.map(toToolKey);
  const tools = TOOLS.filter(
    ({ words, marks }) =>
      marks.some((mark) => keys.includes(mark)) && keys.filter((key) => words.has(key)).length >= MIN_TOOL_WORDS,
  );
  const titles = new Set(headings.map(toLooseKey));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const [position, heading] of headings.entries()) {
    const key = toLooseKey(heading);
    const ofTool = tools.map(({ words }) => words.get(keys[position] ?? '')).find((one) => one !== undefined);
    const target = ofTool ?? WORDS.get(key);
    if (target !== undefined && !found.has(key)) {
      if (!taken.has(target)) found.set(key, target);
      else if (ofTool !== undefined) found.set(key, metadataOf(heading));
      taken.add(target);
    }
    if (isScore(heading, titles)) found.set(key, metadataOf(heading));
  }
  return found;
}

/** Whether a column has the score or feedback of another column. */
function isScore(heading: string, titles: ReadonlySet<string>): boolean {
  const [, first, second, third] = heading.length > MAX_HEADING ? [] : (SCORE.exec(heading) ?? []);
  const title = first ?? second ?? third;
  return title !== undefined && titles.has(toLooseKey(title));
}

function metadataOf(heading: string): string {
  return `metadata.${heading.trim().slice(0, MAX_MEMBER).toWellFormed()}`;
}

function toToolKey(heading: string): string {
  return toLooseKey(heading).replaceAll(' ', '');
}

const MAX_MEMBER = 80;
const MAX_HEADING = 2_000;
const WORDS: ReadonlyMap<string, string> = new Map([
  ...TIMESTAMPS.map((word) => [word, 'submitted_at'] as const),
  ...STARTS.map((word) => [word, 'started_at'] as const),
  ...IDS.map((word) => [word, 'id'] as const),
  ...EMAILS.map((word) => [word, 'metadata.email'] as const),
  ...SCORES.map((word) => [word, 'metadata.score'] as const),
  ...TOTALS.map((word) => [word, 'metadata.total_score'] as const),
]);

/** Whether a heading is that of the time of a response. */
export function isTimestamp(heading: string): boolean {
  return WORDS.get(toLooseKey(heading)) === 'submitted_at';
}

/** Whether a heading is that of the ids of responses. */
export function isId(heading: string): boolean {
  return WORDS.get(toLooseKey(heading)) === 'id' || TOOLS.some(({ words }) => words.get(toToolKey(heading)) === 'id');
}

/**
 * Tables of answers with titles as headings, such as the Google Sheet of a form, or exports of other tools. A title of
 * the survey wins over the words of tools.
 */
export const ANSWER_TABLE: TitledTable = { wordsOf, readsOther: true };
