import { localize } from '@survey/questionnaire';
import { useEffect } from 'preact/hooks';
import { Changes } from './changes.tsx';
import { Header } from './header.tsx';
import { QuestionPage } from './question-page.tsx';
import { ErrorScreen, PasswordScreen, Screen } from './screens.tsx';
import { isOffline, toApiError } from './session/errors.ts';
import type { Progress } from './session/progress.ts';
import type { Session } from './session/session.ts';
import { describePasswordError, messagesFor } from './texts/messages.ts';
import { useRespondent } from './use-respondent.ts';

interface Props {
  readonly session: Session;
  readonly initial: Progress;
  /** Called with the language of the texts. */
  readonly onLanguage: (tag: string) => void;
  /** Begins another response. Undefined if the respondent cannot submit one. */
  readonly onRestart: (() => void) | undefined;
}

const WELCOME = -1;

/** Asks the questions of a survey, saves the answers after each page, and submits them after the last one. */
export function Survey({ session, initial, onLanguage, onRestart }: Props) {
  const { api, store } = session;
  const respondent = useRespondent(session, initial);
  const { progress, phase, step, questions, change, goTo, submit } = respondent;
  const { definition, languages } = progress.survey;
  const messages = messagesFor(progress.language);
  const nameOf = (id: string) => progress.fileNames[id] ?? id;
  const textOf = (text: unknown) => localize(definition, text, progress.language);

  useEffect(() => onLanguage(progress.language), [progress.language]);
  useEffect(() => {
    document.title = textOf(definition.title);
  }, [definition, progress.language]);

  switch (phase.at) {
    case 'sending': {
      const { problem } = phase;
      const text = problem === undefined ? '' : isOffline(problem) ? messages.offlineAnswersKept : messages.busy;
      return (
        <Screen title={messages.sending} lang={messages.tag}>
          <p role="status">{text}</p>
          {problem?.requestId !== undefined && <p class="soft">{messages.requestId(problem.requestId)}</p>}
          {problem !== undefined && (
            <button type="button" class="button" onClick={respondent.retry}>
              {messages.retry}
            </button>
          )}
        </Screen>
      );
    }
    case 'password':
      return (
        <PasswordScreen
          messages={messages}
          onPassword={async (password) => {
            await api.open(password);
            void submit();
          }}
          describe={(error) => describePasswordError(messages, toApiError(error))}
        />
      );
    case 'changed': {
      const { changes, stored } = phase;
      return (
        <Changes
          changes={changes}
          questions={questions}
          messages={messages}
          nameOf={nameOf}
          onContinue={(kept) => respondent.continueFrom(stored, kept)}
        />
      );
    }
    case 'error':
      return (
        <ErrorScreen
          error={phase.error}
          messages={messages}
          title={messages.rejected}
          onRetry={() => void submit()}
          onRestart={onRestart}
        />
      );
    case 'done': {
      const screen = definition.thank_you_screen;
      if (phase.isDisqualified) return <Screen {...messages.disqualified} lang={messages.tag} />;
      const title = textOf(screen?.title);
      const text = textOf(screen?.description);
      if (title === '' && text === '') return <Screen {...messages.thankYou} lang={messages.tag} />;
      return <Screen title={title || messages.thankYou.title} text={text} />;
    }
    case 'questions':
      break;
  }

  const header = (
    <Header
      preview={session.isPreview ? messages.preview : undefined}
      label={messages.language}
      languages={languages}
      language={progress.language}
      onLanguage={(language) => change({ language })}
    />
  );
  if (progress.page === WELCOME && definition.welcome_screen) {
    const { title, description } = definition.welcome_screen;
    return (
      <>
        {header}
        <Screen title={textOf(title) || textOf(definition.title)} text={textOf(description)} takesFocus={false}>
          <button type="button" class="button primary" lang={messages.tag} onClick={() => goTo(0)}>
            {messages.start}
          </button>
        </Screen>
      </>
    );
  }
  if (step === undefined) return <Screen title={textOf(definition.title)} text={messages.noQuestions} />;
  const shown = new Set(step.page.questions);
  return (
    <>
      {header}
      <QuestionPage
        key={step.page.index}
        definition={definition}
        step={step}
        questions={questions.filter(({ id }) => shown.has(id))}
        language={progress.language}
        messages={messages}
        answers={progress.answers}
        errors={respondent.errors}
        focusCount={respondent.focusCount}
        notice={respondent.notice}
        isFirstView={progress === initial}
        onAnswer={respondent.answer}
        onNext={respondent.next}
        onBack={step.previous === undefined ? undefined : respondent.back}
        files={{
          ...respondent.uploads,
          pending: respondent.pending,
          nameOf,
          removeUploaded: (questionId, fileId) =>
            respondent.answerFiles(questionId, (ids) => ids.filter((id) => id !== fileId)),
        }}
        keep={session.isPreview ? undefined : { isKept: store.isKept(), onKeep: store.keep }}
      />
    </>
  );
}
