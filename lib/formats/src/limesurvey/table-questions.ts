import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { MAX_RANKS, numberScale } from '../core/number-scale.ts';
import { joinTexts, toJsonText } from '../core/texts.ts';
import type { LssQuestion } from './lss-survey.ts';
import {
  type Build,
  buildWithoutOptions,
  mainPart,
  type Part,
  partOf,
  SEPARATOR,
  titleOf,
  toOptions,
  warnOfBuiltInWords,
} from './question-parts.ts';
import { readRange } from './text-rules.ts';

/** An array with the same options for all rows. */
export const buildLikert =
  (options: (question: LssQuestion) => JsonValue[], isBuiltIn: boolean): Build =>
  (question, context) => {
    const [rows] = question.subquestions;
    const scale = options(question);
    if (rows.length === 0 || scale.length === 0) return buildWithoutOptions(question, context);
    if (isBuiltIn) warnOfBuiltInWords(question, context);
    return [mainPart(question, { type: 'likert', rows: toOptions(rows), options: scale })];
  };

/** An array with two scales: a likert for each scale. */
export const buildDualScale: Build = (question, context) => {
  const [rows] = question.subquestions;
  const parts = question.answers.flatMap((answers, index): readonly Part[] => {
    if (rows.length === 0 || answers.length === 0) return [];
    const header = question.attributes.get(index === 0 ? 'dualscale_headerA' : 'dualscale_headerB') ?? '';
    const members = { type: 'likert', rows: toOptions(rows), options: toOptions(answers) };
    const part = mainPart(question, members);
    const title = joinTexts(titleOf(question), header || String(index + 1), SEPARATOR);
    const scale = index === 0 ? 1 : 2;
    return [
      {
        ...part,
        sourceId: `${question.code}#${scale}`,
        variable: `${question.code}#${scale}`,
        scale,
        members: { ...part.members, title: toJsonText(title) },
      },
    ];
  });
  return parts.length === 0 ? buildWithoutOptions(question, context) : parts;
};

/** A question for each cell of a table. */
function* buildCells(question: LssQuestion, members: JsonObject): Generator<Part> {
  const [rows, columns] = question.subquestions;
  for (const row of rows) {
    const ofRow = joinTexts(titleOf(question), row.label, SEPARATOR);
    for (const column of columns) {
      const part = partOf(question, row, members);
      yield {
        ...part,
        sourceId: `${question.code}[${row.code}_${column.code}]`,
        variable: `${question.code}_${row.code}_${column.code}`,
        members: { ...part.members, title: toJsonText(joinTexts(ofRow, column.label, SEPARATOR)) },
      };
    }
  }
}

/** A table of numbers: a matrix for checkboxes, otherwise a question for each cell. */
export const buildNumbers: Build = (question, context) => {
  const [rows, columns] = question.subquestions;
  if (rows.length === 0 || columns.length === 0) return buildWithoutOptions(question, context);
  if (question.attributes.get('multiflexible_checkbox') === '1') {
    const members = { type: 'matrix', multiple: true, rows: toOptions(rows), columns: toOptions(columns) };
    return [mainPart(question, members)];
  }
  const isList = question.attributes.get('input_boxes') !== '1';
  const range = isList ? readRange(question, 'multiflexible', { min: 1, max: 10 }) : undefined;
  return buildCells(question, range ?? { type: 'text', format: 'number' });
};

/** A table of texts: a question for each cell. */
export const buildTexts: Build = (question, context) => {
  const [rows, columns] = question.subquestions;
  if (rows.length === 0 || columns.length === 0) return buildWithoutOptions(question, context);
  const isNumber = question.attributes.get('numbers_only') === '1';
  return buildCells(question, isNumber ? { type: 'text', format: 'number' } : context.rules.text(question, 'textarea'));
};

/** A ranking: a matrix of items and ranks. No parts if there are too many items. */
export const buildRanks: Build = (question, context) => {
  const items = question.answers[0].length > 0 ? question.answers[0] : question.subquestions[0];
  if (items.length === 0) return buildWithoutOptions(question, context);
  if (items.length > MAX_RANKS) return [];
  context.warnOfQuestion(
    question,
    'NO_SUCH_TYPE',
    'A ranking becomes a matrix of answers and ranks, which allows equal ranks',
  );
  const { members, ...part } = mainPart(question, {
    type: 'matrix',
    rows: toOptions(items),
    columns: numberScale(items.length),
  });
  // Respondents need not rank all items.
  return [{ ...part, members: { ...members, required_rows: 1 } }];
};
