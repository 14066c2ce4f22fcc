import { type PublicSurvey, randomUuid, type UpdatePublicResponseRequest } from '@survey/client';
import { isDisqualified } from '@survey/questionnaire';
import type { SurveyApi } from './api.ts';

/** A definition sent by another page of the platform, to be shown without submitting anything. */
export interface PreviewedSurvey {
  readonly survey: PublicSurvey;
  readonly language: string | undefined;
}

type Peer = Pick<Window, 'postMessage'>;

/** The part of `window` that the preview needs. */
export interface PreviewWindow {
  readonly location: { readonly origin: string };
  readonly parent: Peer;
  readonly opener: Peer | null;
  addEventListener(type: 'message', listener: (event: PreviewMessage) => void): void;
}

type PreviewMessage = Pick<MessageEvent, 'origin' | 'source' | 'data'>;

/**
 * Gets definitions from the page that framed or opened this one, if it has the same origin. Returns false if there is
 * no other page.
 *
 * This page posts `{type: 'survey-preview-ready'}`. The other page then posts any number of messages
 * `{type: 'survey-preview', definition, language, survey_version}`.
 */
export function receivePreviews(ownWindow: PreviewWindow, onPreview: (preview: PreviewedSurvey) => void): boolean {
  const peer = ownWindow.parent === (ownWindow as unknown) ? ownWindow.opener : ownWindow.parent;
  if (peer === null) return false;
  ownWindow.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== ownWindow.location.origin || source !== peer) return;
    const preview = readPreview(data);
    if (preview !== undefined) onPreview(preview);
  });
  peer.postMessage({ type: 'survey-preview-ready' }, ownWindow.location.origin);
  return true;
}

function readPreview(data: unknown): PreviewedSurvey | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, definition, language, survey_version: surveyVersion } = data as Readonly<Record<string, unknown>>;
  if (type !== 'survey-preview' || typeof definition !== 'object' || definition === null) return undefined;
  const { supported_languages: languages } = definition as PublicSurvey['definition'];
  // The other page may omit the version, but responses need one.
  const version = typeof surveyVersion === 'number' ? surveyVersion : 1;
  return {
    survey: {
      id: 'preview',
      version,
      survey_version: version,
      metadata_fields: [],
      definition: definition as PublicSurvey['definition'],
      languages: Array.isArray(languages) ? languages.filter((tag) => typeof tag === 'string') : [],
    },
    language: typeof language === 'string' ? language : undefined,
  };
}

/** Creates an API for a preview: it accepts all calls and sends nothing to the platform. */
export function createPreviewApi({ survey }: PreviewedSurvey, now: () => Date): SurveyApi {
  const ids = { id: 'preview', survey_id: survey.id, survey_version: survey.version };
  const receipt = () => ({ ...ids, created_at: now().toISOString() });
  const statusOf = ({ status, data }: UpdatePublicResponseRequest) => {
    if (status !== 'completed') return 'in_progress';
    return isDisqualified(survey.definition, data ?? {}) ? 'disqualified' : 'completed';
  };
  return {
    open: async () => ({ survey, openedAt: now() }),
    create: async (body) => ({ ...receipt(), status: statusOf(body), resume_token: 'preview' }),
    update: async (_response, body) => ({ ...receipt(), status: statusOf(body), revision: 1 }),
    find: async () => ({ ...receipt(), status: 'in_progress', data: {}, updated_at: now().toISOString(), revision: 1 }),
    upload: async (_questionId, { name, size, type }, onProgress) => {
      onProgress(1);
      const file_id = randomUuid();
      return { file_id, filename: name, size, content_type: type, expires_at: now().toISOString() };
    },
  };
}
