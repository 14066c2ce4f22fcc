/**
 * Nesting of elements in files of LimeSurvey: document, section, rows, row, field. A section is a table, or a fact
 * about the file such as `LimeSurveyDocType`.
 */
export const DEPTH = { section: 2, row: 4, field: 5 } as const;
