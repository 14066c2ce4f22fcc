import type { ImportWarning } from '@survey/client';

/** Meanings of the codes of warnings, for people. Other codes have only their details. */
const MEANINGS: Readonly<Record<string, string>> = {
  NO_SUCH_TYPE: 'Changed: questions without an equivalent got the nearest type, or are kept as source data.',
  LOGIC_NOT_CONVERTED: 'Lost: logic without an equivalent. The questions are always shown and never required.',
  MORE_PAGES: 'Lost, unless you import them too: the responses of further pages.',
  NOT_IMPORTED: 'Lost: columns, files, answers or settings.',
  HTML_REMOVED: 'Lost: markup, or the end of a text.',
  KEPT_AS_SOURCE_DATA: 'Kept as source data, without effect. Respondents can read it.',
  KEPT_AS_METADATA: 'Kept as metadata, without effect. Respondents can read it.',
  ID_CHANGED: 'Changed: ids that were invalid or duplicate.',
  TITLE_MADE: 'Changed: questions without a title got one.',
  EMPTY_TITLE: 'Changed: questions without a title.',
  NOT_TRANSLATED: 'Lost: texts lack a language of the survey.',
  LENGTH_LIMITED: 'Changed: longer texts were allowed than the platform stores.',
  SCHEMA_VERSION_SET: 'Changed: the version of the format of definitions.',
  COLUMN_GUESSED:
    'Columns of Microsoft Forms with headings that are not English: their targets were chosen by position.',
  TIME_ZONE_ASSUMED: 'Times without a zone are read as UTC. You can choose another time zone.',
  NOT_A_RESPONSE: 'Rows that repeat the header, or have titles or texts of columns, are left out.',
  TIME_ASSUMED: 'Responses without a time get the time of the import.',
  READ_AS_OPTION: 'Dates in columns of options are read as the options from which a spreadsheet made them.',
  START_UNKNOWN: 'The start of responses is not in the file. Summaries have no durations of them.',
  PLACEHOLDER_KEPT: 'Placeholders for answers or variables stay as they are. Respondents see them.',
  MORE_WARNINGS: 'There are more warnings than the report can hold.',
};

/** Warnings of the same kind. */
export interface WarningKind {
  readonly code: string;
  readonly meaning: string | undefined;
  readonly warnings: readonly ImportWarning[];
}

/** Groups warnings by their code. The groups are in the order of their first warnings. */
export function groupWarnings(warnings: readonly ImportWarning[]): readonly WarningKind[] {
  return [...Map.groupBy(warnings, ({ code }) => code)].map(([code, members]) => ({
    code,
    meaning: MEANINGS[code],
    warnings: members,
  }));
}
