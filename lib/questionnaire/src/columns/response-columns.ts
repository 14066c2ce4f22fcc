/** Columns of a CSV of responses that are about the response itself, in the order in which they begin an export. */
export const RESPONSE_COLUMNS = [
  'id',
  'submitted_at',
  'status',
  'created_at',
  'started_at',
  'survey_version',
  'language',
  'link_id',
  'external_id',
] as const;

/** Name of such a column, when no question has it. */
export type ResponseColumn = (typeof RESPONSE_COLUMNS)[number];

/** No id of a question has a colon. */
const PREFIX = 'response:';

/**
 * The names with which an export begins: a question that is called like one of our own keeps the name.
 *
 * @param taken names of the columns of its questions
 */
export const responseColumnNames = (taken: ReadonlySet<string>): readonly string[] =>
  RESPONSE_COLUMNS.map((column) => (taken.has(column) ? PREFIX + column : column));

/** Whether a header is that of an export: whether all of our columns begin it, under whichever of their names. */
export const isExportHeader = (names: readonly string[]): boolean =>
  RESPONSE_COLUMNS.every((column, index) => names[index] === column || names[index] === PREFIX + column);

/**
 * Where the columns about the response itself stand in a header that is no export's, or no more: under the name that
 * can be no question's, else under their own unless a question has it.
 *
 * @param taken names of the columns of the survey's questions
 */
export const findResponseColumns = (
  names: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<ResponseColumn, number> => {
  if (isExportHeader(names)) return new Map(RESPONSE_COLUMNS.map((column, index) => [column, index]));
  const places = RESPONSE_COLUMNS.map((column) => {
    const place = names.indexOf(PREFIX + column);
    return [column, place < 0 && !taken.has(column) ? names.indexOf(column) : place] as const;
  });
  return new Map(places.filter(([, place]) => place >= 0));
};
