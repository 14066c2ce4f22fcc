/** Text of an `other` answer that had no text in the other tool. */
export const OTHER_TEXT = 'Other';
