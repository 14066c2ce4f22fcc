/** Options for reading a table, as far as the file does not show them. Every member can be undefined: it is detected then. */
export interface TableOptions {
  /** Label of the character encoding (WHATWG Encoding Standard), such as `windows-1252`. */
  readonly encoding: string | undefined;
  /** BCP 47 tag. Decides about dates and decimals unless `dateFormat` or `decimal` is given. */
  readonly locale: string | undefined;
  /** Order of day, month and year, such as `DD/MM/YYYY`. */
  readonly dateFormat: string | undefined;
  /** Decimal separator, `.` or `,`. */
  readonly decimal: string | undefined;
}

export const DETECT: TableOptions = {
  encoding: undefined,
  locale: undefined,
  dateFormat: undefined,
  decimal: undefined,
};
