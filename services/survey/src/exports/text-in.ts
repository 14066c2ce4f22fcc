import type { Omissions } from './omissions.ts';

/** Returns a text in the first language that has a translation, and records omitted translations. */
export function textIn(languages: readonly string[], text: unknown, omissions: Omissions): string {
  if (typeof text !== 'object' || text === null) return typeof text === 'string' ? text : '';
  const texts = new Map(Object.entries(text).filter(isText));
  if (texts.size > 1) omissions.add('translations');
  const [first = ''] = [...languages.map((language) => texts.get(language)), ...texts.values()].filter(
    (found) => found !== undefined,
  );
  return first;
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string' && entry[1].trim() !== '';
}
