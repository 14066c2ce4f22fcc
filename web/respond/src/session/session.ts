import { type Address, readToken } from './address.ts';
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
  /** Whether nothing is submitted. */
  readonly isPreview: boolean;
  /** Whether the address has a token for one response. */
  readonly isSingleUse: boolean;
}

/** Creates the session of a respondent. */
export function createSession(address: Address, { location, history, navigator }: Window): Session {
  const store = createProgressStore({
    tab: () => sessionStorage,
    device: () => localStorage,
    path: location.pathname,
  });
  const singleUseToken = readToken(location.hash);
  let saved = store.load();
  // Another token belongs to another respondent.
  if (singleUseToken !== undefined && saved !== undefined && saved.singleUseToken !== singleUseToken) {
    store.clear();
    saved = undefined;
  }
  // Remove the token from the address bar and the history, where others could see it.
  if (singleUseToken !== undefined) history.replaceState(null, '', location.pathname + location.search);

  const token = singleUseToken ?? saved?.singleUseToken;
  let linkToken = saved?.linkToken ?? singleUseToken;
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
      isKept: () => false,
      keep: () => undefined,
    },
    wanted: preview.language === undefined ? navigator.languages : [preview.language],
    isPreview: true,
    isSingleUse: false,
  };
}
