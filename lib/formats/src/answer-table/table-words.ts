import type { TableSource } from '../core/columns/match-table.ts';

/** Headings of the time of a response in Google Forms, in its languages, and in similar tools. In lower case. */
const TIMESTAMPS = [
  ...['timestamp', 'zeitstempel', 'horodateur', 'marca temporal', 'marca de tiempo', 'carimbo de data/hora'],
  ...['informazioni cronologiche', 'tijdstempel', 'sygnatura czasowa', 'tidsstämpel', 'tidsstempel', 'aikaleima'],
  ...['отметка времени', 'zaman damgası', 'タイムスタンプ', '时间戳记', '時間戳記', '타임스탬프', 'časová značka'],
  ...['submitted at', 'submission date', 'completion time', 'date submitted', 'submit date (utc)'],
];
const STARTS = ['started at', 'start time', 'start date (utc)'];
const IDS = ['id', 'response id', 'respondent id', 'submission id'];
const EMAILS = [
  ...['email address', 'e-mail address', 'e-mail-adresse', 'adresse e-mail'],
  ...['dirección de correo electrónico', 'endereço de e-mail', 'indirizzo email', 'e-mailadres'],
];

/**
 * Tables of answers with titles as headings, such as the Google Sheet of a form. A title of the survey wins over these
 * words.
 */
export const ANSWER_TABLE: TableSource = {
  words: new Map([
    ...TIMESTAMPS.map((word) => [word, 'submitted_at'] as const),
    ...STARTS.map((word) => [word, 'started_at'] as const),
    ...IDS.map((word) => [word, 'id'] as const),
    ...EMAILS.map((word) => [word, 'metadata.email'] as const),
  ]),
  readsOther: true,
};
