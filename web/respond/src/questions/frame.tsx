import type { Question } from '@survey/questionnaire';
import type { ComponentChildren } from 'preact';
import { hintFor, type Messages } from '../texts/messages.ts';

/** Properties of the control of a question. */
export interface ControlProps<Asked extends Question> {
  readonly question: Asked;
  /** The answer so far, in the form of the API. It may be invalid. */
  readonly answer: unknown;
  /** Called with a new answer; undefined removes it. */
  readonly onAnswer: (answer: unknown) => void;
  readonly messages: Messages;
  /** Language tag of the respondent, which decides how numbers are read. */
  readonly language: string;
  readonly required: boolean;
  /** Attributes that name and describe the control to assistive technology. */
  readonly aria: AriaAttributes;
}

export interface AriaAttributes {
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** The attributes of a group of controls. A group has no `aria-invalid`: its error is in the description. */
export function toGroupAria({
  'aria-invalid': _invalid,
  ...attributes
}: AriaAttributes): Omit<AriaAttributes, 'aria-invalid'> {
  return attributes;
}

/** Id of the element around a question. It also prefixes the ids of the elements inside. */
export function elementIdOf(questionId: string): string {
  return `question-${questionId}`;
}

interface FrameProps {
  readonly question: Question;
  readonly messages: Messages;
  readonly required: boolean;
  /** Text of the error in the answer. */
  readonly error: string | undefined;
  readonly children: (aria: AriaAttributes) => ComponentChildren;
}

/** Shows the title, the explanation, a hint and the error of a question around its control. */
export function Frame({ question, messages, required, error, children }: FrameProps) {
  const id = elementIdOf(question.id);
  const hint = hintFor(messages, question);
  const describedBy = [
    ...(question.description === '' ? [] : [`${id}-description`]),
    ...(hint === '' ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ].join(' ');
  const aria: AriaAttributes = {
    'aria-labelledby': `${id}-title`,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(error === undefined ? {} : { 'aria-invalid': true }),
  };
  return (
    <div class="question" id={id} tabIndex={-1} data-invalid={error === undefined ? undefined : true}>
      <h3 class="question-title" id={`${id}-title`}>
        <bdi>{question.title}</bdi>
        {required && (
          <span class="required" lang={messages.tag}>
            {` (${messages.required})`}
          </span>
        )}
      </h3>
      {question.description !== '' && (
        <p class="soft text" id={`${id}-description`} dir="auto">
          {question.description}
        </p>
      )}
      {hint !== '' && (
        <p class="soft" id={`${id}-hint`} lang={messages.tag}>
          {hint}
        </p>
      )}
      {children(aria)}
      {error !== undefined && (
        <p class="error" id={`${id}-error`} lang={messages.tag}>
          {error}
        </p>
      )}
    </div>
  );
}
