import { type Survey, titleOf } from '../surveys/survey.ts';
import { wordsOf } from '../surveys/title-words.ts';

const MAX_LENGTH = 60;
const UNTITLED = 'survey';

/** A file name that is valid on all systems and in headers: `lunch-in-the-canteen-v3`. */
export function fileNameOf(survey: Survey): string {
  const words = wordsOf(titleOf(survey)).filter((word) => /^[a-z0-9]+$/.test(word));
  const name = words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
  return `${name === '' ? UNTITLED : name}-v${survey.version}`;
}
