import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { MAX_RANKS, numberScale } from '../core/draft.ts';
import { MAX_TEXT } from '../core/source-data.ts';
import { joinTexts, type Text } from '../core/texts.ts';
import type { LssQuestion } from './document.ts';
import { OTHER_COLUMN } from './headers.ts';
import {
  type Build,
  type BuildContext,
  buildWithoutOptions,
  builtInOptions,
  commentPart,
  datePartsOf,
  mainPart,
  type Part,
  partOf,
  readDateLimits,
  readNumberRules,
  readRange,
  SEPARATOR,
  titleOf,
  toOptions,
  warnOfBuiltInWords,
} from './parts.ts';

/**
 * Builders by question type:
 * - `L`, `!`, `O`: a list. `Y`, `G`, `I`: a choice with fixed options. `M`, `P`: a multiple choice.
 * - `S`, `T`, `U`: a text. `N`: a number. `Q`, `K`: texts or numbers by item.
 * - `A`, `B`, `C`, `E`, `F`, `H`, `1`: arrays, which are tables with a choice in a row.
 * - `:`, `;`: tables of numbers or texts. `5`: a scale. `D`: a date. `|`: files. `R`: a ranking.
 */
const BUILDERS: ReadonlyMap<string, Build> = new Map(
  Object.entries<Build>({
    L: buildSingle,
    '!': buildSingle,
    O: buildSingle,
    Y: buildFixed({ Y: 'Yes', N: 'No' }),
    G: buildFixed({ F: 'Female', M: 'Male' }),
    I: buildLanguage,
    M: buildMultiple,
    P: buildMultiple,
    S: (question, { rules }) => [mainPart(question, rules.text(question, 'text'))],
    N: (question) => [mainPart(question, readNumberRules(question))],
    T: (question, { rules }) => [mainPart(question, rules.text(question, 'textarea'))],
    U: (question, { rules }) => [mainPart(question, rules.text(question, 'textarea'))],
    Q: buildForEachItem((question, { rules }) => rules.text(question, 'text')),
    K: buildForEachItem(
      (question) => (isSlider(question) ? readRange(question, 'slider') : undefined) ?? readNumberRules(question),
    ),
    5: (question) => [mainPart(question, { type: 'rating', min: 1, max: 5 })],
    A: buildLikert(() => numberScale(5), false),
    B: buildLikert(() => numberScale(10), false),
    C: buildLikert(() => builtInOptions({ Y: 'Yes', U: 'Uncertain', N: 'No' }), true),
    E: buildLikert(() => builtInOptions({ I: 'Increase', S: 'Same', D: 'Decrease' }), true),
    F: buildLikert(optionsOfFirstScale, false),
    H: buildLikert(optionsOfFirstScale, false),
    1: buildDualScale,
    ':': buildNumberArray,
    ';': buildTextArray,
    D: buildDate,
    '|': buildFiles,
    R: buildRanks,
  }),
);

/**
 * Converts a question to parts; none for an unknown type. Parts are generated one by one, because the parts of a small
 * file can need more than the memory.
 */
export function build(question: LssQuestion, context: BuildContext): Iterable<Part> {
  return BUILDERS.get(question.type)?.(question, context) ?? [];
}

/** A single choice. The type `O` has a second question for the comment. */
function buildSingle(question: LssQuestion, context: BuildContext): Iterable<Part> {
  const [answers] = question.answers;
  const hasOther = question.row.get('other') === 'Y';
  if (answers.length === 0 && !hasOther) return buildWithoutOptions(question, context);
  const parts = [answers.length === 0 ? onlyOther(question) : choicePart(question, hasOther)];
  if (question.type !== 'O') return parts;
  return [
    ...parts,
    commentPart(question, `${question.code}[comment]`, joinTexts(titleOf(question), 'Comment', SEPARATOR)),
  ];
}

/** A choice with no option but `other` becomes a text question. Exports have its answer in the column of `other`. */
function onlyOther(question: LssQuestion): Part {
  const part = mainPart(question, { type: 'text', max_length: MAX_TEXT });
  return { ...part, sourceId: `${question.code}${OTHER_COLUMN}` };
}

