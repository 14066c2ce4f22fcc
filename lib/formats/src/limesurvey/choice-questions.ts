import { MAX_TEXT } from '../core/source-data.ts';
import { joinTexts, type Text } from '../core/texts.ts';
import { OTHER_COLUMN } from './answer-columns.ts';
import type { LssQuestion } from './lss-survey.ts';
import {
  type Build,
  buildWithoutOptions,
  builtInOptions,
  commentPart,
  mainPart,
  type Part,
  SEPARATOR,
  titleOf,
  toOptions,
  warnOfBuiltInWords,
} from './question-parts.ts';

/** A single choice. The type `O` has a second question for the comment. */
export const buildSingle: Build = (question, context) => {
  const [answers] = question.answers;
  const other = question.row.get('other') === 'Y';
  if (answers.length === 0 && !other) return buildWithoutOptions(question, context);
  const parts = [answers.length === 0 ? onlyOther(question) : choicePart(question, other)];
  if (question.type !== 'O') return parts;
  return [
    ...parts,
    commentPart(question, `${question.code}[comment]`, joinTexts(titleOf(question), 'Comment', SEPARATOR)),
  ];
};

/** A choice with no option but `other` becomes a text question. Exports have its answer in the column of `other`. */
function onlyOther(question: LssQuestion): Part {
  const part = mainPart(question, { type: 'text', max_length: MAX_TEXT });
  return { ...part, sourceId: `${question.code}${OTHER_COLUMN}` };
}

function choicePart(question: LssQuestion, other: boolean): Part {
  const [answers] = question.answers;
  const options = toOptions(answers);
  return mainPart(question, { type: 'single_choice', options, ...(other ? { allow_other: true } : {}) });
}

/** A single choice with options of LimeSurvey itself: English texts by code. */
export const buildFixed =
  (options: Readonly<Record<string, string>>): Build =>
  (question, context) => {
    warnOfBuiltInWords(question, context);
    return [mainPart(question, { type: 'single_choice', options: builtInOptions(options) })];
  };

export const buildLanguage: Build = (question, { languages }) => [
  mainPart(question, {
    type: 'single_choice',
    options: builtInOptions(Object.fromEntries(languages.map((language) => [language, language]))),
  }),
];

/** A multiple choice. The type `P` has a further question for the comment on each option. */
export const buildMultiple: Build = function* (question, context) {
  const [items] = question.subquestions;
  const other = question.row.get('other') === 'Y';
  if (items.length === 0) return yield* buildWithoutOptions(question, context);
  const excluding = new Set((question.attributes.get('exclude_all_others') ?? '').split(';').filter(Boolean));
  const [min, max] = ['min_answers', 'max_answers'].map((name) => context.rules.readInteger(question, name));
  const possible = items.length + (other ? 1 : 0);
  yield mainPart(question, {
    type: 'multiple_choice',
    options: toOptions(items, excluding),
    ...(other ? { allow_other: true } : {}),
    ...(min !== undefined && min > 0 && min <= possible ? { min_selections: min } : {}),
    ...(max !== undefined && max > 0 && max >= (min ?? 0) ? { max_selections: max } : {}),
  });
  if (question.type !== 'P') return;
  const title = (label: Text) => joinTexts(joinTexts(titleOf(question), label, SEPARATOR), 'Comment', SEPARATOR);
  for (const { code, label } of items) {
    yield commentPart(question, `${question.code}[${code}comment]`, title(label), code);
  }
  if (other) yield commentPart(question, `${question.code}[othercomment]`, title('Other'), 'other');
};
