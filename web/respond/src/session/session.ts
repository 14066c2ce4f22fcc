import { type Address, type Personal, takePersonal } from './address.ts';
import { createSurveyApi, type SurveyApi } from './api.ts';
import { validAnswers } from './flow.ts';
import { chooseLanguage } from './languages.ts';
import { createPageHistory, type PageHistory } from './page-history.ts';
import { createPreviewApi, type PreviewedSurvey } from './preview.ts';
import { createProgressStore, type Progress, type ProgressStore } from './progress.ts';

/** All that the page needs to show a survey to one respondent. */
export interface Session {
  readonly api: SurveyApi;
  readonly store: ProgressStore;
  readonly pages: PageHistory;
  /** Language tags in order of preference. */
  readonly wanted: readonly string[];
  /** The personal part of the address of this visit. */
  readonly personal: Personal | undefined;
  /** Whether nothing is submitted. */
  readonly isPreview: boolean;
  /** Whether the address has a token for one response. */
  readonly isSingleUse: boolean;
}

/** Creates the session of a respondent. */
export function createSession(address: Address, window: Window): Session {
  const taken = takePersonal(window);
  const { location, history, navigator } = window;
  const store = createProgressStore({
    tab: () => sessionStorage,
    device: () => localStorage,
    path: location.pathname,
  });
  let saved = store.load();
  let personal = store.loadPersonal();
  // Another token belongs to another respondent.
  if (taken?.token !== undefined && taken.token !== (saved?.singleUseToken ?? personal?.token)) {
    store.clear();
    saved = undefined;
    personal = undefined;
  }
  const token = taken?.token ?? saved?.singleUseToken ?? personal?.token;
  if (taken !== undefined) personal = { ...taken, token };
  // A reload before the survey is open must find what was removed from the address.
  if (personal !== undefined) store.savePersonal(personal);
  let linkToken = saved?.linkToken ?? token;
  const withTokens = (progress: Progress): Progress => ({ ...progress, linkToken, singleUseToken: token });
  return {
    api: createSurveyApi({
      baseUrl: location.origin,
      address,
      linkToken: () => linkToken,
      onLinkToken: (latest) => {
        linkToken = latest;
      },
    }),
    pages: createPageHistory(history),
    store: { ...store, save: (progress) => store.save(withTokens(progress)) },
    wanted: [...new URLSearchParams(location.search).getAll('lang'), ...navigator.languages],
    personal,
    isPreview: false,
    isSingleUse: token !== undefined,
  };
}

/** Creates the session of a preview. It continues with the answers to an earlier definition. */
export function createPreviewSession(preview: PreviewedSurvey, earlier: Session | undefined): Session {
  const earlierProgress = earlier?.store.load();
  let progress: Progress | undefined = earlierProgress && {
    ...earlierProgress,
    survey: preview.survey,
    answers: validAnswers({ survey: preview.survey, answers: earlierProgress.answers }),
    language: chooseLanguage(preview.survey.languages, [preview.language ?? earlierProgress.language]),
  };
  return {
    api: createPreviewApi(preview, () => new Date()),
    pages: createPageHistory(undefined),
    store: {
      load: () => progress,
      save: (changed) => {
        progress = changed;
      },
      clear: () => {
        progress = undefined;
      },
      loadPersonal: () => undefined,
      savePersonal: () => undefined,
      isKept: () => false,
      keep: () => undefined,
    },
    personal: undefined,
    wanted: preview.language === undefined ? navigator.languages : [preview.language],
    isPreview: true,
    isSingleUse: false,
  };
}
