/** The title of a survey whose file has none. */
export const UNTITLED = 'Imported survey';
