import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';
import { isEmptyText, type Text } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';

/** The language of SurveyJS. In surveys with another locale, `default` is the text of untranslated languages. */
const DEFAULT_LANGUAGE = 'en';

/** Reads texts: strings, or objects of language to string, with `default` for the survey's language. */
export interface TextReader {
  /** Languages found so far, the survey's own first. */
  languages(): readonly string[];
  /** The text; empty if there is none. */
  read(value: JsonValue | undefined, path: string): Text;
  /** Reads the text in a member of the object at `path`; `otherwise` if there is none. */
  take(members: MemberReader, name: string, path: string, otherwise?: Text): Text;
}

export function createTextReader(locale: string, warnOnce: WarnOnce): TextReader {
  const surveyLanguage = canonicalTag(locale) ?? 'en';
  const languages = new Set([surveyLanguage]);

  function read(value: JsonValue | undefined, path: string): Text {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (!isObject(value)) return '';
    const texts = new Map<string, string>();
    for (const [name, text] of byPriority(value)) {
      const tag = name === 'default' ? surveyLanguage : canonicalTag(name);
      if (typeof text !== 'string' || text === '') continue;
      if (tag === undefined) {
        const detail = `The language ${name.slice(0, 100)} is not a BCP 47 tag; its texts are not imported`;
        warnOnce(name, { path, code: 'NOT_IMPORTED', detail });
      } else if (texts.has(tag)) {
        if (texts.get(tag) === text) continue;
        const detail = `A text has two versions in ${tag}; the version ${name.slice(0, 100)} is not imported`;
        warnOnce(`version ${name}`, { path, code: 'NOT_IMPORTED', detail });
      } else {
        languages.add(tag);
        texts.set(tag, text);
      }
    }
    const defaultText = texts.get(surveyLanguage);
    // A text only in the survey's own language is a plain string.
    if (defaultText !== undefined && texts.size === 1) return defaultText;
    return Object.fromEntries(defaultText === undefined ? texts : [[surveyLanguage, defaultText], ...texts]);
  }

  /** The texts by name. The first text of a language is used, as SurveyJS does. */
  function byPriority({ default: text, ...named }: JsonObject): readonly (readonly [string, JsonValue | undefined])[] {
    const others = Object.entries(named);
    return surveyLanguage === DEFAULT_LANGUAGE ? [['default', text], ...others] : [...others, ['default', text]];
  }

  return {
    languages: () => [...languages],
    read,
    take(members, name, path, otherwise = '') {
      const text = read(members.take(name), `${path}/${name}`);
      return isEmptyText(text) ? otherwise : text;
    },
  };
}

/** Tracks which members of an object are read, so that the rest can be kept. */
export interface MemberReader {
  /** Reads a member; undefined if absent or null. */
  take(name: string): JsonValue | undefined;
  /** Reads a member, even null, without marking it as read. */
  peek(name: string): JsonValue | undefined;
  /** Reads flags of the same meaning, and returns whether one is true; "true" is true. */
  takeFlag(...names: readonly string[]): boolean;
  /** Reads a finite number, or a text with one. Members of other types than the wanted one stay unread. */
  takeNumber(name: string): number | undefined;
  takeText(name: string): string | undefined;
  takeList(name: string): readonly JsonValue[];
  /** The members that were not read. */
  rest(): JsonObject;
}

export function createMemberReader(object: JsonObject): MemberReader {
  const left = new Map(Object.entries(object));
  const take = (name: string): JsonValue | undefined => {
    const value = left.get(name);
    left.delete(name);
    return isAbsent(value) ? undefined : value;
  };
  const takeIf = <Value>(name: string, convert: (value: JsonValue) => Value | undefined): Value | undefined => {
    const value = left.get(name);
    const converted = isAbsent(value) ? undefined : convert(value);
    if (converted !== undefined || value === '') left.delete(name);
    return converted;
  };
  return {
    take,
    peek: (name) => left.get(name),
    // Takes all flags, so that none is reported as unknown.
    takeFlag: (...names) => names.map((name) => /^true$/i.test(String(take(name)))).includes(true),
    takeNumber: (name) => takeIf(name, numberOf),
    takeText(name) {
      const text = takeIf(name, (value) => (typeof value === 'string' ? value : undefined));
      return text?.trim() === '' ? undefined : text;
    },
    takeList: (name) => takeIf(name, (value) => (Array.isArray(value) ? value : undefined)) ?? [],
    rest: () => Object.fromEntries([...left].filter(([, value]) => !isAbsent(value))),
  };
}

/** Forms of dates and times in surveys and expressions. */
export const DATE = /^\d{4}-\d{2}-\d{2}$/;
export const TIME = /^\d{2}:\d{2}(:\d{2})?$/;
