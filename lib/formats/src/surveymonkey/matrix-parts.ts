import type { JsonObject } from '@bufbuild/protobuf';
import { isArray } from '@survey/questionnaire/json';
import type { Budget } from '../core/budget.ts';
import { numberOf } from '../core/source-questions.ts';
import type { ReadList } from './lists.ts';
import { onlyPart, type Part } from './part.ts';
import { listIn, type SurveyMonkeyQuestion, shownOf } from './question.ts';
import { amountsOf } from './required.ts';

/** Converts a matrix to a matrix, likert or rating. A matrix of menus becomes one matrix for each column. */
export function matrixParts(
  question: SurveyMonkeyQuestion,
  readList: ReadList,
  budget: Budget,
): readonly Part[] | undefined {
  const { subtype, rows, choices, columns, required } = question;
  const isRequired = required !== undefined;
  if (subtype === 'menu') return menuParts(question, readList, budget);
  const options = choices.length > 0 ? choices : columns;
  if (options.length === 0) return undefined;
  if (subtype === 'rating') {
    const scale = hasNoVisibleRows(question) ? scaleOf(question) : undefined;
    if (scale !== undefined) return [onlyPart(scale, isRequired, { weights: weightsOf(question) })];
    const withRows = hasNoVisibleRows(question) ? {} : { rows: readList(rows), ...requiredRows(question) };
    return [onlyPart({ type: 'likert', options: readList(options), ...withRows }, isRequired)];
  }
  if (rows.length === 0) return undefined;
  const members = {
    type: 'matrix',
    rows: readList(rows),
    columns: readList(options),
    ...(subtype === 'multi' ? { multiple: true } : {}),
    ...requiredRows(question),
  };
  return [onlyPart(members, isRequired)];
}

function menuParts(question: SurveyMonkeyQuestion, readList: ReadList, budget: Budget): readonly Part[] | undefined {
  const rows = readList(question.rows);
  const columns = shownOf(question.columns).filter(
    ({ source }) => isArray(source['choices']) && source['choices'].length > 0,
  );
  // Each part repeats all rows, so their size counts for each column.
  const plainRows = rows.map(({ source_data: _kept, ...members }) => members);
  budget.expect(columns.length, [plainRows], question.path);
  const parts = columns.flatMap(({ source, path }) => {
    const choices = listIn(source, 'choices', path);
    if (choices.length === 0 || rows.length === 0) return [];
    return [
      {
        idSuffix: String(source['id']),
        title: String(source['text'] ?? ''),
        members: {
          type: 'matrix',
          rows,
          columns: readList(choices),
          ...requiredRows(question),
        },
        answerSource: { col_id: source['id'] ?? '' },
        required: question.required !== undefined,
      },
    ];
  });
  return parts.length === 0 ? undefined : parts;
}

/** Whether respondents see no rows: there are none, or one without a text. */
function hasNoVisibleRows(question: SurveyMonkeyQuestion): boolean {
  const rows = shownOf(question.rows);
  return rows.length === 0 || (rows.length === 1 && String(rows[0]?.source['text'] ?? '').trim() === '');
}

/** A rating, if the weights of the choices are consecutive numbers; otherwise undefined. */
function scaleOf(question: SurveyMonkeyQuestion): JsonObject | undefined {
  const choices = shownOf(question.choices);
  const weights = choices.map(({ source }) => (source['is_na'] === true ? undefined : numberOf(source['weight'])));
  const [min] = weights;
  if (min === undefined || !weights.every((weight, index) => weight === min + index)) return undefined;
  const labels = choices.flatMap(({ source }, index) => {
    const text = String(source['text'] ?? '').trim();
    return text === '' ? [] : [[String(min + index), text]];
  });
  return {
    type: 'rating',
    min,
    max: min + choices.length - 1,
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
  };
}

/** The weight of each choice by its id. Responses have the ids of choices, not their weights. */
function weightsOf({ choices }: SurveyMonkeyQuestion): JsonObject {
  return Object.fromEntries(choices.map(({ source }) => [String(source['id']), numberOf(source['weight']) ?? null]));
}

function requiredRows({ required, rows }: SurveyMonkeyQuestion): JsonObject {
  const { least } = amountsOf(required);
  return least === undefined || least >= shownOf(rows).length ? {} : { required_rows: least };
}
