/** Stands for the text that `other` needs here, where the tool took the choice without one. */
export const OTHER_TEXT = 'Other';
