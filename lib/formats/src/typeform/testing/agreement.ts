import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { fileOf } from '../../files/import-file.ts';
import { DETECT_ALL } from '../../tables/table-options.ts';
import { readTypeformResponses } from '../responses.ts';
import { readTypeformSurvey } from '../survey.ts';
import { type Random, randomAnswers, toResponse } from './random-forms.ts';
import { walkForm } from './walk-form.ts';

interface Disagreement {
  readonly question: string;
  readonly walked: boolean;
  readonly shown: boolean;
}

export interface Agreement {
  /** Number of questions whose rule was compared with the walk, over all answers. */
  readonly compared: number;
  /** Of these, questions that the walk did not reach. */
  readonly hidden: number;
  /** Of these, questions that were reached but not answered. */
  readonly unanswered: number;
  readonly unproven: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

/** Compares the rules of a converted form with the walks of respondents who give random answers. */
export async function compareWithWalks(form: JsonObject, random: Random, respondents: number): Promise<Agreement> {
  const warnings: FieldProblem[] = [];
  const options = {
    title: '',
    language: 'en',
    table: DETECT_ALL,
    warn: (warning: FieldProblem) => warnings.push(warning),
  };
  const { payload, toFileProblem } = await readTypeformSurvey(fileOf(JSON.stringify(form)), options);
  const unprovenPaths = warnings.filter(({ detail }) => detail.includes('always shown')).map(({ path }) => path);
  const fields = form['fields'] as JsonObject[];
  const required = requireAll(payload);
  const definition = compile(required);
  const questions = questionsOf(required).map(({ question, path }) => {
    const fieldPath = toFileProblem({ path, code: '', detail: '' }).path;
    const data = question['source_data'] as JsonObject;
    const isUnproven = unprovenPaths.some((one) => fieldPath === one || fieldPath.startsWith(`${one}/properties/`));
    return { id: String(question['id']), ref: String(data['ref'] ?? data['source_id']), isUnproven };
  });

  const walks = Array.from({ length: respondents }, () => {
    const answers = randomAnswers(fields, random);
    const unknown = random(2) === 0;
    return { answers, visited: walkForm(form, answers, () => unknown).visited };
  });
  const file = fileOf(JSON.stringify(walks.map(({ answers }) => toResponse(fields, answers))));
  const survey = { payload: required, definition };
  const settings = { unmask: undefined, table: DETECT_ALL, warn: () => {} };
  const responses = await Array.fromAsync(readTypeformResponses(file, survey, settings));

  const disagreements: Disagreement[] = [];
  let compared = 0;
  let hidden = 0;
  let unanswered = 0;
  for (const [index, { visited }] of walks.entries()) {
    const response = responses[index];
    if (visited === undefined || response === undefined) continue;
    const { data, errors } = definition.validate('answers' in response ? response.answers : {});
    const missing = new Set(errors.filter(({ code }) => code === 'REQUIRED').map(({ question_id: id }) => id));
    for (const { id, ref, isUnproven } of questions) {
      const shown = Object.hasOwn(data, id) || missing.has(id);
      const walked = isUnproven || visited.has(ref);
      compared += isUnproven ? 0 : 1;
      hidden += walked ? 0 : 1;
      unanswered += !isUnproven && walked && missing.has(id) ? 1 : 0;
      if (shown !== walked) disagreements.push({ question: ref, walked, shown });
    }
  }
  return {
    compared,
    hidden,
    unanswered,
    unproven: questions.filter(({ isUnproven }) => isUnproven).map(({ ref }) => ref),
    disagreements,
  };
}

/** Makes all questions required. Then validation reports each question that is shown but not answered. */
function requireAll(payload: JsonObject): JsonObject {
  const survey = payload['survey'] as JsonObject;
  const pages = (survey['pages'] as JsonObject[]).map((page) => ({
    ...page,
    questions: (page['questions'] as JsonObject[]).map(
      ({ min_selections: _min, max_selections: _max, ...question }) => ({ ...question, required: true }),
    ),
  }));
  return { ...payload, survey: { ...survey, pages } };
}

function questionsOf(payload: JsonObject) {
  const pages = (payload['survey'] as JsonObject)['pages'] as JsonObject[];
  return pages.flatMap((page, index) =>
    (page['questions'] as JsonObject[]).map((question, position) => ({
      question,
      path: `/survey/pages/${index}/questions/${position}`,
    })),
  );
}
