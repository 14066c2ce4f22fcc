/** A part of everything in the tests that is nobody's business: after a run it must be in no log. */
export const PRIVATE = 'private-5d41f0c2';
