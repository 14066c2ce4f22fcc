import type { JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isObject } from '@survey/questionnaire/json';
import type { Text } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';

/** Reads texts: strings, or objects of language to string, with `default` for the survey's language. */
export interface TextReader {
  /** Languages found so far, the survey's own first. */
  languages(): readonly string[];
  /** The text; empty if there is none. */
  read(value: JsonValue | undefined, path: string): Text;
}

export function createTextReader(locale: string, warnOnce: WarnOnce): TextReader {
  const surveyLanguage = canonicalTag(locale) ?? 'en';
  const languages = new Set([surveyLanguage]);
  return {
    languages: () => [...languages],
    read(value, path) {
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      if (!isObject(value)) return '';
      const texts = new Map<string, string>();
      for (const [name, text] of Object.entries(value)) {
        const tag = name === 'default' ? surveyLanguage : canonicalTag(name);
        if (typeof text !== 'string' || text === '') continue;
        if (tag === undefined) {
          const detail = `The language ${name.slice(0, 100)} is not a BCP 47 tag; its texts are not imported`;
          warnOnce(name, { path, code: 'NOT_IMPORTED', detail });
        } else {
          languages.add(tag);
          texts.set(tag, text);
        }
      }
      const defaultText = texts.get(surveyLanguage);
      // A text only in the survey's own language is a plain string.
      if (defaultText !== undefined && texts.size === 1) return defaultText;
      return Object.fromEntries(defaultText === undefined ? texts : [[surveyLanguage, defaultText], ...texts]);
    },
  };
}
