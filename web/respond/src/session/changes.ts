import { type Answers, questionsOf, visibleQuestions } from '@survey/questionnaire';
import { isSameJson, ownMember } from '@survey/questionnaire/json';
import { validAnswers } from './flow.ts';
import type { Progress } from './progress.ts';

/** The response as the platform has it. */
export interface StoredResponse {
  readonly id: string;
  readonly resumeToken: string;
  readonly revision: number;
  readonly answers: Answers;
}

/** An answer that another device has changed since this one saved last. */
export interface ChangedAnswer {
  readonly questionId: string;
  /** The answer of the other device, and the one of this device. */
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Whether this device has changed the answer too. */
  readonly isContested: boolean;
}

/** Compares the progress with the stored response. Answers that both devices have changed in the same way are left out. */
export function changedAnswers(progress: Progress, stored: StoredResponse): readonly ChangedAnswer[] {
  const { survey, answers, response } = progress;
  const data = validAnswers(progress);
  const visible = new Set(visibleQuestions(survey.definition, answers));
  const saved = response?.answers ?? {};
  return questionsOf(survey.definition).flatMap(({ id: questionId }) => {
    const [before, theirs] = [ownMember(saved, questionId), ownMember(stored.answers, questionId)];
    // Answers that are still invalid are not sent, but must not be lost. Those that logic hides are removed.
    const mine = visible.has(questionId) ? (ownMember(data, questionId) ?? ownMember(answers, questionId)) : undefined;
    if (isSameJson(theirs, before) || isSameJson(theirs, mine)) return [];
    return [{ questionId, theirs, mine, isContested: !isSameJson(mine, before) }];
  });
}

/**
 * Continues with the stored response: takes over the answers of the other device.
 *
 * @param kept questions whose answers stay as they are on this device
 */
export function mergeStored(
  progress: Progress,
  stored: StoredResponse,
  kept: ReadonlySet<string> = new Set(),
): Progress {
  const taken = changedAnswers(progress, stored).filter(({ questionId }) => !kept.has(questionId));
  const answers: Record<string, unknown> = { ...progress.answers };
  for (const { questionId, theirs } of taken) {
    if (theirs === undefined) delete answers[questionId];
    else answers[questionId] = theirs;
  }
  return { ...progress, answers, response: stored };
}

/** Continues with a survey. If it has another version, keeps only the answers that are valid in it. */
export function withSurvey(progress: Progress, survey: Progress['survey']): Progress {
  if (survey.version === progress.survey.version) return progress;
  const { answers, prefill } = progress;
  return {
    ...progress,
    survey,
    answers: validAnswers({ survey, answers }),
    prefill: prefill && validAnswers({ survey, answers: prefill }),
  };
}
