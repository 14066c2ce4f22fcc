import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { type Text, textOf } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';

export interface FormTexts {
  /** @param name name of a member of `owner`, or else of `owner.properties` */
  read(owner: JsonObject, name: string, path: string): Text;
}

/** A placeholder that Typeform replaces by an answer, hidden field or score. */
const FILLED_IN = /\{\{[^{}]{1,200}\}\}/;

/**
 * @param form the form in its own language
 * @param language language of the form
 * @param translations translated forms by language
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
      const original = memberOf(owner, name);
      if (FILLED_IN.test(original)) {
        const detail = 'Placeholders {{…}} are not replaced';
        warnOnce('filled in', { path, code: 'PLACEHOLDER_KEPT', detail });
      }
      const others = translated.map(([tag, byId]) => [tag, memberOf(byId.get(keyOf(owner)) ?? {}, name)] as const);
      return textOf([[language, original], ...others]);
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

/** Indexes all objects with an id, at any depth. */
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
