import type { JsonObject } from '@bufbuild/protobuf';
import type { Budget } from '../core/budget.ts';
import { numberScale } from '../core/number-scale.ts';
import { buildFixed, buildLanguage, buildMultiple, buildSingle } from './choice-questions.ts';
import { datePartsOf, readDateLimits } from './date-rules.ts';
import type { LssQuestion } from './lss-survey.ts';
import {
  type Build,
  type BuildContext,
  buildWithoutOptions,
  builtInOptions,
  mainPart,
  type Part,
  partOf,
  toOptions,
} from './question-parts.ts';
import { buildDualScale, buildLikert, buildNumbers, buildRanks, buildTexts } from './table-questions.ts';
import { readNumberRules, readRange } from './text-rules.ts';

/** A question for each subquestion. */
const buildList = (members: (question: LssQuestion, context: BuildContext) => JsonObject): Build =>
  function* (question, context) {
    const [items] = question.subquestions;
    if (items.length === 0) return yield* buildWithoutOptions(question, context);
    const ofEach = members(question, context);
    for (const item of items) yield partOf(question, item, ofEach);
  };

const buildDate: Build = (question, { rules }) => {
  const moment = datePartsOf(question.attributes.get('date_format') ?? '');
  const part = mainPart(question, {});
  const date = { ...part.members, type: 'date', ...readDateLimits(question.attributes) };
  if (moment === 'date') return [{ ...part, moment, members: date }];
  const time = { ...part.members, type: 'time' };
  if (moment === 'time') return [{ ...part, moment, members: time }];
  rules.warnOfMoments(question);
  return [
    { ...part, moment: 'date', members: date },
    { ...part, sourceId: `${question.code}#time`, variable: `${question.code}#time`, moment: 'time', members: time },
  ];
};

const buildFiles: Build = (question, { rules }) => {
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
};

const answersOf = (question: LssQuestion) => toOptions(question.answers[0]);

/** Builders by question type of LimeSurvey. */
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
    Q: buildList((question, { rules }) => rules.text(question, 'text')),
    K: buildList(
      (question) =>
        (isSlider(question) ? readRange(question, 'slider', undefined) : undefined) ?? readNumberRules(question),
    ),
    5: (question) => [mainPart(question, { type: 'rating', min: 1, max: 5 })],
    A: buildLikert(() => numberScale(5), false),
    B: buildLikert(() => numberScale(10), false),
    C: buildLikert(() => builtInOptions({ Y: 'Yes', U: 'Uncertain', N: 'No' }), true),
    E: buildLikert(() => builtInOptions({ I: 'Increase', S: 'Same', D: 'Decrease' }), true),
    F: buildLikert(answersOf, false),
    H: buildLikert(answersOf, false),
    1: buildDualScale,
    ':': buildNumbers,
    ';': buildTexts,
    D: buildDate,
    '|': buildFiles,
    R: buildRanks,
  }),
);

function isSlider({ attributes }: LssQuestion): boolean {
  return attributes.get('slider_layout') === '1';
}

/**
 * Converts a question to parts; none for an unknown type. Throws `INVALID_IMPORT` if the survey becomes too large.
 * Parts are generated one by one, because a small file can expand to more than memory.
 */
export function buildParts(question: LssQuestion, context: BuildContext, budget: Budget): readonly Part[] {
  const parts: Part[] = [];
  for (const part of BUILDERS.get(question.type)?.(question, context) ?? []) {
    budget.take(part.members, part.path);
    parts.push(part);
  }
  return parts;
}
