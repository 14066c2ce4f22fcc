import type { ApiError } from '@survey/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isResponseOver } from './session/errors.ts';
import type { Messages, ScreenText } from './texts/messages.ts';

interface ScreenProps {
  readonly title: string;
  readonly text?: string;
  /** Language of the text, unless it is the one of the page. */
  readonly lang?: string;
  /**
   * Whether the heading gets the focus. Needed if the screen replaces another one, so that screen readers announce it.
   */
  readonly takesFocus?: boolean;
  readonly children?: ComponentChildren;
}

/** A screen without questions, such as the welcome screen. */
export function Screen({ title, text = '', lang, takesFocus = true, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [title]);
  return (
    <main class="screen" lang={lang}>
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {text !== '' && (
        <p class="text" dir="auto">
          {text}
        </p>
      )}
      {children}
    </main>
  );
}

type ScreenName = {
  [Name in keyof Messages]: Messages[Name] extends ScreenText ? Name : never;
}[keyof Messages];

/** Screens of errors that end the survey for this respondent, at least on this device. */
const SCREENS: Readonly<Record<string, ScreenName>> = {
  SURVEY_NOT_FOUND: 'notFound',
  LINK_NOT_FOUND: 'notFound',
  SURVEY_NOT_OPEN_YET: 'notOpenYet',
  SURVEY_CLOSED: 'closed',
  RESPONSE_LIMIT_REACHED: 'full',
  LINKS_ONLY: 'linkNeeded',
  LINK_TOKEN_WRONG: 'linkNeeded',
  LINK_EXPIRED: 'linkExpired',
  LINK_USED_UP: 'linkUsed',
  LINK_TOKEN_USED: 'alreadySubmitted',
  RESPONSE_IN_PROGRESS: 'elsewhere',
  STATE_CONFLICT: 'alreadySubmitted',
  RESPONSE_DELETED: 'alreadySubmitted',
};

/** Whether an error ends the survey for this respondent, at least on this device. */
export function isFinal({ code }: ApiError): boolean {
  return Object.hasOwn(SCREENS, code);
}

interface ErrorProps {
  readonly error: ApiError;
  readonly messages: Messages;
  /** Title for errors without a screen of their own. Default: the survey cannot be shown. */
  readonly title?: string;
  readonly onRetry: () => void;
  /** Begins another response. Undefined if the respondent cannot submit one. */
  readonly onRestart?: (() => void) | undefined;
}

/** The screen of an error. If it is not final, the respondent can try again. */
export function ErrorScreen({ error, messages, title = messages.failed.title, onRetry, onRestart }: ErrorProps) {
  const name = SCREENS[error.code];
  const screen = name === undefined ? { title, text: messages.failed.text } : messages[name];
  return (
    <Screen {...screen} lang={messages.tag}>
      {!isFinal(error) && (
        <>
          {error.requestId !== undefined && <p class="soft">{messages.requestId(error.requestId)}</p>}
          <button type="button" class="button primary" onClick={onRetry}>
            {messages.retry}
          </button>
        </>
      )}
      {isResponseOver(error) && onRestart !== undefined && (
        <button type="button" class="button primary" onClick={onRestart}>
          {messages.restart}
        </button>
      )}
    </Screen>
  );
}

interface PasswordProps {
  readonly messages: Messages;
  /** Rejects with the `ApiError` to show. */
  readonly onPassword: (password: string) => Promise<void>;
  /** Text of an error, shown below the password field. */
  readonly describe: (error: unknown) => string;
}

/** Asks for the password of a link. */
export function PasswordScreen({ messages, onPassword, describe }: PasswordProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function enter(): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await onPassword(input.current?.value ?? '');
    } catch (error) {
      setProblem(describe(error));
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <Screen title={messages.passwordTitle} lang={messages.tag}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void enter();
        }}
      >
        <label for="password">{messages.passwordLabel}</label>
        <input
          id="password"
          ref={input}
          type="password"
          autocomplete="off"
          aria-invalid={problem !== ''}
          aria-describedby="password-problem"
        />
        <p id="password-problem" class="error" role="alert">
          {problem}
        </p>
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {messages.passwordSubmit}
        </button>
      </form>
    </Screen>
  );
}
