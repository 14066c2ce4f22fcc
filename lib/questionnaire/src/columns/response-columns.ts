/** CSV columns about the response itself, which begin an export, in this order. */
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
  'invitation_id',
] as const;

/** Number of these columns in exports of earlier releases. */
const FORMER_COUNT = 9;

export type ResponseColumn = (typeof RESPONSE_COLUMNS)[number];

export function isResponseColumn(name: string): name is ResponseColumn {
  return RESPONSE_COLUMNS.some((column) => column === name);
}

/** Question ids have no colon, so a prefixed name is never the name of a question. */
const PREFIX = 'response:';

/**
 * The names of the response columns in an export. A name that a question uses gets the prefix `response:`.
 *
 * @param taken names of the columns of questions
 */
export function responseColumnNames(taken: ReadonlySet<string>): readonly string[] {
  return RESPONSE_COLUMNS.map((column) => (taken.has(column) ? PREFIX + column : column));
}

/** Whether a header begins with the response columns of an export, with or without prefix. */
export function isExportHeader(names: readonly string[]): boolean {
  return RESPONSE_COLUMNS.slice(0, FORMER_COUNT).every(
    (column, index) => names[index] === column || names[index] === PREFIX + column,
  );
}

/**
 * Finds the response columns in a header, which need not be that of an export. A name with the prefix wins. A name
 * without the prefix counts unless a question uses it.
 *
 * @param taken names of the columns of questions
 * @returns the index of each column found
 */
export function findResponseColumns(
  names: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<ResponseColumn, number> {
  if (isExportHeader(names)) {
    const isAt = (column: ResponseColumn, index: number) =>
      names[index] === PREFIX + column || (names[index] === column && !taken.has(column));
    const columns = RESPONSE_COLUMNS.filter((column, index) => index < FORMER_COUNT || isAt(column, index));
    return new Map(columns.map((column, index) => [column, index]));
  }
  const positions = RESPONSE_COLUMNS.map((column) => {
    const position = names.indexOf(PREFIX + column);
    return [column, position < 0 && !taken.has(column) ? names.indexOf(column) : position] as const;
  });
  return new Map(positions.filter(([, position]) => position >= 0));
}
