import { isAbsent, isObject } from '../json.ts';
import type { Report } from '../lint/report.ts';

/** Checks a required title: a non-blank text, or an object of translations with at least one. */
export const checkTitle = (title: unknown, path: string, report: Report, questionId?: string): void => {
  if (isAbsent(title)) {
    report('EMPTY_TITLE', path, 'the title is missing', questionId);
    return;
  }
  const texts = isObject(title) ? Object.values(title) : [title];
  if (!texts.every((text) => typeof text === 'string')) {
    report('WRONG_TYPE', path, 'the title must be a string, or an object with a string for each language', questionId);
    return;
  }
  if (texts.every((text) => text.trim() === '')) report('EMPTY_TITLE', path, 'the title is empty', questionId);
};
