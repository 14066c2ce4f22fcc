import { isObject } from '@survey/questionnaire/json';
import { textIn as findText, lookUpOrder } from '@survey/questionnaire/labels';
import type { Omissions } from './omissions.ts';

/** Returns a text in the first language that has a translation, and records omitted translations. */
export function textIn(languages: readonly string[], text: unknown, omissions: Omissions): string {
  const translations = isObject(text) ? Object.values(text).filter(isText) : [];
  if (translations.length > 1) omissions.add('translations');
  return findText(lookUpOrder(languages, undefined), text) ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
