import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { Budget } from '../core/budget.ts';
import { numberOf } from '../core/source-questions.ts';
import { dateMembers, dateSource, isDateFormat } from './date-members.ts';
import type { ReadList } from './lists.ts';
import { matrixParts } from './matrix-parts.ts';
import { onlyPart, type Part } from './part.ts';
import { type SurveyMonkeyQuestion, shownOf } from './question.ts';
import { amountsOf, requiresAll } from './required.ts';
import { lengthMembers, textMembers } from './text-members.ts';

/** Converts a question to one or more parts; undefined for an unknown kind. */
export function partsOf(
  question: SurveyMonkeyQuestion,
  readList: ReadList,
  budget: Budget,
): readonly Part[] | undefined {
  const parts = ownParts(question, readList, budget);
  return parts === undefined ? undefined : [...parts, ...commentOf(question)];
}

function ownParts(question: SurveyMonkeyQuestion, readList: ReadList, budget: Budget): readonly Part[] | undefined {
  const { family, subtype } = question;
  switch (family) {
    case 'single_choice':
    case 'multiple_choice':
      return [choicePart(question, readList)];
    case 'open_ended':
      if (subtype === 'essay') return [essayPart(question)];
      return subtype === 'single' ? [textPart(question)] : rowParts(question);
    case 'demographic':
      return rowParts(question);
    case 'datetime':
      return momentParts(question);
    case 'matrix':
      return matrixParts(question, readList, budget);
    default:
      return undefined;
  }
}

function choicePart({ family, choices, other, required }: SurveyMonkeyQuestion, readList: ReadList): Part {
  if (choices.length === 0) return onlyPart({ type: 'textarea' }, required !== undefined);
  const isMultiple = family === 'multiple_choice';
  const { least, most } = amountsOf(required);
  const offered = shownOf(choices).length;
  const members = {
    type: isMultiple ? 'multiple_choice' : 'single_choice',
    options: readList(choices),
    ...(other !== undefined && other['is_answer_choice'] !== false ? { allow_other: true } : {}),
    ...(isMultiple && least !== undefined && least <= offered ? { min_selections: least } : {}),
    ...(isMultiple && most !== undefined && most >= (least ?? 1) ? { max_selections: most } : {}),
  };
  return onlyPart(members, required !== undefined);
}

/** An `other` field that is not an answer choice is a comment. */
function commentOf({ family, other, validation }: SurveyMonkeyQuestion): readonly Part[] {
  const isChoice = family === 'single_choice' || family === 'multiple_choice';
  if (other === undefined || (isChoice && other['is_answer_choice'] !== false)) return [];
  const title = String(other['text'] ?? '');
  const members = { type: 'textarea', ...lengthMembers(validation) };
  return [{ idSuffix: 'comment', title, members, answerSource: { part: 'comment' }, required: false }];
}

function essayPart({ validation, required }: SurveyMonkeyQuestion): Part {
  return onlyPart({ type: 'textarea', ...lengthMembers(validation) }, required !== undefined);
}

function textPart(question: SurveyMonkeyQuestion): Part {
  const { display, validation, required } = question;
  const isRequired = required !== undefined;
  if (display['display_type'] === 'file_upload') return onlyPart({ type: 'file_upload' }, isRequired);
  if (display['display_type'] === 'slider') return onlyPart(sliderMembers(question), isRequired);
  if (isDateFormat(validation['type'])) return onlyPart(dateMembers(validation), isRequired, dateSource(validation));
  return onlyPart(textMembers(validation), isRequired);
}

function sliderMembers({ display, validation }: SurveyMonkeyQuestion): JsonObject {
  const min = numberOf(validation['min']) ?? 0;
  const max = numberOf(validation['max']) ?? min + 100;
  const options = display['custom_options'];
  const step = isObject(options) ? numberOf(options['step_size']) : undefined;
  const labels = [
    [min, display['left_label']],
    [(min + max) / 2, display['middle_label']],
    [max, display['right_label']],
  ].filter(([, label]) => typeof label === 'string' && label !== '');
  return {
    type: 'rating',
    min,
    max: Math.max(min, max),
    ...(step !== undefined && step > 0 ? { step } : {}),
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
  };
}

function rowParts(question: SurveyMonkeyQuestion): readonly Part[] {
  const { required } = question;
  const rows = shownOf(question.rows);
  return rows.map(({ source }) => {
    const members = rowMembers(source, question);
    return {
      idSuffix: String(source['id']),
      title: String(source['text'] ?? ''),
      members,
      answerSource: {
        row_id: source['id'] ?? '',
        ...(members['type'] === 'date' ? dateSource(question.validation) : {}),
      },
      required: source['required'] === true || requiresAll(required, rows.length),
    };
  });
}

function rowMembers(row: JsonObject, { kind, validation }: SurveyMonkeyQuestion): JsonObject {
  if (kind === 'open_ended/numerical') {
    return { type: 'text', format: validation['type'] === 'integer' ? 'integer' : 'number' };
  }
  if (row['type'] === 'email') return { type: 'text', format: 'email' };
  return isDateFormat(validation['type']) ? dateMembers(validation) : textMembers(validation);
}

/** Subtypes of datetime that ask for only one of date and time. */
const momentTypes: ReadonlyMap<string, readonly ('date' | 'time')[]> = new Map([
  ['date_only', ['date']],
  ['time_only', ['time']],
]);

function momentParts(question: SurveyMonkeyQuestion): readonly Part[] {
  const { subtype, required, validation } = question;
  const rows = shownOf(question.rows);
  const types = momentTypes.get(subtype) ?? ['date', 'time'];
  return rows.flatMap(({ source }) =>
    types.map((type) => ({
      idSuffix: types.length === 1 ? String(source['id']) : `${String(source['id'])}_${type}`,
      title: String(source['text'] ?? ''),
      members: type === 'date' ? dateMembers(validation) : { type },
      answerSource: { row_id: source['id'] ?? '', ...dateSource(validation) },
      required: requiresAll(required, rows.length),
    })),
  );
}
