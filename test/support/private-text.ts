/** Part of all private texts in tests. It must not occur in any log. */
export const PRIVATE = 'private-5d41f0c2';
