import { ApiError } from '@survey/client';
import { validateAnswers } from '@survey/questionnaire';
import type { OpenedSurvey, SurveyApi } from './api.ts';
import { isTemporary } from './errors.ts';
import { chooseLanguage } from './languages.ts';
import type { Progress } from './progress.ts';

interface Start {
  readonly api: SurveyApi;
  /** The progress that an earlier visit left in this browser. */
  readonly saved: Progress | undefined;
  /** Language tags in order of preference. */
  readonly wanted: readonly string[];
  readonly password?: string | undefined;
}

/** Loads a survey, and continues an earlier visit. Rejects with an `ApiError` if the survey cannot be shown. */
export async function start({ api, saved, wanted, password }: Start): Promise<Progress> {
  if (saved === undefined) return begin(await api.open(password), wanted);
  let opened: OpenedSurvey;
  try {
    opened = await api.open(password);
  } catch (error) {
    // Without a connection, the respondent continues with what the browser has.
    if (isTemporary(error) || isCausedByOwnResponse(error, saved)) return resume(api, saved);
    throw error;
  }
  const { survey } = opened;
  if (survey.id !== saved.survey.id) return begin(opened, wanted);
  if (survey.version === saved.survey.version || hasBegun(saved)) return resume(api, saved);
  // The platform has no response yet, so the respondent can answer the newer version.
  const { data } = validateAnswers(survey.definition, saved.answers, { partial: true });
  return { ...begin(opened, [saved.language, ...wanted]), answers: data, fileNames: saved.fileNames };
}

function begin({ survey, openedAt }: OpenedSurvey, wanted: readonly string[]): Progress {
  return {
    survey,
    answers: {},
    page: survey.definition.welcome_screen ? -1 : 0,
    language: chooseLanguage(survey.languages, wanted),
    fileNames: {},
    startedAt: openedAt.toISOString(),
  };
}

/**
 * Whether the respondent has caused the error: a submitted response uses up the token of a link, and takes the
 * last seat.
 */
function isCausedByOwnResponse(error: unknown, saved: Progress): boolean {
  if (!(error instanceof ApiError) || !hasBegun(saved)) return false;
  return error.code === 'LINK_TOKEN_USED' || saved.isSubmitPending === true;
}

/** Whether the platform has the response, or may have it. */
function hasBegun({ creation, response }: Progress): boolean {
  return creation !== undefined || response !== undefined;
}

/**
 * Checks that a stored response is still in progress. The answers in the browser are never older than the stored
 * answers.
 */
async function resume(api: SurveyApi, saved: Progress): Promise<Progress> {
  if (saved.response === undefined) return saved;
  const { id, resumeToken } = saved.response;
  try {
    const { status } = await api.find(id, resumeToken);
    if (status === 'in_progress' || saved.isSubmitPending === true) return saved;
    throw new ApiError('the response is complete', { code: 'STATE_CONFLICT', status: 409 });
  } catch (error) {
    if (isTemporary(error)) return saved;
    // The response was abandoned or deleted meanwhile. The answers in the browser become another response.
    if (error instanceof ApiError && error.code === 'RESPONSE_NOT_FOUND') return { ...saved, response: undefined };
    throw error;
  }
}
