import { type Answers, type Definition, localize, type Question } from '@survey/questionnaire';
import { ownMember } from '@survey/questionnaire/json';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Control } from './questions/control.tsx';
import type { FileActions } from './questions/file-upload.tsx';
import { elementIdOf, Frame } from './questions/frame.tsx';
import { createIsRequired, type QuestionErrors, type Step } from './session/flow.ts';
import { type Messages, problemText } from './texts/messages.ts';

interface Props {
  readonly definition: Definition;
  readonly step: Step;
  /** The visible questions of the page. */
  readonly questions: readonly Question[];
  readonly language: string;
  readonly messages: Messages;
  readonly answers: Answers;
  readonly errors: QuestionErrors;
  /** Each change moves the focus to the errors, or to the heading if there are none. */
  readonly focusCount: number;
  readonly notice: 'notSaved' | 'rejected' | undefined;
  /** Whether the browser has just loaded the page, and the focus is at its top. */
  readonly isFirstView: boolean;
  readonly onAnswer: (questionId: string, answer: unknown) => void;
  readonly onNext: () => void;
  readonly onBack: ((page: number) => void) | undefined;
  readonly files: FileActions;
  /** The choice to keep answers on this device; undefined in a preview. */
  readonly keep: { readonly isKept: boolean; readonly onKeep: (kept: boolean) => void } | undefined;
}

/** One page of questions with its buttons. */
export function QuestionPage(props: Props) {
  const { definition, step, questions, language, messages, answers, errors, focusCount, notice, isFirstView } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  // An ordinary effect would run after the next frame, and could take the focus from a field that already has it.
  useLayoutEffect(() => {
    if (errors.size > 0) summary.current?.focus();
    else if (!isFirstView) heading.current?.focus();
  }, [focusCount]);

  const textOf = (text: unknown) => localize(definition, text, language);
  const { title, description, pages } = definition as SurveyTexts;
  const page = pages?.[step.page.index];
  const pageNumber = messages.page(step.number, step.count);
  const pageTitle = textOf(page?.title);
  const isRequired = createIsRequired(definition, answers);
  const questionsWithErrors = questions.filter(({ id }) => errors.has(id));
  const problemOf = (question: Question) => problemText(messages, question, errors.get(question.id) ?? '');

  return (
    <main>
      <h1>
        <bdi>{textOf(title)}</bdi>
      </h1>
      {step.number === 1 && textOf(description) !== '' && (
        <p class="text" dir="auto">
          {textOf(description)}
        </p>
      )}
      {step.count > 1 && (
        <div class="page-number" lang={messages.tag}>
          <progress aria-label={pageNumber} value={step.number} max={step.count} />
          {pageTitle !== '' && <span class="soft">{pageNumber}</span>}
        </div>
      )}
      <h2 ref={heading} tabIndex={-1} class={pageTitle === '' && step.count === 1 ? 'visually-hidden' : undefined}>
        {pageTitle === '' ? <span lang={messages.tag}>{pageNumber}</span> : <bdi>{pageTitle}</bdi>}
      </h2>
      {textOf(page?.description) !== '' && (
        <p class="text" dir="auto">
          {textOf(page?.description)}
        </p>
      )}
      {questionsWithErrors.length > 0 && (
        <div class="summary" ref={summary} tabIndex={-1} role="alert">
          <p lang={messages.tag}>{messages.checkAnswers}</p>
          <ul>
            {questionsWithErrors.map((question) => (
              <li key={question.id}>
                <button type="button" class="link" onClick={() => focusQuestion(question.id)}>
                  <bdi>{question.title}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onNext();
        }}
      >
        {questions.map((question) => (
          <Frame
            key={question.id}
            question={question}
            messages={messages}
            required={isRequired(question.id)}
            error={errors.has(question.id) ? problemOf(question) : undefined}
          >
            {(aria) => (
              <Control
                question={question}
                answer={ownMember(answers, question.id)}
                onAnswer={(answer) => props.onAnswer(question.id, answer)}
                messages={messages}
                language={language}
                required={isRequired(question.id)}
                aria={aria}
                files={props.files}
              />
            )}
          </Frame>
        ))}
        <div class="actions" lang={messages.tag}>
          {step.previous !== undefined && props.onBack !== undefined && (
            <button
              type="button"
              class="button"
              onClick={() => step.previous !== undefined && props.onBack?.(step.previous)}
            >
              {messages.back}
            </button>
          )}
          <button type="submit" class="button primary">
            {step.next === undefined ? messages.submit : messages.next}
          </button>
        </div>
        <p class="notice" role="status" lang={messages.tag} hidden={notice === undefined}>
          {notice === undefined ? '' : messages[notice]}
        </p>
        {props.keep !== undefined && <Keep {...props.keep} messages={messages} />}
      </form>
    </main>
  );
}

/** The texts of a definition that this file shows. */
interface SurveyTexts {
  readonly title?: unknown;
  readonly description?: unknown;
  readonly pages?: readonly { readonly title?: unknown; readonly description?: unknown }[];
}

/** Moves the focus to the first control of a question. */
function focusQuestion(questionId: string): void {
  const question = document.getElementById(elementIdOf(questionId));
  const control = question?.querySelector<HTMLElement>('input, select, textarea') ?? question;
  control?.focus();
  question?.scrollIntoView({ block: 'nearest' });
}

interface KeepProps {
  readonly isKept: boolean;
  readonly onKeep: (kept: boolean) => void;
  readonly messages: Messages;
}

/** Lets the respondent keep the answers after the tab is closed. Other users of the device could read them. */
function Keep({ isKept, onKeep, messages }: KeepProps) {
  const [checked, setChecked] = useState(isKept);
  return (
    <div class="keep" lang={messages.tag}>
      <label>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby="keep-hint"
          onChange={({ currentTarget }) => {
            onKeep(currentTarget.checked);
            setChecked(currentTarget.checked);
          }}
        />
        {messages.keepOnDevice}
      </label>
      <p id="keep-hint" class="soft">
        {messages.keepOnDeviceHint}
      </p>
    </div>
  );
}