function choicePart(question: LssQuestion, hasOther: boolean): Part {
  const [answers] = question.answers;
  const options = toOptions(answers);
  return mainPart(question, { type: 'single_choice', options, ...(hasOther ? { allow_other: true } : {}) });
}

/** A single choice with options of LimeSurvey itself. `options` has their English texts by code. */
function buildFixed(options: Readonly<Record<string, string>>): Build {
  return (question, context) => {
    warnOfBuiltInWords(question, context);
    return [mainPart(question, { type: 'single_choice', options: builtInOptions(options) })];
  };
}

function buildLanguage(question: LssQuestion, { languages }: BuildContext): Iterable<Part> {
  const options = builtInOptions(Object.fromEntries(languages.map((language) => [language, language])));
  return [mainPart(question, { type: 'single_choice', options })];
}

/** A multiple choice. The type `P` has a further question for the comment on each option. */
function* buildMultiple(question: LssQuestion, context: BuildContext): Generator<Part> {
  const [items] = question.subquestions;
  const hasOther = question.row.get('other') === 'Y';
  const title = (label: Text) => joinTexts(joinTexts(titleOf(question), label, SEPARATOR), 'Comment', SEPARATOR);
  const otherComment = () => commentPart(question, `${question.code}[othercomment]`, title('Other'), 'other');
  if (items.length === 0) {
    if (!hasOther) return yield* buildWithoutOptions(question, context);
    yield onlyOther(question);
    if (question.type === 'P') yield otherComment();
    return;
  }
  const excluding = new Set((question.attributes.get('exclude_all_others') ?? '').split(';').filter(Boolean));
  const [min, max] = ['min_answers', 'max_answers'].map((name) => context.rules.readInteger(question, name));
  const possible = items.length + (hasOther ? 1 : 0);
  yield mainPart(question, {
    type: 'multiple_choice',
    options: toOptions(items, excluding),
    ...(hasOther ? { allow_other: true } : {}),
    ...(min !== undefined && min > 0 && min <= possible ? { min_selections: min } : {}),
    ...(max !== undefined && max > 0 && max >= (min ?? 0) ? { max_selections: max } : {}),
  });
  if (question.type !== 'P') return;
  for (const { code, label } of items) {
    yield commentPart(question, `${question.code}[${code}comment]`, title(label), code);
  }
  if (hasOther) yield otherComment();
}

/** An array with the same options for all rows. */
function buildLikert(optionsOf: (question: LssQuestion) => JsonValue[], isBuiltIn: boolean): Build {
  return (question, context) => {
    const [rows] = question.subquestions;
    const options = optionsOf(question);
    if (rows.length === 0 || options.length === 0) return buildWithoutOptions(question, context);
    if (isBuiltIn) warnOfBuiltInWords(question, context);
    return [mainPart(question, { type: 'likert', rows: toOptions(rows), options })];
  };
}

/** An array with two scales: a likert for each scale. */
function buildDualScale(question: LssQuestion, context: BuildContext): Iterable<Part> {
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
        title,
      },
    ];
  });
  return parts.length === 0 ? buildWithoutOptions(question, context) : parts;
}

/** A question for each cell of a table. */
function* buildCells(question: LssQuestion, members: JsonObject): Generator<Part> {
  const [rows, columns] = question.subquestions;
  for (const row of rows) {
    const rowTitle = joinTexts(titleOf(question), row.label, SEPARATOR);
    for (const column of columns) {
      const part = partOf(question, row, members);
      yield {
        ...part,
        sourceId: `${question.code}[${row.code}_${column.code}]`,
        variable: `${question.code}_${row.code}_${column.code}`,
        title: joinTexts(rowTitle, column.label, SEPARATOR),
      };
    }
  }
}

