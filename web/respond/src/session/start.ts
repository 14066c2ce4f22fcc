import { ApiError } from '@survey/client';
import { prefilledAnswers } from '@survey/questionnaire';
import { isRejection } from '@survey/questionnaire/answers/answer-type';
import { ownMember } from '@survey/questionnaire/json';
import { METADATA_TYPES, readMetadataValue } from '@survey/questionnaire/metadata/metadata-fields';
import type { Personal } from './address.ts';
import type { OpenedSurvey, SurveyApi } from './api.ts';
import { changedAnswers, mergeStored, type StoredResponse, withSurvey } from './changes.ts';
import { isTemporary } from './errors.ts';
import { positionAfter, shownPage } from './flow.ts';
import { chooseLanguage } from './languages.ts';
import type { Progress } from './progress.ts';

interface Start {
  readonly api: SurveyApi;
  /** The progress that an earlier visit left in this browser. */
  readonly saved: Progress | undefined;
  /** Language tags in order of preference. */
  readonly wanted: readonly string[];
  /** Metadata and answers from the address of this visit. */
  readonly personal: Pick<Personal, 'metadata' | 'prefill'> | undefined;
  readonly password?: string | undefined;
}

/** Loads a survey, and continues an earlier visit. Rejects with an `ApiError` if the survey cannot be shown. */
export async function start({ personal, ...visit }: Start): Promise<Progress> {
  const opened = await open(visit);
  // A submit is repeated as it was.
  if (opened.isSubmitPending === true) return opened;
  const progress = personal === undefined ? opened : withPersonal(opened, personal);
  return { ...progress, ...shownPage(progress, progress.page) };
}

/** Adds metadata and answers from an address. Answers of earlier visits stay, but not their metadata. */
function withPersonal(progress: Progress, personal: NonNullable<Start['personal']>): Progress {
  const { survey, language } = progress;
  const prefill = { ...progress.prefill, ...prefilledAnswers(survey.definition, personal.prefill, language) };
  const metadata = { ...progress.metadata, ...readMetadata(personal.metadata, survey.metadata_fields) };
  return {
    ...progress,
    prefill: Object.keys(prefill).length === 0 ? undefined : prefill,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  };
}

/** Reads the values of declared fields. If a survey declares none, its responses can have any metadata. */
function readMetadata(given: Personal['metadata'], fields: Progress['survey']['metadata_fields'] = []): object {
  if (fields.length === 0) return given;
  const entries = fields.flatMap(({ name, type }) => {
    const text = ownMember(given, name);
    const known = METADATA_TYPES.find((one) => one === type);
    const read = known && text !== undefined ? readMetadataValue({ type: known }, text) : undefined;
    return read === undefined || isRejection(read) ? [] : [[name, read.value]];
  });
  return Object.fromEntries(entries);
}

async function open({ api, saved, wanted, password }: Omit<Start, 'personal'>): Promise<Progress> {
  if (saved === undefined) return beginOrContinue(await api.open(password), wanted);
  let opened: OpenedSurvey;
  try {
    opened = await api.open(password);
  } catch (error) {
    // Without a connection, the respondent continues with what the browser has.
    if (isTemporary(error) || isCausedByOwnResponse(error, saved)) return resume(api, saved);
    throw error;
  }
  const { survey } = opened;
  if (survey.id !== saved.survey.id) return beginOrContinue(opened, wanted);
  if (hasBegun(saved)) return resume(api, saved);
  const stored = readResponseInProgress(opened);
  // Another device began the response before this browser sent its own answers.
  if (stored !== undefined) return mergeUnlessContested(withSurvey(saved, survey), stored);
  if (survey.version === saved.survey.version) return saved;
  // The platform has no response yet, so the respondent can answer the newer version.
  const { answers, prefill } = withSurvey(saved, survey);
  const { metadata, fileNames } = saved;
  return { ...begin(opened, [saved.language, ...wanted]), answers, prefill, metadata, fileNames };
}

