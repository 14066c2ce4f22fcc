import { toLooseKey } from '../core/columns/headings.ts';
import type { TitledTable } from '../core/columns/plan-titles.ts';
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

/** Headings of a tool about the response. The headings are in lower case without spaces. */
interface ToolWords {
  /** Targets by heading. */
  readonly words: ReadonlyMap<string, string>;
  /** A table is taken as one of the tool only if it has at least one of these headings. */
  readonly identifyingHeadings: readonly string[];
}

/** Pairs of heading and target: headings, separated by spaces, that have one target. */
const allTo = (target: string, headings: string) => headings.split(' ').map((heading) => [heading, target] as const);
/** Pairs of heading and target: headings, separated by spaces, that are kept as metadata of the same name. */
const kept = (headings: string) => headings.split(' ').map((heading) => [heading, `metadata.${heading}`] as const);

const QUALTRICS: ToolWords = {
  words: new Map([
    ['responseid', 'id'],
    ['startdate', 'started_at'],
    ['enddate', 'submitted_at'],
    ...kept('status progress finished recordeddate duration duration(inseconds) userlanguage ipaddress'),
    ...kept('distributionchannel responseset recipientlastname recipientfirstname recipientemail'),
    ...kept('externalreference externaldatareference locationlatitude locationlongitude locationaccuracy'),
  ]),
  identifyingHeadings: ['recordeddate', 'responseid', 'responseset'],
};
const LIMESURVEY: ToolWords = {
  words: new Map([
    ['id', 'id'],
    ['startdate', 'started_at'],
    ['submitdate', 'submitted_at'],
    ...kept('datestamp lastpage startlanguage seed ipaddr refurl token'),
  ]),
  identifyingHeadings: ['startlanguage', 'lastpage', 'submitdate'],
};
const XLSFORM: ToolWords = {
  words: new Map([
    ...allTo('id', '_uuid meta/instanceid meta-instanceid key _id'),
    ...allTo('submitted_at', '_submission_time submissiondate end'),
    ['start', 'started_at'],
    ...kept(
      '_index _parent_index _parent_table_name _validation_status _tags _notes _status _submitted_by __version__',
    ),
    ...kept('_version_ formhub/uuid _xform_id_string _attachments _geolocation _bamboo_dataset_id _deleted_at _edited'),
    ...kept('meta/instancename submitterid submittername attachmentspresent attachmentsexpected reviewstate deviceid'),
    ...kept('edits formversion username phonenumber subscriberid simserial _total_media _media_count'),
    ...kept('_media_all_received _xform_id __id _date_modified'),
  ]),
  identifyingHeadings: ['_submission_time', '_uuid', 'meta/instanceid', 'meta-instanceid', 'submissiondate', '_index'],
};
const TOOLS: readonly ToolWords[] = [
  { words: SURVEYMONKEY.words, identifyingHeadings: ['respondentid', 'collectorid'] },
  { words: TYPEFORM.words, identifyingHeadings: ['networkid', 'startdate(utc)', 'submitdate(utc)'] },
  QUALTRICS,
  LIMESURVEY,
  XLSFORM,
];
/** A table of a tool has at least this many of its words. Questions can have some of them as titles. */
const MIN_TOOL_WORDS = 3;
/** Headings of the score of a response to a quiz. */
const TOTALS = [
  ...['total score', 'gesamtpunktzahl', 'score total', 'puntuación total', 'pontuação total', 'punteggio totale'],
  ...['totaalscore', 'łączny wynik'],
];
const SCORES = ['score', 'punkte', 'punktzahl', 'puntuación', 'pontuação', 'punteggio', 'wynik'];
/** A heading with the score or feedback of a question. The capture group that matches is the title of the question. */
const SCORE_OF_QUESTION =
  /^(.+) \[(?:score|punktzahl|puntuación|pontuação|punteggio|wynik|feedback|commentaires|comentarios)\]$|^(.+) - points$|^(?:points|feedback) - (.+)$/is;
const MAX_MEMBER = 80;
const MAX_HEADING = 2_000;

/** Targets of words that many tools have, by loose key. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...TIMESTAMPS.map((word) => [word, 'submitted_at'] as const),
  ...STARTS.map((word) => [word, 'started_at'] as const),
  ...IDS.map((word) => [word, 'id'] as const),
  ...EMAILS.map((word) => [word, 'metadata.email'] as const),
  ...SCORES.map((word) => [word, 'metadata.score'] as const),
  ...TOTALS.map((word) => [word, 'metadata.total_score'] as const),
]);

/** Whether a heading is about the response in tables of a tool. */
export function isToolWord(heading: string): boolean {
  return WORDS.has(toLooseKey(heading)) || TOOLS.some(({ words }) => words.has(toToolKey(heading)));
}

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
export const ANSWER_TABLE: TitledTable = { targetsOfWords: targetsByHeading, readsOther: true };

/**
 * Targets of the headings about the response, by loose key. Each target goes to the first heading that has it. Further
 * headings of a tool are kept as metadata.
 */
function targetsByHeading(headings: readonly string[]): ReadonlyMap<string, string> {
  const toolKeys = headings.map(toToolKey);
  const tools = TOOLS.filter(
    ({ words, identifyingHeadings }) =>
      identifyingHeadings.some((heading) => toolKeys.includes(heading)) &&
      toolKeys.filter((key) => words.has(key)).length >= MIN_TOOL_WORDS,
  );
  const titles = new Set(headings.map(toLooseKey));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const heading of headings) {
    const key = toLooseKey(heading);
    const ofTool = tools.map(({ words }) => words.get(toToolKey(heading))).find((one) => one !== undefined);
    const target = ofTool ?? WORDS.get(key);
    if (target !== undefined && !found.has(key)) {
      if (!taken.has(target)) found.set(key, target);
      else if (ofTool !== undefined) found.set(key, toMetadata(heading));
      taken.add(target);
    }
    if (isScoreOfQuestion(heading, titles)) found.set(key, toMetadata(heading));
  }
  return found;
}

/** Whether a column has the score or feedback of another column. */
function isScoreOfQuestion(heading: string, titles: ReadonlySet<string>): boolean {
  const groups = heading.length > MAX_HEADING ? [] : (SCORE_OF_QUESTION.exec(heading)?.slice(1) ?? []);
  const title = groups.find((group) => group !== undefined);
  return title !== undefined && titles.has(toLooseKey(title));
}

/** The target of a heading that is kept in the metadata of the response. */
function toMetadata(heading: string): string {
  return `metadata.${heading.trim().slice(0, MAX_MEMBER).toWellFormed()}`;
}

/** A heading as in `ToolWords`. */
function toToolKey(heading: string): string {
  return toLooseKey(heading).replaceAll(' ', '');
}
