import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { type Text, textOf } from '../language-texts.ts';
import type { WarnOnce } from '../warn-once.ts';

/** A text of a field, screen or choice in all languages. */
export interface FormTexts {
  /** @param name of a member, or of one of its properties */
  read(owner: JsonObject, name: string, path: string): Text;
}

/** What Typeform fills in when it shows a text: an answer, a hidden field, a score. */
const FILLED_IN = /\{\{[^{}]{1,200}\}\}/;

/**
 * @param form all of whose texts are read
 * @param language of the form itself
 * @param translations by their languages
 */
export function createFormTexts(
  form: JsonObject,
  language: string,
  translations: ReadonlyMap<string, JsonObject>,
  warnOnce: WarnOnce,
): FormTexts {
  const translated = [...translations].map(([tag, one]) => [tag, indexById(one).set(keyOf(form), one)] as const);
  return {
    read(owner, name, path) {
      const own = memberOf(owner, name);
      if (FILLED_IN.test(own)) {
        const detail = 'What stands in {{…}} was filled in by the other tool, and here stays as it is written';
        warnOnce('filled in', { path, code: 'LOGIC_NOT_CONVERTED', detail });
      }
      const others = translated.map(([tag, byId]) => [tag, memberOf(byId.get(keyOf(owner)) ?? {}, name)] as const);
      return textOf([[language, own], ...others]);
    },
  };
}

function memberOf(owner: JsonObject, name: string): string {
  const properties = owner['properties'];
  const value = owner[name] ?? (isObject(properties) ? properties[name] : undefined);
  return typeof value === 'string' ? value.trim() : '';
}

function keyOf({ id, ref }: JsonObject): string {
  return typeof id === 'string' ? id : String(ref);
}

/** All that has an id, however deep it is. */
function indexById(form: JsonObject): Map<string, JsonObject> {
  const byId = new Map<string, JsonObject>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isObject(value) && (typeof value['id'] === 'string' || typeof value['ref'] === 'string')) {
      if (!byId.has(keyOf(value))) byId.set(keyOf(value), value);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(form);
  return byId;
}
