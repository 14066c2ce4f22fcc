import type { PublicSurvey, SubmitPublicResponseRequest } from '@survey/client';
import type { Answers } from '@survey/questionnaire';
import type { Personal } from './address.ts';
import type { StoredResponse } from './changes.ts';

/** The answers of a respondent and all that is needed to continue later. */
export interface Progress {
  /** The version that is being answered. The platform returns only the latest version, so the page keeps this one. */
  readonly survey: PublicSurvey;
  readonly answers: Answers;
  /** Answers from the address to questions of pages that were not shown since. They are neither sent nor used in logic. */
  readonly prefill?: Answers | undefined;
  /** Metadata from the address, which is sent with the answers. */
  readonly metadata?: SubmitPublicResponseRequest['metadata'] | undefined;
  /** Position of the page in the definition; -1 for the welcome screen. */
  readonly page: number;
  /** One of the languages of the survey. */
  readonly language: string;
  /** Names of uploaded files by their id. */
  readonly fileNames: Readonly<Record<string, string>>;
  /** Time at which the respondent opened the survey, as RFC 3339. */
  readonly startedAt: string;
  /** The latest `Link-Token`. */
  readonly linkToken?: string | undefined;
  /** Token of a single-use link, from the address. */
  readonly singleUseToken?: string | undefined;
  /** The request that creates the response. It is repeated unchanged, with its key, until the platform replies. */
  readonly creation?: { readonly key: string; readonly body: SubmitPublicResponseRequest } | undefined;
  /**
   * The stored response, while it is in progress, as this device saved or read it last. Earlier releases of the page
   * kept neither revision nor answers.
   */
  readonly response?: (Pick<StoredResponse, 'id' | 'resumeToken'> & Partial<StoredResponse>) | undefined;
  /** Whether the respondent has submitted the answers, and the platform has not acknowledged them. */
  readonly isSubmitPending?: boolean;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps progress in the browser: for this tab, or on the device if the respondent wants to continue later. */
export interface ProgressStore {
  load(): Progress | undefined;
  save(progress: Progress): void;
  clear(): void;
  /** Keep the personal part of the address in this tab until the first progress is saved. */
  loadPersonal(): Personal | undefined;
  savePersonal(personal: Personal): void;
  /** Whether the progress stays on the device after the tab is closed. */
  isKept(): boolean;
  keep(kept: boolean): void;
}

interface Dependencies {
  /** Return the storage of the tab and of the device. They may throw: browsers can forbid storage. */
  readonly tab: () => Storage;
  readonly device: () => Storage;
  /** Path of the survey. Each path has its own progress. */
  readonly path: string;
}

export function createProgressStore({ tab, device, path }: Dependencies): ProgressStore {
  const key = `survey-respond ${path}`;
  // The survey is large and does not change, so it has its own entry.
  const surveyKey = `${key} survey`;
  const personalKey = `${key} address`;
  // The progress of this tab comes first: the progress on the device may belong to another tab.
  let isKept = read(tab) === undefined && read(device) !== undefined;
  const current = () => (isKept ? device : tab);
  let last: Progress | undefined;
  let writtenSurvey: PublicSurvey | undefined;

  function read(storage: () => Storage): Progress | undefined {
    return attempt(() => {
      const [text, survey] = [storage().getItem(key), storage().getItem(surveyKey)];
      return text === null || survey === null ? undefined : { ...JSON.parse(text), survey: JSON.parse(survey) };
    });
  }

  function write(storage: () => Storage, { survey, ...progress }: Progress): void {
    attempt(() => {
      // Another tab can have removed the survey.
      const isWritten = survey === writtenSurvey && storage().getItem(surveyKey) !== null;
      if (!isWritten) storage().setItem(surveyKey, JSON.stringify(survey));
      writtenSurvey = survey;
      storage().setItem(key, JSON.stringify(progress));
    });
  }

  function remove(storage: () => Storage): void {
    for (const one of [key, surveyKey]) attempt(() => storage().removeItem(one));
    writtenSurvey = undefined;
  }

  return {
    load() {
      last = read(current());
      return last;
    },
    save(progress) {
      last = progress;
      write(current(), progress);
      attempt(() => tab().removeItem(personalKey));
    },
    loadPersonal: () => attempt(() => JSON.parse(tab().getItem(personalKey) ?? 'null') ?? undefined),
    savePersonal: (personal) => attempt(() => tab().setItem(personalKey, JSON.stringify(personal))),
    clear() {
      remove(current());
      attempt(() => tab().removeItem(personalKey));
      isKept = false;
      last = undefined;
    },
    isKept: () => isKept,
    keep(kept) {
      remove(current());
      isKept = kept;
      if (last !== undefined) write(current(), last);
    },
  };
}

/** Ignores errors of the storage. If it is full or forbidden, the page works until it is reloaded. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
