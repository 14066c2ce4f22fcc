import { readRange } from '@survey/questionnaire/answers/rating';
import { isAbsent, isArray, isObject, type JsonObject } from '@survey/questionnaire/json';
import { joinBars } from './csv-cells.ts';
import type { Omissions } from './omissions.ts';

/** The limits of a rating without `min` or `max`. */
const DEFAULT_RANGE = { min: 1, max: 5 };

/** The cell for the scale of a rating: a range such as `1-5`, or numbers; empty for the default scale. */
export function scaleCell(question: JsonObject, omissions: Omissions): string {
  const options = question['options'];
  const items = (isArray(options) ? options : [options]).filter((item) => !isAbsent(item));
  const ends = { min: question['min'], max: question['max'] };
  if (items.length > 0) {
    omissions.addAll(ends, 'questions.');
    return listCell(items, omissions);
  }
  if (isAbsent(ends.min) && isAbsent(ends.max)) return '';
  const min = ends.min ?? DEFAULT_RANGE.min;
  const max = ends.max ?? Math.max(DEFAULT_RANGE.max, Number(min));
  if (Number.isSafeInteger(min) && Number.isSafeInteger(max)) return `${min}-${max}`;
  omissions.addAll(ends, 'questions.');
  return '';
}

function listCell(items: readonly unknown[], omissions: Omissions): string {
  const values = items.map((item) => {
    if (!isObject(item)) return item;
    omissions.addUnknown(item, isAbsent(item['id']) ? ['text'] : ['id'], 'options.');
    return item['id'] ?? item['text'];
  });
  const labels = values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : [],
  );
  const filled = labels.filter((label) => label !== '');
  if (filled.length < items.length) omissions.add('options');
  // Imports read a single text such as `1-5` as a range.
  const range = filled.length === 1 ? readRange(filled[0] ?? '') : undefined;
  return range === undefined ? joinBars(filled) : `${range.min}-${range.max}`;
}
