import type { JsonObject } from '../json.ts';
import { rule, surveyOf, surveyOfPages, textQuestion } from './survey-of.ts';

function many<Item>(count: number, item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

const textQuestions = many(1_000, (index) => textQuestion(`q${index}`));
const ids = textQuestions.map((_, index) => `q${index}`);
function pattern(text: string, members: JsonObject = {}) {
  return surveyOf([textQuestion('q', { pattern: text, ...members })]);
}
function choices(questions: number, options: number, option: (index: number) => unknown, survey: JsonObject = {}) {
  return surveyOf(
    many(questions, (index) => ({ id: `q${index}`, type: 'single_choice', options: many(options, option) })),
    survey,
  );
}

/** Definitions of up to 1 MiB that try to maximise processing time or the size of the reply. */
export const HOSTILE_DEFINITIONS: Readonly<Record<string, () => JsonObject>> = {
  'the maximum number of options': () => choices(22, 2_000, (index) => ({ id: `o${index}`, text: `t${index}` })),
  'equal options': () => choices(120, 2_000, () => 'a'),
  'texts without a translation': () => choices(45, 2_000, () => ({ text: {} })),
  'too many languages': () =>
    choices(40, 1_000, () => ({ text: {} }), {
      supported_languages: many(90_000, (index) => index.toString(36).padStart(4, 'a')),
    }),
  'a very long language tag': () =>
    choices(20, 1_000, () => ({ text: {} }), { supported_languages: [`en-${'x'.repeat(500_000)}`] }),
  'a very long id': () => surveyOf([{ id: 'x'.repeat(500_000), type: 'single_choice', options: many(2_000, () => 1) }]),
  'too many pages': () => surveyOfPages(many(50_000, () => [])),
  'too many sections': () =>
    surveyOf(textQuestions, { sections: many(25_000, (index) => ({ id: `s${index}`, questions: ['x'] })) }),
  'every question depending on every other': () =>
    surveyOf(textQuestions, {
      sections: [{ id: 's', questions: ids }],
      logic: many(100, (entry) => ({
        question_id: 's',
        action: 'hide',
        conditions: many(50, (index) => ({ question_id: `q${(entry * 50 + index) % 1_000}`, operator: 'is_answered' })),
      })),
    }),
  'a cycle of each question': () =>
    surveyOf(textQuestions, {
      logic: many(5_000, (index) => rule(`q${index % 1_000}`, 'show', `q${index % 1_000}`, 'is_answered')),
    }),
  'a cycle of all questions': () =>
    surveyOf(textQuestions, {
      logic: many(5_000, (index) => rule(`q${index % 1_000}`, 'show', `q${(index + 1) % 1_000}`, 'is_answered')),
    }),
  'cycles of sections': () =>
    surveyOf(textQuestions, {
      sections: many(250, (section) => ({ id: `s${section}`, questions: ids.slice(section * 3, section * 3 + 20) })),
      logic: many(5_000, (index) => rule(`s${index % 250}`, 'hide', `q${(index % 250) * 3}`, 'is_answered')),
    }),
  'a very long pattern': () => pattern('a?'.repeat(450_000)),
  'a pattern of brackets': () => pattern('('.repeat(900_000)),
  'a pattern of nested repetitions': () => pattern('((a{9}){9}){9}'.repeat(60_000)),
  'a pattern of Unicode classes': () => pattern(`(?i)${'[\\pL]'.repeat(180_000)}`),
  'a pattern at the limit of the estimated size': () => pattern(`(?i)${'[\\pL]'.repeat(600)}`, { max_length: 1 }),
  'a pattern at the limit of repetition': () => pattern('\\pL{990}'.repeat(10), { max_length: 1 }),
  'a pattern of groups that JSON Schema cannot express': () =>
    pattern(`${'(?:a)'.repeat(1_000)}\\s`, { max_length: 1 }),
  'a pattern of lazy repetitions that JSON Schema cannot express': () =>
    pattern(`${'a*?'.repeat(1_000)}\\s`, { max_length: 1 }),
  'a pattern of classes that JSON Schema cannot express': () =>
    pattern(`${'[^a]'.repeat(1_000)}\\s`, { max_length: 1 }),
  'a pattern for each question': () =>
    surveyOf(
      many(1_000, (index) => textQuestion(`q${index}`, { max_length: 5, pattern: `${index}\\pL{9}`.repeat(60) })),
    ),
  'a pattern for each condition': () =>
    surveyOf(textQuestions, {
      logic: many(5_000, (index) =>
        rule(`q${(index + 1) % 1_000}`, 'require', `q${index % 1_000}`, 'matches', `${index}[\\pL\\pN]{9}`),
      ),
    }),
};