/** Begins a response. If the token of a single-use link has a response in progress, continues that one instead. */
function beginOrContinue(opened: OpenedSurvey, wanted: readonly string[]): Progress {
  const progress = begin(opened, wanted);
  const stored = readResponseInProgress(opened);
  if (stored === undefined) return progress;
  const { survey } = progress;
  const { language = '' } = opened.survey.response_in_progress ?? {};
  return {
    ...progress,
    answers: stored.answers,
    page: positionAfter(survey.definition, stored.answers),
    language: chooseLanguage(survey.languages, [language, ...wanted]),
    response: stored,
  };
}

/**
 * Reads the response in progress of a single-use link. Throws `RESPONSE_IN_PROGRESS` if the survey allows only the
 * device that began the response to continue it.
 */
export function readResponseInProgress({ survey }: OpenedSurvey): StoredResponse | undefined {
  const begun = survey.response_in_progress;
  if (begun === undefined) return undefined;
  const { id, resume_token: resumeToken, revision, data: answers = {} } = begun;
  if (id !== undefined && resumeToken !== undefined && revision !== undefined)
    return { id, resumeToken, revision, answers };
  throw new ApiError('only another device can continue the response', { code: 'RESPONSE_IN_PROGRESS', status: 409 });
}

/** Reads the reply of `find`. Throws `STATE_CONFLICT` if the response is no longer in progress. */
export function readFound(
  { id, resumeToken }: Pick<StoredResponse, 'id' | 'resumeToken'>,
  { status, data, revision }: Awaited<ReturnType<SurveyApi['find']>>,
): StoredResponse {
  if (status === 'in_progress') return { id, resumeToken, revision, answers: data };
  throw new ApiError('the response is complete', { code: 'STATE_CONFLICT', status: 409 });
}

/**
 * Takes over what another device has saved. If both devices have changed an answer, takes over nothing: the platform
 * rejects the next save, and then the respondent chooses.
 */
function mergeUnlessContested(progress: Progress, stored: StoredResponse): Progress {
  const isContested = changedAnswers(progress, stored).some((changed) => changed.isContested);
  return isContested ? progress : mergeStored(progress, stored);
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
 * Whether the error can come from the respondent's own response. A submitted response uses up the token of its link,
 * and may have taken the last seat. `LINK_USED_UP`: replicas of the previous release call a used token so; others may
 * have taken the last seat of the link while the respondent answered.
 */
function isCausedByOwnResponse(error: unknown, saved: Progress): boolean {
  if (!(error instanceof ApiError) || !hasBegun(saved)) return false;
  return error.code === 'LINK_TOKEN_USED' || error.code === 'LINK_USED_UP' || saved.isSubmitPending === true;
}

/** Whether the platform has the response, or may have it. */
function hasBegun({ creation, response }: Progress): boolean {
  return creation !== undefined || response !== undefined;
}

/**
 * Continues the response of an earlier visit. Asks the platform whether it is still in progress, and takes over what
 * another device has saved meanwhile.
 */
async function resume(api: SurveyApi, saved: Progress): Promise<Progress> {
  if (saved.response === undefined) return saved;
  const { id, resumeToken } = saved.response;
  try {
    const found = await api.find(id, resumeToken);
    if (saved.isSubmitPending === true) return saved;
    const stored = readFound(saved.response, found);
    // Earlier releases of the page kept no revision, so the page cannot know which answers another device
    // has changed. It keeps the answers of the browser.
    return saved.response.revision === undefined ? saved : mergeUnlessContested(saved, stored);
  } catch (error) {
    if (isTemporary(error)) return saved;
    // The response was abandoned or deleted meanwhile. The answers in the browser become another response.
    if (error instanceof ApiError && error.code === 'RESPONSE_NOT_FOUND') return { ...saved, response: undefined };
    throw error;
  }
}
