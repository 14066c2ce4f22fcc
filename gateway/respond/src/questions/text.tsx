import type { QuestionOf } from '@survey/questionnaire';
import type { ControlProps } from './frame.tsx';

/**
 * Keyboards of phones by format. The type of the field stays `text`: the platform checks the format, the browser must
 * not.
 */
const INPUT_MODES = { email: 'email', url: 'url', phone: 'tel', number: 'text', integer: 'text' } as const;
const AUTOCOMPLETE = { email: 'email', url: 'url', phone: 'tel', number: 'off', integer: 'off' } as const;

/** One line of text. */
export function Text({ question, answer, onAnswer, required, aria }: ControlProps<QuestionOf<'text'>>) {
  const { format } = question;
  return (
    <input
      type="text"
      dir="auto"
      {...aria}
      {...(format === undefined ? {} : { inputMode: INPUT_MODES[format], autocomplete: AUTOCOMPLETE[format] })}
      aria-required={required}
      value={typeof answer === 'string' ? answer : ''}
      onInput={({ currentTarget: { value } }) => onAnswer(value === '' ? undefined : value)}
    />
  );
}

/** Text of any number of lines. */
export function Textarea({ answer, onAnswer, required, aria }: ControlProps<QuestionOf<'textarea'>>) {
  return (
    <textarea
      rows={4}
      dir="auto"
      {...aria}
      aria-required={required}
      value={typeof answer === 'string' ? answer : ''}
      onInput={({ currentTarget: { value } }) => onAnswer(value === '' ? undefined : value)}
    />
  );
}
