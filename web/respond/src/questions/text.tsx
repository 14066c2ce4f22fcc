import type { QuestionOf } from '@survey/questionnaire';
import type { ControlProps } from './frame.tsx';
import { readText } from './number-text.ts';
import { NumberInput } from './rating.tsx';

/**
 * Keyboards of phones by format. The type of the field stays `text`: the platform checks the format, the browser must
 * not.
 */
const INPUT_MODES = { email: 'email', url: 'url', phone: 'tel' } as const;
const AUTOCOMPLETE = INPUT_MODES;

/** One line of text. */
export function Text(props: ControlProps<QuestionOf<'text'>>) {
  const { question, answer, onAnswer, required, aria } = props;
  const { format } = question;
  // `inputMode` is text: other keyboards of phones lack a minus sign.
  if (format === 'number' || format === 'integer') return <NumberInput {...props} inputMode="text" read={readText} />;
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
