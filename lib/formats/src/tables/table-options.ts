/** Options for reading a table. Undefined options are detected from the file, or have a default. */
export interface TableOptions {
  /** Label of the character encoding (WHATWG Encoding Standard), such as `windows-1252`. */
  readonly encoding: string | undefined;
  /** Character between cells, or `tab`. */
  readonly separator: string | undefined;
  /** BCP 47 tag. Decides about dates and decimals unless `dateFormat` or `decimal` is given. */
  readonly locale: string | undefined;
  /** Order of day, month and year, such as `DD/MM/YYYY`. */
  readonly dateFormat: string | undefined;
  /** Decimal separator, `.` or `,`. */
  readonly decimal: string | undefined;
  /** IANA name of the zone of local times of responses. The reader uses UTC without it. */
  readonly timeZone: string | undefined;
  /** Targets of columns by the option `columns`, which win over their headings. */
  readonly columns: readonly ColumnTarget[];
}

/** The target of a column of a table. */
export interface ColumnTarget {
  /** Heading of the column, or `#3` for the third column. */
  readonly heading: string;
  /** Position of the column, from 0, if a reader has found the target itself. It wins over the heading. */
  readonly position?: number;
  /**
   * Name as in exports (`q3`, `q3[row]`, `submitted_at`), or `metadata.NAME`. Empty for a column that is not imported.
   */
  readonly target: string;
}

/** True for a BCP 47 tag whose formats are known. For other tags, `Intl` uses the formats of the machine. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

export const DETECT_ALL: TableOptions = {
  encoding: undefined,
  separator: undefined,
  locale: undefined,
  dateFormat: undefined,
  decimal: undefined,
  timeZone: undefined,
  columns: [],
};