/** A table of numbers: a matrix for checkboxes, otherwise a question for each cell. */
function buildNumberArray(question: LssQuestion, context: BuildContext): Iterable<Part> {
  const [rows, columns] = question.subquestions;
  if (rows.length === 0 || columns.length === 0) return buildWithoutOptions(question, context);
  if (question.attributes.get('multiflexible_checkbox') === '1') {
    const members = { type: 'matrix', multiple: true, rows: toOptions(rows), columns: toOptions(columns) };
    return [mainPart(question, members)];
  }
  const hasDropdowns = question.attributes.get('input_boxes') !== '1';
  const range = hasDropdowns ? readRange(question, 'multiflexible') : undefined;
  return buildCells(question, range ?? { type: 'text', format: 'number' });
}

/** A table of texts: a question for each cell. */
function buildTextArray(question: LssQuestion, context: BuildContext): Iterable<Part> {
  const [rows, columns] = question.subquestions;
  if (rows.length === 0 || columns.length === 0) return buildWithoutOptions(question, context);
  const isNumber = question.attributes.get('numbers_only') === '1';
  return buildCells(question, isNumber ? { type: 'text', format: 'number' } : context.rules.text(question, 'textarea'));
}

/** A ranking: a matrix of items and ranks. No parts if there are too many items; the question is then kept whole. */
function buildRanks(question: LssQuestion, context: BuildContext): Iterable<Part> {
  const items = question.answers[0].length > 0 ? question.answers[0] : question.subquestions[0];
  if (items.length === 0) return buildWithoutOptions(question, context);
  if (items.length > MAX_RANKS) return [];
  context.warnOfQuestion(
    question,
    'NO_SUCH_TYPE',
    'A ranking becomes a matrix of answers and ranks, which allows equal ranks',
  );
  return [
    mainPart(question, {
      type: 'matrix',
      rows: toOptions(items),
      columns: numberScale(items.length),
      // Respondents need not rank all items.
      required_rows: 1,
    }),
  ];
}

/** A question for each subquestion. */
function buildForEachItem(membersOf: (question: LssQuestion, context: BuildContext) => JsonObject): Build {
  return function* (question, context) {
    const [items] = question.subquestions;
    if (items.length === 0) return yield* buildWithoutOptions(question, context);
    const members = membersOf(question, context);
    for (const item of items) yield partOf(question, item, members);
  };
}

function buildDate(question: LssQuestion, { rules }: BuildContext): Iterable<Part> {
  const moment = datePartsOf(question.attributes.get('date_format') ?? '');
  const part = mainPart(question, {});
  const date = { type: 'date', ...readDateLimits(question.attributes) };
  if (moment === 'date') return [{ ...part, moment, members: date }];
  const time = { type: 'time' };
  if (moment === 'time') return [{ ...part, moment, members: time }];
  rules.warnOfMoments(question);
  // Tables whose columns are named by titles need different titles. LimeSurvey's own tables have one column for both.
  const titleWith = (suffix: string) => joinTexts(part.title, suffix, SEPARATOR);
  const timeCode = `${question.code}#time`;
  return [
    { ...part, title: titleWith('Date'), moment: 'date', members: date },
    { ...part, title: titleWith('Time'), sourceId: timeCode, variable: timeCode, moment: 'time', members: time },
  ];
}

function buildFiles(question: LssQuestion, { rules }: BuildContext): Iterable<Part> {
  const [max, kilobytes] = ['max_num_of_files', 'max_filesize'].map((name) => rules.readInteger(question, name));
  const types = (question.attributes.get('allowed_filetypes') ?? '').split(',').map((type) => type.trim());
  const accept = types.filter((type) => /^\w+$/.test(type)).map((type) => `.${type.toLowerCase()}`);
  return [
    mainPart(question, {
      type: 'file_upload',
      ...(max === undefined || max < 1 ? {} : { max_files: max }),
      ...(kilobytes === undefined || kilobytes < 1 ? {} : { max_bytes: kilobytes * 1024 }),
      ...(accept.length === 0 ? {} : { accept }),
    }),
  ];
}

function isSlider({ attributes }: LssQuestion): boolean {
  return attributes.get('slider_layout') === '1';
}

function optionsOfFirstScale(question: LssQuestion): JsonValue[] {
  return toOptions(question.answers[0]);
}
